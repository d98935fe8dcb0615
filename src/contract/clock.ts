/** Time as an argument, so that a test can hold it. The doors pass the real one. */
export interface Clock {
  /** Milliseconds since 1970 UTC. */
  now(): number
  /** Resolves after so many milliseconds, or at once when the signal is aborted. Never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise(resolve => {
      if (signal?.aborted) return resolve()
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, milliseconds)
      signal?.addEventListener('abort', done, {once: true})
    }),
}
