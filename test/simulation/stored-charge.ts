/** What the simulation knows of a document. */
export interface StoredCharge {
  readonly format?: number
  readonly status?: string
  readonly minted?: object
  readonly archived?: object
  readonly payments?: Readonly<Record<string, {readonly confirmed: boolean; readonly dropped?: boolean}>>
  readonly notices?: readonly {readonly claim?: string}[]
}
