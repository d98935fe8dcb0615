import {type Clock} from '../contract/index.js'

/** The longest delay of `setTimeout`. Longer sleeps use several timers. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

/**
 * A clock that can be advanced, on top of one that cannot. Advancing shortens pending sleeps: those that are due end at
 * once.
 */
export class AdvanceableClock implements Clock {
  readonly #base: Clock
  readonly #timers = new Set<AbortController>()
  /** Has the sum of all advances. */
  readonly #state: {advanced: number}

  constructor(base: Clock, state: {advanced: number}) {
    this.#base = base
    this.#state = state
  }

  now(): number {
    return this.#base.now() + this.#state.advanced
  }

  advance(milliseconds: number): void {
    this.#state.advanced += milliseconds
    for (const timer of this.#timers) timer.abort('advanced')
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const due = this.now() + milliseconds
    // A timer ends when it is due or when the clock is advanced; then the remaining time is computed again.
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
