import {toRows, type Connection} from './connection.js'

/** Of `better-sqlite3`, `node:sqlite`, `bun:sqlite` and `libsql`. */
export interface SqliteDatabase {
  prepare(sql: string): {all(...values: (string | number | null)[]): unknown}
  exec(sql: string): unknown
}

/** `better-sqlite3` syncs less than SQLite does by default, so that a power cut may lose what was written. */
const DURABLE = 'pragma synchronous = full'
/** Short, because it stops the process; the store repeats. Without it, writers that repeat too are often late. */
const WAIT_FOR_LOCKS = 'pragma busy_timeout = 20'

/** D1 has these too, and `batch`. */
export function isSqlite(client: object): client is SqliteDatabase {
  return 'prepare' in client && 'exec' in client && !('batch' in client)
}

export function connectSqlite(database: SqliteDatabase): Connection {
  let isPrepared = false

  /** Settings of the connection, not of the file. */
  function prepare(): void {
    database.exec(DURABLE)
    const [timeout] = toRows(database.prepare('pragma busy_timeout').all())
    if (timeout?.['timeout'] === 0) database.exec(WAIT_FOR_LOCKS)
    isPrepared = true
  }

  return {
    dialect: 'sqlite',
    async query(sql, values) {
      if (!isPrepared) prepare()
      // `better-sqlite3` reads rows only of statements that have some.
      if (sql.startsWith('create')) return toRows(database.exec(sql))
      return toRows(database.prepare(sql).all(...values))
    },
  }
}
