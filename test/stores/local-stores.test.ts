/** The stores of one machine: `fileStore`, also on a full disk, and `memoryStore`. */
import assert from 'node:assert/strict'
import {execFileSync, fork} from 'node:child_process'
import {once} from 'node:events'
import fileSystem, {mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile} from 'node:fs/promises'
import {syncBuiltinESMExports} from 'node:module'
import {tmpdir} from 'node:os'
import {basename, join} from 'node:path'
import {after, before, test, type TestContext} from 'node:test'
import type {Checkout, Problem} from '../../src/contract/index.js'
import {ephemeralReason} from '../../src/stores/ephemeral-folder.js'
import {fileStore} from '../../src/stores/file-store.js'
import {memoryStore} from '../../src/stores/memory-store.js'
import {probeWrite} from '../../src/server/base/probe.js'
import type {Store} from '../../src/contract/store.js'
import {requireProgram, skipWithout} from '../system/programs.js'
import {openOf, storeConformance} from './store-conformance.js'

let root = ''
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'file-store-'))
})
after(() => rm(root, {recursive: true}))

storeConformance('fileStore', data => fileStore(join(root, data)))

const memoryStores = new Map<string, Store>()
storeConformance('memoryStore', data => {
  const store = memoryStores.get(data) ?? memoryStore()
  memoryStores.set(data, store)
  return store
})

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, {recursive: true, withFileTypes: true})
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
}

test('processes that start at once find the same folder usable', async () => {
  for (let round = 0; round < 20; round++)
    await Promise.all(
      Array.from({length: 4}, () => probeWrite(fileStore(join(root, `probed-${round}`)), Date.now())),
    )
})

test('files are readable by their owner only, and no temporary file remains', async () => {
  const folder = join(root, 'modes')
  const store = fileStore(folder)
  await store.append('c1', 1, 'x')
  await store.append('c1', 1, 'y')
  const files = await filesBelow(folder)
  assert.equal(files.length, 3)
  for (const file of files) assert.equal((await stat(file)).mode & 0o777, 0o600)
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
    const stored: string[] = []
    for (let rev = 1; rev <= count; rev++) stored.push(await readFile(join(journal, String(rev)), 'utf8'))
    await writeFile(join(journal, 'entries-4'), JSON.stringify(stored.slice(0, 4)))
    await writeFile(join(journal, `entries-${count}`), JSON.stringify(stored))
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

/** Replaces `link` for the file of this entry, until the test is over. */
function replaceLink(
  test: TestContext,
  rev: number,
  replacement: (link: () => Promise<void>) => Promise<void>,
) {
  const {link} = fileSystem
  test.after(() => {
    test.mock.restoreAll()
    syncBuiltinESMExports()
  })
  test.mock.method(fileSystem, 'link', (from: string, to: string) =>
    basename(to) === String(rev) ? replacement(() => link(from, to)) : link(from, to),
  )
  syncBuiltinESMExports()
}

test('an entry that a network file system links twice is reported as written', async test => {
  const {store} = await writtenJournal('linked-twice', 1)
  replaceLink(test, 2, async link => {
    await link()
    await link()
  })
  assert.equal(await store.append('c1', 2, 'mine'), true)
  assert.equal(await store.append('c1', 2, 'mine'), false)
})

test('an entry that another instance compacts while it is appended is reported as written', async test => {
  const {folder, store, entries} = await writtenJournal('compacted-at-once', 3)
  replaceLink(test, 4, async link => {
    await link()
    await fileStore(folder).closeCharge('c1')
  })
  assert.equal(await store.append('c1', 4, 'mine'), true)
  assert.deepEqual(await store.read('c1'), [...entries, 'mine'])
})

test('of two equal entries, only the first is reported as written, also when it is compacted at once', async test => {
  const {folder, store, entries, journal} = await writtenJournal('taken-and-compacted', 3)
  let isFirst = true
  replaceLink(test, 4, async link => {
    if (isFirst) {
      isFirst = false
      assert.equal(await fileStore(folder).append('c1', 4, 'the same'), true)
      await fileStore(folder).closeCharge('c1')
    }
    await link()
  })
  assert.equal(await store.append('c1', 4, 'the same'), false)
  assert.deepEqual(await store.read('c1'), [...entries, 'the same'])
  assert.deepEqual((await readdir(journal)).sort(), ['entries-4', 'id'])
})

test('a journal of many entries stays in few files', async () => {
  const {store, entries, journal} = await writtenJournal('many', 205)
  assert.equal((await readdir(journal)).length, 7)
  assert.deepEqual(await store.read('c1'), entries)
  assert.deepEqual(await store.read('c1', 150), entries.slice(150))
})

test('a deleted charge leaves no file, also after a crash while it was deleted', async () => {
  const {folder, store, journal} = await writtenJournal('deleted', 3)
  await store.delete('c1', 3)
  assert.deepEqual(await filesBelow(folder), [])
  await store.append('c1', 1, 'again')
  const left = join(journal, '..', `.deleted-${journal.split('/').at(-1)}`)
  await mkdir(left)
  await writeFile(join(left, '2'), 'x')
  assert.deepEqual(await store.read('c1'), ['again'])
  await store.delete('c1', 1)
  assert.deepEqual(await filesBelow(folder), [])
})

test('a temporary file of a killed process is ignored', async () => {
  const folder = join(root, 'killed')
  const store = fileStore(folder)
  await store.append('c1', 1, 'x')
  const [, entry = ''] = (await filesBelow(folder)).sort()
  await writeFile(join(entry, '..', '.half-written'), '{"ki')
  await writeFile(join(folder, 'open', '.half-written'), 'c')
  assert.deepEqual(await store.read('c1'), ['x'])
  assert.deepEqual(await openOf(store), ['c1'])
})

test('a folder that cannot be written is a StoreError that names it', async () => {
  const file = join(root, 'a-file')
  await writeFile(file, '')
  await assert.rejects(fileStore(join(file, 'below')).append('c1', 1, 'x'), {
    name: 'StoreError',
    message: /the store folder .* cannot be written \(ENOTDIR\)/,
  })
})

test('an ephemeral folder is recognized', () => {
  const plain = () => false
  assert.equal(ephemeralReason('/srv/shop/.crypto-checkout', {}, plain), undefined)
  assert.match(ephemeralReason('/srv/shop', {VERCEL: '1'}, plain) ?? '', /Vercel/)
  assert.match(ephemeralReason('/tmp/shop', {}, plain) ?? '', /temporary/)
  assert.match(ephemeralReason('/app', {}, path => path === '/.dockerenv') ?? '', /container/)
})

interface Response {
  readonly status: number
  readonly json: Checkout & Pick<Problem, 'code'>
  readonly logged: readonly string[]
}

// The limit on the size of a process's files acts as a full disk: files are created, and nothing is written to them.
test('a full disk fails writes but loses nothing', {skip: skipWithout('prlimit')}, async t => {
  const folder = join(root, 'full-disk')
  const child = fork('test/processes/filling-checkout.ts', [folder], {execArgv: ['--import', 'tsx']})
  t.after(() => child.kill())
  const [[quoted, other]] = (await once(child, 'message')) as [[string, string]]
  const request = async (method: string, path: string, body: unknown = {}): Promise<Response> => {
    child.send([method, path, body])
    const [response] = (await once(child, 'message')) as [Response]
    return response
  }
  const limitFiles = (bytes: string) =>
    execFileSync(requireProgram('prlimit'), ['--pid', String(child.pid), `--fsize=${bytes}:unlimited`])

  await request('POST', `/charges/${quoted}`)
  const {json: before} = await request('POST', `/charges/${quoted}/quote`, {asset: '825', network: 'bsc'})
  assert.ok(before.quote)
  const files = (await filesBelow(folder)).length

  limitFiles('0')
  for (let times = 0; times < 3; times++) {
    const eth = {asset: '1027', network: 'ethereum'}
    const {status, json, logged} = await request('POST', `/charges/${quoted}/quote`, eth)
    assert.deepEqual([status, json.code], [503, 'store_unavailable'])
    assert.match(logged.join(), /StoreError/)
    assert.equal((await request('POST', `/charges/${other}`)).status, 503)
  }
  const meanwhile = await request('GET', `/charges/${quoted}`)
  assert.deepEqual([meanwhile.status, meanwhile.json.quote], [200, before.quote])

  limitFiles('unlimited')
  assert.deepEqual((await request('POST', `/charges/${quoted}`)).json.quote, before.quote)
  assert.equal((await request('POST', `/charges/${other}`)).json.status, 'open')
  const remaining = await filesBelow(folder)
  assert.ok(remaining.length > files)
  assert.deepEqual(
    remaining.filter(path => basename(path).startsWith('.')),
    [],
  )
})
