/** The playground of the documentation, in a page. */
import {assert, expect} from '@open-wc/testing'
import type {PlaygroundCustomer} from '../../docs/.vitepress/playground/customer.js'
import type {PlaygroundEventLog} from '../../docs/.vitepress/playground/event-log.js'
import type {CheckoutPlayground} from '../../docs/.vitepress/playground/playground.js'
import {registerPlayground} from '../../docs/.vitepress/playground/register.js'
import {inPhase, initialState, panels, phases, type Act} from '../../docs/.vitepress/playground/state.js'
import {encodeState} from '../../docs/.vitepress/playground/url.js'
import type {CryptoCheckout, Phase} from '../../src/index.js'

const address = location.href
registerPlayground()

describe('the playground', () => {
  afterEach(() => {
    for (const playground of document.querySelectorAll('checkout-playground')) playground.remove()
    history.replaceState(null, '', address)
  })

  it('shows every phase', async () => {
    for (const phase of phases) {
      const playground = open(encodeState(inPhase(initialState, phase)))
      await untilPhase(playground, phase)
      playground.remove()
    }
  })

  it('is accessible', async () => {
    const playground = open('do=825.bsc,unconfirmed')
    await untilPhase(playground, 'confirming')
    for (const panel of panels) {
      playground.state = {...playground.state, panel}
      await playground.updateComplete
      await expect(playground).to.be.accessible()
    }
  })

  it('lets the visitor pay, shows the events and the log, and holds all of it in the URL', async () => {
    const playground = open('')
    await untilPhase(playground, 'choosing')
    press(checkoutIn(playground), '[data-asset="825"]')
    await checkoutIn(playground).updateComplete
    press(checkoutIn(playground), '[data-network="bsc"]')
    await untilPhase(playground, 'paying')
    const {address} = checkoutIn(playground).checkout?.quote ?? {}
    await act(playground, 'less')
    await untilPhase(playground, 'underpaid')
    assert.equal(location.hash, '#do=825.bsc,less')
    const log = playground.renderRoot.querySelector('playground-event-log') ?? assert.fail('there is no log')
    await until(() => log.events.some(({name}) => name === 'onUnderpaid'), 'onUnderpaid')
    assert.include(namesIn(log), 'checkout-underpaid')
    assert.includeMembers(
      log.journal.map(({kind}) => kind),
      ['opened', 'minted', 'quoted', 'payment', 'status', 'told'],
    )

    playground.remove()
    const restored = open(location.hash)
    await untilPhase(restored, 'underpaid')
    press(checkoutIn(restored), '[part=pay-remaining]')
    await untilPhase(restored, 'paying')
    assert.equal(checkoutIn(restored).checkout?.quote?.address, address)
    await act(restored, 'exact')
    await untilPhase(restored, 'paid')
    assert.equal(location.hash, '#do=825.bsc,less,825.bsc,exact')
  })

  it('does not count a payment that is late or on the wrong network as paid in time', async () => {
    const playground = open('do=825.bsc')
    await untilPhase(playground, 'paying')
    await act(playground, 'wrong')
    assert.match(customer(playground).message, /^Lost/)
    assert.equal(checkoutIn(playground).phase, 'paying')
    await act(playground, 'hour')
    await untilPhase(playground, 'expired')
  })

  it('pays with the wallet in the browser', async () => {
    const playground = open('do=825.bsc')
    await untilPhase(playground, 'paying')
    customer(playground).wallet?.setNetwork('bsc')
    await until(() => !!checkoutIn(playground).renderRoot.querySelector('[part=wallet]'), 'a wallet')
    press(checkoutIn(playground), '[part=wallet]')
    await until(() => !!customer(playground).renderRoot.querySelector('[data-wallet=confirm]'), 'a question')
    press(customer(playground), '[data-wallet=confirm]')
    await untilPhase(playground, 'paid')
  })

  it('selects its panels with the arrow keys', async () => {
    const playground = open('')
    await untilPhase(playground, 'choosing')
    const tab = () => playground.renderRoot.querySelector<HTMLElement>('[role=tab][aria-selected=true]')
    tab()?.focus()
    tab()?.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))
    await playground.updateComplete
    assert.equal(tab()?.dataset['panel'], 'setup')
    assert.equal(playground.shadowRoot?.activeElement, tab())
  })

  it('keeps its state when the fragment becomes a place on the page', async () => {
    const playground = open('do=825.bsc&panel=setup')
    await untilPhase(playground, 'paying')
    const {element} = playground
    history.replaceState(null, '', '#content')
    window.dispatchEvent(new HashChangeEvent('hashchange'))
    await playground.updateComplete
    assert.equal(playground.element, element)
    assert.equal(playground.state.panel, 'setup')
  })

  it('finds a contrast that is too low, repairs it, and gives the CSS', async () => {
    const playground = open('panel=theme&theme=light')
    await untilPhase(playground, 'choosing')
    const editor = playground.renderRoot.querySelector('playground-theme-editor') ?? assert.fail('no editor')
    const verdict = () => editor.renderRoot.querySelector('.verdict')?.textContent?.trim()
    assert.equal(verdict(), 'All contrasts suffice, light and dark.')
    const field = editor.renderRoot.querySelector<HTMLInputElement>('input[aria-label^="muted, light, as"]')
    assert.ok(field)
    field.value = '#999999'
    field.dispatchEvent(new Event('change', {bubbles: true}))
    await playground.updateComplete
    await editor.updateComplete
    assert.equal(verdict(), 'Too low: 2 light, 0 dark.')
    press(editor, 'td button')
    await playground.updateComplete
    await editor.updateComplete
    assert.equal(verdict(), 'All contrasts suffice, light and dark.')
    const color = playground.state.theme.light.muted ?? assert.fail('no colour')
    assert.match(location.hash, new RegExp(`light=muted:${color.slice(1)}`))
    assert.include(checkoutIn(playground).style.getPropertyValue('--checkout-muted'), color)
    assert.include(
      editor.renderRoot.querySelector('playground-code-block')?.code,
      `--checkout-muted: light-dark(${color},`,
    )
  })

  it('fits a phone', async () => {
    const playground = open('')
    playground.style.inlineSize = '358px'
    await untilPhase(playground, 'choosing')
    assert.isAtMost(playground.scrollWidth, 358)
  })
})

function open(fragment: string): CheckoutPlayground {
  history.replaceState(null, '', `#${fragment.replace('#', '')}`)
  const playground = document.createElement('checkout-playground')
  document.body.append(playground)
  return playground
}

function checkoutIn(playground: CheckoutPlayground): CryptoCheckout {
  return playground.element ?? assert.fail('the playground has no checkout')
}

function customer(playground: CheckoutPlayground): PlaygroundCustomer {
  return playground.renderRoot.querySelector('playground-customer') ?? assert.fail('the panel is not open')
}

function namesIn({renderRoot}: PlaygroundEventLog): string[] {
  return [...renderRoot.querySelectorAll('[role=log] code')].map(({textContent}) => textContent)
}

function press({renderRoot}: {renderRoot: HTMLElement | DocumentFragment}, selector: string): void {
  const control = renderRoot.querySelector<HTMLElement>(selector) ?? assert.fail(`there is no ${selector}`)
  control.click()
}

async function act(playground: CheckoutPlayground, name: Act): Promise<void> {
  const {length} = playground.state.steps
  press(customer(playground), `[data-act=${name}]`)
  await until(() => playground.state.steps.length > length, name)
  await customer(playground).updateComplete
}

async function untilPhase(playground: CheckoutPlayground, phase: Phase): Promise<void> {
  await until(() => playground.element?.phase === phase && playground.phase === phase, phase)
  await playground.updateComplete
}

/** Waits for a condition that no event reports. */
async function until(isDone: () => boolean, expected: string): Promise<void> {
  const end = performance.now() + 60_000
  while (!isDone()) {
    if (performance.now() > end) assert.fail(`not ${expected} after a minute`)
    await new Promise(requestAnimationFrame)
  }
}
