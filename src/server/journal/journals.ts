/**
 * The journals of this process: a handle for each charge, and the listeners that follow what happens in them.
 *
 * Handles expire after 5 minutes without use, and the least recently used go first. Nothing depends on a handle: it only
 * saves reading the store again.
 */
import {LRUCache} from 'lru-cache'
import {Journal, type JournalOwner, type JournalsContext} from './journal.js'
import {LastEntries} from './last-entries.js'
import type {ChargeState} from './state.js'

export interface JournalListener {
  /** After each entry that this process appends. */
  onAppend?(journal: Journal, before: ChargeState, after: ChargeState): void
  /** Once, when the store has lost entries of a charge. */
  onLost?(journal: Journal): void
}

const MAX_HANDLES = 20_000
const TTL_MS = 5 * 60_000
/** lru-cache drops an expired entry only when it is read. `purgeStale` drops the others, and iterates over all entries. */
const PURGE_INTERVAL_MS = 60_000

export class Journals implements JournalOwner {
  readonly #handles: LRUCache<string, Journal>
  readonly #listeners: JournalListener[] = []
  #purgedAt = -Infinity

  /** @param lastEntries of all journals that this process has seen */
  constructor(
    readonly context: JournalsContext,
    readonly lastEntries = new LastEntries(),
  ) {
    this.#handles = new LRUCache({
      // Unlike `max`, this reserves no memory in advance.
      maxSize: MAX_HANDLES,
      sizeCalculation: () => 1,
      ttl: TTL_MS,
      ttlResolution: 0,
      updateAgeOnGet: true,
      perf: context.clock,
    })
  }

  /** The journal of a charge, of a crypto charge's id, or of an index. */
  of(id: string): Journal {
    const kept = this.#handles.get(id)
    if (kept) return kept
    const journal = new Journal(id, this)
    this.keep(journal)
    return journal
  }

  /** The same for a pass over all charges: it must not fill the memory with charges that no page reads. */
  peek(id: string): Journal {
    return this.#handles.peek(id) ?? new Journal(id, this)
  }

  listen(listener: JournalListener): void {
    this.#listeners.push(listener)
  }

  keep(journal: Journal): void {
    if (this.#handles.peek(journal.id)) return
    const now = this.context.clock.now()
    if (now - this.#purgedAt >= PURGE_INTERVAL_MS) {
      this.#purgedAt = now
      this.#handles.purgeStale()
    }
    this.#handles.set(journal.id, journal)
  }

  forget(journal: Journal): void {
    if (this.#handles.peek(journal.id) === journal) this.#handles.delete(journal.id)
  }

  appended(journal: Journal, before: ChargeState, after: ChargeState): void {
    const kept = this.#handles.peek(journal.id)
    if (kept !== journal) kept?.expire()
    for (const {onAppend} of this.#listeners) onAppend?.(journal, before, after)
  }

  lost(journal: Journal): void {
    for (const {onLost} of this.#listeners) onLost?.(journal)
  }
}
