/** The parts of database clients that the store uses, and how to tell the clients apart. */
import {ConfigurationError} from '../../errors.js'
import {bind, type Dialect, type Parameters, type Row} from './dialect.js'
import {listen, type PostgresClient, type PostgresPool} from './listen.js'
import {mysql} from './mysql.js'
import {postgres} from './postgres.js'
import {sqlite} from './sqlite.js'

/** Of `mysql2/promise`. */
interface MysqlPromiseClient {
  execute(options: {sql: string; values: unknown[]; rowsAsArray: boolean}): Promise<unknown[]>
  query(sql: string): Promise<unknown>
  getConnection?: unknown
  beginTransaction?: unknown
}

/** Of `mysql2`, with callbacks. */
interface MysqlCallbackClient {
  promise(): MysqlPromiseClient
}

/** Of `better-sqlite3`, `node:sqlite` and `bun:sqlite`. */
interface SqliteDatabase {
  prepare(sql: string): {all(...values: (string | number)[]): unknown}
  exec(sql: string): unknown
}

/** Of `@libsql/client`. */
interface LibsqlClient {
  execute(statement: {sql: string; args: (string | number)[]}): Promise<{rows: unknown[]}>
  executeMultiple(sql: string): Promise<unknown>
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

export type SqlClient =
  | PostgresPool
  | PostgresClient
  | MysqlPromiseClient
  | MysqlCallbackClient
  | SqliteDatabase
  | LibsqlClient
  | D1Client
  | DurableObjectSql

/** One interface to all clients. */
export interface Connection {
  readonly dialect: Dialect
  query(statement: string, parameters: Parameters): Promise<readonly Row[]>
  define(statement: string): Promise<unknown>
  /** Calls `onMessage` with each message of the channel, and `onGap` when messages may have been missed. */
  listen?(channel: string, onMessage: (message: string) => void, onGap: () => void): () => void
}

/** @param prefix of the names of the tables */
export function connect(client: SqlClient, prefix: string): Connection {
  if ('databaseSize' in client) {
    const query = (text: string, values: unknown[]) => client.exec(text, ...values).toArray()
    return withoutListen(sqlite(prefix), async (text, values) => query(text, values))
  }
  if ('prepare' in client) return 'batch' in client ? d1(client, prefix) : sqliteDatabase(client, prefix)
  if ('executeMultiple' in client)
    return withoutListen(sqlite(prefix), async (sql, args) => (await client.execute({sql, args})).rows)
  if ('promise' in client) return mysqlClient(client.promise(), prefix)
  if ('execute' in client && ('getConnection' in client || 'beginTransaction' in client))
    return mysqlClient(client, prefix)
  if ('connect' in client && 'query' in client) return postgresClient(client, prefix)
  throw new ConfigurationError(
    'sqlStore needs a client of pg, mysql2, better-sqlite3, node:sqlite, bun:sqlite, libSQL or D1',
  )
}

type Execute = (text: string, values: (string | number)[]) => Promise<unknown>

function withoutListen(dialect: Dialect, execute: Execute, define = execute): Connection {
  return {
    dialect,
    async query(statement, parameters) {
      const {text, values} = bind(statement, parameters, '?')
      return rowsOf(await execute(text, values))
    },
    define: statement => define(statement, []),
  }
}

function sqliteDatabase(client: SqliteDatabase, prefix: string): Connection {
  return withoutListen(
    sqlite(prefix),
    async (text, values) => client.prepare(text).all(...values),
    async text => client.exec(text),
  )
}

function d1(client: D1Client, prefix: string): Connection {
  return withoutListen(
    sqlite(prefix),
    async (text, values) =>
      (
        await client
          .prepare(text)
          .bind(...values)
          .all()
      ).results,
  )
}

/** Prepared by the server, because escaped text depends on the `sql_mode` of the session. */
function mysqlClient(client: MysqlPromiseClient, prefix: string): Connection {
  return withoutListen(
    mysql(prefix),
    async (sql, values) => {
      try {
        const [result] = await client.execute({sql, values, rowsAsArray: false})
        return result
      } catch (error) {
        if (isDuplicate(error)) return []
        throw error
      }
    },
    sql => client.query(sql),
  )
}

function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && error.errno === 1062
}

function postgresClient(client: PostgresPool | PostgresClient, prefix: string): Connection {
  return {
    dialect: postgres(prefix),
    async query(statement, parameters) {
      const {text, values} = bind(statement, parameters, '$1')
      return rowsOf((await client.query(text, values)).rows)
    },
    define: statement => client.query(statement),
    listen: (channel, onMessage, onGap) => listen(client, channel, onMessage, onGap),
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
