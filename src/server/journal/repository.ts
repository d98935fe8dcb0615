/**
 * Reads and changes journals. Every change appends the next entry if its number is free. If another process was faster,
 * the state is read again and the change is decided anew. This gives locks that cannot be stolen, one current quote, and
 * a `rev` that never decreases (invariant 3).
 *
 * A journal must hold the last entry that this process has seen. If not, the store has lost writes, and the charge stops
 * with `store_lost` until they are there again: with another set of addresses, money sent to the first set is not seen.
 */
import * as z from 'zod/mini'
import type {Clock} from '../../contract/index.js'
import {CheckoutError, StoreError} from '../errors.js'
import {ChargeCache} from '../charge-cache.js'
import type {Diagnostics} from '../diagnostics.js'
import {errorName, silentLogger, type Logger} from '../logger.js'
import {reportStoreErrors} from '../stores/report-store-errors.js'
import type {Store} from '../stores/store.js'
import {entrySchema, type Entry, type NewEntry} from './entry.js'
import {applyEntries, applyEntry, emptyState, type ChargeState} from './state.js'

/** A cached state is used for this time, unless the store reports a change. */
const FRESH_MS = 1_000
/** A waiting process reads at this interval too, because a wake-up may be missed. */
const POLL_MS = 100

/** A cached state, so that a load only fetches new entries. */
interface CachedJournal {
  state: ChargeState
  /** The start of the last load after which no change was reported. */
  checkedAt: number
  /** The number of reported changes. */
  version: number
  /** Set while changes are subscribed to. */
  unsubscribe: (() => void) | undefined
}

/** The last entry of a journal that this process has seen. It takes less memory than a cached state. */
export interface SeenEntry {
  readonly rev: number
  readonly hash: number
  readonly at: number
  /** Whether its loss has been reported. */
  isReported: boolean
}

const MAX_SEEN = 100_000
/** Then `append` refuses an entry that `read` does not return. */
const MAX_ATTEMPTS = 3

export interface JournalRepositoryOptions {
  /** Default: the clock. */
  readonly time?: Pick<Clock, 'now'>
  readonly logger?: Logger
  /** Called once when the store has lost entries of a charge. */
  readonly onStoreLost?: (chargeId: string) => void
  /** Milliseconds after which another process may have deleted a journal; 0 for never. */
  readonly retention?: number
  /** Called after each entry that this process appends. */
  readonly onAppend?: (before: ChargeState, after: ChargeState) => void
  readonly diagnostics?: Diagnostics
  /** By the id of the journal. Default: a map of its own. */
  readonly seen?: Map<string, SeenEntry>
}

export class JournalRepository {
  readonly store: Store
  /** For entries, locks and expiry: all instances agree on it. */
  readonly time: Pick<Clock, 'now'>
  readonly #cache: ChargeCache<CachedJournal>
  /** The journals that grew last are at the end. */
  readonly #seen: Map<string, SeenEntry>
  readonly #options: JournalRepositoryOptions
  readonly #listeners = new Map<string, Set<() => void>>()
  #isClosed = false

  constructor(
    store: Store,
    /** For caches and waiting. */
    readonly clock: Clock,
    options: JournalRepositoryOptions = {},
  ) {
    this.store = reportStoreErrors(store, options.diagnostics)
    this.time = options.time ?? clock
    this.#options = options
    this.#seen = options.seen ?? new Map<string, SeenEntry>()
    this.#cache = new ChargeCache(clock, ({unsubscribe}) => unsubscribe?.())
  }

  /** Ends all subscriptions to the store. */
  close(): void {
    this.#isClosed = true
    this.#cache.clear()
  }

  /**
   * The state in the store within the last second. The first call subscribes to changes, because a charge that is read
   * once is read again.
   */
  async loadCached(chargeId: string): Promise<ChargeState> {
    const fresh = this.peekFresh(chargeId, this.clock.now())
    if (fresh) return fresh
    const cached = this.#cache.get(chargeId)
    if (cached && !this.#isClosed)
      cached.unsubscribe ??= this.subscribe(chargeId, () => {
        cached.version += 1
        cached.checkedAt = -Infinity
      })
    return this.load(chargeId)
  }

  /** The cached state, while it is fresh. */
  peekFresh(chargeId: string, now: number): ChargeState | undefined {
    const cached = this.#cache.get(chargeId)
    return cached && now - cached.checkedAt < FRESH_MS ? cached.state : undefined
  }

  /** The cached state, fresh or not. */
  peek(chargeId: string): ChargeState | undefined {
    return this.#cache.get(chargeId)?.state
  }

  /**
   * The state in the store now. Rejects with `store_lost` when the journal is not the one that this process has seen.
   *
   * @param keep false for a pass over all charges: it must not fill the memory with charges that no page reads
   */
  async load(chargeId: string, keep = true): Promise<ChargeState> {
    const cached = keep ? this.#cache.get(chargeId) : this.#cache.peek(chargeId)
    const version = cached?.version
    const startedAt = this.clock.now()
    const before = cached?.state ?? emptyState
    const seen = this.#seen.get(chargeId)
    // The last known entry is read again, to compare it.
    const after = Math.max(0, before.rev - 1)
    const texts = await this.store.read(chargeId, after)
    if (seen && !holds(texts, after, seen)) {
      if (!(await this.#isDeleted(chargeId, seen))) throw this.#lost(chargeId)
      this.#forget(chargeId)
      return emptyState
    }
    if (seen) seen.isReported = false
    if (cached?.unsubscribe && cached.version === version) cached.checkedAt = startedAt
    const entries = texts.slice(before.rev - after).map(parseEntry)
    const state = applyEntries(before, entries)
    if (state.rev === 0) return state
    return this.#store(chargeId, state, texts.at(-1), entries.at(-1)?.at, keep)
  }

  /** The last entry that this process has seen. The service's time is not before its time. */
  lastSeen(chargeId: string): SeenEntry | undefined {
    return this.#seen.get(chargeId)
  }

  /**
   * Whether this is still the last entry, in the store and for this process: if it has seen a later one, the store has lost
   * it. Reads that entry only, and parses nothing.
   */
  async endsWith(chargeId: string, last: SeenEntry): Promise<boolean> {
    const [text, ...later] = await this.store.read(chargeId, last.rev - 1)
    const isLast = text !== undefined && later.length === 0 && hashOf(text) === last.hash
    return isLast && (this.#seen.get(chargeId) ?? last) === last
  }

  /** All entries, for support. */
  async entries(chargeId: string): Promise<Entry[]> {
    const texts = await this.store.read(chargeId)
    return texts.flatMap(text => parseEntry(text) ?? [])
  }

  /**
   * Appends the entry that `decide` returns for the latest state, if any. `decide` may be called several times and must
   * be pure. `appended` says whether the last entry of the returned state is this one.
   */
  async update(
    chargeId: string,
    decide: (state: ChargeState) => NewEntry | undefined,
  ): Promise<{state: ChargeState; appended: boolean}> {
    let attempts = 0
    for (let lastRev = -1; ;) {
      const state = await this.load(chargeId)
      const newEntry = decide(state)
      if (!newEntry) return {state, appended: false}
      attempts = state.rev === lastRev ? attempts + 1 : 1
      if (attempts > MAX_ATTEMPTS) throw this.#lost(chargeId)
      lastRev = state.rev
      const entry: Entry = {...newEntry, at: this.time.now()}
      const text = JSON.stringify(entry)
      if (await this.store.append(chargeId, state.rev + 1, text)) {
        const after = applyEntry(state, entry)
        const next = this.#store(chargeId, after, text, entry.at)
        this.#options.onAppend?.(state, after)
        for (const onChange of [...(this.#listeners.get(chargeId) ?? [])]) onChange()
        return {state: next, appended: true}
      }
    }
  }

  /** Deletes a journal for good. */
  async delete(chargeId: string): Promise<void> {
    await this.store.delete(chargeId)
    this.#forget(chargeId)
  }

  /** Resolves when the journal may have changed, or after the timeout. */
  async waitForChange(chargeId: string, timeoutMs: number): Promise<void> {
    const changed = new AbortController()
    const unsubscribe = this.subscribe(chargeId, () => changed.abort())
    await this.clock.sleep(Math.min(timeoutMs, POLL_MS), changed.signal)
    unsubscribe()
  }

  /** Reports changes by this process at once, and by other processes if the store supports it. */
  subscribe(chargeId: string, onChange: () => void): () => void {
    const listeners = this.#listeners.get(chargeId) ?? new Set()
    this.#listeners.set(chargeId, listeners.add(onChange))
    const unsubscribe = this.store.subscribe?.(chargeId, onChange)
    return () => {
      listeners.delete(onChange)
      if (listeners.size === 0) this.#listeners.delete(chargeId)
      unsubscribe?.()
    }
  }

  #store(
    chargeId: string,
    state: ChargeState,
    text: string | undefined,
    at = this.time.now(),
    keep = true,
  ): ChargeState {
    const create = () => ({state, checkedAt: -Infinity, version: 0, unsubscribe: undefined})
    const cached = keep ? this.#cache.getOrCreate(chargeId, create) : this.#cache.peek(chargeId)
    // Two loads may end in any order.
    if (cached && cached.state.rev < state.rev) cached.state = state
    if (text !== undefined && (this.#seen.get(chargeId)?.rev ?? 0) < state.rev) {
      this.#seen.delete(chargeId)
      this.#seen.set(chargeId, {rev: state.rev, hash: hashOf(text), at, isReported: false})
      const [oldest = chargeId] = this.#seen.keys()
      if (this.#seen.size > MAX_SEEN) this.#seen.delete(oldest)
    }
    return cached?.state ?? state
  }

  #forget(chargeId: string): void {
    this.#cache.delete(chargeId)
    this.#seen.delete(chargeId)
  }

  /** Another process deletes journals after the retention. */
  async #isDeleted(chargeId: string, {at}: SeenEntry): Promise<boolean> {
    const {retention = 0} = this.#options
    if (retention === 0 || this.time.now() < at + retention) return false
    return (await this.store.read(chargeId)).length === 0
  }

  /** The cached state is not used again before it is found in the store. */
  #lost(chargeId: string): CheckoutError {
    const {logger = silentLogger, onStoreLost} = this.#options
    const cached = this.#cache.get(chargeId)
    if (cached) cached.checkedAt = -Infinity
    const seen = this.#seen.get(chargeId)
    if (!seen) return new StoreError('the store refuses the first entry of a journal')
    if (!seen.isReported) {
      seen.isReported = true
      logger.error('the store has lost entries of a charge', {chargeId, rev: seen.rev})
      try {
        onStoreLost?.(chargeId)
      } catch (error) {
        logger.error('reporting a lost store failed', {chargeId, error: errorName(error)})
      }
    }
    return new CheckoutError('store_lost')
  }
}

/** Whether the entries after number `after` include this one. */
function holds(texts: readonly string[], after: number, {rev, hash}: SeenEntry): boolean {
  const text = texts[rev - 1 - after]
  return text !== undefined && hashOf(text) === hash
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash
}

const schemas: ReadonlyMap<string, z.ZodMiniType<Entry>> = new Map(
  entrySchema.def.options.flatMap(schema =>
    schema.shape.kind.def.values.map(kind => [kind, schema] as const),
  ),
)

/** Returns undefined for a kind of a newer version. Throws for a damaged entry: to skip it could mint twice. */
function parseEntry(text: string): Entry | undefined {
  try {
    const entry: unknown = JSON.parse(text)
    if (typeof entry !== 'object' || entry === null || !('kind' in entry) || typeof entry.kind !== 'string')
      throw new TypeError('an entry has no kind')
    const schema = schemas.get(entry.kind)
    return schema && z.parse(schema, entry)
  } catch {
    throw new StoreError('a journal holds an entry that cannot be read')
  }
}
