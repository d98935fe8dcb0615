/**
 * The last entry of each journal that this process has seen. A store that no longer has it has lost writes. It takes less
 * memory than a cached state.
 */
import {hash} from '../base/hash.js'

export interface LastEntry {
  readonly rev: number
  readonly hash: string
  readonly at: number
  /** Whether the loss was already reported. */
  isReported: boolean
}

const MAX_ENTRIES = 100_000

export class LastEntries {
  /** The journals that grew last are at the end. */
  readonly #entries = new Map<string, LastEntry>()

  get(id: string): LastEntry | undefined {
    return this.#entries.get(id)
  }

  /** Ignores an entry before the last one. */
  set(id: string, rev: number, text: string, at: number): void {
    if ((this.#entries.get(id)?.rev ?? 0) >= rev) return
    this.#entries.delete(id)
    this.#entries.set(id, {rev, hash: hash(text), at, isReported: false})
    const [oldest = id] = this.#entries.keys()
    if (this.#entries.size > MAX_ENTRIES) this.#entries.delete(oldest)
  }

  delete(id: string): void {
    this.#entries.delete(id)
  }
}

/** @param text the entry with its number, if there is one */
export function isSameEntry(last: LastEntry, text: string | undefined): boolean {
  return text !== undefined && hash(text) === last.hash
}
