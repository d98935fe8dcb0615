/** A merchant's store may throw anything. Its messages may hold the text of a connection string, so they are dropped. */
import {CheckoutError, StoreError} from '../errors.js'
import {errorName} from '../logger.js'
import type {Store} from './store.js'

/** The same store, whose errors are `StoreError`s. */
export function reportStoreErrors(store: Store): Store {
  const {subscribe, lease} = store
  return {
    append: (chargeId, rev, entry) => reported(() => store.append(chargeId, rev, entry)),
    read: (chargeId, after) => reported(() => store.read(chargeId, after)),
    async *openCharges() {
      try {
        yield* store.openCharges()
      } catch (error) {
        throw toStoreError(error)
      }
    },
    closeCharge: chargeId => reported(() => store.closeCharge(chargeId)),
    delete: chargeId => reported(() => store.delete(chargeId)),
    ...(subscribe && {subscribe: subscribe.bind(store)}),
    ...(lease && {lease: (name, durationMs) => reported(() => lease.call(store, name, durationMs))}),
  }
}

async function reported<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    throw toStoreError(error)
  }
}

function toStoreError(error: unknown): CheckoutError {
  return error instanceof CheckoutError ? error : new StoreError(`the store failed (${errorName(error)})`)
}
