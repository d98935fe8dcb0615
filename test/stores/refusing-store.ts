import {memoryStore} from '../../src/stores/memory-store.js'
import type {Store} from '../../src/contract/store.js'

/** A store in memory that refuses to append some entries. */
export function refusingStore(isRefused: (entry: string) => boolean): Store {
  const store = memoryStore()
  return {
    ...store,
    append: (chargeId, rev, entry) =>
      isRefused(entry) ? Promise.reject(new RangeError('canary')) : store.append(chargeId, rev, entry),
  }
}
