/** Which errors of a database pass, and what the log says about the others. Messages may hold values, so codes are used. */
import {systemClock} from '../../contract/index.js'
import {StoreError} from '../../contract/errors.js'

/** SQLite has many: while one process writes, the others try at a short interval, because no queue gives them a turn. */
const MAX_CONFLICTS = 500
const PAUSE_MS = 5

/** Repeats after conflicts with others, which change nothing. Rejects with a `StoreError`. */
export async function repeat<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let conflicts = 0; ; conflicts++)
    try {
      return await act()
    } catch (error) {
      if (isMissingTable(error))
        throw new StoreError('the table is missing: call migrate(), or run npx crypto-checkout schema')
      if (!isConflict(error) || conflicts >= MAX_CONFLICTS)
        throw new StoreError(`a statement failed (${codeOf(error)})`)
      await systemClock.sleep(PAUSE_MS)
    }
}

/**
 * Postgres: serialization failure, deadlock, and two processes that create the same table, or the type of its rows. MySQL:
 * lock wait timeout, deadlock. SQLite: busy, locked.
 */
function isConflict(error: unknown): boolean {
  if (/^(40001|40P01|23505|42P07|42710|SQLITE_(BUSY|LOCKED).*)$/.test(text(error, 'code'))) return true
  if (['1205', '1213'].includes(text(error, 'errno'))) return true
  // node:sqlite has a number, whose low byte is the primary code: https://www.sqlite.org/rescode.html
  const errcode = Number(text(error, 'errcode')) & 0xff
  return errcode === 5 || errcode === 6
}

function isMissingTable(error: unknown): boolean {
  if (text(error, 'code') === '42P01' || text(error, 'errno') === '1146') return true
  return error instanceof Error && error.message.includes('no such table')
}

/** Such as `40P01`, or `ECONNREFUSED 127.0.0.1:5432`; the name of the error if there is no code. */
function codeOf(error: unknown): string {
  const code = text(error, 'code') || (error instanceof Error ? error.name : 'unknown')
  const address = [text(error, 'address'), text(error, 'port')].filter(Boolean).join(':')
  return address ? `${code} ${address}` : code
}

function text(error: unknown, property: string): string {
  if (typeof error !== 'object' || error === null) return ''
  const value: unknown = Reflect.get(error, property)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
