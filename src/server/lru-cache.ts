/**
 * What is remembered of charges, so that asking again is cheap. Nothing depends on it: what nobody has asked for in a
 * while is forgotten, and, when there is too much, what was asked for longest ago.
 */
import type {Clock} from '../contract/index.js'

const TTL_MS = 5 * 60_000
const MAX_ENTRIES = 20_000

export class LruCache<Value> {
  /** The one that was used last is the last. */
  readonly #entries = new Map<string, {readonly value: Value; usedAt: number}>()

  /** @param onEvict called with what is let go */
  constructor(
    readonly clock: Clock,
    readonly onEvict: (value: Value) => void = () => undefined,
  ) {}

  get(chargeId: string): Value | undefined {
    return this.#entries.get(chargeId)?.value
  }

  /** What is kept of this charge, or else what `make` gives. It counts as used just now. */
  getOrCreate(chargeId: string, make: () => Value): Value {
    const now = this.clock.now()
    const entry = this.#entries.get(chargeId) ?? {value: make(), usedAt: now}
    entry.usedAt = now
    this.#entries.delete(chargeId)
    this.#entries.set(chargeId, entry)
    for (const [id, {usedAt}] of this.#entries) {
      if (this.#entries.size <= MAX_ENTRIES && now - usedAt < TTL_MS) break
      this.#evict(id)
    }
    return entry.value
  }

  clear(): void {
    for (const chargeId of [...this.#entries.keys()]) this.#evict(chargeId)
  }

  #evict(chargeId: string): void {
    const entry = this.#entries.get(chargeId)
    if (entry && this.#entries.delete(chargeId)) this.onEvict(entry.value)
  }
}
