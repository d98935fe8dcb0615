/** A store in memory, for tests, stories and the demo. Its data is lost when the process ends. */
import type {Store} from '../contract/store.js'
import {checkKey, checkRow} from './check-row.js'

interface Row {
  readonly version: number
  readonly value: string
  readonly due: number | null
}

export function memoryStore(): Store {
  const rows = new Map<string, Row>()
  return {
    async get(key) {
      checkKey(key)
      const row = rows.get(key)
      return row && {version: row.version, value: row.value}
    },
    async put(key, version, value, due) {
      checkRow(key, version, value, due)
      if ((rows.get(key)?.version ?? 0) !== version - 1) return false
      rows.set(key, {version, value, due})
      return true
    },
    async due(before, limit) {
      return [...rows]
        .flatMap(([key, {due}]) => (due !== null && due < before ? [{key, due}] : []))
        .sort((a, b) => a.due - b.due)
        .slice(0, limit)
        .map(({key}) => key)
    },
    async keys(from, until, limit) {
      return [...rows.keys()]
        .filter(key => key >= from && key < until)
        .sort()
        .slice(0, limit)
    },
  }
}
