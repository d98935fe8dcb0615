/** A merchant's store may throw anything, or not respond. Its messages may hold a connection string, so they are dropped. */
import {withTimeout, type Clock, type Store} from '../../contract/index.js'
import {CheckoutError, StoreError} from '../errors.js'
import {stopwatch, type Diagnostics, type StoreMessage} from './diagnostics.js'
import {errorName} from '../../contract/errors.js'

const TIMEOUT_MS = 5_000
/** While a store does not respond, more calls would only fill the memory. */
const MAX_WAITING = 1_000

/** The same store, whose errors are `StoreError`s after at most five seconds. Refuses calls while a thousand wait. */
export function guardedStore(store: Store, clock: Clock, diagnostics: Diagnostics): Store {
  let waiting = 0
  return {
    get: key => guarded('get', () => store.get(key)),
    put: (...row) => guarded('put', () => store.put(...row)),
    due: (before, limit) => guarded('due', () => store.due(before, limit)),
    keys: (from, until, limit) => guarded('keys', () => store.keys(from, until, limit)),
  }

  async function guarded<Result>(
    operation: StoreMessage['operation'],
    act: () => Promise<Result>,
  ): Promise<Result> {
    if (waiting >= MAX_WAITING) throw new StoreError('too many calls wait for the store')
    waiting += 1
    const durationOf = stopwatch(clock)
    try {
      const result = await withTimeout(clock, TIMEOUT_MS, act, () => {
        throw new StoreError('the store does not respond')
      })
      diagnostics.publish({type: 'store', operation, outcome: 'ok', durationMs: durationOf()})
      return result
    } catch (error) {
      diagnostics.publish({type: 'store', operation, outcome: 'failed', durationMs: durationOf()})
      throw error instanceof CheckoutError ? error : new StoreError(`the store failed (${errorName(error)})`)
    } finally {
      waiting -= 1
    }
  }
}
