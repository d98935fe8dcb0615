import assert from 'node:assert/strict'
import {chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, before, test} from 'node:test'
import {StoreError} from '../../../src/server/errors.js'
import {ephemeralReason} from '../../../src/server/stores/ephemeral-folder.js'
import {fileStore} from '../../../src/server/stores/file-store.js'
import {storeConformance} from './store-conformance.js'

let root = ''
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'file-store-'))
})
after(() => rm(root, {recursive: true}))

storeConformance('fileStore', data => fileStore(join(root, data)), {wakes: false})

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, {recursive: true, withFileTypes: true})
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
}

test('files are readable by their owner only, and no temporary file remains', async () => {
  const folder = join(root, 'modes')
  const store = fileStore(folder)
  await store.append('c1', 1, 'x')
  await store.append('c1', 1, 'y')
  const files = await filesBelow(folder)
  assert.equal(files.length, 3)
  for (const file of files) assert.equal((await stat(file)).mode & 0o777, 0o600)
})

test('a temporary file of a killed process is ignored', async () => {
  const folder = join(root, 'killed')
  const store = fileStore(folder)
  await store.append('c1', 1, 'x')
  const [, entry = ''] = (await filesBelow(folder)).sort()
  await writeFile(join(entry, '..', '.half-written'), '{"ki')
  await writeFile(join(folder, 'open', '.half-written'), 'c')
  assert.deepEqual(await store.read('c1'), ['x'])
  const open: string[] = []
  for await (const id of store.openCharges()) open.push(id)
  assert.deepEqual(open, ['c1'])
})

test('a folder that cannot be written is a StoreError that names it', async () => {
  const file = join(root, 'a-file')
  await writeFile(file, '')
  await assert.rejects(fileStore(join(file, 'below')).append('c1', 1, 'x'), (error: unknown) => {
    assert.ok(error instanceof StoreError)
    assert.match(error.message, /the store folder .* cannot be written \(ENOTDIR\)/)
    return true
  })
  await chmod(file, 0o600)
})

test('an ephemeral folder is recognized', () => {
  const plain = () => false
  assert.equal(ephemeralReason('/srv/shop/.crypto-checkout', {}, plain), undefined)
  assert.match(ephemeralReason('/srv/shop', {VERCEL: '1'}, plain) ?? '', /Vercel/)
  assert.match(ephemeralReason('/tmp/shop', {}, plain) ?? '', /temporary/)
  assert.match(ephemeralReason('/app', {}, path => path === '/.dockerenv') ?? '', /container/)
})

/** The folder of the only journal below this folder. */
async function journalOf(folder: string): Promise<string> {
  const id = (await filesBelow(folder)).find(file => file.endsWith('/id')) ?? ''
  return join(id, '..')
}

async function writtenJournal(name: string, count: number) {
  const folder = join(root, name)
  const store = fileStore(folder)
  const entries = Array.from({length: count}, (_, index) => `entry ${index + 1}`)
  for (const [index, entry] of entries.entries()) await store.append('c1', index + 1, entry)
  return {folder, store, entries, journal: await journalOf(folder)}
}

test('closing a charge leaves one file with its entries, and later entries follow beside it', async () => {
  const {folder, store, entries, journal} = await writtenJournal('compacted', 12)
  await store.closeCharge('c1')
  assert.deepEqual((await readdir(journal)).sort(), ['entries-12', 'id'])
  assert.equal((await filesBelow(folder)).length, 2)
  assert.equal(await store.append('c1', 13, 'late'), true)
  assert.deepEqual((await readdir(journal)).sort(), ['13', 'entries-12', 'id'])
  assert.equal(await store.append('c1', 14, 'later'), true)
  await store.closeCharge('c1')
  assert.deepEqual((await readdir(journal)).sort(), ['entries-14', 'id'])
  assert.deepEqual(await store.read('c1'), [...entries, 'late', 'later'])
})

test('a crash at any step of compaction leaves a journal that can be read, written and compacted', async () => {
  const count = 6
  // The file with all entries is there, and this many of the single files are gone.
  for (let unlinked = 0; unlinked <= count; unlinked++) {
    const {store, entries, journal} = await writtenJournal(`crash-${unlinked}`, count)
    await writeFile(join(journal, '.half-written'), '["entry')
    await writeFile(join(journal, 'entries-4'), JSON.stringify(entries.slice(0, 4)))
    await writeFile(join(journal, `entries-${count}`), JSON.stringify(entries))
    for (let rev = 1; rev <= unlinked; rev++) await rm(join(journal, String(rev)))
    for (let after = 0; after <= count; after++)
      assert.deepEqual(await store.read('c1', after), entries.slice(after))
    for (let rev = 1; rev <= count; rev++) assert.equal(await store.append('c1', rev, 'other'), false)
    assert.equal(await store.append('c1', count + 1, 'late'), true)
    await store.closeCharge('c1')
    assert.deepEqual(await store.read('c1'), [...entries, 'late'])
    const left = (await readdir(journal)).filter(name => !name.startsWith('.'))
    assert.deepEqual(left.sort(), ['7', 'entries-6', 'id'])
  }
})

test('instances that append and close at the same time lose no entry and write none twice', async () => {
  const folder = join(root, 'racing')
  const won: string[] = []
  const write = async (who: number) => {
    const store = fileStore(folder)
    for (let times = 0; times < 20; times++) {
      const rev = (await store.read('c1')).length + 1
      if (await store.append('c1', rev, `${who}-${rev}`)) won.push(`${who}-${rev}`)
      if (times % 3 === 0) await store.closeCharge('c1')
    }
  }
  await Promise.all([write(1), write(2), write(3)])
  const revOf = (entry: string) => Number(entry.split('-')[1])
  assert.deepEqual(
    await fileStore(folder).read('c1'),
    won.toSorted((a, b) => revOf(a) - revOf(b)),
  )
})

test('a journal of many entries stays in few files', async () => {
  const {store, entries, journal} = await writtenJournal('many', 205)
  assert.equal((await readdir(journal)).length, 7)
  assert.deepEqual(await store.read('c1'), entries)
  assert.deepEqual(await store.read('c1', 150), entries.slice(150))
})

test('a deleted charge leaves no file, also after a crash while it was deleted', async () => {
  const {folder, store, journal} = await writtenJournal('deleted', 3)
  await store.delete('c1')
  assert.deepEqual(await filesBelow(folder), [])
  await store.append('c1', 1, 'again')
  const left = join(journal, '..', `.deleted-${journal.split('/').at(-1)}`)
  await mkdir(left)
  await writeFile(join(left, '2'), 'x')
  assert.deepEqual(await store.read('c1'), ['again'])
  await store.delete('c1')
  assert.deepEqual(await filesBelow(folder), [])
})
