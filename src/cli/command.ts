/** What the commands share: their arguments, their store, and their output. */
import {existsSync} from 'node:fs'
import {parseArgs, type ParseArgsConfig} from 'node:util'
import {systemClock} from '../contract/index.js'
import {CheckoutError, ConfigurationError} from '../server/errors.js'
import {silentLogger} from '../server/base/logger.js'
import {noDiagnostics} from '../server/base/diagnostics.js'
import {guardedStore} from '../server/base/guarded-store.js'
import {newSeen} from '../server/charges/documents.js'
import {createDocuments, type StoredDocuments} from '../server/create-context.js'
import {openStore, type OpenOptions} from './open-store.js'

export type Print = (line: string) => void

/** Ends a command. The message is one line that says what to do. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
}

/** The command was called in a wrong way. The message is its usage. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError'
}

/** Prints the usage or the result. An expected error prints one line and sets exit code 1; wrong usage sets 2. */
export async function runCommand(
  args: readonly string[],
  usage: string,
  print: Print,
  run: () => Promise<void>,
  failure: {readonly print: Print; readonly exitCode: number} = {print, exitCode: 1},
): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) return print(usage)
  try {
    await run()
  } catch (error) {
    failure.print(messageOf(error))
    process.exitCode = error instanceof UsageError ? 2 : failure.exitCode
  }
}

function messageOf(error: unknown): string {
  if (error instanceof CommandError || error instanceof CheckoutError || error instanceof ConfigurationError)
    return error.message
  if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
    return error.message
  throw error
}

export function parse<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
): ReturnType<typeof parseArgs<{args: string[]; options: Options; allowPositionals: true}>> {
  return parseArgs({args: [...args], options, allowPositionals: true})
}

export const DEFAULT_STORE = '.crypto-checkout'

/** For `parse`: where the store is. */
export const storeOptions = {store: {type: 'string'}, prefix: {type: 'string'}} as const

export const storeUsage = `--store is a folder, or a URL such as redis://… or postgres://…; default: CHECKOUT_STORE, else .crypto-checkout.
--prefix is the option of redisStore or sqlStore, if the shop sets it.`

/** Opens the store, runs the work, and closes the connections. */
export async function withDocuments<Result>(
  {store: url = process.env['CHECKOUT_STORE'] ?? DEFAULT_STORE, prefix}: {store?: string; prefix?: string},
  work: (documents: StoredDocuments) => Promise<Result>,
): Promise<Result> {
  if (!/^[a-z]{2,}:/.test(url) && !existsSync(url))
    throw new CommandError(`there is no store folder ${url}; name the store with --store`)
  const opened = await open(url, {prefix})
  try {
    const store = guardedStore(opened.store, systemClock, noDiagnostics)
    const base = {store, clock: systemClock, logger: silentLogger, seen: newSeen(), retention: 0}
    return await work(createDocuments(base))
  } finally {
    await opened.close()
  }
}

/** The message of a driver may hold the URL with its password. */
export async function open(url: string, options: OpenOptions): ReturnType<typeof openStore> {
  try {
    return await openStore(url, options)
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new CommandError(`the store ${withoutSecrets(url)} cannot be opened${code}`)
  }
}

export function withoutSecrets(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  url.username = url.password = url.search = url.hash = ''
  return url.href
}

/** Text of the service may hold sequences that control a terminal. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?')
}

/** Lines with a cell for each column, as wide as the longest; `-` where a row has none. */
export function table<Row>(
  columns: Readonly<Record<string, (row: Row) => string | undefined>>,
  rows: readonly Row[],
): string[] {
  const shown = Object.entries(columns).map(([name, cell]) => [
    name,
    ...rows.map(row => printable(cell(row) ?? '-')),
  ])
  const padded = shown.map(cells => {
    const width = cells.reduce((most, {length}) => Math.max(most, length), 0)
    return cells.map(cell => cell.padEnd(width))
  })
  return ['', ...rows].map((_, index) =>
    padded
      .map(cells => cells[index])
      .join('  ')
      .trimEnd(),
  )
}

const HOUR_MS = 3_600_000
const units: Readonly<Record<string, number>> = {m: 60_000, h: HOUR_MS, d: 24 * HOUR_MS}

/** @returns milliseconds since 1970 UTC */
export function readTime(option: string, text: string, now: number): number {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const time = count === undefined ? Date.parse(text) : now - Number(count) * (units[unit] ?? NaN)
  if (Number.isNaN(time))
    throw new CommandError(`${option} must be a date such as 2026-11-21, or such as 24h or 7d`)
  return time
}
