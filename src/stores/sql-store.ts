/**
 * A store in the merchant's own database, which several instances can share. It takes a client of `pg`, `mysql2`,
 * `better-sqlite3`, `node:sqlite`, `bun:sqlite`, libSQL or D1, and adds no dependency.
 *
 * An entry is a row, and its number is a part of the primary key, so exactly one of several instances inserts it. Each
 * row has the random id of the append that wrote it. When the connection is lost while a row is inserted, nobody knows
 * whether it was written: the insert is repeated, and the id tells whose entry is there.
 *
 * A tombstone is appended, so no other entry can be, before the entries before it are removed. Entry 1 stays, empty: the
 * number remains taken.
 */
import * as z from 'zod/mini'
import {systemClock, withTimeout} from '../contract/index.js'
import {parser, text as pattern} from '../contract/option-parser.js'
import {StoreError} from '../contract/errors.js'
import {connect, type SqlClient} from './sql/clients.js'
import {TIMEOUT_MS} from './sql/deadline.js'
import {PAGE, type Parameters, type Row} from './sql/dialect.js'
import {repeat} from './sql/failures.js'
import type {Store} from '../contract/store.js'

export interface SqlStoreOptions {
  /** The first part of the names of the tables. It separates two shops in one database. Default `crypto_checkout`. */
  prefix?: string
}

export interface SqlStore extends Store {
  /** Creates the tables and the index that are absent. Rejects with a `StoreError`. */
  migrate(): Promise<void>
}

/** Leases after which the expired ones are deleted. */
const LEASES_PER_CLEANUP = 500

export const DEFAULT_PREFIX = 'crypto_checkout'

const plainName = 'must be up to 40 characters: a to z, 0 to 9 and _, a letter first'

const parseOptions = parser(
  z.strictObject({
    prefix: z._default(pattern(plainName, /^[a-z][a-z0-9_]{0,39}$/), DEFAULT_PREFIX),
  }),
)

/** @throws ConfigurationError for an unknown client or option */
export function sqlStore(client: SqlClient, options: SqlStoreOptions = {}): SqlStore {
  const {prefix} = parseOptions(options)
  const connection = connect(client, prefix)
  const {dialect} = connection
  let leases = 0

  /** Rejects with a `StoreError` after an error that does not pass, and after five seconds. */
  function execute(statement: string, parameters: Parameters): Promise<readonly Row[]> {
    return withTimeout(
      systemClock,
      TIMEOUT_MS,
      signal => repeat(() => connection.query(statement, parameters, signal), signal),
      () => {
        throw new StoreError('the database did not respond in time')
      },
    )
  }

  const store: SqlStore = {
    async append(chargeId, rev, entry) {
      const id = {charge_id: chargeId, append_id: crypto.randomUUID()}
      const rows =
        rev === 1
          ? await execute(dialect.appendFirst, {...id, entry})
          : await execute(dialect.appendNext, {...id, entry, previous: rev - 1})
      return rows.length > 0 || (await isOurs(id, rev))
    },
    async read(chargeId, after = 0) {
      const rows = (await execute(dialect.read, {charge_id: chargeId, after})).filter(
        ({entry}) => entry !== '',
      )
      const first = Number(rows[0]?.['rev'])
      const gap = rows.findIndex(({rev}, index) => Number(rev) !== first + index)
      return (gap < 0 ? rows : rows.slice(0, gap)).map(({entry}) => text(entry))
    },
    async *openCharges() {
      let after = ''
      for (;;) {
        const rows = await execute(dialect.openCharges, {after})
        for (const {charge_id} of rows) yield (after = text(charge_id))
        if (rows.length < PAGE) return
      }
    },
    async closeCharge(chargeId) {
      await execute(dialect.closeCharge, {charge_id: chargeId})
    },
    async delete(chargeId, rev, tombstone) {
      const id = {charge_id: chargeId}
      const rows = await execute(dialect.read, {...id, after: (rev ?? 1) - 1})
      const last = Number(rows.at(-1)?.['rev'] ?? 0)
      if (last === 0 || (rev ?? last) !== last) return false
      if (tombstone === undefined) {
        await execute(dialect.delete, id)
        return true
      }
      if (!(await store.append(chargeId, last + 1, tombstone))) return false
      for (const statement of dialect.empty) await execute(statement, {...id, rev: last})
      return true
    },
    async lease(name, durationMs) {
      if (++leases % LEASES_PER_CLEANUP === 0) await execute(dialect.deleteExpiredLeases, {})
      for (const statement of dialect.lease)
        if ((await execute(statement, {name, duration_ms: durationMs})).length > 0) return true
      return false
    },
    async migrate() {
      for (const statement of dialect.schema) await repeat(() => connection.define(statement))
    },
  }

  /** Whether the entry that is there was written by this append. */
  async function isOurs(id: {charge_id: string; append_id: string}, rev: number): Promise<boolean> {
    const rows = await execute(dialect.findAppendId, {charge_id: id.charge_id, rev})
    return rows[0]?.['append_id'] === id.append_id
  }

  return store
}

/** @throws ConfigurationError */
export function parsePrefix(prefix: string): string {
  return parseOptions({prefix}).prefix
}

function text(value: unknown): string {
  if (typeof value === 'string') return value
  throw new StoreError('the database returned an unreadable value')
}
