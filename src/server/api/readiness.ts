/** Whether the store responds. */
import {withTimeout} from '../../contract/index.js'
import {CheckoutError} from '../errors.js'
import type {ServerContext} from '../context/context.js'

const TIMEOUT_MS = 5_000
/** Seconds. */
const RETRY_AFTER = 5
/** Never the id of a charge, so the store has no journal for it. */
const ABSENT_ID = 'convert'

/** Returns a check that rejects with `store_unavailable`. Concurrent calls share one read. */
export function createReadiness({store, clock}: ServerContext): () => Promise<void> {
  let checking: Promise<void> | undefined
  return () => {
    checking ??= check().finally(() => (checking = undefined))
    return checking
  }

  async function check(): Promise<void> {
    const unavailable = () => {
      throw new CheckoutError('store_unavailable', RETRY_AFTER)
    }
    try {
      await withTimeout(clock, TIMEOUT_MS, async () => store.read(ABSENT_ID), unavailable)
    } catch {
      unavailable()
    }
  }
}
