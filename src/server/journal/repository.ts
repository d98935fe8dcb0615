/**
 * Reading and changing journals. Every change is the set-if-absent of the next entry: decide on the state, append, and
 * when somebody was faster, read on, fold, decide again. From that alone come locks that cannot be stolen, first-writer
 * quotes, and a `rev` that never falls (invariant 3).
 */
import * as z from 'zod/mini'
import type {Clock} from '../../contract/index.js'
import {StoreError} from '../errors.js'
import {LruCache} from '../lru-cache.js'
import type {Store} from '../stores/store.js'
import {entrySchema, type Entry, type NewEntry} from './entry.js'
import {emptyState, applyEntry, type ChargeState} from './state.js'

/** How long a state needs no other look at the store, unless somebody says that the journal has grown. */
const FRESH_MS = 1_000
/** How often a process that waits looks for itself: a wake-up may come before it listens, or never. */
const POLL_MS = 100

/** A folded state, so that a read only fetches what is new. */
interface CachedJournal {
  state: ChargeState
  /** When the latest look at the store began after which nobody has said that the journal grew. */
  checkedAt: number
  /** How often somebody has said so. */
  version: number
  /** From when on it is listened for. */
  unsubscribe: (() => void) | undefined
}

export class JournalRepository {
  readonly #cache: LruCache<CachedJournal>
  readonly #listeners = new Map<string, Set<() => void>>()
  #isClosed = false

  constructor(
    readonly store: Store,
    readonly clock: Clock,
  ) {
    this.#cache = new LruCache(clock, ({unsubscribe}) => unsubscribe?.())
  }

  /** Stops listening to the store. */
  close(): void {
    this.#isClosed = true
    this.#cache.clear()
  }

  /**
   * The state as a page may see it: as the store had it within the last second, and has it still as far as anybody has
   * said. Who asks once will ask again, so from then on growth is listened for.
   */
  async loadCached(chargeId: string): Promise<ChargeState> {
    const peekFresh = this.peekFresh(chargeId, this.clock.now())
    if (peekFresh) return peekFresh
    const cached = this.#cache.get(chargeId)
    if (cached && !this.#isClosed)
      cached.unsubscribe ??= this.subscribe(chargeId, () => {
        cached.version += 1
        cached.checkedAt = -Infinity
      })
    return this.load(chargeId)
  }

  /** The same, while no look at the store is needed for it. */
  peekFresh(chargeId: string, now: number): ChargeState | undefined {
    const cached = this.#cache.get(chargeId)
    return cached && now - cached.checkedAt < FRESH_MS ? cached.state : undefined
  }

  /** The state as this process last saw it, however long ago. */
  peek(chargeId: string): ChargeState | undefined {
    return this.#cache.get(chargeId)?.state
  }

  /** The state as the store has it now. */
  async load(chargeId: string): Promise<ChargeState> {
    const cached = this.#cache.get(chargeId)
    const version = cached?.version
    const began = this.clock.now()
    const before = cached?.state ?? emptyState
    const texts = await this.store.read(chargeId, before.rev)
    if (cached?.unsubscribe && cached.version === version) cached.checkedAt = began
    const state = texts.reduce((state, text) => applyEntry(state, parseEntry(text)), before)
    return state.rev === 0 ? state : this.#store(chargeId, state)
  }

  /** All entries, for support. */
  async entries(chargeId: string): Promise<Entry[]> {
    const texts = await this.store.read(chargeId)
    return texts.flatMap(text => parseEntry(text) ?? [])
  }

  /**
   * Appends what `decide` wants of the latest state; `undefined` leaves the journal as it is. `decide` may be asked
   * several times, and must be pure.
   *
   * @returns the state afterwards, and whether an entry of ours is its last
   */
  async update(
    chargeId: string,
    decide: (state: ChargeState) => NewEntry | undefined,
  ): Promise<{state: ChargeState; appended: boolean}> {
    for (;;) {
      const state = await this.load(chargeId)
      const wanted = decide(state)
      if (!wanted) return {state, appended: false}
      const entry = stamped(wanted, this.clock.now())
      if (await this.store.append(chargeId, state.rev + 1, JSON.stringify(entry))) {
        const next = this.#store(chargeId, applyEntry(state, entry))
        for (const onChange of [...(this.#listeners.get(chargeId) ?? [])]) onChange()
        return {state: next, appended: true}
      }
    }
  }

  /** Resolves when the journal may have grown, at the latest after so many milliseconds. */
  async waitForChange(chargeId: string, milliseconds: number): Promise<void> {
    const changed = new AbortController()
    const unsubscribe = this.subscribe(chargeId, () => changed.abort())
    await this.clock.sleep(Math.min(milliseconds, POLL_MS), changed.signal)
    unsubscribe()
  }

  /** Calls `wake` when the journal may have grown: by this process at once, by others if the store can tell. */
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
    // Two loads may end in either order.
    if (cached.state.rev < state.rev) cached.state = state
    return cached.state
  }
}

/** Undefined for a kind that a newer version wrote. Throws on a damaged entry: going on without it could mint twice. */
function parseEntry(text: string): Entry | undefined {
  let entry: unknown
  try {
    entry = JSON.parse(text)
    if (!knownKinds.has(z.parse(anyEntrySchema, entry).kind)) return undefined
    return z.parse(entrySchema, entry)
  } catch {
    throw new StoreError('a journal holds an entry that cannot be read')
  }
}

const anyEntrySchema = z.object({kind: z.string()})
const knownKinds: ReadonlySet<string> = new Set<Entry['kind']>([
  'opened',
  'minting',
  'minted',
  'quoting',
  'quoted',
  'observed',
  'address_mismatch',
  'notified',
  'alias',
])

function stamped(entry: NewEntry, at: number): Entry {
  return {...entry, at}
}
