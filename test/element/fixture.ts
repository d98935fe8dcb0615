/**
 * The real element, proxy and sandbox in one page, on a fake clock. `fetch` calls the proxy directly. `intercept` can
 * delay, reject or replace a response.
 */
import {assert} from '@open-wc/testing'
import type {Checkout, Quote} from '../../src/contract/checkout.js'
import type {CryptoCheckout} from '../../src/index.js'
import '../../src/index.js'
import {browserEnvironment} from '../../src/element/browser-environment.js'
import type {Environment} from '../../src/element/environment.js'
import {createSandboxCore, type SandboxOptions} from '../../src/sandbox/sandbox.js'
import {createCheckoutCore, type CheckoutCore} from '../../src/server/create-checkout.js'
import type {CheckoutCoreOptions} from '../../src/server/options.js'
import {memoryStore} from '../../src/stores/memory-store.js'
import {FakeVisibility} from '../fake-visibility.js'
import {FakeClock, flushPromises} from '../fake-clock.js'
import {startFlushing} from '../browser/flush-promises.js'
import {seededRandom} from '../seeded-random.js'
import {order} from '../server/order.js'

const nextTask = startFlushing()
/** What other threads do for the page: they read bodies and hand out Web Locks. */
const pending = new Set<Promise<unknown>>()
for (const [target, name] of [
  [LockManager.prototype, 'request'],
  [Request.prototype, 'arrayBuffer'],
  [Response.prototype, 'json'],
  [Response.prototype, 'text'],
  [ReadableStreamDefaultReader.prototype, 'read'],
] as const) {
  const method: (...args: unknown[]) => Promise<unknown> = Reflect.get(target, name)
  const recorded = function (this: unknown, ...args: unknown[]) {
    const promise = method.apply(this, args).finally(() => pending.delete(promise))
    pending.add(promise)
    return promise
  }
  Object.assign(target, {[name]: recorded})
}

/** Some tests have a body that never ends. Others take a few timers, and more in a busy browser. */
const MAX_TIMERS = 500

/** Runs everything that waits neither for the fake clock nor for the test. */
async function settle(): Promise<void> {
  await nextTask()
  for (let timers = 0; pending.size > 0 && timers < MAX_TIMERS; timers++) await flushPromises()
  // It is waited for once.
  pending.clear()
}

type ChargeValues = readonly [amount?: string, currency?: string, pricingType?: string]

export interface FixtureOptions {
  /** Of its charges. */
  charge?: ChargeValues
  sandbox?: SandboxOptions
  proxy?: Partial<CheckoutCoreOptions>
  environment?: Partial<Environment>
}

type Intercept = (request: Request, next: () => Promise<Response>) => Promise<Response>

export const passThrough: Intercept = (_, next) => next()
/** A proxy that does not answer, or a chunk that does not arrive. */
export const hanging = () => new Promise<never>(() => undefined)
/** No network. */
export const missing = () => Promise.reject(new TypeError('no network'))

export class Fixture {
  readonly clock: FakeClock
  readonly sandbox
  readonly visibility = new FakeVisibility()
  /** Method and path of each request, such as `POST /charges/…`. */
  readonly requests: string[] = []
  /** URLs passed to `navigate`. */
  readonly navigations: string[] = []
  /** The last used pair in storage. */
  lastPair: string | null = null
  proxy: CheckoutCore
  /** Runs before the proxy: calls `next` or returns a response. */
  intercept = passThrough
  readonly #options: FixtureOptions

  constructor(options: FixtureOptions = {}) {
    this.#options = options
    this.clock = new FakeClock(undefined, settle)
    this.sandbox = createSandboxCore({
      clock: this.clock,
      random: seededRandom(),
      deliver: () => Promise.resolve(200),
      ...options.sandbox,
    })
    this.proxy = this.newProxy()
  }

  /** Another instance with an empty store, as after the loss of a store. */
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

  async charge(...values: ChargeValues): Promise<string> {
    const own = values.length > 0 ? values : (this.#options.charge ?? [])
    const [amount = '100', currency = 'USD', pricing_type = 'fixed_price'] = own
    const {billing: base, ...others} = order(amount, currency)
    const billing = {...base, pricing_type, description: 'Two mugs'}
    const charge = await this.proxy.service.createCharge({...others, billing})
    return charge._id
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href)
    // A test that replaces a response needs its body, which a 204 lacks.
    if (this.intercept !== passThrough) url.searchParams.delete('known')
    const request = new Request(url, init)
    this.requests.push(`${request.method} ${url.pathname}`)
    return abortable(
      request.signal,
      this.intercept(request, () => this.proxy.fetch(request)),
    )
  }

  /** Changes each checkout that the proxy returns from now on. */
  rewrite(change: (checkout: Checkout) => Partial<Checkout>): void {
    this.intercept = async (_, next) => {
      const response = await next()
      if (!response.ok) return response
      const checkout: Checkout = await response.json()
      return Response.json({...checkout, ...change(checkout)})
    }
  }

  /** The element reads a newer checkout with these changes, and so does every later read. */
  async report(element: CryptoCheckout, changes: Partial<Checkout>): Promise<void> {
    const rev = checkoutOf(element).rev + 1
    this.rewrite(() => ({rev, ...changes}))
    await element.refresh()
    await this.quiet(element)
  }

  /** A detached element. */
  element(properties: Partial<CryptoCheckout> = {}): CryptoCheckout {
    const element = document.createElement('crypto-checkout')
    const environment: Environment = {
      ...browserEnvironment,
      clock: this.clock,
      random: () => 0.5,
      visibility: this.visibility,
      nextPaint: () => Promise.resolve(),
      navigate: address => this.navigations.push(address),
      loadLastPair: () => this.lastPair,
      saveLastPair: choice => (this.lastPair = choice),
      ...this.#options.environment,
    }
    return Object.assign(element, {fetch: this.fetch, logos: 'none', environment, ...properties})
  }

  /** Attaches an element and waits for its requests. */
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

  /** Pays at the service, and waits until the element has read it. Exactly the amount by default. */
  async pay(
    element: CryptoCheckout,
    more: {asset?: string; amount?: string; confirmed?: boolean} = {},
  ): Promise<string> {
    const {transactionId} = this.sandbox.pay(element.chargeId ?? '', {asset: '825', network: 'bsc', ...more})
    await this.pass(3_000, element)
    return transactionId
  }

  /** Clicks the asset, then the network of an asset with several. */
  async choose(element: CryptoCheckout, asset: string, network?: string): Promise<void> {
    await this.press(element, `[data-asset="${asset}"]`)
    if (network) await this.press(element, `[data-network="${network}"]`)
  }

  /** Replaces the text of a field, and waits for everything that it triggers. */
  async type(element: CryptoCheckout, name: string, text: string): Promise<void> {
    const field = part(element, name)
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement))
      assert.fail(`no field ${name}`)
    field.value = text
    field.dispatchEvent(new InputEvent('input', {bubbles: true}))
    await this.quiet(element)
  }

  /** Clicks the control, and waits for everything that it triggers. */
  async press(element: CryptoCheckout, selector: string): Promise<void> {
    press(element, selector)
    await this.quiet(element)
  }

  /** Advances the clock, and waits for everything that it triggers. */
  async pass(milliseconds: number, element: CryptoCheckout): Promise<void> {
    await this.clock.advance(milliseconds)
    await this.quiet(element)
  }

  /** Waits until rendering and requests are done. A request may wait for the fake clock or for the test. */
  async quiet(element: CryptoCheckout): Promise<void> {
    for (let turn = 0; turn < 3; turn++) {
      await settle()
      await element.updateComplete
    }
  }
}

/** A new charge whose customer sees the asset picker. */
export async function choosing(options?: FixtureOptions, properties?: Partial<CryptoCheckout>) {
  const fixture = new Fixture(options)
  const chargeId = await fixture.charge()
  return {fixture, chargeId, element: await fixture.mount(chargeId, properties)}
}

/** A new charge whose customer sees what to send. */
export async function paying(options?: FixtureOptions, ...pair: Parameters<Fixture['paying']>) {
  const fixture = new Fixture(options)
  return {fixture, ...(await fixture.paying(...pair))}
}

let currentContainer: HTMLElement | undefined

/**
 * The parent of the elements, new for each test. The test library's own fixture waits for a frame, but pages that run
 * side by side are not all painted.
 */
export function container(): HTMLElement {
  if (!currentContainer) document.body.append((currentContainer = document.createElement('main')))
  return currentContainer
}

afterEach(() => {
  currentContainer?.remove()
  currentContainer = undefined
})

/** Rejects on abort, as a network does. */
function abortable<Value>(signal: AbortSignal, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('gone', 'AbortError')))
    promise.then(resolve, reject)
  })
}

export function part(element: CryptoCheckout, name: string): HTMLElement | null {
  return element.renderRoot.querySelector(`[part~="${name}"]`)
}

export function parts(element: CryptoCheckout, name: string): HTMLElement[] {
  return [...element.renderRoot.querySelectorAll<HTMLElement>(`[part~="${name}"]`)]
}

/** The asset or network of a control. */
export function idOf(control: Element | null | undefined): string | null {
  return control instanceof HTMLElement
    ? (control.dataset['asset'] ?? control.dataset['network'] ?? null)
    : null
}

/** What a screen reader announces. */
export function announced(element: CryptoCheckout): string | null | undefined {
  return element.renderRoot.querySelector('[role=status]')?.textContent
}

/** The visible text, without isolates and word joiners. */
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
  if (!target) assert.fail(`nothing to press at ${selector} in phase ${element.phase}`)
  target.click()
}

/** Replaces the clipboard until the test is over. Returns what was written. */
export function recordClipboard(): string[] {
  const copied: string[] = []
  replaceUntilEnd(navigator.clipboard, {writeText: text => Promise.resolve(void copied.push(text))})
  return copied
}

/** What is written to the console until the test is over. */
export function recordConsole(level: 'error' | 'warn'): string[] {
  const lines: string[] = []
  replaceUntilEnd(console, {[level]: (...texts: unknown[]) => lines.push(texts.join(' '))})
  return lines
}

const restorations: (() => void)[] = []
afterEach(() => {
  for (const restore of restorations.splice(0).reverse()) restore()
})

/** Replaces methods until the test is over. */
export function replaceUntilEnd<Target extends object>(target: Target, methods: Partial<Target>): void {
  for (const [key, value] of Object.entries(methods)) {
    const before = Object.getOwnPropertyDescriptor(target, key)
    restorations.push(() =>
      before ? Object.defineProperty(target, key, before) : Reflect.deleteProperty(target, key),
    )
    Object.assign(target, {[key]: value})
  }
}

export function checkoutOf(element: CryptoCheckout): Checkout {
  return element.checkout ?? assert.fail(`no checkout in phase ${element.phase}`)
}

export function quoteOf(element: CryptoCheckout): Quote {
  return checkoutOf(element).quote ?? assert.fail(`no quote in phase ${element.phase}`)
}

/** A key press on the target, or where the focus is. */
export function key(element: CryptoCheckout, name: string, target = element.shadowRoot?.activeElement) {
  const event = new KeyboardEvent('keydown', {key: name, bubbles: true, composed: true, cancelable: true})
  target?.dispatchEvent(event)
  return event
}
