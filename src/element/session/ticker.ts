import type {Clock} from '../../contract/clock.js'

/** Calls back again and again until it is stopped, each time after the wait that is asked for. */
export class Ticker {
  #running: AbortController | null = null

  constructor(
    private readonly wait: () => number,
    private readonly tick: () => void,
  ) {}

  /** Does nothing when it runs already. */
  start(time: Clock): void {
    if (this.#running) return
    this.#running = new AbortController()
    void this.#run(time, this.#running.signal)
  }

  stop(): void {
    this.#running?.abort()
    this.#running = null
  }

  async #run(time: Clock, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await time.sleep(this.wait(), signal)
      if (!signal.aborted) this.tick()
    }
  }
}
