import type {Clock} from '../../contract/clock.js'
import {secondsLeft, untilNextSecond} from '../../core/countdown.js'
import {viewStateOf, type ViewState} from '../../core/phase.js'
import type {Session} from './session.js'

/** The minutes left that are announced to screen readers. */
const ANNOUNCED_MINUTES = [10, 5, 1]

/** What depends on the time beside the countdown is rendered after this many seconds, because rendering takes longer. */
const RENDER_AFTER = 10

export interface CountdownListener {
  /** `isSmall`: only the countdown changes. */
  onTick(isSmall: boolean): void
  onMinute(minutes: number): void
  onZero(): void
}

/** Ticks at each second of the time left, in the phases that show it. */
export class Countdown {
  #running: AbortController | null = null
  #ticks = 0
  #announcedMinutes = Infinity
  /** The expiry whose zero was reported. */
  #reportedZero: string | null = null

  constructor(
    private readonly clock: Clock,
    private readonly session: Pick<Session, 'state' | 'anchor'>,
    private readonly listener: CountdownListener,
  ) {}

  /** Null without a countdown. */
  get secondsLeft(): number | null {
    const expiresAt = this.#expiresAt
    return expiresAt === null ? null : secondsLeft(this.session.anchor, expiresAt, this.clock.now())
  }

  hostUpdated(isConnected: boolean): void {
    if (!isConnected || !countdownCheckout(viewStateOf(this.session.state))) this.stop()
    else if (!this.#running) void this.#run((this.#running = new AbortController()).signal)
  }

  /** Called when the element gets another charge. */
  reset(): void {
    this.#announcedMinutes = Infinity
  }

  stop(): void {
    this.#running?.abort()
    this.#running = null
  }

  get #expiresAt(): string | null {
    const checkout = countdownCheckout(viewStateOf(this.session.state))
    return checkout?.payable ? checkout.expiresAt : null
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const expiresAt = this.#expiresAt
      const now = this.clock.now()
      await this.clock.sleep(expiresAt ? untilNextSecond(this.session.anchor, expiresAt, now) : 1_000, signal)
      if (!signal.aborted) this.#tick()
    }
  }

  #tick(): void {
    const left = this.secondsLeft
    this.listener.onTick(!!left && ++this.#ticks % RENDER_AFTER !== 0)
    if (left === null) return
    if (left === 0 && this.#reportedZero !== this.#expiresAt) {
      this.#reportedZero = this.#expiresAt
      this.listener.onZero()
    }
    const minutes = Math.ceil(left / 60)
    if (minutes < this.#announcedMinutes && ANNOUNCED_MINUTES.includes(minutes)) {
      this.#announcedMinutes = minutes
      this.listener.onMinute(minutes)
    }
  }
}

/** The checkout of a phase in which the customer can still pay; null in others. */
function countdownCheckout(viewState: ViewState) {
  switch (viewState.phase) {
    case 'choosing':
    case 'quoting':
    case 'paying':
    case 'underpaid':
      return viewState.checkout
    default:
      return null
  }
}
