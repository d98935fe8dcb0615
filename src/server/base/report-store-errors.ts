/** A merchant's store may throw anything. Its messages may hold the text of a connection string, so they are dropped. */
import {noDiagnostics, type StoreCallTrace} from './diagnostics.js'
import {CheckoutError, StoreError} from '../errors.js'
import {errorName} from '../../contract/errors.js'
import type {Store} from '../../contract/store.js'

/** While a store does not respond, more calls would only fill the memory. */
const MAX_WAITING = 1_000

/** The same store, whose errors are `StoreError`s, and whose calls are traced. Refuses calls while a thousand wait. */
export function reportStoreErrors(store: Store, diagnostics = noDiagnostics): Store {
  const {lease} = store
  let waiting = 0
  return {
    append: (chargeId, rev, entry) => reported('append', () => store.append(chargeId, rev, entry)),
    read: (chargeId, after) => reported('read', () => store.read(chargeId, after)),
    async *openCharges() {
      let end: () => void = () => undefined
      let fail: (error: unknown) => void = () => undefined
      const ended = new Promise<void>((resolve, reject) => ([end, fail] = [resolve, reject]))
      // Also ended when the reader leaves the list early.
      const traced = reported('openCharges', () => ended)
      try {
        yield* store.openCharges()
      } catch (error) {
        fail(error)
      } finally {
        end()
        await traced
      }
    },
    closeCharge: chargeId => reported('closeCharge', () => store.closeCharge(chargeId)),
    delete: (...args) => reported('delete', () => store.delete(...args)),
    ...(lease && {lease: (name, durationMs) => reported('lease', () => lease.call(store, name, durationMs))}),
  }

  function reported<Result>(
    operation: StoreCallTrace['operation'],
    act: () => Promise<Result>,
  ): Promise<Result> {
    return diagnostics.trace('store', {operation}, async () => {
      if (waiting >= MAX_WAITING) throw new StoreError('too many calls wait for the store')
      waiting += 1
      try {
        return await act()
      } catch (error) {
        throw toStoreError(error)
      } finally {
        waiting -= 1
      }
    })
  }
}

function toStoreError(error: unknown): CheckoutError {
  return error instanceof CheckoutError ? error : new StoreError(`the store failed (${errorName(error)})`)
}
