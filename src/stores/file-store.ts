/**
 * The default store: one folder for each charge, one file for each entry, no server and no native module.
 *
 *     <folder>/journals/<first two of hash>/<hash of charge id>/id         the charge id
 *                                                              /entries-9  the entries up to 9, compacted
 *                                                              /10, 11, …  the entries after them
 *     <folder>/open/<hash>                                                 exists until the charge is closed
 *
 * An entry is written to a temporary file, synced, and linked to its number. `link` fails when the number is taken, so
 * exactly one of several processes wins, and no process reads half an entry. The folder is synced before `append`
 * resolves, so the entry survives `kill -9` and, if the disk honours syncs, a power cut.
 *
 * Compaction links `entries-<n>` before it unlinks the files 1 to n, in this order. The highest `entries-<n>` counts, and
 * files up to n beside it are ignored, so every step leaves a readable journal, also when two processes compact.
 *
 * Each entry is stored after the id of its append, because two processes may append equal entries, and only one wins.
 *
 * A tombstone is appended, so no other entry can be, and then becomes the only entry of the compacted file.
 */
import {createHash, randomUUID} from 'node:crypto'
import {link, mkdir, open, readFile, readdir, rename, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {ConfigurationError, StoreError} from '../contract/errors.js'
import type {Store} from '../contract/store.js'

const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700
/** A journal is also compacted after this many entries, because opening many files is slow. */
const COMPACT_EVERY = 100
/** A UUID and a space. */
const ID_LENGTH = 37
/** Files that are read at once. */
const READ_BATCH = 64

/**
 * @param folder a path on a permanent disk: not in a container's own layer, not a serverless function's `/tmp`
 * @throws ConfigurationError for a URL
 */
export function fileStore(folder: string): Store {
  if (typeof folder !== 'string' || !/^(?![a-z][a-z0-9+.-]+:)./i.test(folder))
    throw new ConfigurationError(
      'fileStore needs the path of a folder; for a URL use sqlStore or redisStore with a client',
    )
  const openFolder = join(folder, 'open')

  function journalFolder(hash: string): string {
    return join(folder, 'journals', hash.slice(0, 2), hash)
  }

  /** Before the first entry: creates the folder, the file with the id, and the file that marks the charge as open. */
  async function prepare(chargeId: string, hash: string): Promise<void> {
    const journal = journalFolder(hash)
    await mkdir(openFolder, {recursive: true, mode: PRIVATE_FOLDER})
    await mkdir(journal, {recursive: true, mode: PRIVATE_FOLDER})
    await createExclusive(journal, 'id', chargeId)
    await createExclusive(openFolder, hash, chargeId)
    await syncFolder(join(folder, 'journals', hash.slice(0, 2)))
    await syncFolder(join(folder, 'journals'))
  }

  const store: Store = {
    async append(chargeId, rev, entry) {
      const hash = hashOf(chargeId)
      const journal = journalFolder(hash)
      return withStoreErrors('written', async () => {
        if ((await listJournal(journal)).last !== rev - 1) return false
        if (rev === 1) await prepare(chargeId, hash)
        const stored = `${randomUUID()} ${entry}`
        if (!(await createExclusive(journal, String(rev), stored))) return false
        // Since it was checked, the number may have been taken, compacted and unlinked. Or this entry was compacted.
        if ((await listJournal(journal)).compacted >= rev) {
          await rm(join(journal, String(rev)), {force: true})
          return (await readJournal(journal, rev - 1)).entries[0] === stored
        }
        // The entry is written, so an error must not say that it is not.
        if (rev % COMPACT_EVERY === 0) await compact(journal).catch(() => undefined)
        return true
      })
    },
    async read(chargeId, after = 0) {
      const {entries} = await withStoreErrors('read', () =>
        readJournal(journalFolder(hashOf(chargeId)), after),
      )
      return entries.map(text => text.slice(ID_LENGTH))
    },
    async *openCharges() {
      const hashes = await withStoreErrors('read', () => listIfExists(openFolder))
      for (const hash of hashes) {
        if (hash.startsWith(TEMPORARY)) continue
        const chargeId = await withStoreErrors('read', () => readIfExists(join(openFolder, hash)))
        if (chargeId !== undefined) yield chargeId
      }
    },
    async closeCharge(chargeId) {
      const hash = hashOf(chargeId)
      await withStoreErrors('written', async () => {
        await compact(journalFolder(hash))
        await rm(join(openFolder, hash), {force: true})
      })
    },
    async delete(chargeId, rev, tombstone) {
      const hash = hashOf(chargeId)
      const journal = journalFolder(hash)
      const deleted = join(journal, '..', `${TEMPORARY}deleted-${hash}`)
      const {last} = await withStoreErrors('read', () => listJournal(journal))
      if (last === 0 || (rev ?? last) !== last) return false
      if (tombstone !== undefined && !(await store.append(chargeId, last + 1, tombstone))) return false
      return withStoreErrors('written', async () => {
        if (tombstone !== undefined) {
          await compact(journal, last)
          await rm(join(openFolder, hash), {force: true})
          return true
        }
        // First, because an open charge without a journal would stay open forever.
        await rm(join(openFolder, hash), {force: true})
        // Left by a crash.
        await rm(deleted, {recursive: true, force: true})
        // Renamed, because a crash must not leave half a journal.
        const isRenamed = await ifExists(rename(journal, deleted).then(() => true))
        if (isRenamed) await syncFolder(join(journal, '..'))
        await rm(deleted, {recursive: true, force: true})
        return true
      })
    },
  }
  return store

  async function withStoreErrors<Result>(
    what: 'read' | 'written',
    act: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await act()
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
      throw new StoreError(`the store folder ${folder} cannot be ${what} (${code})`)
    }
  }
}

const TEMPORARY = '.'

/** Charge ids may differ only in letter case, which some file systems ignore. */
function hashOf(chargeId: string): string {
  return createHash('sha256').update(chargeId).digest('hex').slice(0, 40)
}

interface JournalFiles {
  /** The number of entries in the compacted file; 0 when there is none. */
  readonly compacted: number
  /** The number of the last entry before the first gap. */
  readonly last: number
  /** Whether the listing is surely one state of the folder. A long one may miss changes made meanwhile. */
  readonly isComplete: boolean
  /** Files whose entries the compacted file holds too, in ascending order. */
  readonly obsolete: readonly string[]
}

const COMPACTED = /^entries-(\d+)$/

function compactedName(count: number): string {
  return `entries-${count}`
}

async function listJournal(journal: string): Promise<JournalFiles> {
  const revs: number[] = []
  const compactions: number[] = []
  for (const name of await listIfExists(journal)) {
    const count = COMPACTED.exec(name)?.[1]
    if (count !== undefined) compactions.push(Number(count))
    else if (/^\d+$/.test(name)) revs.push(Number(name))
  }
  revs.sort((a, b) => a - b)
  const compacted = Math.max(0, ...compactions)
  const newer = revs.filter(rev => rev > compacted)
  const gap = newer.findIndex((rev, index) => rev !== compacted + index + 1)
  return {
    compacted,
    last: compacted + (gap < 0 ? newer.length : gap),
    isComplete: gap < 0,
    obsolete: [
      ...revs.filter(rev => rev <= compacted).map(String),
      ...compactions.filter(count => count < compacted).map(compactedName),
    ],
  }
}

interface StoredEntries {
  /** With their ids. */
  readonly entries: string[]
  /** The number of the last one. */
  readonly last: number
}

/** Compaction can unlink files while they are listed and read; then they are read again. */
async function readJournal(journal: string, after: number): Promise<StoredEntries> {
  for (let attempt = 1; ; attempt++) {
    const files = await listJournal(journal)
    const entries = await readFiles(journal, files, after)
    const isSure = files.isComplete && (after === 0 || (entries?.length ?? 0) > 0)
    if (entries && (isSure || attempt >= MAX_READS)) return {entries, last: files.last}
    if (attempt >= MAX_READS) throw new Error('the files of a journal change all the time')
  }
}

const MAX_READS = 4

/** Resolves to undefined when a file is gone. */
async function readFiles(
  journal: string,
  {compacted, last}: JournalFiles,
  after: number,
): Promise<string[] | undefined> {
  const entries: string[] = []
  if (after < compacted) {
    const text = await readIfExists(join(journal, compactedName(compacted)))
    if (text === undefined) return undefined
    const stored = parseCompacted(text)
    entries.push(...stored.slice(Math.max(0, after - (compacted - stored.length))))
  }
  for (let rev = Math.max(after, compacted) + 1; rev <= last; rev += READ_BATCH) {
    const size = Math.min(READ_BATCH, last - rev + 1)
    const names = Array.from({length: size}, (_, index) => String(rev + index))
    for (const entry of await Promise.all(names.map(name => readIfExists(join(journal, name))))) {
      if (entry === undefined) return undefined
      entries.push(entry)
    }
  }
  return entries
}

function parseCompacted(text: string): string[] {
  const entries: unknown = JSON.parse(text)
  return Array.isArray(entries) ? entries.map(String) : []
}

/** Puts the entries after number `removed` into one file. */
async function compact(journal: string, removed = 0): Promise<void> {
  const {compacted, last: lastListed} = await listJournal(journal)
  if (lastListed - compacted > 1 || removed > 0) {
    const {entries, last} = await readJournal(journal, removed)
    // Another process may have compacted all entries.
    const place = removed > 0 ? rename : link
    await createExclusive(journal, compactedName(last), JSON.stringify(entries), place)
  }
  for (const name of (await listJournal(journal)).obsolete) await rm(join(journal, name), {force: true})
}

/** Resolves to false when the name is taken by another text. A network file system may report one's own file as taken. */
async function createExclusive(folder: string, name: string, text: string, place = link): Promise<boolean> {
  const temporary = join(folder, `${TEMPORARY}${randomUUID()}`)
  try {
    await writeSynced(temporary, text)
    await place(temporary, join(folder, name))
    await syncFolder(folder)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return (await readIfExists(join(folder, name))) === text
    throw error
  } finally {
    // Also after a failed write: failed attempts must not fill a full disk.
    await rm(temporary, {force: true})
  }
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', PRIVATE_FILE)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Resolves to undefined when the file or folder is absent. */
async function ifExists<Result>(act: Promise<Result>): Promise<Result | undefined> {
  try {
    return await act
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function readIfExists(path: string): Promise<string | undefined> {
  return ifExists(readFile(path, 'utf8'))
}

async function listIfExists(folder: string): Promise<string[]> {
  return (await ifExists(readdir(folder))) ?? []
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
