/**
 * Reads and changes journals. Every change appends the next entry if its number is free. If another process was faster,
 * the state is read again and the change is decided anew. This gives locks that cannot be stolen, one current quote, and
 * a `rev` that never decreases (invariant 3).
 */
import * as z from 'zod/mini'
import type {Clock} from '../../contract/index.js'
import {StoreError} from '../errors.js'
import {ChargeCache} from '../charge-cache.js'
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

export class JournalRepository {
  readonly #cache: ChargeCache<CachedJournal>
  readonly #listeners = new Map<string, Set<() => void>>()
  #isClosed = false

  constructor(
    readonly store: Store,
    /** For caches and waiting. */
    readonly clock: Clock,
    /** For entries, locks and expiry: all instances agree on it. */
    readonly time: Pick<Clock, 'now'> = clock,
  ) {
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

  /** The state in the store now. */
  async load(chargeId: string): Promise<ChargeState> {
    const cached = this.#cache.get(chargeId)
    const version = cached?.version
    const startedAt = this.clock.now()
    const before = cached?.state ?? emptyState
    const texts = await this.store.read(chargeId, before.rev)
    if (cached?.unsubscribe && cached.version === version) cached.checkedAt = startedAt
    const state = applyEntries(before, texts.map(parseEntry))
    return state.rev === 0 ? state : this.#store(chargeId, state)
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
    for (;;) {
      const state = await this.load(chargeId)
      const newEntry = decide(state)
      if (!newEntry) return {state, appended: false}
      const entry: Entry = {...newEntry, at: this.time.now()}
      if (await this.store.append(chargeId, state.rev + 1, JSON.stringify(entry))) {
        const next = this.#store(chargeId, applyEntry(state, entry))
        for (const onChange of [...(this.#listeners.get(chargeId) ?? [])]) onChange()
        return {state: next, appended: true}
      }
    }
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

  #store(chargeId: string, state: ChargeState): ChargeState {
    const cached = this.#cache.getOrCreate(chargeId, () => ({
      state,
      checkedAt: -Infinity,
      version: 0,
      unsubscribe: undefined,
    }))
    // Two loads may end in any order.
    if (cached.state.rev < state.rev) cached.state = state
    return cached.state
  }
}

const kindSchema = z.object({kind: z.string()})
const kinds: ReadonlySet<unknown> = new Set(
  entrySchema.def.options.map(({shape}) => shape.kind.def.values[0]),
)

/** Returns undefined for a kind of a newer version. Throws for a damaged entry: to skip it could mint twice. */
function parseEntry(text: string): Entry | undefined {
  try {
    const entry: unknown = JSON.parse(text)
    return kinds.has(z.parse(kindSchema, entry).kind) ? z.parse(entrySchema, entry) : undefined
  } catch {
    throw new StoreError('a journal holds an entry that cannot be read')
  }
}
