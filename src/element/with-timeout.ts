import type {MonotonicClock} from '../core/poller.js'

/** Milliseconds after which a request, or a late part, is given up. */
const TIMEOUT_MS = 10_000

/**
 * What comes of the work; `late` when it takes too long, or is not wanted any more. It is raced, because a replaced `fetch`
 * or an `import()` need not heed the signal.
 */
export async function withTimeout<Value>(
  time: MonotonicClock,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Value>,
  late: Value,
): Promise<Value> {
  const wait = new AbortController()
  // With a reason: else an exception is made for it, stack and all, after every read.
  const stop = () => wait.abort('over')
  signal.addEventListener('abort', stop)
  try {
    return await Promise.race([work(wait.signal), time.sleep(TIMEOUT_MS, wait.signal).then(() => late)])
  } finally {
    stop()
    signal.removeEventListener('abort', stop)
  }
}
