/**
 * What is remembered of charges, so that asking again is cheap. Nothing depends on it: what nobody has asked for in a
 * while is forgotten, and, when there is too much, what was asked for longest ago.
 */
import type {Clock} from '../contract/index.js'

const KEPT_FOR = 5 * 60_000
const MOST = 20_000

export class Kept<Value> {
  /** The one that was used last is the last. */
  readonly #entries = new Map<string, {readonly value: Value; usedAt: number}>()

  /** @param forgotten called with what is let go */
  constructor(
    readonly clock: Clock,
    readonly forgotten: (value: Value) => void = () => undefined,
  ) {}

  get(chargeId: string): Value | undefined {
    return this.#entries.get(chargeId)?.value
  }

  /** What is kept of this charge, or else what `make` gives. It counts as used just now. */
  use(chargeId: string, make: () => Value): Value {
    const now = this.clock.now()
    const entry = this.#entries.get(chargeId) ?? {value: make(), usedAt: now}
    entry.usedAt = now
    this.#entries.delete(chargeId)
    this.#entries.set(chargeId, entry)
    for (const [id, {usedAt}] of this.#entries) {
      if (this.#entries.size <= MOST && now - usedAt < KEPT_FOR) break
      this.#forget(id)
    }
    return entry.value
  }

  forgetAll(): void {
    for (const chargeId of [...this.#entries.keys()]) this.#forget(chargeId)
  }

  #forget(chargeId: string): void {
    const entry = this.#entries.get(chargeId)
    if (entry && this.#entries.delete(chargeId)) this.forgotten(entry.value)
  }
}
