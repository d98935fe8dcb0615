/**
 * Counts requests in one isolate of Workers. rate-limiter-flexible forgets its keys by timers, which do not run between
 * requests there.
 */
import type {Clock} from '../contract/index.js'
import type {Counter, CounterOptions} from '../server/api/rate-limit.js'

const MINUTE_MS = 60_000

/** All keys share a window, so that the memory is released at its end. */
export function isolateCounter({limit}: CounterOptions, clock: Pick<Clock, 'now'>): Counter {
  const counts = new Map<string, number>()
  let endsAt = 0

  function waitFor(count: number, allowed: number): number {
    return count > allowed ? Math.ceil((endsAt - clock.now()) / 1000) : 0
  }

  function countOf(key: string): number {
    const now = clock.now()
    if (now >= endsAt) {
      counts.clear()
      endsAt = now + MINUTE_MS
    }
    return counts.get(key) ?? 0
  }

  return {
    consume(key) {
      const count = countOf(key) + 1
      counts.set(key, count)
      return waitFor(count, limit)
    },
    pause: key => waitFor(countOf(key), limit - 1),
  }
}
