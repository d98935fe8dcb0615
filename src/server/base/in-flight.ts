/** Work that must not be interrupted. `drain` waits for it. */
import {withTimeout, type Clock} from '../../contract/index.js'

type WorkName = 'handlers' | 'reads' | 'requests'

export class InFlight {
  readonly #running = new Map<Promise<unknown>, WorkName>()

  run<Result>(name: WorkName, work: () => Promise<Result>): Promise<Result> {
    const running = work()
    this.#running.set(running, name)
    const end = () => this.#running.delete(running)
    running.then(end, end)
    return running
  }

  /** Resolves when the work that is running now has ended. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#running.keys())
  }

  /** Resolves when no work is left, or after the timeout, to the number of unfinished runs by name. */
  async drain(clock: Clock, timeoutMs: number): Promise<Partial<Record<WorkName, number>>> {
    await withTimeout(
      clock,
      timeoutMs,
      async signal => {
        // Work may start other work.
        while (this.#running.size > 0 && !signal.aborted) await Promise.allSettled(this.#running.keys())
      },
      () => undefined,
    )
    const left: Partial<Record<WorkName, number>> = {}
    for (const name of this.#running.values()) left[name] = (left[name] ?? 0) + 1
    return left
  }
}

/** Runs `act` when all that was queued under this key before has ended. */
export function runExclusive<Result>(
  queue: Map<string, Promise<unknown>>,
  key: string,
  act: () => Promise<Result>,
): Promise<Result> {
  const before = queue.get(key) ?? Promise.resolve()
  const turn = before.then(act, act)
  queue.set(key, turn)
  const leave = () => {
    if (queue.get(key) === turn) queue.delete(key)
  }
  turn.then(leave, leave)
  return turn
}
