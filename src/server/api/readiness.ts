/** `GET /ready`. */
import {monotonic} from '../../contract/index.js'
import {probeWrite} from '../base/probe.js'
import type {ServerContext} from '../context.js'

const INTERVAL_MS = 5_000

/** Returns a check that rejects with `store_unavailable`. Concurrent calls share one, and a success counts for a while. */
export function createReadiness({store, clock}: ServerContext): () => Promise<void> {
  let checking: Promise<void> | undefined
  let checkedAt = -Infinity
  return async () => {
    if (monotonic(clock) - checkedAt < INTERVAL_MS) return
    checking ??= probeWrite(store, clock)
      .then(() => void (checkedAt = monotonic(clock)))
      .finally(() => (checking = undefined))
    await checking
  }
}
