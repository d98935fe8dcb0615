import {connectionOf, type Connection} from '../connection.js'
import {sqlite} from '../sqlite.js'

/** Of `better-sqlite3`, `node:sqlite` and `bun:sqlite`. */
export interface SqliteDatabase {
  prepare(sql: string): {all(...values: (string | number)[]): unknown}
  exec(sql: string): unknown
}

/** D1 has these too, and `batch`. A connection of mysql2 also prepares, but has no `exec`. */
export function isSqlite(client: object): client is SqliteDatabase {
  return 'prepare' in client && 'exec' in client && !('batch' in client)
}

export function connectSqlite(client: SqliteDatabase, prefix: string): Connection {
  return connectionOf(
    sqlite(prefix),
    async (text, values) => client.prepare(text).all(...values),
    async text => client.exec(text),
  )
}
