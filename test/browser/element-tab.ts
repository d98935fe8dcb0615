/** A tab with the rendered element, driven by clicks and read from its parts. */
import type {Checkout, Quote} from '../../src/contract/checkout.js'
import type {Clock} from '../../src/contract/clock.js'
import type {Phase} from '../../src/core/phase.js'
import {browserEnvironment} from '../../src/element/browser-environment.js'
import type {Environment} from '../../src/element/environment.js'
import type {CryptoCheckout} from '../../src/index.js'
import {part, container} from '../element/fixture.js'
import {FakeVisibility} from '../fake-visibility.js'
import type {TabView, Tab, TabOptions} from '../simulation/tab.js'

export function elementTab(clock: Clock, {chargeId, fetch, onChange}: TabOptions): Tab {
  let skewMs = 0
  let paidEvents = 0
  let displayed: Quote | null = null
  const received: Quote[] = []
  const visibility = new FakeVisibility()
  const element: CryptoCheckout = document.createElement('crypto-checkout')
  const environment: Environment = {
    ...browserEnvironment,
    clock: {
      now: () => clock.now() + skewMs,
      sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
    },
    random: () => 0.5,
    visibility,
    navigate: () => undefined,
    loadLastPair: () => null,
    saveLastPair: () => undefined,
  }
  Object.assign(element, {
    chargeId,
    endpoint: 'https://shop.example/crypto-checkout',
    locale: 'en',
    logos: 'none',
    fetch: recordingFetch,
    environment,
  })
  element.addEventListener('checkout-paid', () => paidEvents++)
  element.addEventListener('checkout-changed', () => void element.updateComplete.then(onChange))
  container().append(element)

  /** Records quotes, because the page does not display their times. */
  async function recordingFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const response = await fetch(input, init)
    const json = response.json.bind(response)
    response.json = async () => {
      const checkout = (await json()) as Partial<Checkout>
      if (checkout.quote) received.push(checkout.quote)
      return checkout
    }
    return response
  }

  function displayedQuote(): Quote | null {
    const amount = part(element, 'amount')?.textContent
    const address = part(element, 'address')?.textContent
    if (amount === undefined || address === undefined) return null
    const isDisplayed = (quote: Quote) => quote.amount === amount && quote.address === address
    if (displayed && isDisplayed(displayed)) return displayed
    const quote = received.findLast(isDisplayed)
    if (!quote) throw new Error(`the page shows ${amount} to ${address}, which no response contained`)
    return quote
  }

  function view(): TabView {
    const phase = (element.getAttribute('phase') ?? 'idle') as Phase
    displayed = displayedQuote()
    return {phase, quote: displayed, checkout: element.checkout, paidEvents}
  }

  function press(selector: string): boolean {
    const target = element.renderRoot.querySelector<HTMLElement>(selector)
    target?.click()
    return target !== null
  }

  return {
    view,
    choose(asset, network) {
      const control = element.renderRoot.querySelector(`[data-asset="${asset}"]`)
      if (!control || element.phase !== 'choosing') return
      if (control.ariaExpanded !== 'true') press(`[data-asset="${asset}"]`)
      void element.updateComplete.then(() => press(`[data-network="${network}"]`))
    },
    back: () => void press('[part=back]'),
    requestQuote() {
      if (!press('[part=renew]') && !press('[part=pay-remaining]')) press('[part=retry]')
    },
    refresh() {
      void element.refresh()
    },
    leave: () => element.remove(),
    return: () => container().append(element),
    hide: () => visibility.change(false),
    show: () => visibility.change(true),
    skew(milliseconds) {
      skewMs += milliseconds
    },
    close: () => element.remove(),
  }
}
