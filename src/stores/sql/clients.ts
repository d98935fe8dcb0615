/** The supported clients, each told apart by the shape that its driver's file documents. */
import {ConfigurationError} from '../../contract/errors.js'
import type {Connection} from './connection.js'
import {connectD1, isD1, type D1Client} from './drivers/d1.js'
import {connectDurableObject, isDurableObject, type DurableObjectSql} from './drivers/durable-object.js'
import {connectLibsql, isLibsql, type LibsqlClient} from './drivers/libsql.js'
import {connectMysql2, isMysql2, type Mysql2Client} from './drivers/mysql2.js'
import {connectPg, isPg, type PgClient} from './drivers/pg.js'
import {connectSqlite, isSqlite, type SqliteDatabase} from './drivers/sqlite.js'

export type SqlClient = PgClient | Mysql2Client | SqliteDatabase | LibsqlClient | D1Client | DurableObjectSql

const UNKNOWN = 'sqlStore needs a client of pg, mysql2, better-sqlite3, node:sqlite, bun:sqlite, libSQL or D1'

/** @param prefix of the names of the tables */
export function connect(client: SqlClient, prefix: string): Connection {
  if (typeof client !== 'object' || client === null) throw new ConfigurationError(UNKNOWN)
  if (isPg(client)) return connectPg(client, prefix)
  if (isMysql2(client)) return connectMysql2(client, prefix)
  if (isSqlite(client)) return connectSqlite(client, prefix)
  if (isLibsql(client)) return connectLibsql(client, prefix)
  if (isD1(client)) return connectD1(client, prefix)
  if (isDurableObject(client)) return connectDurableObject(client, prefix)
  throw new ConfigurationError(UNKNOWN)
}
