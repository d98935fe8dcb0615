/** `GET /ready`. */
import {withTimeout} from '../../contract/index.js'
import {StoreError} from '../errors.js'
import type {ServerContext} from '../context/context.js'
import {PROBE, PROBE_TIMEOUT_MS, probeWrite} from '../base/probe.js'

const WRITE_INTERVAL_MS = 5_000

/** Returns a check that rejects with `store_unavailable`. Concurrent calls share one. */
export function createReadiness({store, clock, time}: ServerContext): () => Promise<void> {
  let checking: Promise<void> | undefined
  let writtenAt = -Infinity
  return () => {
    checking ??= check().finally(() => (checking = undefined))
    return checking
  }

  async function check(): Promise<void> {
    await withTimeout(clock, PROBE_TIMEOUT_MS, probe, () => {
      throw new StoreError('the store does not respond')
    })
  }

  /** Writes again after the interval, and after a failure. */
  async function probe(): Promise<void> {
    await store.read(PROBE)
    const startedAt = clock.now()
    const age = startedAt - writtenAt
    if (age >= 0 && age < WRITE_INTERVAL_MS) return
    writtenAt = -Infinity
    await probeWrite(store, time.now())
    writtenAt = startedAt
  }
}
