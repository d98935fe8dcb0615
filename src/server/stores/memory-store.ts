/** A store in this process's memory: for tests, stories and the demo. It forgets everything when the process ends. */
import type {Store} from './store.js'

export function memoryStore(): Store {
  const journals = new Map<string, string[]>()
  const open = new Set<string>()
  const watchers = new Map<string, Set<() => void>>()

  return {
    append(chargeId, rev, entry) {
      const entries = journals.get(chargeId) ?? []
      if (rev !== entries.length + 1) return Promise.resolve(false)
      if (rev === 1) {
        journals.set(chargeId, entries)
        open.add(chargeId)
      }
      entries.push(entry)
      for (const wake of watchers.get(chargeId) ?? []) wake()
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
    subscribe(chargeId, wake) {
      const listeners = watchers.get(chargeId) ?? new Set()
      watchers.set(chargeId, listeners.add(wake))
      return () => {
        listeners.delete(wake)
        if (listeners.size === 0) watchers.delete(chargeId)
      }
    },
  }
}
