/** A memory store that can be made to refuse or to lose the replies of writes. */
import {memoryStore} from '../../src/stores/memory-store.js'
import type {Store} from '../../src/contract/store.js'

/** @param refuses whether the write of this value is refused */
export function refusingStore(refuses: (value: string, key: string) => boolean): Store {
  const store = memoryStore()
  return {
    ...store,
    put: (key, version, value, due) =>
      refuses(value, key) ? Promise.reject(new Error('refused')) : store.put(key, version, value, due),
  }
}
