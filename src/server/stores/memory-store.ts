/** A store in memory, for tests, stories and the demo. Its data is lost when the process ends. */
import {ChangeListeners} from './change-listeners.js'
import type {Store} from './store.js'

export function memoryStore(): Store {
  const journals = new Map<string, string[]>()
  const open = new Set<string>()
  const listeners = new ChangeListeners()

  return {
    append(chargeId, rev, entry) {
      const entries = journals.get(chargeId) ?? []
      if (rev !== entries.length + 1) return Promise.resolve(false)
      if (rev === 1) {
        journals.set(chargeId, entries)
        open.add(chargeId)
      }
      entries.push(entry)
      listeners.notify(chargeId)
      return Promise.resolve(true)
    },
    read(chargeId, after = 0) {
      return Promise.resolve(journals.get(chargeId)?.slice(after) ?? [])
    },
    async *openCharges() {
      yield* [...open]
    },
    closeCharge(chargeId) {
      open.delete(chargeId)
      return Promise.resolve()
    },
    delete(chargeId) {
      journals.delete(chargeId)
      open.delete(chargeId)
      return Promise.resolve()
    },
    subscribe: (chargeId, onChange) => listeners.subscribe(chargeId, onChange),
  }
}
