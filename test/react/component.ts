/** The tests of the component, which `react-18.test.ts` and `react-19.test.ts` run. */
import {assert} from '@open-wc/testing'
import {createElement, createRef, StrictMode, version, type ReactNode} from 'react'
import {flushSync} from 'react-dom'
import {createRoot, hydrateRoot, type Root} from 'react-dom/client'
import {CheckoutPaidEvent, CryptoCheckout as Element, type Phase} from '../../src/element/index.js'
import {CryptoCheckout, type CryptoCheckoutElement, type CryptoCheckoutProps} from '../../src/react/index.js'
import {container, Fixture} from '../element/fixture.js'

const pair = {asset: '825', network: 'bsc'}

export function describeComponent(react: string): void {
  describe(`the component for React, in React ${react}`, () => {
    let root: Root | undefined
    const problems: string[] = []
    const {error, warn} = console

    beforeEach(() => {
      problems.length = 0
      console.error = console.warn = (...texts: unknown[]) => problems.push(texts.join(' '))
    })

    afterEach(() => {
      root?.unmount()
      root = undefined
      Object.assign(console, {error, warn})
      assert.equal(problems.join('\n'), '')
    })

    function render(node: ReactNode): void {
      root ??= createRoot(container())
      const to = root
      flushSync(() => to.render(node))
    }

    async function reached(element: CryptoCheckoutElement, phase: Phase): Promise<void> {
      while (element.phase !== phase)
        await new Promise(resolve => element.addEventListener('checkout-changed', resolve, {once: true}))
    }

    /** Of a new charge, and the statuses that its event prop got. */
    async function propsOfCharge() {
      const fixture = new Fixture({proxy: {tokenSecret: 'a secret of at least 32 characters'}})
      const chargeId = await fixture.charge()
      const statuses: string[] = []
      const props: CryptoCheckoutProps = {
        chargeId,
        token: fixture.proxy.createToken(chargeId),
        fetch: fixture.fetch,
        logos: 'none',
        className: 'mine',
        onCheckoutChanged: event => statuses.push(event.detail?.status ?? 'none'),
      }
      return {fixture, chargeId, statuses, props}
    }

    it('sets props before the first request, calls event props, and exposes the element as ref', async () => {
      const {fixture, statuses, props} = await propsOfCharge()
      const ref = createRef<CryptoCheckoutElement>()
      render(createElement(StrictMode, null, createElement(CryptoCheckout, {...props, ref})))
      const {current} = ref
      assert.equal(version.split('.')[0], react)
      assert.instanceOf(current, Element)
      assert.equal(current.className, 'mine')
      await reached(current, 'choosing')
      assert.include(statuses, 'open')
      assert.isFalse(current.hasAttribute('token'))
      assert.equal(fixture.requests.filter(request => request.startsWith('POST')).length, 1)
    })

    it('calls onCheckoutPaid once under StrictMode with the last listener, and never after unmounting', async () => {
      const fixture = new Fixture()
      const chargeId = await fixture.charge()
      const ref = createRef<CryptoCheckoutElement>()
      const calls: string[] = []
      const show = (listener: string) => {
        const onCheckoutPaid = () => void calls.push(listener)
        const {fetch} = fixture
        const props: CryptoCheckoutProps = {chargeId, ...pair, fetch, logos: 'none', onCheckoutPaid}
        render(createElement(StrictMode, null, createElement(CryptoCheckout, {...props, ref})))
        return ref.current ?? assert.fail('no element')
      }
      const made = show('first')
      await reached(made, 'paying')
      assert.equal(show('second'), made)
      fixture.sandbox.pay(chargeId, pair)
      await fixture.clock.advance(2_000)
      void made.refresh()
      await reached(made, 'paid')
      assert.deepEqual(calls, ['second'])

      root?.unmount()
      root = undefined
      assert.isNull(ref.current)
      made.dispatchEvent(new CheckoutPaidEvent(made.checkout ?? assert.fail('no checkout')))
      assert.deepEqual(calls, ['second'])
    })

    it('hydrates server-rendered markup without a mismatch, then calls event props', async () => {
      const {chargeId, statuses, props} = await propsOfCharge()
      const children = createElement('p', null, 'Please reload.')
      const page = (ref: (element: CryptoCheckoutElement | null) => void) =>
        createElement(
          StrictMode,
          null,
          createElement(CryptoCheckout, {...props, modal: false, children, ref}),
        )
      const host = document.createElement('div')
      // The output of both versions on a server; see `test/package`.
      host.innerHTML = `<crypto-checkout class="mine" charge-id="${chargeId}"><p>Please reload.</p></crypto-checkout>`
      const [rendered] = host.children
      const element = await new Promise<CryptoCheckoutElement>(resolve => {
        const onRecoverableError = (problem: unknown) => problems.push(String(problem))
        root = hydrateRoot(
          host,
          page(made => made && resolve(made)),
          {onRecoverableError},
        )
      })
      assert.equal(element, rendered, 'keeps the element of the server')
      container().append(host)
      await reached(element, 'choosing')
      assert.include(statuses, 'open')
      assert.equal(element.token, props.token)
    })

    it('updates props, resets removed ones, and keeps a closed dialog closed', async () => {
      const ref = createRef<CryptoCheckoutElement>()
      const show = (props: CryptoCheckoutProps) => {
        render(createElement(CryptoCheckout, {...props, ref}))
        return ref.current ?? assert.fail('no element')
      }
      const made = show({theme: 'dark', endpoint: '/pay', modal: true, open: true})
      assert.equal(made.theme, 'dark')
      assert.isTrue(made.open)
      made.close()
      assert.equal(show({theme: 'light', modal: true, open: true}), made)
      assert.equal(made.theme, 'light')
      assert.isNull(made.endpoint)
      assert.isFalse(made.open)
      show({})
      assert.equal(made.theme, 'auto')
      assert.isFalse(made.modal)
      let closed = 0
      show({modal: true, open: true, onCheckoutClosed: () => closed++})
      await made.updateComplete
      made.close()
      await made.updateComplete
      assert.equal(closed, 1)
    })
  })
}
