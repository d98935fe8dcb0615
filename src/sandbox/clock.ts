import {type Clock} from '../contract/index.js'

/** A timer cannot wait longer; the loop takes another nap. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

/**
 * A clock that can be moved forward over one that cannot. Those who sleep on it feel the move: whoever is due by then
 * wakes at once, the others wake so much sooner.
 */
export class AdvanceableClock implements Clock {
  readonly #base: Clock
  readonly #timers = new Set<AbortController>()
  #moved = 0

  constructor(base: Clock) {
    this.#base = base
  }

  now(): number {
    return this.#base.now() + this.#moved
  }

  move(milliseconds: number): void {
    this.#moved += milliseconds
    for (const timer of this.#timers) timer.abort('moved')
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const due = this.now() + milliseconds
    // A nap ends when its time is over or when the clock was moved; then look again how much is left.
    while (!signal?.aborted && this.now() < due) {
      const timer = new AbortController()
      const stop = () => timer.abort('stopped')
      signal?.addEventListener('abort', stop, {once: true})
      this.#timers.add(timer)
      await this.#base.sleep(Math.min(due - this.now(), MAX_TIMEOUT_MS), timer.signal)
      this.#timers.delete(timer)
      signal?.removeEventListener('abort', stop)
    }
  }
}
