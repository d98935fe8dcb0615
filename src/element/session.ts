/**
 * One charge on one page: keeps the state, follows the charge while the element is on the page, and asks for quotes.
 * It joins what is pure (`advance`, `watch`) with what is not (the client, the late parts), and draws nothing.
 */
import type {Problem} from '../contract/problem.js'
import {
  advance,
  chargeIdOf,
  checkoutOf,
  idle,
  needsOpening,
  type Event,
  type Pair,
  type State,
} from '../core/advance.js'
import {anchorAt, type Anchor} from '../core/countdown.js'
import {phaseOf} from '../core/phase.js'
import {browserProblem} from '../core/problems.js'
import type {Stream} from '../core/stream.js'
import {watch, type Watch} from '../core/watch.js'
import type {CheckoutClient, Outcome} from './client.js'
import type {Surroundings} from './page.js'
import {within} from './within.js'

export interface SessionOptions {
  readonly client: CheckoutClient
  readonly surroundings: Surroundings
  /** Loads what one chooses from. Resolves at once when it is there. */
  loadList(): Promise<unknown>
  /** Loads what draws a quote. The same. */
  loadDesk(): Promise<unknown>
  /** Called after every event, with what the state was before it. */
  changed(before: State, event: Event): void
}

export class Session {
  #state: State = idle
  #anchor: Anchor = {server: 0, at: 0}
  #watch: Watch | null = null
  #stream: Stream | null = null
  #asking: AbortController | null = null
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
  follow(chargeId: string | null): void {
    this.pause()
    this.#lastProblem = null
    this.#apply({type: 'follow', chargeId})
  }

  /** The element is on the page: reads at once, and goes on. */
  resume(): void {
    if (this.#watch || this.#state.at === 'idle') return
    this.#watch = watch(
      {...this.options.surroundings, read: signal => this.#read(signal)},
      phaseOf(this.#state),
    )
    if (this.#state.at !== 'following') return
    void this.#openStream(this.#watch)
    // The element was moved while a quote was under way.
    if (this.#state.way.step === 'quoting') void this.ask(this.#state.way.pair)
  }

  /** The element has left the page: ends every wait and every request. What is known stays known. */
  pause(): void {
    this.#watch?.stop()
    this.#watch = null
    this.#stream?.stop()
    this.#stream = null
    this.#asking?.abort()
  }

  async refresh(): Promise<void> {
    await this.#watch?.readNow()
  }

  retry(): void {
    this.#apply({type: 'retry'})
    void this.refresh()
  }

  /** If the last token was refused, there is no reason to wait with another. */
  tokenChanged(): void {
    if (this.#lastProblem?.code === 'unauthorized') void this.refresh()
  }

  look(asset: string | null): void {
    this.#asking?.abort()
    this.#apply({type: 'look', asset})
  }

  back(): void {
    this.#asking?.abort()
    this.#apply({type: 'back'})
  }

  /** Asks for a quote. What draws it is loaded first: an activated address that nobody can see would be a trap. */
  async ask(pair: Pair): Promise<void> {
    this.#asking?.abort()
    const {signal} = (this.#asking = new AbortController())
    const before = this.#state
    this.#apply({type: 'ask', pair})
    if (this.#state === before || this.#state.at !== 'following') return
    const ticket = this.#state.tickets
    const hasDesk = await this.#has('loadDesk', signal)
    if (signal.aborted) return
    const outcome: Outcome = hasDesk
      ? await this.options.client.quote(this.#chargeId, pair, signal)
      : {problem: browserProblem('load_failed')}
    if (signal.aborted) return
    if ('checkout' in outcome) {
      this.#lastProblem = null
      this.#apply({type: 'quoted', ticket, checkout: outcome.checkout})
    } else {
      this.#lastProblem = outcome.problem
      this.#apply({type: 'refused', ticket, problem: outcome.problem})
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
      const part = quote || status !== 'open' ? 'loadDesk' : payable ? 'loadList' : null
      if (part && !(await this.#has(part, signal)) && (quote || part === 'loadList'))
        outcome = {problem: browserProblem('load_failed')}
    }
    if (signal.aborted) return null
    this.#lastProblem = 'problem' in outcome ? outcome.problem : null
    if ('problem' in outcome) this.#apply({type: 'failed', problem: outcome.problem})
    else this.#apply({type: isOpening ? 'opened' : 'read', checkout: outcome.checkout})
    if (isOpening && this.#watch) void this.#openStream(this.#watch)
    return this.#lastProblem
  }

  /** Where there is no stream, the reads go on all the same. */
  async #openStream(reader: Watch): Promise<void> {
    const {client, surroundings} = this.options
    const parts = await surroundings.loadStream().catch(() => null)
    if (!parts || this.#stream || this.#watch !== reader) return
    this.#stream = parts.stream(
      {
        ...surroundings,
        listen: (listener, signal) =>
          parts.listenTo(wait => client.events(this.#chargeId, wait), listener, signal),
        streaming: isOpen => reader.streaming(isOpen),
        woken: rev => {
          if (rev !== checkoutOf(this.#state)?.rev) void reader.readNow()
        },
      },
      phaseOf(this.#state),
    )
  }

  #has(part: 'loadList' | 'loadDesk', signal: AbortSignal): Promise<boolean> {
    const {surroundings} = this.options
    const load = () =>
      this.options[part]().then(
        () => true,
        () => false,
      )
    return within(surroundings.time, signal, load, false)
  }

  #apply(event: Event): void {
    const before = this.#state
    this.#state = advance(before, event)
    const checkout = checkoutOf(this.#state)
    if (checkout && checkout.serverTime !== checkoutOf(before)?.serverTime)
      this.#anchor = anchorAt(checkout.serverTime, this.options.surroundings.time.now())
    const phase = phaseOf(this.#state)
    this.#watch?.enter(phase)
    this.#stream?.enter(phase)
    this.options.changed(before, event)
  }
}
