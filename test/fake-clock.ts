/** A clock that a test advances. Works in Node and in a browser page. */
import type {Clock} from '../src/contract/clock.js'

interface Sleeper {
  readonly due: number
  readonly resume: () => void
  readonly isBackground: boolean
}

export class FakeClock implements Clock {
  /** The monotonic clock. */
  #now: number
  /** The wall clock, less the monotonic clock. */
  #steps = 0
  #sleepers: Sleeper[] = []

  /** @param turn runs everything that does not wait for the clock; without real timers or sockets it may be quicker */
  constructor(
    start: number | string = '2026-11-21T01:23:45Z',
    private readonly turn: () => Promise<void> = flushPromises,
  ) {
    this.#now = typeof start === 'number' ? start : Date.parse(start)
  }

  /** The number of pending sleeps, without those in the background. */
  get sleepers(): number {
    return this.#sleepers.filter(({isBackground}) => !isBackground).length
  }

  now(): number {
    return this.#now + this.#steps
  }

  monotonic(): number {
    return this.#now
  }

  /** Sets the wall clock forward or back. A machine that was suspended does so too: sleeps and the monotonic clock stood still. */
  step(milliseconds: number): void {
    this.#steps += milliseconds
  }

  /** Milliseconds until the next sleep ends; undefined without one. */
  get untilNext(): number | undefined {
    const next = this.#next(Infinity)
    return next && Math.max(0, next.due - this.#now)
  }

  sleep(milliseconds: number, signal?: AbortSignal, isBackground = false): Promise<void> {
    if (milliseconds <= 0 || signal?.aborted) return Promise.resolve()
    return new Promise(resolve => {
      const resume = () => {
        this.#sleepers = this.#sleepers.filter(other => other !== sleeper)
        signal?.removeEventListener('abort', resume)
        resolve()
      }
      const sleeper: Sleeper = {due: this.#now + milliseconds, resume, isBackground}
      this.#sleepers.push(sleeper)
      signal?.addEventListener('abort', resume, {once: true})
    })
  }

  /** Advances the time, ending each sleep at its due time and in order, also a sleep that starts meanwhile. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds
    await this.turn()
    for (;;) {
      const next = this.#next(end)
      if (!next) break
      this.#now = Math.max(this.#now, next.due)
      next.resume()
      await this.turn()
    }
    this.#now = Math.max(this.#now, end)
    await this.turn()
  }

  /** Sets the time at once, as after a machine slept: sleeps that were due end late, in order. */
  async jump(milliseconds: number): Promise<void> {
    this.#now += milliseconds
    await this.advance(0)
  }

  /** The sleep that is due first; of several due at the same time, the one that started first. */
  #next(end: number): Sleeper | undefined {
    let next: Sleeper | undefined
    for (const sleeper of this.#sleepers)
      if (sleeper.due <= end && (!next || sleeper.due < next.due)) next = sleeper
    return next
  }
}

// Read before a test can mock them.
const {setImmediate, setTimeout} = globalThis

/** Waits for one turn of the event loop, which runs all pending promise callbacks. A browser has no `setImmediate`. */
export function flushPromises(): Promise<void> {
  return new Promise(resolve =>
    typeof setImmediate === 'function' ? setImmediate(resolve) : setTimeout(resolve, 0),
  )
}
