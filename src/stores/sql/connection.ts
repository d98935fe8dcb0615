/** One interface to the clients of all databases, which the files in `drivers/` implement. */
import {TIMEOUT_MS} from './deadline.js'
import {bind, type Dialect, type Parameters, type Row} from './dialect.js'

export interface Connection {
  readonly dialect: Dialect
  /** @param signal closes the connection. Default: after the time that the store waits */
  query(statement: string, parameters: Parameters, signal?: AbortSignal): Promise<readonly Row[]>
  define(statement: string): Promise<unknown>
}

type Execute = (text: string, values: (string | number)[], signal: AbortSignal) => Promise<unknown>

/** @param execute resolves to rows, or to what mysql2 returns for a change */
export function connectionOf(
  dialect: Dialect,
  execute: Execute,
  define = (text: string) => execute(text, [], AbortSignal.timeout(TIMEOUT_MS)),
): Connection {
  return {
    dialect,
    async query(statement, parameters, signal = AbortSignal.timeout(TIMEOUT_MS)) {
      const {text, values} = bind(statement, parameters, dialect.name === 'postgres' ? '$1' : '?')
      return rowsOf(await execute(text, values, signal))
    },
    define,
  }
}

/** mysql2 returns the number of changed rows instead of rows. */
function rowsOf(result: unknown): Row[] {
  if (Array.isArray(result)) return result.filter(isRow)
  const changed = isRow(result) ? Number(result['affectedRows'] ?? 0) : 0
  return Array.from({length: changed}, () => ({}))
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null
}
