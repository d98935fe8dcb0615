/** Where the proxy keeps what it must not lose. A lost store means lost deposit addresses. */

/** A value, and how often it was written: 1 for the first time. */
export interface StoredRow {
  readonly version: number
  readonly value: string
}

/**
 * Four functions over one table of keys, values, versions and due times. Keys are ASCII, at most 200 characters; letter
 * case counts. Values are ASCII. A merchant can implement it over another database; `docs/stores.md` says how to test it.
 */
export interface Store {
  get(key: string): Promise<StoredRow | undefined>
  /**
   * Stores the row only where the stored version is `version` less 1; an absent row counts as 0. Otherwise resolves to
   * false. It is atomic across processes, and the row is durable before it resolves to true.
   *
   * @param due when the row needs work, in milliseconds since 1970 UTC; null for never
   */
  put(key: string, version: number, value: string, due: number | null): Promise<boolean>
  /** The keys of at most `limit` rows whose due time is before `before`, the earliest first. */
  due(before: number, limit: number): Promise<string[]>
  /** At most `limit` keys from `from` up to, but not at, `until`, in the order of their code units. */
  keys(from: string, until: string, limit: number): Promise<string[]>
}
