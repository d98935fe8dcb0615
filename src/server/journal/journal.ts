/**
 * The journal of one charge. Every change appends the next entry if its number is free. If another process was faster,
 * the state is read again and the change is decided anew. This gives locks that cannot be stolen, one current quote, and
 * a `rev` that never decreases (invariant 3).
 *
 * A journal must hold the last entry that this process has seen. If not, the store has lost writes, and the charge stops
 * with `store_lost` until they are there again: with another set of addresses, money sent to the first set is not seen.
 */
import type {Clock} from '../../contract/index.js'
import type {Logger} from '../base/logger.js'
import type {ServiceTime} from '../base/service-time.js'
import {CheckoutError, StoreError} from '../errors.js'
import type {Store} from '../../contract/store.js'
import {formatEntry, parseEntry, type Entry, type NewEntry} from './entry.js'
import {isSameEntry, type LastEntries, type LastEntry} from './last-entries.js'
import {applyEntries, emptyState, type ChargeState} from './state.js'

/** What journals need of the context. */
export interface JournalsContext {
  readonly store: Store
  /** For caches and waiting. */
  readonly clock: Clock
  /** The service's time, for entries, locks and expiry: all instances agree on it. */
  readonly time: ServiceTime
  readonly logger: Logger
}

/** The journals of the process. */
export interface JournalOwner {
  readonly context: JournalsContext
  readonly lastEntries: LastEntries
  /** Keeps the handle, unless there is another one. */
  keep(journal: Journal): void
  forget(journal: Journal): void
  /** Tells the listeners. */
  appended(journal: Journal, before: ChargeState, after: ChargeState): void
  lost(journal: Journal): void
}

/** A cached state is used for this time, so that what another process appends is seen within a second. */
const FRESH_MS = 1_000
/** Whoever waits for another process loads the journal at this interval. */
const POLL_MS = 100
/** Then `append` refuses an entry that `read` does not return. */
const MAX_ATTEMPTS = 3

export class Journal {
  #state = emptyState
  /** The start of the last load. */
  #checkedAt = -Infinity

  constructor(
    readonly id: string,
    readonly owner: JournalOwner,
  ) {}

  /** The state in the store within the last second, and what this process has appended since. */
  async cachedState(): Promise<ChargeState> {
    return this.peekFresh(this.#clock.now()) ?? this.state()
  }

  /** The cached state, while it is fresh. */
  peekFresh(now: number): ChargeState | undefined {
    return now - this.#checkedAt < FRESH_MS ? this.#state : undefined
  }

  /** The cached state, fresh or not; undefined before a load. */
  peek(): ChargeState | undefined {
    return this.#state.rev > 0 ? this.#state : undefined
  }

  /** Another handle of this process has appended an entry. */
  expire(): void {
    this.#checkedAt = -Infinity
  }

  /** The state in the store now. Rejects with `store_lost` when the journal is not the one that this process has seen. */
  async state(): Promise<ChargeState> {
    const before = this.#state
    const startedAt = this.#clock.now()
    const last = this.last
    // The last known entry is read again, to compare it.
    const after = Math.max(0, before.rev - 1)
    const texts = await this.owner.context.store.read(this.id, after)
    const entries = texts.slice(before.rev - after).map(parseEntry)
    const [first] = entries
    const skipped = before.rev === 0 && first?.kind === 'archived' ? first.rev - 1 : after
    if (last && !isSameEntry(last, texts[last.rev - 1 - skipped])) {
      if (!(await this.#isReplaced(last))) throw this.#lost()
      this.#forget()
      return this.state()
    }
    if (last) last.isReported = false
    const state = applyEntries(before, entries)
    if (state.isIncomplete && !before.isIncomplete)
      this.owner.context.logger.warn('a journal has an entry that this version cannot read', {
        chargeId: this.id,
      })
    const text = texts.at(-1)
    // There is no journal, and nothing to keep.
    if (text === undefined) this.owner.forget(this)
    else {
      this.#checkedAt = Math.max(this.#checkedAt, startedAt)
      this.#remember(state, text, entries.at(-1)?.at)
    }
    return this.#state.rev > state.rev ? this.#state : state
  }

  /** The last entry that this process has seen. The service's time is not before its time. */
  get last(): LastEntry | undefined {
    return this.owner.lastEntries.get(this.id)
  }

  /**
   * Whether this is still the last entry, in the store and for this process: if it has seen a later one, the store has lost
   * it. Reads that entry only, and parses nothing.
   */
  async endsWith(last: LastEntry): Promise<boolean> {
    const [text, ...later] = await this.owner.context.store.read(this.id, last.rev - 1)
    return later.length === 0 && isSameEntry(last, text) && (this.last ?? last) === last
  }

  /** The text of all entries. */
  async texts(): Promise<readonly string[]> {
    return this.owner.context.store.read(this.id)
  }

  /**
   * Appends the entry that `decide` returns for the latest state, if any. `decide` may be called several times and must
   * be pure. `appended` says whether the last entry of the returned state is this one. Rejects with `StoreError` when the
   * journal has entries of a newer version: this one does not know what to append after them.
   */
  async update(
    decide: (state: ChargeState) => NewEntry | undefined,
  ): Promise<{state: ChargeState; appended: boolean}> {
    const {store, time} = this.owner.context
    let attempts = 0
    for (let lastRev = -1; ;) {
      const state = await this.state()
      const newEntry = decide(state)
      if (!newEntry) return {state, appended: false}
      if (state.isIncomplete) throw new StoreError('a journal has an entry that this version cannot read')
      attempts = state.rev === lastRev ? attempts + 1 : 1
      if (attempts > MAX_ATTEMPTS) throw this.#lost()
      lastRev = state.rev
      const entry: Entry = {...newEntry, at: time.now()}
      const text = formatEntry(entry)
      if (await store.append(this.id, state.rev + 1, text)) {
        const after = applyEntries(state, [entry])
        this.#remember(after, text, entry.at)
        this.owner.keep(this)
        this.owner.appended(this, state, after)
        return {state: after, appended: true}
      }
    }
  }

  /** Deletes the journal, or replaces it by a tombstone. Resolves to false when it does not have `rev` entries. */
  async delete(rev: number, tombstone?: NewEntry): Promise<boolean> {
    const {store, time} = this.owner.context
    const text = tombstone && JSON.stringify({...tombstone, at: time.now()})
    if (!(await store.delete(this.id, rev, text))) return false
    this.#forget()
    return true
  }

  /** Resolves when it is worth loading the journal again, or after the timeout. */
  waitForChange(timeoutMs: number): Promise<void> {
    return this.#clock.sleep(Math.min(timeoutMs, POLL_MS))
  }

  get #clock() {
    return this.owner.context.clock
  }

  /** Two loads may end in any order. */
  #remember(state: ChargeState, text: string, at = this.owner.context.time.now()): void {
    if (this.#state.rev < state.rev) this.#state = state
    this.owner.lastEntries.set(this.id, state.rev, text, at)
  }

  #forget(): void {
    this.#state = emptyState
    this.#checkedAt = -Infinity
    this.owner.lastEntries.delete(this.id)
    this.owner.forget(this)
  }

  /** Another process has archived the charge, or deleted the index. */
  async #isReplaced({rev}: LastEntry): Promise<boolean> {
    const [first] = await this.owner.context.store.read(this.id)
    if (first === undefined) return this.id.startsWith('.')
    const entry = parseEntry(first)
    return entry?.kind === 'archived' && entry.rev > rev
  }

  /** The cached state is not used again before it is found in the store. */
  #lost(): CheckoutError {
    this.#checkedAt = -Infinity
    const {last} = this
    if (!last) return new StoreError('the store refuses the first entry of a journal')
    if (!last.isReported) {
      last.isReported = true
      this.owner.context.logger.error('the store has lost entries of a charge', {
        chargeId: this.id,
        rev: last.rev,
      })
      this.owner.lost(this)
    }
    return new CheckoutError('store_lost')
  }
}
