import type {Clock} from '../../contract/clock.js'

/** Calls `tick` repeatedly until stopped. `wait` returns the milliseconds before each call. */
export class Ticker {
  #running: AbortController | null = null

  constructor(
    private readonly wait: () => number,
    private readonly tick: () => void,
  ) {}

  /** Does nothing if it is running. */
  start(clock: Clock): void {
    if (this.#running) return
    this.#running = new AbortController()
    void this.#run(clock, this.#running.signal)
  }

  stop(): void {
    this.#running?.abort()
    this.#running = null
  }

  async #run(clock: Clock, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await clock.sleep(this.wait(), signal)
      if (!signal.aborted) this.tick()
    }
  }
}
