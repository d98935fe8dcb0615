/**
 * How many charges pages cause to be read at the service. Of those that wait, the one that was read longest ago comes first,
 * whichever page asks next: a page that has to wait asks again within seconds, and finds what such a read has recorded. So
 * nothing has to run between requests, and no customer's request waits.
 */
import {monotonic, type Clock} from '../../contract/index.js'

export class ReadBudget {
  readonly #count: number
  readonly #periodMs: number
  /** When each charge that waits was read last. */
  readonly #waiting = new Map<string, number>()
  /** The starts of the reads within the last period. */
  #startedAt: number[] = []

  /** @param rate charges a second */
  constructor(
    readonly clock: Pick<Clock, 'now' | 'monotonic'>,
    rate: number,
  ) {
    this.#count = Math.max(1, Math.floor(rate))
    this.#periodMs = (this.#count * 1_000) / rate
  }

  /** A page asks for a read of this charge. Returns the charges whose reads must begin now: usually just this one. */
  next(chargeId: string, readAt: number): string[] {
    const now = monotonic(this.clock)
    this.#waiting.set(chargeId, readAt)
    this.#startedAt = this.#startedAt.filter(at => now - at < this.#periodMs)
    const due: string[] = []
    while (this.#startedAt.length < this.#count && this.#waiting.size > 0) {
      due.push(this.#takeOldest())
      this.#startedAt.push(now)
    }
    return due
  }

  #takeOldest(): string {
    let oldest = ''
    let oldestAt = Infinity
    for (const [chargeId, readAt] of this.#waiting)
      if (readAt < oldestAt) [oldest, oldestAt] = [chargeId, readAt]
    this.#waiting.delete(oldest)
    return oldest
  }
}
