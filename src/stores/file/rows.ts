/** How a row is read and replaced. `layout.ts` has the names of its files. */
import {randomBytes} from 'node:crypto'
import {readFile, readdir, rename, rm} from 'node:fs/promises'
import {join} from 'node:path'
import * as z from 'zod/mini'
import {createEmpty, createFolder, exists, hasCode, ifExists, syncFolder, writeSynced} from './disk.js'
import {versionOf} from './layout.js'

/** What a row's file holds, in a line of JSON before the value. */
const headerSchema = z.object({
  key: z.string(),
  due: z.nullable(z.number()),
  /** The name of the mark of its due time. */
  mark: z.nullable(z.string()),
})
type Header = z.infer<typeof headerSchema>

export interface Row extends Header {
  readonly version: number
  readonly value: string
}

export interface StoredRow extends Row {
  /** `<version>-<id>` of the write that stored it. */
  readonly write: string
  /** The names of the files that another write may remove. */
  readonly files: readonly string[]
}

/** Ids are random, so that the name of a token never returns. */
export function newWrite(version: number): string {
  return `${version}-${randomBytes(8).toString('hex')}`
}

const tokenOf = (write: string) => `t-${write}`
const fileOf = (write: string) => `d-${write}`
/** Each is needed only if a write ends between listing the folder and reading the file. */
const MAX_READS = 100

export async function loadRow(folder: string): Promise<StoredRow | undefined> {
  for (let read = 1; read <= MAX_READS; read++) {
    const names = await ifExists(readdir(folder))
    if (!names) return undefined
    const write = newestWrite(names)
    const text = write && (await ifExists(readFile(join(folder, fileOf(write)), 'latin1')))
    if (!text) continue
    const end = text.indexOf('\n')
    const header = parseHeader(text.slice(0, Math.max(end, 0)))
    if (!header) throw new Error(`${folder} holds an unreadable row`)
    const files = names.filter(name => name.startsWith('d-'))
    return {...header, version: versionOf(write), value: text.slice(end + 1), write, files}
  }
  throw new Error(`${folder} holds no row`)
}

/** Undefined after a fault of the disk. */
function parseHeader(text: string): Header | undefined {
  try {
    return z.safeParse(headerSchema, JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** While a token is renamed, a listing may have both names. */
function newestWrite(names: readonly string[]): string | undefined {
  return names
    .filter(name => name.startsWith('t-'))
    .map(name => name.slice(2))
    .sort((a, b) => versionOf(a) - versionOf(b))
    .at(-1)
}

/** Writes the folder of a new row, to be moved into its place. */
export async function prepareRow(folder: string, write: string, row: Row): Promise<void> {
  await createFolder(folder)
  await createEmpty(join(folder, tokenOf(write)))
  await writeRow(folder, write, row)
  await syncFolder(folder)
}

export function writeRow(folder: string, write: string, {key, due, mark, value}: Row): Promise<void> {
  return writeSynced(join(folder, fileOf(write)), `${JSON.stringify({key, due, mark})}\n${value}`)
}

/** Resolves to false when another row is there. */
export function placeRow(prepared: string, folder: string, write: string): Promise<boolean> {
  return isRenamed(prepared, folder, join(folder, tokenOf(write)))
}

/** Resolves to false when the token has another name by now. */
export function moveToken(folder: string, from: string, to: string): Promise<boolean> {
  const token = join(folder, tokenOf(to))
  return isRenamed(join(folder, tokenOf(from)), token, token)
}

export async function removeFiles(folder: string, names: readonly string[]): Promise<void> {
  await Promise.all(names.map(name => rm(join(folder, name), {force: true})))
}

export function removeWrite(folder: string, write: string): Promise<void> {
  return removeFiles(folder, [fileOf(write)])
}

/** A network file system may repeat a renaming whose response was lost, and report that nothing is left to rename. */
async function isRenamed(from: string, to: string, token: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST')) throw error
    return exists(token)
  }
}
