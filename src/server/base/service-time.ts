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
/** A larger offset is followed only when two responses agree, which were received this long after each other. */
const CONFIRM_AFTER_MS = 1_000
const AGREEMENT_MS = 5_000
/** `Sat, 21 Nov 2026 01:23:45 GMT`, the form that a server sends (RFC 9110, section 5.6.7). */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

export class ServiceTime {
  #offsetMs = 0
  #hasOffset = false
  /** Another offset by the last response. It is used when a later one agrees: one server of the service may be wrong. */
  #candidate: {readonly offsetMs: number; readonly at: number} | undefined
  #loggedAt = -Infinity

  constructor(
    readonly clock: Pick<Clock, 'now'>,
    readonly logger: Logger,
  ) {}

  now(): number {
    return this.clock.now() + this.#offsetMs
  }

  /** Whether another response must show which clock is right, before anything is said about an expiry. */
  isUnsure(expiresAt: number | null): boolean {
    const candidate = this.#candidate
    if (!candidate) return false
    const hasPassed = (now: number) => expiresAt !== null && expiresAt <= now
    return !this.#hasOffset || hasPassed(this.now()) !== hasPassed(this.clock.now() + candidate.offsetMs)
  }

  /** Whether this process knows the offset. A response without a date counts. */
  get isKnown(): boolean {
    return this.#hasOffset
  }

  /** @param date the `Date` header of a response that was requested at `sentAt` and has just arrived */
  observe(date: string | undefined, sentAt: number): void {
    const now = this.clock.now()
    const milliseconds = HTTP_DATE.test(date ?? '') ? Date.parse(date ?? '') : NaN
    // The response was made in this second, some time between the request and now.
    const least = milliseconds - now
    const most = milliseconds + 999 - sentAt
    if (Number.isNaN(least)) {
      this.#hasOffset ||= !this.#candidate
      return
    }
    const isPossible = (offsetMs: number, toleranceMs = TOLERANCE_MS) =>
      offsetMs >= least - toleranceMs && offsetMs <= most + toleranceMs
    const offsetMs = [0, this.#offsetMs].find(offset => isPossible(offset)) ?? Math.floor((least + most) / 2)
    this.#warn(offsetMs)
    const candidate = this.#candidate
    const isLarge = Math.abs(offsetMs) > WARNING_MS
    const isAgreed = candidate !== undefined && isPossible(candidate.offsetMs, AGREEMENT_MS)
    const isConfirmed = isAgreed && (!isLarge || now - candidate.at >= CONFIRM_AFTER_MS)
    const isFollowed = offsetMs === this.#offsetMs || isConfirmed || (!isLarge && !this.#hasOffset)
    if (!isFollowed) {
      if (!isAgreed) this.#candidate = {offsetMs, at: now}
      return
    }
    this.#offsetMs = offsetMs
    this.#candidate = undefined
    this.#hasOffset = true
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
