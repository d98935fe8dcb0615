/** Whether a store responds, and can be written: a disk may be full, a database read-only. */
import {withTimeout, type Clock} from '../../contract/index.js'
import type {Logger} from './logger.js'
import {StoreError} from '../errors.js'
import {reportStoreErrors} from './report-store-errors.js'
import type {Store} from '../../contract/store.js'

export const PROBE_TIMEOUT_MS = 5_000
/** Never the id of a charge. */
export const PROBE = '.ready'

/** @param now milliseconds since 1970 UTC */
export async function probeWrite(store: Store, now: number): Promise<void> {
  if (store.lease) await store.lease('ready', PROBE_TIMEOUT_MS)
  else {
    // Unique, because another process that checks the same store would delete a shared one.
    const id = `${PROBE}-${crypto.randomUUID()}`
    await store.append(id, 1, JSON.stringify({kind: 'indexed', at: now, chargeId: PROBE}))
    await store.delete(id)
  }
}

/** At start: logs why the store cannot be used. Never rejects. */
export async function reportUnusable(given: Store, clock: Clock, logger: Logger): Promise<void> {
  const store = reportStoreErrors(given)
  try {
    await withTimeout(
      clock,
      PROBE_TIMEOUT_MS,
      async () => {
        await store.read(PROBE)
        await probeWrite(store, clock.now())
      },
      () => {
        throw new StoreError('the store does not respond')
      },
    )
  } catch (error) {
    logger.error('the store cannot be used', {cause: error instanceof Error ? error.message : undefined})
  }
}
