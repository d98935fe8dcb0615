/**
 * The service's time. Expiry dates come from the service, so they are compared with its clock. Instances whose clocks
 * differ then agree on locks and claims too.
 */
import type {Clock} from '../../contract/index.js'
import type {Logger} from './logger.js'

/** `Date` has a resolution of one second, and a response takes time. A smaller offset is not corrected. */
const TOLERANCE_MS = 2_000
const WARNING_MS = 60_000
const LOG_INTERVAL_MS = 3_600_000
/** A larger offset is an error of the header: a lock with such an end would never end. */
const MAX_OFFSET_MS = 86_400_000
/** `Sat, 21 Nov 2026 01:23:45 GMT`, the form that a server sends (RFC 9110, section 5.6.7). */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

export class ServiceTime {
  #offsetMs = 0
  #hasResponse = false
  #hasOffset = false
  /** Another offset by the last response. It is used when the next one agrees: one server of the service may be wrong. */
  #candidateMs: number | undefined
  #loggedAt = -Infinity

  constructor(
    readonly clock: Pick<Clock, 'now'>,
    readonly logger: Logger,
  ) {}

  now(): number {
    return this.clock.now() + this.#offsetMs
  }

  /** Whether this process has received a response. Until then, the offset is unknown. */
  get isKnown(): boolean {
    return this.#hasResponse
  }

  /** @param date the `Date` header of a response that was requested at `sentAt` and has just arrived */
  observe(date: string | undefined, sentAt: number): void {
    const now = this.clock.now()
    this.#hasResponse = true
    const milliseconds = HTTP_DATE.test(date ?? '') ? Date.parse(date ?? '') : NaN
    // The response was made in this second, some time between the request and now.
    const least = milliseconds - now
    const most = milliseconds + 999 - sentAt
    if (Number.isNaN(least)) return
    if (Math.abs(least) > MAX_OFFSET_MS) return this.#warn(least)
    const isPossible = (offsetMs: number) =>
      offsetMs >= least - TOLERANCE_MS && offsetMs <= most + TOLERANCE_MS
    const offsetMs = [0, this.#offsetMs].find(isPossible) ?? Math.floor((least + most) / 2)
    const isConfirmed = this.#candidateMs !== undefined && isPossible(this.#candidateMs)
    const isFollowed = offsetMs === this.#offsetMs || !this.#hasOffset || isConfirmed
    if (isFollowed) this.#offsetMs = offsetMs
    this.#candidateMs = isFollowed ? undefined : offsetMs
    this.#hasOffset = true
    this.#warn(this.#offsetMs)
  }

  #warn(offsetMs: number): void {
    const now = this.clock.now()
    if (Math.abs(offsetMs) <= WARNING_MS || now - this.#loggedAt < LOG_INTERVAL_MS) return
    this.#loggedAt = now
    this.logger.warn('the clock of this server differs from the clock of the service', {
      seconds: Math.round(offsetMs / 1000),
    })
  }
}
