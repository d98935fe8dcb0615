import {ConfigurationError} from '../../contract/errors.js'
import {DEADLINE_MS, toRows, type Connection} from './connection.js'

/** A `Pool` of `pg`, which ends a connection whose query failed. */
export interface PgPool {
  query(query: {text: string; values: unknown[]; query_timeout: number}): Promise<{rows: unknown[]}>
  connect: unknown
  readonly totalCount: number
}

/** @throws ConfigurationError for a client that is no pool */
export function isPgPool(client: object): client is PgPool {
  if (!('connect' in client && 'query' in client)) return false
  // A connection of another package may connect and query too, but with callbacks.
  if ('escapeIdentifier' in client)
    throw new ConfigurationError(
      'sqlStore needs a Pool of pg, because a Client cannot be replaced when its connection is lost: new pg.Pool(…)',
    )
  return 'totalCount' in client
}

export function connectPg(pool: PgPool): Connection {
  return {
    dialect: 'postgres',
    async query(text, values) {
      return toRows((await pool.query({text, values: [...values], query_timeout: DEADLINE_MS})).rows)
    },
  }
}
