/**
 * A shop on one page: the real element over the real proxy against the real sandbox, all on one clock that the test
 * holds. `fetch` goes straight to the proxy, and can be told to be slow, to fail, or to answer otherwise.
 */
import type {Checkout} from '../../src/contract/checkout.js'
import type {CryptoCheckout} from '../../src/index.js'
import '../../src/index.js'
import {browserEnvironment} from '../../src/element/browser-environment.js'
import type {Environment} from '../../src/element/environment.js'
import {createSandboxCore, type SandboxOptions} from '../../src/sandbox/sandbox.js'
import {
  createCheckoutCore,
  type CheckoutCore,
  type CheckoutCoreOptions,
} from '../../src/server/create-checkout.js'
import {memoryStore} from '../../src/server/stores/memory-store.js'
import {FakeVisibility} from '../fake-visibility.js'
import {FakeClock, flushPromises} from '../fake-clock.js'

/** That an answer may take to come: a busy Firefox has been seen to need more than forty. */
const MOST_TURNS = 120

export interface FixtureOptions {
  sandbox?: SandboxOptions
  proxy?: Partial<CheckoutCoreOptions>
  environment?: Partial<Environment>
  /** Of the clock; see there. */
  turn?: () => Promise<void>
}

export class Fixture {
  readonly clock: FakeClock
  readonly sandbox
  readonly attention = new FakeVisibility()
  /** What the element asked for, as `POST /charges/…`. */
  readonly requests: string[] = []
  /** Where the page was sent. */
  readonly visited: string[] = []
  /** What the browser keeps. */
  kept: string | null = null
  proxy: CheckoutCore
  /** Stands before the proxy; calls `next` or answers by itself. */
  between: (request: Request, next: () => Promise<Response>) => Promise<Response> = (_, next) => next()
  readonly #options: FixtureOptions
  #underway = 0
  #loading = 0

  constructor(options: FixtureOptions = {}) {
    this.#options = options
    this.clock = new FakeClock(undefined, options.turn)
    this.sandbox = createSandboxCore({
      clock: this.clock,
      random: seeded(),
      deliver: () => Promise.resolve(200),
      ...options.sandbox,
    })
    this.proxy = this.newProxy()
  }

  /** Another instance, with a store of its own: what is left when a store is lost. */
  newProxy(): CheckoutCore {
    return createCheckoutCore({
      apiKey: this.sandbox.apiKey,
      baseUrl: this.sandbox.baseUrl,
      store: memoryStore(),
      transport: this.sandbox.transport,
      clock: this.clock,
      ...this.#options.proxy,
    })
  }

  async charge(amount = '100', currency = 'USD', more: {call_back_url?: string} = {}): Promise<string> {
    const charge = await this.proxy.service.createCharge({
      ref_id: 'order-1',
      customer: {user_id: 'u1', name: 'Ada', phone: '1', email: 'ada@example.com'},
      billing: {
        currency,
        amount,
        pricing_type: 'fixed_or_partial_price',
        description: 'Two mugs',
        country: 'DE',
      },
      metadata: {secret: 'order-1'},
      call_back_url: 'https://shop.example/thanks',
      userId: 'u1',
      charge_source: 'api',
      ...more,
    })
    return charge._id
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const {pathname} = new URL(request.url)
    const isStream = pathname.endsWith('/events')
    if (!isStream) this.requests.push(`${request.method} ${pathname}`)
    const answer = abortable(
      request.signal,
      this.between(request, () => this.proxy.fetch(request)),
    )
    if (isStream) return answer
    const response = await this.#counted(answer)
    // Some engines take several turns to hand over a body that is there.
    const json = response.json.bind(response)
    response.json = () => this.#counted(json())
    return response
  }

  #counted<Value>(promise: Promise<Value>): Promise<Value> {
    this.#underway++
    return promise.finally(() => this.#underway--)
  }

  #load<Part>(part: Promise<Part>): Promise<Part> {
    this.#loading++
    return part.finally(() => this.#loading--)
  }

  /** An element that is not on the page yet. */
  element(properties: Partial<CryptoCheckout> = {}): CryptoCheckout {
    const element = document.createElement('crypto-checkout')
    const environment: Environment = {
      clock: this.clock,
      random: () => 0.5,
      visibility: this.attention,
      navigate: address => this.visited.push(address),
      loadLastPair: () => this.kept,
      saveLastPair: choice => (this.kept = choice),
      loadAssetPicker: () => this.#load(browserEnvironment.loadAssetPicker()),
      loadPayment: () => this.#load(browserEnvironment.loadPayment()),
      loadTranslation: language => this.#load(browserEnvironment.loadTranslation(language)),
      loadDialog: () => this.#load(browserEnvironment.loadDialog()),
      // Most tests are about reading; those about the stream say so.
      loadStream: () => Promise.reject(new Error('no stream here')),
      ...this.#options.environment,
    }
    return Object.assign(element, {fetch: this.fetch, logos: 'none', environment, ...properties})
  }

  /** On the page, and quiet: whatever it asked for was answered. */
  async mount(chargeId: string, properties: Partial<CryptoCheckout> = {}): Promise<CryptoCheckout> {
    const element = this.element({chargeId, ...properties})
    container().append(element)
    await this.quiet(element)
    return element
  }

  /** A customer with a charge who has chosen this pair, and sees what to send. */
  async paying(asset = '825', network = 'bsc', properties: Partial<CryptoCheckout> = {}) {
    const chargeId = await this.charge()
    const element = await this.mount(chargeId, {asset, network, ...properties})
    return {chargeId, element}
  }

  /** Moves time on, and waits until everything that it set off is done. */
  async pass(milliseconds: number, element: CryptoCheckout): Promise<void> {
    await this.clock.advance(milliseconds)
    await this.quiet(element)
  }

  /**
   * Waits until everything that was set off is done, as far as it can be: a request that waits for the held clock, or
   * that the test holds, is left alone after a while.
   */
  async quiet(element: CryptoCheckout): Promise<void> {
    for (let still = 0, turns = 0; still < 3; still++, turns++) {
      await flushPromises()
      await element.updateComplete
      const isBusy = this.#loading > 0 || (this.#underway > 0 && turns < MOST_TURNS)
      if (isBusy) still = -1
    }
  }
}

let placed: HTMLElement | undefined

/**
 * Where elements stand; a new one for each test. Not a fixture of the test library, which waits for a frame: pages that
 * are tested side by side are not all painted.
 */
export function container(): HTMLElement {
  if (!placed) document.body.append((placed = document.createElement('main')))
  return placed
}

afterEach(() => {
  placed?.remove()
  placed = undefined
})

/** As a network does: who gives up a request gets no answer. */
function abortable<Value>(signal: AbortSignal, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('gone', 'AbortError')))
    promise.then(resolve, reject)
  })
}

function seeded(): () => number {
  let state = 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

export function part(element: CryptoCheckout, name: string): HTMLElement | null {
  return element.renderRoot.querySelector(`[part~="${name}"]`)
}

export function parts(element: CryptoCheckout, name: string): HTMLElement[] {
  return [...element.renderRoot.querySelectorAll<HTMLElement>(`[part~="${name}"]`)]
}

/** What a customer reads: nobody sees the isolates around what a sentence was filled with, nor a word joiner. */
export function textOf(element: CryptoCheckout, name = 'base'): string {
  return plain(part(element, name)?.textContent ?? '')
}

export function plain(text: string): string {
  return text
    .replace(/[\u2060\u2066\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

export function press(element: CryptoCheckout, selector: string): void {
  const target = element.renderRoot.querySelector<HTMLElement>(
    selector.startsWith('[') ? selector : `[part~="${selector}"]`,
  )
  if (!target) throw new Error(`nothing to press at ${selector} in phase ${element.phase}`)
  target.click()
}

export function checkoutOf(element: CryptoCheckout): Checkout {
  if (!element.checkout) throw new Error(`no checkout in phase ${element.phase}`)
  return element.checkout
}
