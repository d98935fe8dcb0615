/**
 * Where journals are kept. A store is money: a lost one means addresses that nobody remembers. It is small, so that a
 * merchant may implement it over another database; `test/server/store-conformance.ts` says what must hold.
 */
export interface Store {
  /**
   * Adds entry number `rev` (from 1) to a charge's journal, if that number is free.
   *
   * @returns false when it is taken. Atomic across processes; durable before it resolves to true
   */
  append(chargeId: string, rev: number, entry: string): Promise<boolean>
  /** The entries behind number `after` (default 0), in order, without gaps. */
  read(chargeId: string, after?: number): Promise<string[]>
  /** The charges that have a journal and are not closed. */
  openCharges(): AsyncIterable<string>
  /** Takes a charge out of `open()`; its journal stays. */
  closeCharge(chargeId: string): Promise<void>
  /** Calls `wake` whenever the journal may have grown, by whatever process. Returns the way to stop. */
  subscribe?(chargeId: string, onChange: () => void): () => void
  /**
   * True for the first process that asks for this name, and false for the others until the time is over. With it,
   * processes share their looks at the service; without it, each looks for itself.
   */
  lease?(name: string, milliseconds: number): Promise<boolean>
}
