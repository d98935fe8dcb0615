/**
 * Reading and changing journals. Every change is the set-if-absent of the next entry: decide on the state, append, and
 * when somebody was faster, read on, fold, decide again. From that alone come locks that cannot be stolen, first-writer
 * quotes, and a `rev` that never falls (invariant 3).
 */
import * as z from 'zod/mini'
import type {Clock} from '../../contract/index.js'
import {StoreError} from '../errors.js'
import type {Store} from '../stores/store.js'
import {entrySchema, type Entry, type NewEntry} from './entries.js'
import {emptyState, fold, type ChargeState} from './state.js'

/** Folded states kept, so that a read only fetches what is new. */
const KEPT_STATES = 20_000
/** How often a process that waits looks for itself: a wake-up may come before it listens, or never. */
const LOOK_AGAIN = 100

export class Journals {
  readonly #states = new Map<string, ChargeState>()
  readonly #waiting = new Map<string, Set<() => void>>()

  constructor(
    readonly store: Store,
    readonly clock: Clock,
  ) {}

  /** The state as the store has it now. */
  async load(chargeId: string): Promise<ChargeState> {
    const known = this.#states.get(chargeId) ?? emptyState
    const texts = await this.store.read(chargeId, known.rev)
    if (texts.length === 0) return known
    return this.#keep(
      chargeId,
      texts.reduce((state, text) => fold(state, parseEntry(text)), known),
    )
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
    const known = this.#states.get(chargeId)
    // Two loads may end in either order.
    const latest = known && known.rev > state.rev ? known : state
    if (latest.rev === 0) return latest
    this.#states.delete(chargeId)
    this.#states.set(chargeId, latest)
    if (this.#states.size > KEPT_STATES) {
      const [oldest] = this.#states.keys()
      if (oldest !== undefined) this.#states.delete(oldest)
    }
    return latest
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
