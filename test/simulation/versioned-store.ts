/** A store in memory that can lose the last versions of a row, as a database does that was restored. */
import type {Store} from '../../src/contract/index.js'

interface Row {
  readonly values: readonly string[]
  readonly due: number | null
}

export class VersionedStore implements Store {
  readonly #rows = new Map<string, Row>()

  async get(key: string) {
    const values = this.#rows.get(key)?.values ?? []
    const value = values.at(-1)
    return value === undefined ? undefined : {version: values.length, value}
  }

  async put(key: string, version: number, value: string, due: number | null) {
    const values = this.#rows.get(key)?.values ?? []
    if (values.length !== version - 1) return false
    this.#rows.set(key, {values: [...values, value], due})
    return true
  }

  async due(before: number, limit: number) {
    return [...this.#rows]
      .flatMap(([key, {due}]) => (due !== null && due < before ? {key, due} : []))
      .toSorted((a, b) => a.due - b.due)
      .map(({key}) => key)
      .slice(0, limit)
  }

  async keys(from: string, until: string, limit: number) {
    return [...this.#rows.keys()]
      .filter(key => key >= from && key < until)
      .toSorted()
      .slice(0, limit)
  }

  lose(key: string, count: number): void {
    const {values = [], due = null} = this.#rows.get(key) ?? {}
    const kept = values.slice(0, -count)
    if (kept.length === 0) this.#rows.delete(key)
    else this.#rows.set(key, {values: kept, due})
  }
}
