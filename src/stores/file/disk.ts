/**
 * The file system. What must survive a power cut is synced with `fs.fsync`, because the patched file system of Yarn Plug'n'Play
 * has no `FileHandle.sync()`.
 */
import {fsync} from 'node:fs'
import {access, mkdir, open, readdir, type FileHandle} from 'node:fs/promises'
import {dirname} from 'node:path'
import {promisify} from 'node:util'

const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700

/** Creates a file, and writes it to the disk. Its folder is to be synced too. */
export async function writeSynced(path: string, text: string): Promise<void> {
  await using(await open(path, 'wx', PRIVATE_FILE), async file => {
    await file.writeFile(text, 'latin1')
    await sync(file)
  })
}

/** Without content, so there is nothing to sync but its folder. */
export async function createEmpty(path: string): Promise<void> {
  await (await open(path, 'wx', PRIVATE_FILE)).close()
}

export function createFolder(path: string): Promise<void> {
  return mkdir(path, PRIVATE_FOLDER)
}

export async function syncFolder(path: string): Promise<void> {
  await using(await open(path, 'r'), sync)
}

/** Syncs a folder's name also if it is there already, because the process that made it may have died before it did. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await createFolder(path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
  await syncFolder(dirname(path))
}

/** The same with all folders that it is in. Those that this user may not open were made by others. */
export async function makeFolders(path: string): Promise<void> {
  await mkdir(path, {recursive: true, mode: PRIVATE_FOLDER})
  for (let each = path; each !== dirname(each); each = dirname(each))
    try {
      await syncFolder(dirname(each))
    } catch (error) {
      if (!hasCode(error, 'EACCES', 'EPERM', 'EROFS', 'EINVAL')) throw error
    }
}

/** Resolves to undefined when the file or folder is absent. */
export async function ifExists<Result>(act: Promise<Result>): Promise<Result | undefined> {
  try {
    return await act
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

export async function exists(path: string): Promise<boolean> {
  return (await ifExists(access(path).then(() => true))) ?? false
}

/** The names in a folder, without hidden files of others; none when it is absent. */
export async function list(folder: string): Promise<string[]> {
  const names = (await ifExists(readdir(folder))) ?? []
  return names.filter(name => !name.startsWith('.'))
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

async function using(file: FileHandle, act: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    await act(file)
  } finally {
    await file.close()
  }
}

function sync(file: FileHandle): Promise<void> {
  // Looked up at each call, because a patched file system may replace it.
  return promisify(fsync)(file.fd)
}
