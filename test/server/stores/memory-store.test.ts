import {memoryStore} from '../../../src/server/stores/memory-store.js'
import type {Store} from '../../../src/server/stores/store.js'
import {storeConformance} from './store-conformance.js'

const stores = new Map<string, Store>()

storeConformance(
  'memoryStore',
  data => {
    const store = stores.get(data) ?? memoryStore()
    stores.set(data, store)
    return store
  },
  {wakes: true},
)
