/** A store in memory that can lose the last versions of a row, as a database does that was restored. */
import type {Store} from '../../src/contract/index.js'
import {memoryStore} from '../../src/stores/memory-store.js'

export class VersionedStore implements Store {
  #memory = memoryStore()
  #written: Parameters<Store['put']>[] = []

  readonly get: Store['get'] = key => this.#memory.get(key)
  readonly due: Store['due'] = (...args) => this.#memory.due(...args)
  readonly keys: Store['keys'] = (...args) => this.#memory.keys(...args)

  readonly put: Store['put'] = async (...row) => {
    const isStored = await this.#memory.put(...row)
    if (isStored) this.#written.push(row)
    return isStored
  }

  async lose(key: string, count: number): Promise<void> {
    const lost = new Set(this.#written.filter(row => row[0] === key).slice(-count))
    this.#written = this.#written.filter(row => !lost.has(row))
    this.#memory = memoryStore()
    for (const row of this.#written) await this.#memory.put(...row)
  }
}
