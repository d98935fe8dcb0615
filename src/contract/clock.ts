/** The time, as an argument that tests replace. */
export interface Clock {
  /** The wall clock: milliseconds since 1970 UTC. It may be set. For what is stored, shown or signed. */
  now(): number
  /** Milliseconds of a clock that only goes forward: for waits, ages and freshness. Default: `now`. */
  monotonic?(): number
  /**
   * Resolves after this number of milliseconds, or immediately when the signal is aborted. Never rejects.
   *
   * @param isBackground the wait alone does not keep a process of Node running
   */
  sleep(milliseconds: number, signal?: AbortSignal, isBackground?: boolean): Promise<void>
}

/** Milliseconds of a clock that only goes forward. */
export function monotonic(clock: Pick<Clock, 'now' | 'monotonic'>): number {
  return clock.monotonic?.() ?? clock.now()
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (milliseconds, signal, isBackground = false) =>
    new Promise(resolve => {
      if (signal?.aborted) return resolve()
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      // Node 24 warns of a negative time: a deadline that has passed.
      const timer: ReturnType<typeof setTimeout> | number = setTimeout(done, Math.max(0, milliseconds))
      // A browser returns a number.
      if (isBackground && typeof timer === 'object') timer.unref()
      signal?.addEventListener('abort', done, {once: true})
    }),
}

const TIMED_OUT = Symbol()

/**
 * The result of `work`, or of `fallback` when `work` takes longer than `timeoutMs` or the outer `signal` is aborted.
 * `work` is raced, because not every operation stops when its signal is aborted; a late result is ignored.
 */
export async function withTimeout<Value>(
  clock: Clock,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Value>,
  fallback: () => Value,
  signal?: AbortSignal,
): Promise<Value> {
  const controller = new AbortController()
  // With a reason, because the default one is an exception with a stack, which costs more than the timer.
  const stop = () => controller.abort('over')
  signal?.addEventListener('abort', stop)
  try {
    const timeout = clock.sleep(timeoutMs, controller.signal).then((): typeof TIMED_OUT => TIMED_OUT)
    const result = await Promise.race([work(controller.signal), timeout])
    return result === TIMED_OUT ? fallback() : result
  } finally {
    stop()
    signal?.removeEventListener('abort', stop)
  }
}
