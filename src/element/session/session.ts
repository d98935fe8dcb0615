/**
 * One charge in one page: holds the state, polls while the element is connected, and requests quotes. It connects the pure
 * core (`advance`, `createPoller`) with the client and the lazy chunks, and renders nothing.
 */
import type {RefundRequest} from '../../contract/refund-request.js'
import {initialState, Task} from '@lit/task'
import type {ReactiveControllerHost} from 'lit'
import type {Checkout} from '../../contract/checkout.js'
import {withTimeout} from '../../contract/clock.js'
import type {Problem} from '../../contract/problem.js'
import {
  advance,
  chargeIdOf,
  checkoutOf,
  idle,
  needsOpening,
  type Action,
  type Choice,
  type Pair,
  requestedPair,
  type State,
} from '../../core/advance.js'
import {anchorAt, type Anchor} from '../../core/countdown.js'
import {phaseOf} from '../../core/phase.js'
import {paceOf} from '../../core/poll-interval.js'
import {createPoller, type PageEnvironment, type Poller} from '../../core/poller.js'
import {browserProblem} from '../../core/problems.js'
import type {CheckoutClient, CheckoutResult} from './api-client.js'

const LOAD_TIMEOUT_MS = 10_000
/** Two reads that are closer together may have the same time. */
const MIN_INTERVAL_MS = 1_000

/** The lazy chunks whose views a phase needs. */
export type Chunk = 'asset-picker' | 'payment'

export interface SessionOptions {
  readonly client: CheckoutClient
  readonly environment: PageEnvironment
  /** Resolves at once when it is loaded. */
  load(chunk: Chunk): Promise<unknown>
  /** Called after every action, with the state before it. */
  onChange(before: State, action: Action): void
}

export class Session {
  #state: State = idle
  #anchor: Anchor = {server: 0, at: 0}
  #poller: Poller | null = null
  /** Of the last response; null if it was a checkout. */
  #lastProblem: Problem | null = null
  /** Since the last response. */
  #hasNewToken = false
  /** The time in the last response, when it first came, and how often it came again. */
  #lastTime = {text: '', at: 0, repeats: 0}
  readonly #opening: Task<readonly [string], CheckoutResult>
  readonly #quoting: Task<readonly [Choice], {readonly pair: Choice; readonly result: CheckoutResult}>

  constructor(
    host: ReactiveControllerHost,
    private readonly options: SessionOptions,
  ) {
    // Run by hand: one by the poller, which retries it, the other by the customer. An aborted run returns `initialState`,
    // because any other value would complete the task.
    this.#opening = new Task(host, {
      autoRun: false,
      task: async ([chargeId], {signal}) => {
        const result = await this.#open(chargeId, signal)
        return signal.aborted ? initialState : result
      },
    })
    this.#quoting = new Task(host, {
      autoRun: false,
      task: async ([pair], {signal}) => {
        const result = await this.#quote(pair, signal)
        return signal.aborted ? initialState : {pair, result}
      },
    })
  }

  get state(): State {
    return this.#state
  }

  get anchor(): Anchor {
    return this.#anchor
  }

  /**
   * Starts over with another charge, or with none. Sends nothing before `resume`.
   *
   * @param checkout of this charge, if a server has opened it
   */
  setCharge(chargeId: string | null, checkout?: Checkout | null): void {
    this.pause()
    this.#lastProblem = null
    this.#dispatch({kind: 'start', chargeId})
    if (checkout) this.#dispatch({kind: 'opened', checkout})
  }

  /** The element is connected: reads at once, then polls. */
  resume(): void {
    if (this.#poller || this.#state.kind === 'idle') return
    const read = (signal: AbortSignal) => this.#read(signal)
    this.#poller = createPoller({...this.options.environment, read}, paceOf(this.#state))
    // The element was moved during a quote request, which `pause` aborted.
    const pair = requestedPair(this.#state)
    if (pair) void this.requestQuote(pair)
  }

  /** The element is disconnected: ends every wait and every request, and keeps the state. Tasks do not stop by themselves. */
  pause(): void {
    this.#poller?.stop()
    this.#poller = null
    this.#opening.abort()
    this.#quoting.abort()
  }

  /** The customer does something, and may soon pay: reads as often as at the beginning. */
  stayActive(): void {
    this.#poller?.restart(paceOf(this.#state))
  }

  async refresh(): Promise<void> {
    await this.#poller?.readNow()
  }

  retry(): void {
    this.#dispatch({kind: 'retry'})
    void this.refresh()
  }

  /** If the last token was rejected, reads with the new one at once; if it is rejected now, then. */
  tokenChanged(): void {
    this.#hasNewToken = true
    if (this.#lastProblem?.code === 'unauthorized') void this.refresh()
  }

  expandAsset(asset: string | null): void {
    this.#quoting.abort()
    this.#dispatch({kind: 'expandAsset', asset})
  }

  back(): void {
    this.#quoting.abort()
    this.#dispatch({kind: 'back'})
  }

  setPart(part: string | null): void {
    this.#quoting.abort()
    this.#dispatch({kind: 'setPart', part})
  }

  async requestQuote(requested: Pair): Promise<void> {
    this.#quoting.abort()
    const before = this.#state
    this.#dispatch({kind: 'requestQuote', pair: requested})
    const pair = requestedPair(this.#state)
    if (this.#state === before || !pair) return
    await this.#quoting.run([pair])
    // The value may be that of a later run.
    const quoted = this.#quoting.value
    if (quoted?.pair === pair) this.#onQuoted(pair, quoted.result)
  }

  /** Resolves to why the address was refused, else to null. */
  async giveRefundAddress(request: RefundRequest): Promise<Problem | null> {
    const {signal} = new AbortController()
    const result = await this.options.client.giveRefundAddress(this.#chargeId, request, signal)
    if ('checkout' in result) this.#dispatch({kind: 'read', checkout: result.checkout})
    // Another page has given one.
    else if (result.problem.status === 409) void this.refresh()
    return 'problem' in result ? result.problem : null
  }

  get #chargeId(): string {
    return chargeIdOf(this.#state) ?? ''
  }

  /** Returns the problem, from which the poller derives the time of the next read. */
  async #read(signal: AbortSignal): Promise<Problem | null> {
    const {client} = this.options
    const isOpening = needsOpening(this.#state)
    if (isOpening) await this.#opening.run([this.#chargeId])
    const {text, repeats} = this.#lastTime
    const result = isOpening
      ? this.#opening.value
      : await client.read(this.#chargeId, signal, repeats > 1 ? `${text}-${repeats}` : undefined)
    if (signal.aborted || !result) return null
    const isCached = 'checkout' in result && this.#isCached(result.checkout.serverTime)
    this.#receive(
      isCached ? {problem: browserProblem('proxy_invalid')} : result,
      isOpening ? 'opened' : 'read',
    )
    return this.#lastProblem
  }

  /** Whether the third response in a row has the same time: something answers in place of the proxy, such as a service worker. */
  #isCached(text: string): boolean {
    const now = this.options.environment.clock.now()
    const last = this.#lastTime
    if (last.text === text) last.repeats++
    else this.#lastTime = {text, at: now, repeats: 0}
    return this.#lastTime.repeats > 1 && now - this.#lastTime.at >= MIN_INTERVAL_MS
  }

  /** Loads what the first view needs before it is shown. Only the asset picker and a quote cannot be shown without. */
  async #open(chargeId: string, signal: AbortSignal): Promise<CheckoutResult> {
    const result = await this.options.client.open(chargeId, signal)
    if ('problem' in result) return result
    const {quote, status, payable} = result.checkout
    const isChoosing = !quote && status === 'open'
    if (isChoosing && !payable) return result
    const isLoaded = await this.#isLoaded(isChoosing ? 'asset-picker' : 'payment', signal)
    return isLoaded || (!quote && !isChoosing) ? result : {problem: browserProblem('load_failed')}
  }

  /** Loads the payment views first: the customer could not see an address that is activated without them. */
  async #quote(pair: Choice, signal: AbortSignal): Promise<CheckoutResult> {
    const isLoaded = await this.#isLoaded('payment', signal)
    // Without this check an aborted run would activate an address.
    return isLoaded && !signal.aborted
      ? this.options.client.quote(this.#chargeId, pair, signal)
      : {problem: browserProblem('load_failed')}
  }

  #onQuoted(pair: Pair, result: CheckoutResult): void {
    if ('checkout' in result) {
      this.#lastProblem = null
      this.#dispatch({kind: 'quoted', pair, checkout: result.checkout})
    } else {
      const {problem} = result
      this.#lastProblem = problem
      this.#dispatch({kind: 'refused', pair, problem})
      // Conflict or Gone: the checkout has changed, and a read returns it.
      if (problem.status === 409 || problem.status === 410) void this.refresh()
    }
  }

  #receive(result: CheckoutResult, kind: 'opened' | 'read'): void {
    this.#lastProblem = 'problem' in result ? result.problem : null
    // Of every response, also one with an earlier time: the clock of the server may have been set back.
    if ('checkout' in result)
      this.#anchor = anchorAt(result.checkout.serverTime, this.options.environment.clock.now())
    if (this.#hasNewToken) this.tokenChanged()
    this.#hasNewToken = false
    this.#dispatch('problem' in result ? {kind: 'failed', problem: result.problem} : {kind, ...result})
  }

  #isLoaded(chunk: Chunk, signal: AbortSignal): Promise<boolean> {
    const {environment, load} = this.options
    const loaded = () =>
      load(chunk).then(
        () => true,
        () => false,
      )
    return withTimeout(environment.clock, LOAD_TIMEOUT_MS, loaded, () => false, signal)
  }

  #dispatch(action: Action): void {
    const before = this.#state
    this.#state = advance(before, action)
    const checkout = checkoutOf(this.#state)
    if (checkout && checkout.serverTime !== checkoutOf(before)?.serverTime)
      this.#anchor = anchorAt(checkout.serverTime, this.options.environment.clock.now())
    const isPhaseNew = phaseOf(this.#state) !== phaseOf(before)
    if (isPhaseNew || action.kind === 'quoted' || paymentCount(this.#state) !== paymentCount(before))
      this.stayActive()
    this.options.onChange(before, action)
  }
}

function paymentCount(state: State): number {
  return checkoutOf(state)?.payments.length ?? 0
}
