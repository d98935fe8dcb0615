/** The drawn element, pressed where a person presses, and read where a person reads: on the screen. */
import type {Checkout, Quote} from '../../src/contract/checkout.js'
import type {Clock} from '../../src/contract/clock.js'
import type {Phase} from '../../src/core/phase.js'
import {browserEnvironment} from '../../src/element/browser-environment.js'
import type {Environment} from '../../src/element/environment.js'
import type {CryptoCheckout} from '../../src/index.js'
import {part, container} from '../element/fixture.js'
import {FakeVisibility} from '../fake-visibility.js'
import type {TabView, Tab, TabOptions} from '../simulation/tab.js'

/** Fetched before a history begins: nothing but the held clock is to be waited for. */
const parts = Promise.all([
  browserEnvironment.loadAssetPicker(),
  browserEnvironment.loadPayment(),
  browserEnvironment.loadStream(),
])

export async function elementTabs(): Promise<(clock: Clock, options: TabOptions) => Tab> {
  const [list, desk, stream] = await parts
  const loaded: Partial<Environment> = {
    loadAssetPicker: () => Promise.resolve(list),
    loadPayment: () => Promise.resolve(desk),
    loadStream: () => Promise.resolve(stream),
  }
  return (clock, options) => elementTab(clock, options, loaded)
}

function elementTab(
  clock: Clock,
  {chargeId, fetch, onChange}: TabOptions,
  loaded: Partial<Environment>,
): Tab {
  let ahead = 0
  let paidEvents = 0
  let shown: Quote | null = null
  const heard: Quote[] = []
  const attention = new FakeVisibility()
  const element: CryptoCheckout = document.createElement('crypto-checkout')
  const environment: Environment = {
    ...browserEnvironment,
    ...loaded,
    clock: {
      now: () => clock.now() + ahead,
      sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
    },
    random: () => 0.5,
    visibility: attention,
    navigate: () => undefined,
    loadLastPair: () => null,
    saveLastPair: () => undefined,
  }
  Object.assign(element, {
    chargeId,
    endpoint: 'https://shop.example/crypto-checkout',
    locale: 'en',
    logos: 'none',
    fetch: listening,
    environment,
  })
  element.addEventListener('checkout-paid', () => paidEvents++)
  element.addEventListener('checkout-changed', () => void element.updateComplete.then(onChange))
  container().append(element)

  /** The screen says an amount and an address; when they were quoted only the answer did. */
  async function listening(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const response = await fetch(input, init)
    if (String(input).endsWith('/events')) return response
    const json = response.json.bind(response)
    response.json = async () => {
      const answer = (await json()) as Partial<Checkout>
      if (answer.quote) heard.push(answer.quote)
      return answer
    }
    return response
  }

  function onScreen(): Quote | null {
    const amount = part(element, 'amount')?.textContent
    const address = part(element, 'address')?.textContent
    if (amount === undefined || address === undefined) return null
    const isIt = (quote: Quote) => quote.amount === amount && quote.address === address
    if (shown && isIt(shown)) return shown
    const quote = heard.findLast(isIt)
    if (!quote) throw new Error(`the screen says ${amount} to ${address}, which no answer did`)
    return quote
  }

  function view(): TabView {
    const phase = (element.getAttribute('phase') ?? 'idle') as Phase
    shown = onScreen()
    return {phase, quote: shown, checkout: element.checkout, paidEvents}
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
    hide: () => attention.change(false),
    show: () => attention.change(true),
    skew(milliseconds) {
      ahead += milliseconds
    },
    close: () => element.remove(),
  }
}
