/** What must be true of the files of a store when no writer is alive, and time has passed. */
import assert from 'node:assert/strict'
import {readFile, readdir, utimes} from 'node:fs/promises'
import {basename, join, sep} from 'node:path'
import type {Store} from '../../src/contract/store.js'

export const EVER = Number.MAX_SAFE_INTEGER

/** Makes all marks, and rows that are being made, older than the store waits for their writers. */
async function age(folder: string): Promise<void> {
  for (const mark of await marksOf(folder)) await utimes(join(folder, 'due', mark), 0, 0)
  for (const name of await readdir(join(folder, 'new')).catch(() => []))
    await utimes(join(folder, 'new', name), 0, 0)
}

/** The paths of all marks, in the folder `due`. */
export async function marksOf(folder: string): Promise<string[]> {
  const paths = await readdir(join(folder, 'due'), {recursive: true}).catch(() => [])
  return paths.filter(path => path.includes(sep))
}

/** A row has two files, and a mark if it has a due time. Nothing else is left after a write and a scan. */
export async function assertTidy(folder: string, store: Store): Promise<void> {
  await age(folder)
  await store.due(EVER, 1_000)
  // A scan at this time cannot remove the old mark of a row whose token it has just renamed.
  await store.due(EVER, 1_000)
  assert.deepEqual(await readdir(join(folder, 'new')).catch(() => []), [])
  const marks: string[] = []
  for (const row of await rowFolders(join(folder, 'rows'))) {
    const names = (await readdir(row)).sort()
    assert.equal(names.length, 2, names.join())
    const [file = '', token] = names
    assert.equal(file.replace('d-', 't-'), token)
    const [header = ''] = (await readFile(join(row, file), 'latin1')).split('\n')
    const {mark} = JSON.parse(header) as {mark: string | null}
    if (mark) marks.push(mark)
  }
  assert.deepEqual((await marksOf(folder)).map(path => basename(path)).sort(), marks.sort())
}

async function rowFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, {recursive: true, withFileTypes: true})
  return [...new Set(entries.filter(entry => entry.isFile()).map(entry => entry.parentPath))]
}
