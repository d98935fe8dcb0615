/**
 * The names of the files of a store:
 *
 *     rows/<kind>/<bucket>/<name>/t-<version>-<id>    the token: exactly one, empty
 *                                 d-<version>-<id>    key, due time, mark, and the value
 *     due/<day>/<15-digit ms>~<kind>~<bucket>~<name>~<version>-<id>    one mark for each write that moved the due time
 *     new/<version>-<id>/                             a row that is being made
 *
 * The kind is what precedes the first slash of a key, the name what follows it. The bucket is the day if the name begins with
 * one, so that the payments of a month are found without the others; otherwise one of 256 by hash. Characters outside
 * `[a-z0-9-]` are written `_xx`, because some file systems ignore letter case. So most keys can be read in the names.
 * Marks have a folder for each day, so that rows that are due in months are not listed now.
 */
import {createHash} from 'node:crypto'

/** Where a row is. */
export interface Place {
  readonly kind: string
  readonly bucket: string
  readonly name: string
}

export interface Mark {
  readonly place: Place
  /** Of the write. */
  readonly version: number
  /** `<version>-<id>` of the write. */
  readonly write: string
}

/** Of keys without a slash, and of keys that begin with one. */
const NO_KIND = '_'
const EMPTY_KIND = '_2f'
const EMPTY_NAME = '_'
/** File systems allow 255 characters, and a mark has both. */
const MAX_KIND = 40
const MAX_NAME = 140
/** In names that are too long. No escape contains it. */
const HASHED = '__'
const DAY_MS = 86_400_000
const DAY = /^\d{4}-\d\d-\d\d/

export function placeOf(key: string): Place {
  const slash = key.indexOf('/')
  const rest = key.slice(slash + 1)
  const kind = slash < 0 ? NO_KIND : encode(key.slice(0, slash), MAX_KIND) || EMPTY_KIND
  const bucket = DAY.exec(rest)?.[0] ?? hash(key).slice(0, 2)
  return {kind, bucket, name: encode(rest, MAX_NAME) || EMPTY_NAME}
}

/** Undefined if a name was too long; then the key is in the file. */
export function keyOf(kind: string, name: string): string | undefined {
  const prefix = prefixOf(kind)
  if (prefix === undefined || name.includes(HASHED)) return undefined
  return `${prefix}${name === EMPTY_NAME ? '' : decode(name)}`
}

/** Whether keys from `from` to below `until` may be in this bucket, or in any if it is undefined. */
export function mayHold(kind: string, bucket: string | undefined, from: string, until: string): boolean {
  const prefix = prefixOf(kind)
  if (prefix === undefined) return true
  const start = bucket !== undefined && isDay(bucket) ? `${prefix}${bucket}` : prefix
  // All keys that begin so are less than it with a character after the last of ASCII.
  return start < until && from < `${start}\u{7f}`
}

export function isDay(bucket: string): boolean {
  return DAY.test(bucket)
}

export function markName(due: number, {kind, bucket, name}: Place, write: string): string {
  return [digits(due), kind, bucket, name, write].join('~')
}

/** Undefined for files of others. */
export function parseMark(name: string): Mark | undefined {
  const [, kind, bucket, rowName, write] = /^\d{15}~([^~]+)~([^~]+)~([^~]+)~(\d+-[^~]+)$/.exec(name) ?? []
  if (!kind || !bucket || !rowName || !write) return undefined
  return {place: {kind, bucket, name: rowName}, version: versionOf(write), write}
}

/** The folder of a mark: the number of days since 1970, with eight digits. */
export function dueDay(mark: string): string {
  return String(Math.floor(Number(mark.slice(0, 15)) / DAY_MS)).padStart(8, '0')
}

/** Whether the folder of a day can contain marks before a time. False for other files. */
export function isDueBefore(day: string, before: number): boolean {
  return /^\d{8}$/.test(day) && day <= dueDay(digits(before))
}

/** The names of marks are in the order of their times. */
export function isMarkBefore(name: string, before: number): boolean {
  return name.slice(0, 15) < digits(before)
}

/** @param write `<version>-<id>` */
export function versionOf(write: string): number {
  return Number.parseInt(write, 10)
}

function prefixOf(kind: string): string | undefined {
  if (kind === NO_KIND) return ''
  if (kind === EMPTY_KIND) return '/'
  return kind.includes(HASHED) ? undefined : `${decode(kind)}/`
}

function digits(time: number): string {
  return String(Math.min(Math.max(Math.ceil(time), 0), 1e15 - 1)).padStart(15, '0')
}

function encode(text: string, most: number): string {
  const name = text.replaceAll(
    /[^a-z0-9-]/g,
    character => `_${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  return name.length <= most ? name : `${HASHED}${hash(text).slice(0, 32)}`
}

function decode(name: string): string {
  return name.replaceAll(/_(..)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
