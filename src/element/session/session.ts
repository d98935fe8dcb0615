/**
 * One charge on one page: keeps the state, follows the charge while the element is on the page, and asks for quotes.
 * It joins what is pure (`advance`, `watch`) with what is not (the client, the late parts), and draws nothing.
 */
import {withTimeout} from '../../contract/clock.js'
import type {Problem} from '../../contract/problem.js'
import {
  advance,
  chargeIdOf,
  checkoutOf,
  idle,
  needsOpening,
  type Action,
  type Pair,
  type State,
} from '../../core/advance.js'
import {anchorAt, type Anchor} from '../../core/countdown.js'
import {phaseOf} from '../../core/phase.js'
import {browserProblem} from '../../core/problems.js'
import type {Stream} from '../../core/stream.js'
import {createPoller, type Poller} from '../../core/poller.js'
import type {CheckoutClient, CheckoutResult} from './api-client.js'
import type {Environment} from '../environment.js'

const LOAD_TIMEOUT_MS = 10_000

export interface SessionOptions {
  readonly client: CheckoutClient
  readonly environment: Environment
  /** Loads what one chooses from. Resolves at once when it is there. */
  loadAssetPicker(): Promise<unknown>
  /** Loads what draws a quote. The same. */
  loadPayment(): Promise<unknown>
  /** Called after every event, with what the state was before it. */
  onChange(before: State, action: Action): void
}

export class Session {
  #state: State = idle
  #anchor: Anchor = {server: 0, at: 0}
  #poller: Poller | null = null
  #stream: Stream | null = null
  #quoteRequest: AbortController | null = null
  /** The last answer of any kind was this problem. */
  #lastProblem: Problem | null = null

  constructor(private readonly options: SessionOptions) {}

  get state(): State {
    return this.#state
  }

  get anchor(): Anchor {
    return this.#anchor
  }

  /** Starts afresh with another charge, or with none. Nothing is asked before `resume`. */
  setCharge(chargeId: string | null): void {
    this.pause()
    this.#lastProblem = null
    this.#dispatch({kind: 'start', chargeId})
  }

  /** The element is on the page: reads at once, and goes on. */
  resume(): void {
    if (this.#poller || this.#state.kind === 'idle') return
    this.#poller = createPoller(
      {...this.options.environment, read: signal => this.#read(signal)},
      phaseOf(this.#state),
    )
    if (this.#state.kind !== 'active') return
    void this.#openStream(this.#poller)
    // The element was moved while a quote was under way.
    if (this.#state.step.kind === 'quoting') void this.requestQuote(this.#state.step.pair)
  }

  /** The element has left the page: ends every wait and every request. What is known stays known. */
  pause(): void {
    this.#poller?.stop()
    this.#poller = null
    this.#stream?.stop()
    this.#stream = null
    this.#quoteRequest?.abort()
  }

  async refresh(): Promise<void> {
    await this.#poller?.readNow()
  }

  retry(): void {
    this.#dispatch({kind: 'retry'})
    void this.refresh()
  }

  /** If the last token was refused, there is no reason to wait with another. */
  tokenChanged(): void {
    if (this.#lastProblem?.code === 'unauthorized') void this.refresh()
  }

  expandAsset(asset: string | null): void {
    this.#quoteRequest?.abort()
    this.#dispatch({kind: 'expandAsset', asset})
  }

  back(): void {
    this.#quoteRequest?.abort()
    this.#dispatch({kind: 'back'})
  }

  /** Asks for a quote. What draws it is loaded first: an activated address that nobody can see would be a trap. */
  async requestQuote(pair: Pair): Promise<void> {
    this.#quoteRequest?.abort()
    const {signal} = (this.#quoteRequest = new AbortController())
    const before = this.#state
    this.#dispatch({kind: 'requestQuote', pair})
    if (this.#state === before || this.#state.kind !== 'active') return
    const requestId = this.#state.lastRequestId
    const hasPayment = await this.#isLoaded('loadPayment', signal)
    if (signal.aborted) return
    const outcome: CheckoutResult = hasPayment
      ? await this.options.client.quote(this.#chargeId, pair, signal)
      : {problem: browserProblem('load_failed')}
    if (signal.aborted) return
    if ('checkout' in outcome) {
      this.#lastProblem = null
      this.#dispatch({kind: 'quoted', requestId, checkout: outcome.checkout})
    } else {
      this.#lastProblem = outcome.problem
      this.#dispatch({kind: 'refused', requestId, problem: outcome.problem})
      // Conflict or Gone: the checkout has moved on, and a read will say where to.
      if (outcome.problem.status === 409 || outcome.problem.status === 410) void this.refresh()
    }
  }

  get #chargeId(): string {
    return chargeIdOf(this.#state) ?? ''
  }

  async #read(signal: AbortSignal): Promise<Problem | null> {
    const {client} = this.options
    const isOpening = needsOpening(this.#state)
    let outcome = await (isOpening ? client.open : client.read)(this.#chargeId, signal)
    if (isOpening && 'checkout' in outcome) {
      const {quote, status, payable} = outcome.checkout
      // Shown whole from the start; but only a list and a quote are nothing without what draws them.
      const chunk = quote || status !== 'open' ? 'loadPayment' : payable ? 'loadAssetPicker' : null
      if (chunk && !(await this.#isLoaded(chunk, signal)) && (quote || chunk === 'loadAssetPicker'))
        outcome = {problem: browserProblem('load_failed')}
    }
    if (signal.aborted) return null
    this.#lastProblem = 'problem' in outcome ? outcome.problem : null
    if ('problem' in outcome) this.#dispatch({kind: 'failed', problem: outcome.problem})
    else this.#dispatch({kind: isOpening ? 'opened' : 'read', checkout: outcome.checkout})
    if (isOpening && this.#poller) void this.#openStream(this.#poller)
    return this.#lastProblem
  }

  /** Where there is no stream, the reads go on all the same. */
  async #openStream(reader: Poller): Promise<void> {
    const {client, environment} = this.options
    const chunk = await environment.loadStream().catch(() => null)
    if (!chunk || this.#stream || this.#poller !== reader) return
    this.#stream = chunk.stream(
      {
        ...environment,
        listen: (listener, signal) =>
          chunk.listenTo(wait => client.events(this.#chargeId, wait), listener, signal),
        setStreaming: isOpen => reader.setStreaming(isOpen),
        onWakeUp: rev => {
          if (rev !== checkoutOf(this.#state)?.rev) void reader.readNow()
        },
      },
      phaseOf(this.#state),
    )
  }

  #isLoaded(chunk: 'loadAssetPicker' | 'loadPayment', signal: AbortSignal): Promise<boolean> {
    const {environment} = this.options
    const load = () =>
      this.options[chunk]().then(
        () => true,
        () => false,
      )
    return withTimeout(environment.clock, LOAD_TIMEOUT_MS, load, () => false, signal)
  }

  #dispatch(action: Action): void {
    const before = this.#state
    this.#state = advance(before, action)
    const checkout = checkoutOf(this.#state)
    if (checkout && checkout.serverTime !== checkoutOf(before)?.serverTime)
      this.#anchor = anchorAt(checkout.serverTime, this.options.environment.clock.now())
    const phase = phaseOf(this.#state)
    this.#poller?.setPhase(phase)
    this.#stream?.setPhase(phase)
    this.options.onChange(before, action)
  }
}
