/** A store in memory, for tests, stories and the demo. Its data is lost when the process ends. */
import type {Store} from '../contract/store.js'

export function memoryStore(): Store {
  const journals = new Map<string, {first: number; entries: string[]}>()
  const open = new Set<string>()

  return {
    append(chargeId, rev, entry) {
      const journal = journals.get(chargeId) ?? {first: 1, entries: []}
      if (rev !== journal.first + journal.entries.length) return Promise.resolve(false)
      if (rev === 1) {
        journals.set(chargeId, journal)
        open.add(chargeId)
      }
      journal.entries.push(entry)
      return Promise.resolve(true)
    },
    read(chargeId, after = 0) {
      const {first, entries} = journals.get(chargeId) ?? {first: 1, entries: []}
      return Promise.resolve(entries.slice(Math.max(0, after + 1 - first)))
    },
    async *openCharges() {
      yield* [...open]
    },
    closeCharge(chargeId) {
      open.delete(chargeId)
      return Promise.resolve()
    },
    delete(chargeId, rev, tombstone) {
      const journal = journals.get(chargeId)
      const last = journal && journal.first + journal.entries.length - 1
      if (last === undefined || (rev ?? last) !== last) return Promise.resolve(false)
      open.delete(chargeId)
      if (tombstone === undefined) journals.delete(chargeId)
      else journals.set(chargeId, {first: last + 1, entries: [tombstone]})
      return Promise.resolve(true)
    },
  }
}
