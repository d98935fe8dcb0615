/**
 * What each store refuses before it asks its database, because one of them would change or confuse it: MySQL ignores spaces
 * at the end and cuts long keys, Postgres refuses NUL, and character sets other than UTF-8 change text.
 */
import {StoreError} from '../contract/errors.js'

const MAX_VERSION = 2 ** 31 - 1
/** As many digits as the names of files have for it. */
const MAX_DUE = 1e15 - 1

/** @throws StoreError */
export function checkKey(key: string): void {
  if (!/^[ -~]{0,199}[!-~]$/.test(key))
    throw new StoreError('a key must be 1 to 200 printable ASCII characters, without a space at the end')
}

/** @throws StoreError */
export function checkRow(key: string, version: number, value: string, due: number | null): void {
  checkKey(key)
  if (!isWhole(version, MAX_VERSION) || version === 0)
    throw new StoreError('a version must be a whole number from 1')
  if (due !== null && !isWhole(due, MAX_DUE))
    throw new StoreError('a due time must be whole milliseconds since 1970, or null')
  if (!/^\p{ASCII}*$/u.test(value) || value.includes('\0'))
    throw new StoreError('a value must be ASCII text without NUL')
}

function isWhole(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= most
}
