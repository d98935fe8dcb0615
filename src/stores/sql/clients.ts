/** The supported clients, told apart by their shapes. */
import {ConfigurationError} from '../../contract/errors.js'
import {toRows, type Connection, type Value} from './connection.js'
import {connectMysql2, isMysql2Pool, type Mysql2Pool} from './mysql2.js'
import {connectPg, isPgPool, type PgPool} from './pg.js'
import {connectSqlite, isSqlite, type SqliteDatabase} from './sqlite.js'

/** Of `@libsql/client`. */
interface LibsqlClient {
  execute(statement: {sql: string; args: Value[]}): Promise<{rows: unknown[]}>
  executeMultiple: unknown
}

/** A D1 database of Cloudflare Workers. */
interface D1Client {
  prepare(sql: string): {bind(...values: unknown[]): {all(): Promise<{results: unknown[]}>}}
  batch: unknown
}

/** `state.storage.sql` of a Durable Object. */
interface DurableObjectSql {
  exec(sql: string, ...values: unknown[]): {toArray(): unknown[]}
  databaseSize: number
}

export type SqlClient = PgPool | Mysql2Pool | SqliteDatabase | LibsqlClient | D1Client | DurableObjectSql

const UNKNOWN =
  'sqlStore needs a pool of pg or mysql2, or a client of better-sqlite3, node:sqlite, bun:sqlite, libSQL or D1'

/** @throws ConfigurationError */
export function connect(client: SqlClient): Connection {
  if (typeof client !== 'object' || client === null) throw new ConfigurationError(UNKNOWN)
  if (isPgPool(client)) return connectPg(client)
  if (isMysql2Pool(client)) return connectMysql2(client)
  if (isSqlite(client)) return connectSqlite(client)
  // No other client has these.
  if ('executeMultiple' in client)
    return {
      dialect: 'sqlite',
      query: async (sql, values) => toRows((await client.execute({sql, args: [...values]})).rows),
    }
  if ('batch' in client)
    return {
      dialect: 'sqlite',
      query: async (sql, values) =>
        toRows(
          (
            await client
              .prepare(sql)
              .bind(...values)
              .all()
          ).results,
        ),
    }
  if ('databaseSize' in client)
    return {
      dialect: 'sqlite',
      query: async (sql, values) => toRows(client.exec(sql, ...values).toArray()),
    }
  throw new ConfigurationError(UNKNOWN)
}
