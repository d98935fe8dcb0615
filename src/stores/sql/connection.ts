/** One interface to the clients of all databases. */
import type {Dialect} from './dialects.js'

export type Value = string | number | null
export type Row = Readonly<Record<string, unknown>>

export interface Connection {
  readonly dialect: Dialect
  /** Resolves to the rows that are read or returned, or to as many as were changed. */
  query(sql: string, values: readonly Value[]): Promise<readonly Row[]>
}

/** After it a connection counts as dead: a firewall that drops packets closes nothing. */
export const DEADLINE_MS = 5_000

export function toRows(result: unknown): Row[] {
  return Array.isArray(result) ? result.filter(isRow) : []
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null
}
