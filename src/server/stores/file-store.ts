/**
 * The default store: one folder for each charge, one file for each entry, no server and no native module.
 *
 *     <folder>/journals/<first two of hash>/<hash of charge id>/id        the charge id
 *                                                              /1, 2, …   the entries
 *     <folder>/open/<hash>                                                 exists until the charge is closed
 *
 * An entry is written to a temporary file, synced, and linked to its number. `link` fails when the number is taken, so
 * exactly one of several processes wins, and no process reads half an entry. The folder is synced before `append`
 * resolves, so the entry survives `kill -9` and, if the disk honours syncs, a power cut.
 */
import {createHash, randomUUID} from 'node:crypto'
import {link, mkdir, open, readFile, readdir, rm, unlink} from 'node:fs/promises'
import {join} from 'node:path'
import {StoreError} from '../errors.js'
import type {Store} from './store.js'

const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700

/** @param folder a path on a permanent disk: not in a container's own layer, not a serverless function's `/tmp` */
export function fileStore(folder: string): Store {
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

  return {
    async append(chargeId, rev, entry) {
      const hash = hashOf(chargeId)
      return withStoreErrors('written', async () => {
        if (rev === 1) await prepare(chargeId, hash)
        else if (!(await exists(join(journalFolder(hash), String(rev - 1))))) return false
        return createExclusive(journalFolder(hash), String(rev), entry)
      })
    },
    async read(chargeId, after = 0) {
      const journal = journalFolder(hashOf(chargeId))
      return withStoreErrors('read', async () => {
        const entries: string[] = []
        for (let rev = after + 1; ; rev++) {
          const entry = await readIfExists(join(journal, String(rev)))
          if (entry === undefined) return entries
          entries.push(entry)
        }
      })
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
      await withStoreErrors('written', async () => {
        try {
          await unlink(join(openFolder, hashOf(chargeId)))
        } catch (error) {
          if (!hasCode(error, 'ENOENT')) throw error
        }
      })
    },
  }

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

/** Resolves to false when the name is taken. */
async function createExclusive(folder: string, name: string, text: string): Promise<boolean> {
  const temporary = join(folder, `${TEMPORARY}${randomUUID()}`)
  try {
    await writeSynced(temporary, text)
    await link(temporary, join(folder, name))
    await syncFolder(folder)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
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

async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

async function exists(path: string): Promise<boolean> {
  return (await readIfExists(path)) !== undefined
}

async function listIfExists(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
