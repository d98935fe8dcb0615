import {type Clock} from '../contract/index.js'

/** A timer cannot wait longer; the loop takes another nap. */
const LONGEST_NAP = 2 ** 31 - 1

/**
 * A clock that can be moved forward over one that cannot. Those who sleep on it feel the move: whoever is due by then
 * wakes at once, the others wake so much sooner.
 */
export class MovableClock implements Clock {
  readonly #base: Clock
  readonly #naps = new Set<AbortController>()
  #moved = 0

  constructor(base: Clock) {
    this.#base = base
  }

  now(): number {
    return this.#base.now() + this.#moved
  }

  move(milliseconds: number): void {
    this.#moved += milliseconds
    for (const nap of this.#naps) nap.abort('moved')
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const due = this.now() + milliseconds
    // A nap ends when its time is over or when the clock was moved; then look again how much is left.
    while (!signal?.aborted && this.now() < due) {
      const nap = new AbortController()
      const stop = () => nap.abort('stopped')
      signal?.addEventListener('abort', stop, {once: true})
      this.#naps.add(nap)
      await this.#base.sleep(Math.min(due - this.now(), LONGEST_NAP), nap.signal)
      this.#naps.delete(nap)
      signal?.removeEventListener('abort', stop)
    }
  }
}
