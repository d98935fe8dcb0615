/**
 * Cache of per-charge state. Entries expire after 5 minutes without use, and the least recently used go first. Nothing
 * depends on an entry: it only saves reading the store or the service again.
 */
import {LRUCache} from 'lru-cache'
import type {Clock} from '../contract/index.js'

const MAX_ENTRIES = 20_000
const TTL_MS = 5 * 60_000
/** lru-cache drops an expired entry only when it is read. `purgeStale` drops the others, and iterates over all entries. */
const PURGE_INTERVAL_MS = 60_000

export class ChargeCache<Value extends object> {
  readonly #entries: LRUCache<string, Value>
  #purgedAt = -Infinity

  constructor(
    readonly clock: Clock,
    onEvict: (value: Value) => void = () => undefined,
  ) {
    this.#entries = new LRUCache({
      // Unlike `max`, this reserves no memory in advance.
      maxSize: MAX_ENTRIES,
      sizeCalculation: () => 1,
      ttl: TTL_MS,
      ttlResolution: 0,
      updateAgeOnGet: true,
      perf: clock,
      dispose: onEvict,
    })
  }

  get(chargeId: string): Value | undefined {
    return this.#entries.get(chargeId)
  }

  /** Does not count as a use. */
  peek(chargeId: string): Value | undefined {
    return this.#entries.peek(chargeId)
  }

  getOrCreate(chargeId: string, create: () => Value): Value {
    const cached = this.#entries.get(chargeId)
    if (cached) return cached
    const now = this.clock.now()
    if (now - this.#purgedAt >= PURGE_INTERVAL_MS) {
      this.#purgedAt = now
      this.#entries.purgeStale()
    }
    const value = create()
    this.#entries.set(chargeId, value)
    return value
  }

  delete(chargeId: string): void {
    this.#entries.delete(chargeId)
  }

  clear(): void {
    this.#entries.clear()
  }
}
