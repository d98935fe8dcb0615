import {systemClock, type Clock} from '../../../src/contract/clock.js'

/** A clock that can stand still. A sleep lasts as long as the clock needs to reach its end. */
export class PausableClock implements Clock {
  readonly #base: Clock
  #pausedAt: number | null = null
  #offset = 0
  #changed = new AbortController()

  constructor(base: Clock = systemClock) {
    this.#base = base
  }

  get isPaused(): boolean {
    return this.#pausedAt !== null
  }

  set isPaused(isPaused: boolean) {
    if (isPaused === this.isPaused) return
    const now = this.now()
    this.#offset = now - this.#base.now()
    this.#pausedAt = isPaused ? now : null
    const changed = this.#changed
    this.#changed = new AbortController()
    changed.abort()
  }

  now(): number {
    return this.#pausedAt ?? this.#base.now() + this.#offset
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const due = this.now() + milliseconds
    while (!signal?.aborted && this.now() < due) {
      const ends = [this.#changed.signal, ...(signal ? [signal] : [])]
      const remaining = this.isPaused ? 2 ** 31 - 1 : due - this.now()
      await this.#base.sleep(remaining, AbortSignal.any(ends))
    }
  }
}
