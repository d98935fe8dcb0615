/** A clock that stands still until a test moves it. Works in Node and in a browser page. */
import type {Clock} from '../src/contract/clock.js'

interface Sleeper {
  readonly due: number
  readonly wake: () => void
}

export class FakeClock implements Clock {
  #now: number
  #sleepers: Sleeper[] = []

  /** @param turn lets everything that was woken run; a quicker one may do where nothing real is waited for */
  constructor(
    start: number | string = '2026-11-21T01:23:45Z',
    private readonly turn: () => Promise<void> = flushPromises,
  ) {
    this.#now = typeof start === 'number' ? start : Date.parse(start)
  }

  /** How many sleep just now, so that a test can say that nobody waits any more. */
  get sleepers(): number {
    return this.#sleepers.length
  }

  now(): number {
    return this.#now
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (milliseconds <= 0 || signal?.aborted) return Promise.resolve()
    return new Promise(resolve => {
      const wake = () => {
        this.#sleepers = this.#sleepers.filter(other => other !== sleeper)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const sleeper: Sleeper = {due: this.#now + milliseconds, wake}
      this.#sleepers.push(sleeper)
      signal?.addEventListener('abort', wake, {once: true})
    })
  }

  /**
   * Moves on, waking each sleeper at its own moment and in order. Between two of them everything that was woken runs
   * as far as it can without the network, so that a sleep which begins on the way ends on the way if it is due.
   */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds
    await this.turn()
    for (;;) {
      const next = this.#next(end)
      if (!next) break
      this.#now = Math.max(this.#now, next.due)
      next.wake()
      await this.turn()
    }
    this.#now = Math.max(this.#now, end)
    await this.turn()
  }

  /** Moves on at once, as for a machine that slept: who was due by then wakes late, in order. */
  async jump(milliseconds: number): Promise<void> {
    this.#now += milliseconds
    await this.advance(0)
  }

  /** The earliest that is due by then; of several at the same moment, the one that fell asleep first. */
  #next(end: number): Sleeper | undefined {
    let next: Sleeper | undefined
    for (const sleeper of this.#sleepers)
      if (sleeper.due <= end && (!next || sleeper.due < next.due)) next = sleeper
    return next
  }
}

// Taken before a test can replace it.
const later = globalThis.setTimeout

/** One turn of the event loop: every promise that can go on has gone on. */
export function flushPromises(): Promise<void> {
  return new Promise(resolve => later(resolve, 0))
}
