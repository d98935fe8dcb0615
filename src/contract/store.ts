/**
 * Where journals are stored. A lost store means lost deposit addresses. A merchant can implement it over another
 * database; `test/stores/store-conformance.ts` tests the requirements.
 */
export interface Store {
  /**
   * Adds entry number `rev` (from 1) to a charge's journal. Resolves to false when the number is taken, or when the entry
   * before it is absent. It is atomic across processes, and the entry is durable before it resolves to true. An append that
   * a client library has sent twice, because the response was lost, resolves to true.
   */
  append(chargeId: string, rev: number, entry: string): Promise<boolean>
  /** The entries after number `after` (default 0), in order, without gaps. The first one of all may be a tombstone. */
  read(chargeId: string, after?: number): Promise<string[]>
  /**
   * The ids that have a journal and were not closed: those of charges, and of the journals in which the proxy lists closed
   * charges that need work later. To a store, all ids are alike.
   */
  openCharges(): AsyncIterable<string>
  /** Removes a charge from `openCharges()`; its journal stays, and may still grow. */
  closeCharge(chargeId: string): Promise<void>
  /**
   * Replaces the entries of a journal, open or closed, by entry number `rev + 1`, which stays: the tombstone. Resolves to
   * false when the journal does not have exactly `rev` entries. It is atomic across processes, as `append` is: of both, one
   * wins. Without a tombstone nothing stays; the proxy does so with a journal to which nothing is appended any more. Without
   * `rev`, the journal may have any number of entries.
   */
  delete(chargeId: string, rev?: number, tombstone?: string): Promise<boolean>
  /**
   * Resolves to true for the first process, and to false for the others until the time is over, which may be a millisecond.
   * With it, processes share their reads of the service and the failures of these; without it, each process reads.
   */
  lease?(name: string, durationMs: number): Promise<boolean>
}
