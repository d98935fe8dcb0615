/**
 * The default store: files, without a server or a native module. They survive `kill -9` and, if the disk honours syncs, a power
 * cut. Several processes of one machine may use a folder. `file/layout.ts` names the files.
 *
 * A write renames the token of the row from its version to the next one; ids are random, so exactly one of several processes
 * finds the old name. A new row is a folder that is renamed into its place, which fails if one is there. Before that, the
 * row's file and the mark of its due time are on the disk; what the write replaces is removed after it. So a crash at any
 * step leaves the old row or the new one, with its mark, and at most files that nobody reads.
 */
import {rename, rm, rmdir, stat} from 'node:fs/promises'
import {dirname, join, resolve} from 'node:path'
import type {Store} from '../contract/store.js'
import {ConfigurationError, StoreError} from '../contract/errors.js'
import {checkKey, checkRow} from './check-row.js'
import {createEmpty, exists, ifExists, list, makeFolder, makeFolders, syncFolder} from './file/disk.js'
import {
  dueDay,
  isDueBefore,
  isDay,
  isMarkBefore,
  keyOf,
  markName,
  mayHold,
  parseMark,
  placeOf,
} from './file/layout.js'
import type {Mark, Place} from './file/layout.js'
import {loadRow, moveToken, newWrite, placeRow, prepareRow, removeFiles} from './file/rows.js'
import {removeWrite, writeRow, type Row, type StoredRow} from './file/rows.js'

/** A writer that needs longer is dead, or is made to fail. */
const DEAD_AFTER_MS = 3_600_000
const DAY_MS = 86_400_000

/**
 * @param folder a path on a permanent disk: not in a container's own layer, not a serverless function's `/tmp`
 * @throws ConfigurationError for a URL
 */
export function fileStore(folder: string): Store {
  if (typeof folder !== 'string' || !/^(?![a-z][a-z0-9+.-]+:)./i.test(folder))
    throw new ConfigurationError(
      'fileStore needs the path of a folder; for a URL use sqlStore or redisStore with a client',
    )
  // Once, because the process may change its working directory.
  const files = new FileStore(resolve(folder))
  return {
    get: key => files.run('read', () => files.get(key)),
    put: (...row) => files.run('written', () => files.put(...row)),
    due: (before, limit) => files.run('read', () => files.due(before, limit)),
    keys: (from, until, limit) => files.run('read', () => files.keys(from, until, limit)),
  }
}

class FileStore {
  readonly #rows: string
  readonly #due: string
  readonly #new: string
  /** Folders that are on the disk, or are being made. */
  readonly #made = new Map<string, Promise<void>>()
  #isStopped = false

  constructor(readonly folder: string) {
    this.#rows = join(folder, 'rows')
    this.#due = join(folder, 'due')
    this.#new = join(folder, 'new')
  }

  /** Rejects with a `StoreError` that names the folder and the cause. */
  async run<Result>(what: 'read' | 'written', act: () => Promise<Result>): Promise<Result> {
    if (this.#isStopped)
      throw new StoreError(`the disk of ${this.folder} failed, so what is read may be lost: restart`)
    try {
      return await act()
    } catch (error) {
      if (error instanceof StoreError) throw error
      // They may be missing now.
      this.#made.clear()
      const cause = error instanceof Error ? error : new Error(typeof error)
      const code = 'code' in cause ? String(cause.code) : cause.message
      const message = `the store folder ${this.folder} cannot be ${what} (${code})`
      throw Object.assign(new StoreError(message), {cause})
    }
  }

  async get(key: string) {
    checkKey(key)
    const row = await loadRow(this.#folderOf(placeOf(key)))
    return row && {version: row.version, value: row.value}
  }

  async put(key: string, version: number, value: string, due: number | null): Promise<boolean> {
    checkRow(key, version, value, due)
    const place = placeOf(key)
    const previous = await loadRow(this.#folderOf(place))
    if ((previous?.version ?? 0) !== version - 1) return false
    const write = newWrite(version)
    const isMoved = due !== (previous?.due ?? null)
    const newMark = isMoved && due !== null ? markName(due, place, write) : null
    const row: Row = {key, version, value, due, mark: isMoved ? newMark : (previous?.mark ?? null)}
    const isStored = await (previous
      ? this.#replace(place, previous, write, row, newMark)
      : this.#create(place, write, row))
    if (!isStored && newMark) await this.#removeMark(newMark)
    return isStored
  }

  async due(before: number, limit: number): Promise<string[]> {
    // A row whose due time moves meanwhile is seen twice.
    const found = new Set<string>()
    for await (const name of this.#marksBefore(before)) {
      if (found.size >= limit) break
      const key = await this.#dueKey(name)
      if (key !== undefined) found.add(key)
    }
    for (const write of await list(this.#new))
      if (await this.#isOld(join(this.#new, write))) await this.#discardNew(write)
    return [...found]
  }

  async keys(from: string, until: string, limit: number): Promise<string[]> {
    const found: string[] = []
    for (const kind of await list(this.#rows)) {
      if (!mayHold(kind, undefined, from, until)) continue
      let ofDays = 0
      for (const bucket of (await list(join(this.#rows, kind))).sort()) {
        // Days are in the order of their keys.
        if (!mayHold(kind, bucket, from, until) || ofDays >= limit) continue
        const keys = await this.#keysIn(kind, bucket)
        const matching = keys.filter(key => key >= from && key < until)
        if (isDay(bucket)) ofDays += matching.length
        found.push(...matching)
      }
    }
    return found.sort().slice(0, limit)
  }

  async #keysIn(kind: string, bucket: string): Promise<string[]> {
    const keys: string[] = []
    for (const name of await list(join(this.#rows, kind, bucket))) {
      const key = keyOf(kind, name) ?? (await loadRow(this.#folderOf({kind, bucket, name})))?.key
      if (key !== undefined) keys.push(key)
    }
    return keys
  }

  async #create(place: Place, write: string, row: Row): Promise<boolean> {
    const folder = this.#folderOf(place)
    const bucket = dirname(folder)
    const prepared = join(this.#new, write)
    try {
      await this.#make(this.#new)
      await prepareRow(prepared, write, row)
      if (row.mark) await this.#addMark(row.mark)
      await this.#make(bucket)
    } catch (error) {
      // A failed write must not fill a full disk.
      await this.#discardNew(write).catch(ignore)
      if (row.mark) await this.#removeMark(row.mark).catch(ignore)
      throw error
    }
    const isStored = await placeRow(prepared, folder, write)
    if (isStored) await this.#syncLast(bucket)
    else await this.#discardNew(write)
    return isStored
  }

  async #replace(place: Place, previous: StoredRow, write: string, row: Row, newMark: string | null) {
    const folder = this.#folderOf(place)
    try {
      await writeRow(folder, write, row)
      if (newMark) await this.#addMark(newMark)
    } catch (error) {
      await removeWrite(folder, write).catch(ignore)
      if (newMark) await this.#removeMark(newMark).catch(ignore)
      throw error
    }
    const isStored = await moveToken(folder, previous.write, write)
    if (!isStored) await removeWrite(folder, write)
    else {
      await this.#syncLast(folder)
      // The row is stored, so an error must not say that it is not.
      await removeFiles(folder, previous.files).catch(ignore)
      if (previous.mark && previous.mark !== row.mark) await this.#removeMark(previous.mark).catch(ignore)
    }
    return isStored
  }

  /** In the order of their times. */
  async *#marksBefore(before: number): AsyncGenerator<string> {
    for (const day of (await list(this.#due)).filter(name => isDueBefore(name, before)).sort()) {
      const marks = await list(join(this.#due, day))
      if (marks.length === 0) await this.#removeDay(day)
      yield* marks.filter(name => isMarkBefore(name, before)).sort()
    }
  }

  /** Undefined if the row of a mark does not name it. */
  async #dueKey(name: string): Promise<string | undefined> {
    const mark = parseMark(name)
    if (!mark) return undefined
    let row: StoredRow | undefined
    try {
      row = await loadRow(this.#folderOf(mark.place))
    } catch {
      // Who loads this row gets the error; the others that are due must not wait for it.
      return keyOf(mark.place.kind, mark.place.name)
    }
    if (row?.mark === name) return row.key
    if (await this.#isNever(name, mark, row)) await this.#removeMark(name)
    return undefined
  }

  /** Whether a mark that its row does not name will not be named later either. */
  async #isNever(name: string, mark: Mark, row: StoredRow | undefined): Promise<boolean> {
    if (row && row.version >= mark.version) return true
    // Its writer is at work, sleeps, or has died.
    if (!(await this.#isOld(this.#markPath(name)))) return false
    if (row) return this.#replace(mark.place, row, newWrite(row.version), row, null)
    await this.#discardNew(mark.write)
    return !(await exists(this.#folderOf(mark.place)))
  }

  /** After this, its writer cannot move it into its place. */
  async #discardNew(write: string): Promise<void> {
    const discarded = join(this.#new, `x${write}`)
    await ifExists(rename(join(this.#new, write), discarded))
    await rm(discarded, {recursive: true, force: true})
  }

  async #isOld(path: string): Promise<boolean> {
    const stats = await ifExists(stat(path))
    return stats !== undefined && Date.now() - stats.mtimeMs > DEAD_AFTER_MS
  }

  async #addMark(name: string): Promise<void> {
    const path = this.#markPath(name)
    const folder = dirname(path)
    for (;;) {
      await this.#make(folder)
      if (await ifExists(createEmpty(path).then(() => true))) break
      // Another process has removed it, because its day has passed.
      this.#made.delete(folder)
    }
    await syncFolder(folder)
    // Another process may have just made it again, and not synced its name yet.
    if (isPast(dueDay(name))) await syncFolder(this.#due)
  }

  #removeMark(name: string): Promise<void> {
    return rm(this.#markPath(name), {force: true})
  }

  #markPath(name: string): string {
    return join(this.#due, dueDay(name), name)
  }

  /** Empty folders of past days would otherwise be listed for ever. */
  async #removeDay(day: string): Promise<void> {
    if (!isPast(day)) return
    this.#made.delete(join(this.#due, day))
    // Another process may have removed it, or made a mark in it.
    await rmdir(join(this.#due, day)).catch(ignore)
  }

  /** When this fails, the row can be read, but is not sure to be there after a power cut: nothing that is read is. */
  async #syncLast(folder: string): Promise<void> {
    try {
      await syncFolder(folder)
    } catch (error) {
      this.#isStopped = true
      throw error
    }
  }

  #make(folder: string): Promise<void> {
    const known = this.#made.get(folder)
    if (known) return known
    const isRoot = folder === this.folder
    const making = isRoot ? makeFolders(folder) : this.#make(dirname(folder)).then(() => makeFolder(folder))
    this.#made.set(folder, making)
    return making
  }

  #folderOf({kind, bucket, name}: Place): string {
    return join(this.#rows, kind, bucket, name)
  }
}

/** Leaves a day for the clocks of other processes. */
function isPast(day: string): boolean {
  return isDueBefore(day, Date.now() - DAY_MS)
}

function ignore(): void {}
