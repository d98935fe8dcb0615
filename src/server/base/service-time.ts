/**
 * What time it is. Expiry dates come from the service, so they are compared with its clock too: the `Date` of its last
 * responses says how far ours is from it. The offsets are those of the monotonic clock, which no administrator sets.
 */
import {monotonic, type Clock} from '../../contract/index.js'
import type {Logger} from './logger.js'

/** `Date` has a resolution of one second, and a response takes time. A smaller offset is not corrected. */
const TOLERANCE_MS = 2_000
/** Offsets that differ by no more are the same clock. It is also how far a clock that runs well may move between two responses. */
const AGREEMENT_MS = 5_000
const MAX_OFFSETS = 10
const WARNING_MS = 60_000
const LOG_INTERVAL_MS = 3_600_000
/** `Sat, 21 Nov 2026 01:23:45 GMT`, the form that a server sends (RFC 9110, section 5.6.7). */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

export class ServiceTime {
  /** Of the last responses, the newest last: the service's time, less the monotonic time. Milliseconds. */
  #offsets: readonly number[] = []
  #loggedAt = -Infinity

  constructor(
    readonly clock: Clock,
    readonly logger: Logger,
  ) {}

  /**
   * For what is stored, shown and locked: all instances agree on it. The last responses decide by majority, and our clock
   * before the first.
   */
  now(): number {
    const ours = this.#oursOffset
    const counted = [ours, ...this.#offsets].map(offset => ({offset, votes: this.#votesFor(offset)}))
    const most = Math.max(...counted.map(({votes}) => votes))
    const winner = counted.find(({votes}) => votes === most)?.offset ?? ours
    return this.#at(isSame(winner, ours, TOLERANCE_MS) ? ours : winner)
  }

  /**
   * For "has expired": both clocks must have passed the date. The service's alone decides while its last ten responses agree.
   * So an address does not vanish because one of several servers has a wrong clock.
   */
  expiry(): number {
    const [last] = this.#offsets.slice(-1)
    if (last === undefined) return this.clock.now()
    const isAgreed = this.#offsets.length === MAX_OFFSETS && this.#votesFor(last) === MAX_OFFSETS
    return isAgreed ? this.#at(last) : Math.min(this.clock.now(), this.#at(last))
  }

  /** For a new quote: it is refused as soon as either clock has passed the date. */
  latest(): number {
    return Math.max(this.clock.now(), ...this.#offsets.slice(-1).map(offset => this.#at(offset)))
  }

  /**
   * @param date the `Date` header of a response that has just arrived
   * @param sentAt when it was requested, by the monotonic clock
   */
  observe(date: string | undefined, sentAt: number): void {
    const milliseconds = HTTP_DATE.test(date ?? '') ? Date.parse(date ?? '') : NaN
    if (Number.isNaN(milliseconds)) return
    const ours = this.#oursOffset
    // The response was made in this second, some time between the request and now.
    const least = milliseconds - monotonic(this.clock)
    const most = milliseconds + 999 - sentAt
    const isOurs = ours >= least - TOLERANCE_MS && ours <= most + TOLERANCE_MS
    const offset = isOurs ? ours : Math.floor((least + most) / 2)
    // The machine was suspended, or its clock was set: our clock and the service's agree again, and not with the responses before.
    const isResumed = isOurs && this.#votesFor(offset) === 0
    this.#offsets = [...(isResumed ? [] : this.#offsets), offset].slice(-MAX_OFFSETS)
    this.#warn(offset - ours)
  }

  /** The wall clock, less the monotonic clock. */
  get #oursOffset(): number {
    return this.clock.now() - monotonic(this.clock)
  }

  /** Whole milliseconds, which the monotonic clock does not have. */
  #at(offset: number): number {
    return Math.round(monotonic(this.clock) + offset)
  }

  #votesFor(offset: number): number {
    return this.#offsets.filter(other => isSame(other, offset, AGREEMENT_MS)).length
  }

  #warn(differenceMs: number): void {
    const now = monotonic(this.clock)
    if (Math.abs(differenceMs) <= WARNING_MS || now - this.#loggedAt < LOG_INTERVAL_MS) return
    this.#loggedAt = now
    this.logger.warn('the clock of this server differs from the clock of the service', {
      seconds: Math.round(differenceMs / 1000),
    })
  }
}

function isSame(a: number, b: number, toleranceMs: number): boolean {
  return Math.abs(a - b) <= toleranceMs
}
