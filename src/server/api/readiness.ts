/** Whether the store responds, and can be written: a disk may be full, a database read-only. */
import {withTimeout} from '../../contract/index.js'
import {CheckoutError} from '../errors.js'
import type {ServerContext} from '../context/context.js'

const TIMEOUT_MS = 5_000
const WRITE_INTERVAL_MS = 5_000
/** Seconds. */
const RETRY_AFTER = 5
/** Never the id of a charge. */
const PROBE = '.ready'

/** Returns a check that rejects with `store_unavailable`. Concurrent calls share one. */
export function createReadiness({store, clock, time}: ServerContext): () => Promise<void> {
  let checking: Promise<void> | undefined
  let writtenAt = -Infinity
  return () => {
    checking ??= check().finally(() => (checking = undefined))
    return checking
  }

  async function check(): Promise<void> {
    const unavailable = () => {
      throw new CheckoutError('store_unavailable', RETRY_AFTER)
    }
    try {
      await withTimeout(clock, TIMEOUT_MS, probe, unavailable)
    } catch {
      unavailable()
    }
  }

  /** Writes again after the interval, and after a failure. */
  async function probe(): Promise<void> {
    await store.read(PROBE)
    const startedAt = clock.now()
    const age = startedAt - writtenAt
    if (age >= 0 && age < WRITE_INTERVAL_MS) return
    writtenAt = -Infinity
    if (store.lease) await store.lease('ready', WRITE_INTERVAL_MS)
    else {
      await store.append(PROBE, 1, JSON.stringify({kind: 'indexed', at: time.now(), chargeId: PROBE}))
      await store.delete(PROBE)
    }
    writtenAt = startedAt
  }
}
