import {assert} from '@open-wc/testing'
import {createElement, createRef, StrictMode, type ReactNode} from 'react'
import {flushSync} from 'react-dom'
import {createRoot, type Root} from 'react-dom/client'
import {CryptoCheckout as element, register} from '../../src/element/index.js'
import {CryptoCheckout, type CryptoCheckoutElement, type CryptoCheckoutProps} from '../../src/react/index.js'
import {place, Shop} from './shop.js'

function warningsOf(act: () => void): string[] {
  const warnings: string[] = []
  const {warn} = console
  console.warn = (...texts: unknown[]) => warnings.push(texts.join(' '))
  try {
    act()
  } finally {
    console.warn = warn
  }
  return warnings
}

describe('registering', () => {
  it('happens once, and a second copy of the same version is silent', () => {
    assert.equal(customElements.get('crypto-checkout'), element)
    assert.isEmpty(warningsOf(register))
  })

  it('never throws, but warns once, when another version was faster', () => {
    const get = customElements.get.bind(customElements)
    class Other extends HTMLElement {
      static readonly version = '9.9.9'
    }
    customElements.get = () => Other
    try {
      const warnings = warningsOf(register)
      assert.lengthOf(warnings, 1)
      assert.include(warnings[0], '9.9.9')
    } finally {
      customElements.get = get
    }
  })
})

describe('the React component', () => {
  let root: Root | undefined

  function render(node: ReactNode): void {
    root ??= createRoot(place())
    const to = root
    flushSync(() => to.render(node))
  }

  afterEach(() => {
    root?.unmount()
    root = undefined
  })

  const changed = (target: EventTarget) =>
    new Promise(resolve => target.addEventListener('checkout-changed', resolve, {once: true}))

  it('sets props as properties before the first request, tells events as props, and gives the element as ref', async () => {
    const shop = new Shop({proxy: {tokenSecret: 'x'.repeat(32)}})
    const chargeId = await shop.charge()
    const ref = createRef<CryptoCheckoutElement>()
    const phases: string[] = []
    const props: CryptoCheckoutProps = {
      chargeId,
      token: shop.proxy.createToken(chargeId),
      fetch: shop.fetch,
      logos: 'none',
      className: 'mine',
      onCheckoutChanged: event => phases.push(event.detail?.status ?? 'none'),
    }
    render(createElement(StrictMode, null, createElement(CryptoCheckout, {...props, ref})))
    const {current} = ref
    assert.instanceOf(current, element)
    assert.equal(current.className, 'mine')
    while (current.phase !== 'choosing') await changed(current)
    assert.include(phases, 'open')
    assert.isFalse(current.hasAttribute('token'))
    assert.lengthOf(
      shop.requests.filter(request => request.startsWith('POST')),
      1,
    )
  })

  it('follows its props, forgets those that are gone, and keeps a closed dialog closed', async () => {
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
