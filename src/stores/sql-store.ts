/**
 * A store in the merchant's own database, which several instances can share. It takes a pool of `pg` or `mysql2`, or a client of
 * `better-sqlite3`, `node:sqlite`, `bun:sqlite`, libSQL, D1 or a Durable Object, and adds no dependency.
 *
 * A row is inserted if its key is absent, and updated where its version is the one before, so exactly one of several
 * instances stores it.
 */
import type {Store} from '../contract/store.js'
import {StoreError} from '../contract/errors.js'
import {checkKey, checkRow} from './check-row.js'
import {withClient} from './missing-settings.js'
import {parsePrefix} from './prefix.js'
import {connect, type SqlClient} from './sql/clients.js'
import type {Value} from './sql/connection.js'
import {schema, statements, type Dialect} from './sql/dialects.js'
import {repeat} from './sql/failures.js'

export interface SqlStoreOptions {
  /** The first part of the names of the table and its index. It separates two shops in one database. Default `crypto_checkout`. */
  prefix?: string
}

export interface SqlStore extends Store {
  /** Creates the table and its index if they are absent. Rejects with a `StoreError`. */
  migrate(): Promise<void>
}

/** More than the due time of any row. */
const MAX_DUE = 1e15

/** @throws ConfigurationError for an unknown client or option */
export function sqlStore(client: SqlClient, options: SqlStoreOptions = {}): SqlStore {
  const prefix = parseTablePrefix(options)
  const connection = connect(client)
  const sql = statements(connection.dialect, prefix)
  const execute = (statement: string, ...values: Value[]) => repeat(() => connection.query(statement, values))

  const store: SqlStore = {
    async get(key) {
      checkKey(key)
      const [row] = await execute(sql.get, key)
      return row && {version: Number(row['version']), value: text(row['value'])}
    },
    async put(key, version, value, due) {
      checkRow(key, version, value, due)
      const changed =
        version === 1
          ? await execute(sql.insert, key, value, due)
          : await execute(sql.update, version, value, due, key, version - 1)
      return changed.length === 1
    },
    async due(before, limit) {
      const rows = await execute(sql.due(limit), Math.min(Math.ceil(before), MAX_DUE))
      return rows.map(({key}) => text(key))
    },
    async keys(from, until, limit) {
      const rows = await execute(sql.keys(limit), from, until)
      return rows.map(({key}) => text(key))
    },
    async migrate() {
      for (const statement of schema(connection.dialect, prefix)) await execute(statement)
    },
  }
  return withClient(store, client)
}

/** The SQL that `migrate` executes. */
export function sqlSchema(dialect: Dialect, prefix?: string): string {
  return schema(dialect, parseTablePrefix({prefix}))
    .map(statement => `${statement};`)
    .join('\n\n')
}

function parseTablePrefix(options: unknown): string {
  const rule = 'must be up to 40 characters: a to z, 0 to 9 and _, a letter first'
  return parsePrefix(options, 'crypto_checkout', /^[a-z][a-z0-9_]{0,39}$/, rule)
}

function text(value: unknown): string {
  if (typeof value === 'string') return value
  throw new StoreError('the database returned an unreadable value')
}
