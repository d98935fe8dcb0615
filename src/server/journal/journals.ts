/**
 * Reading and changing journals. Every change is the set-if-absent of the next entry: decide on the state, append, and
 * when somebody was faster, read on, fold, decide again. From that alone come locks that cannot be stolen, first-writer
 * quotes, and a `rev` that never falls (invariant 3).
 */
import * as z from 'zod/mini'
import type {Clock} from '../../contract/index.js'
import {StoreError} from '../errors.js'
import {Kept} from '../kept.js'
import type {Store} from '../stores/store.js'
import {entrySchema, type Entry, type NewEntry} from './entries.js'
import {emptyState, fold, type ChargeState} from './state.js'

/** How long a state needs no other look at the store, unless somebody says that the journal has grown. */
const GOOD_FOR = 1_000
/** How often a process that waits looks for itself: a wake-up may come before it listens, or never. */
const LOOK_AGAIN = 100

/** A folded state, so that a read only fetches what is new. */
interface Known {
  state: ChargeState
  /** When the latest look at the store began after which nobody has said that the journal grew. */
  comparedAt: number
  /** How often somebody has said so. */
  growths: number
  /** From when on it is listened for. */
  unwatch: (() => void) | undefined
}

export class Journals {
  readonly #known: Kept<Known>
  readonly #waiting = new Map<string, Set<() => void>>()
  #isClosed = false

  constructor(
    readonly store: Store,
    readonly clock: Clock,
  ) {
    this.#known = new Kept(clock, ({unwatch}) => unwatch?.())
  }

  /** Stops listening to the store. */
  close(): void {
    this.#isClosed = true
    this.#known.forgetAll()
  }

  /**
   * The state as a page may see it: as the store had it within the last second, and has it still as far as anybody has
   * said. Who asks once will ask again, so from then on growth is listened for.
   */
  async recent(chargeId: string): Promise<ChargeState> {
    const fresh = this.fresh(chargeId, this.clock.now())
    if (fresh) return fresh
    const known = this.#known.get(chargeId)
    if (known && !this.#isClosed)
      known.unwatch ??= this.watch(chargeId, () => {
        known.growths += 1
        known.comparedAt = -Infinity
      })
    return this.load(chargeId)
  }

  /** The same, while no look at the store is needed for it. */
  fresh(chargeId: string, now: number): ChargeState | undefined {
    const known = this.#known.get(chargeId)
    return known && now - known.comparedAt < GOOD_FOR ? known.state : undefined
  }

  /** The state as this process last saw it, however long ago. */
  lastKnown(chargeId: string): ChargeState | undefined {
    return this.#known.get(chargeId)?.state
  }

  /** The state as the store has it now. */
  async load(chargeId: string): Promise<ChargeState> {
    const known = this.#known.get(chargeId)
    const growths = known?.growths
    const began = this.clock.now()
    const before = known?.state ?? emptyState
    const texts = await this.store.read(chargeId, before.rev)
    if (known?.unwatch && known.growths === growths) known.comparedAt = began
    const state = texts.reduce((state, text) => fold(state, parseEntry(text)), before)
    return state.rev === 0 ? state : this.#keep(chargeId, state)
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
  async change(
    chargeId: string,
    decide: (state: ChargeState) => NewEntry | undefined,
  ): Promise<{state: ChargeState; appended: boolean}> {
    for (;;) {
      const state = await this.load(chargeId)
      const wanted = decide(state)
      if (!wanted) return {state, appended: false}
      const entry = stamped(wanted, this.clock.now())
      if (await this.store.append(chargeId, state.rev + 1, JSON.stringify(entry))) {
        const next = this.#keep(chargeId, fold(state, entry))
        for (const wake of [...(this.#waiting.get(chargeId) ?? [])]) wake()
        return {state: next, appended: true}
      }
    }
  }

  /** Resolves when the journal may have grown, at the latest after so many milliseconds. */
  async grown(chargeId: string, milliseconds: number): Promise<void> {
    const woken = new AbortController()
    const unwatch = this.watch(chargeId, () => woken.abort())
    await this.clock.sleep(Math.min(milliseconds, LOOK_AGAIN), woken.signal)
    unwatch()
  }

  /** Calls `wake` when the journal may have grown: by this process at once, by others if the store can tell. */
  watch(chargeId: string, wake: () => void): () => void {
    const wakes = this.#waiting.get(chargeId) ?? new Set()
    this.#waiting.set(chargeId, wakes.add(wake))
    const unwatch = this.store.watch?.(chargeId, wake)
    return () => {
      wakes.delete(wake)
      if (wakes.size === 0) this.#waiting.delete(chargeId)
      unwatch?.()
    }
  }

  #keep(chargeId: string, state: ChargeState): ChargeState {
    const known = this.#known.use(chargeId, () => ({
      state,
      comparedAt: -Infinity,
      growths: 0,
      unwatch: undefined,
    }))
    // Two loads may end in either order.
    if (known.state.rev < state.rev) known.state = state
    return known.state
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
  'alarmed',
  'told',
  'belongs',
])

function stamped(entry: NewEntry, at: number): Entry {
  return {...entry, at}
}
