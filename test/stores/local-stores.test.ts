/** The stores that need no server: `memoryStore`, and `fileStore`, also on a disk that fails. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import {chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile} from 'node:fs/promises'
import {syncBuiltinESMExports} from 'node:module'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, before, test} from 'node:test'
import type {Store} from '../../src/contract/store.js'
import {ephemeralReason} from '../../src/stores/ephemeral-folder.js'
import {fileStore} from '../../src/stores/file-store.js'
import {memoryStore} from '../../src/stores/memory-store.js'
import {asUnprivileged} from '../system/unprivileged.js'
import {storeConformance} from './conformance.js'
import {interceptSteps} from './file-steps.js'
import {assertTidy, EVER} from './stored-files.js'

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

test('files are readable by their owner only, and a row leaves two of them and a mark', async () => {
  const folder = join(root, 'modes')
  const store = fileStore(folder)
  await store.put('charge/C1', 1, 'x', 1)
  await store.put('charge/C1', 1, 'y', 2)
  await store.put('charge/C1', 2, 'z', 3)
  const files = await filesBelow(folder)
  assert.equal(files.length, 3)
  for (const file of files) assert.equal((await stat(file)).mode & 0o777, 0o600)
  const folders = (await readdir(folder, {withFileTypes: true})).map(({name}) => join(folder, name))
  for (const each of [folder, ...folders]) assert.equal((await stat(each)).mode & 0o777, 0o700)
  await assertTidy(folder, store)
})

test('a relative folder stays where it was when the store was made', async t => {
  const before = process.cwd()
  t.after(() => process.chdir(before))
  const [one, other] = [join(root, 'one'), join(root, 'other')]
  for (const each of [one, other]) await mkdir(each)
  process.chdir(one)
  const store = fileStore('shop')
  process.chdir(other)
  await store.put('c1', 1, 'x', null)
  assert.deepEqual(await readdir(one), ['shop'])
  assert.deepEqual(await readdir(other), [])
})

test('a folder that cannot be used is a StoreError that names it and the cause', async () => {
  const file = join(root, 'a-file')
  await writeFile(file, '')
  await assert.rejects(fileStore(join(file, 'below')).put('c1', 1, 'x', null), {
    name: 'StoreError',
    message: `the store folder ${join(file, 'below')} cannot be written (ENOTDIR)`,
  })
  const folder = join(root, 'read-only')
  await mkdir(folder)
  await chmod(folder, 0o555)
  await chmod(root, 0o755)
  await asUnprivileged(() =>
    assert.rejects(fileStore(folder).put('c1', 1, 'x', null), {
      message: `the store folder ${folder} cannot be written (EACCES)`,
    }),
  )
})

test('a row that a fault of the disk has damaged is an error, and not an absent row', async () => {
  const folder = join(root, 'damaged')
  const store = fileStore(folder)
  await store.put('c1', 1, 'secret', 1)
  await store.put('c2', 1, 'x', 2)
  const file = (await filesBelow(folder)).find(path => path.includes('/c1/d-'))!
  for (const text of ['', 'secret', '{"key": "secret"}\n', '{\n']) {
    await writeFile(file, text)
    await assert.rejects(store.get('c1'), (error: Error) => {
      assert.match(
        error.message,
        /^the store folder .*damaged cannot be read \(.* holds (no|an unreadable) row\)$/,
      )
      assert.doesNotMatch(error.message, /secret/)
      return true
    })
    // The others are not delayed by it.
    assert.deepEqual(await store.due(EVER, 10), ['c1', 'c2'])
  }
})

/** As after the disk of a process failed, which stops its store. */
async function assertStopped(store: Store): Promise<void> {
  for (const act of [
    () => store.get('c1'),
    () => store.put('c1', 3, 'z', null),
    () => store.due(EVER, 1),
    () => store.keys('', '~', 1),
  ])
    await assert.rejects(act(), {name: 'StoreError', message: /^the disk of .* failed, .*: restart$/})
}

// What is read after the last step failed may be gone after a power cut.
test('whichever step on the disk fails, as on a full one, the row is the old one, or the store stops', async t => {
  let [steps, failing, failed] = [0, 0, '']
  const {restore, closeFiles} = interceptSteps((step, name) => {
    if (++steps !== failing) return step()
    failed = name
    return Promise.reject(Object.assign(new Error('canary'), {code: 'ENOSPC'}))
  })
  t.after(async () => (restore(), closeFiles()))
  const outcomes = new Set<string>()
  for (const version of [1, 2])
    for (let isOver = false, step = 1; !isOver; step++) {
      const folder = join(root, `failing-${version}-${step}`)
      let store = fileStore(folder)
      await store.put('c2', 1, 'x', 3)
      if (version === 2) await store.put('c1', 1, 'old', 1)
      const before = await filesBelow(folder)
      ;[steps, failing] = [0, step]
      const result = await store.put('c1', version, 'new', 2).catch(String)
      isOver = steps < step
      failing = 0
      const row = await fileStore(folder).get('c1')
      if (row?.value === 'new' && result !== true) {
        await assertStopped(store)
        store = fileStore(folder)
      }
      if (result !== true) assert.match(String(result), /^StoreError: .* cannot be written \(ENOSPC\)$/)
      if (row?.value !== 'new') {
        assert.deepEqual(row, version === 2 ? {version: 1, value: 'old'} : undefined)
        // A failed write must not fill a full disk. A rename needs no space.
        if (failed !== 'rename') assert.deepEqual((await filesBelow(folder)).sort(), before.sort())
      }
      outcomes.add(`${version}: ${row?.value}, ${result === true}`)
      assert.deepEqual(await store.due(EVER, 10), row ? ['c1', 'c2'] : ['c2'])
      assert.equal(await store.put('c1', (row?.version ?? 0) + 1, 'next', 2), true)
      await assertTidy(folder, store)
    }
  // For each version: not stored, stored and stopped, stored.
  assert.equal(outcomes.size, 6, [...outcomes].join())
})

test('the folder of a past day is removed when it is empty, and made again for another mark', async () => {
  const folder = join(root, 'days')
  const store = fileStore(folder)
  const days = () => readdir(join(folder, 'due'))
  const later = Date.now() + 90 * 86_400_000
  await store.put('c1', 1, 'x', 1)
  assert.deepEqual(await days(), ['00000000'])
  await store.put('c1', 2, 'x', later)
  assert.deepEqual(await store.due(later, 10), [])
  const [day, ...others] = await days()
  assert.equal(others.length, 0)
  assert.notEqual(day, '00000000')
  await store.put('c2', 1, 'x', 1)
  assert.deepEqual(await store.due(EVER, 10), ['c2', 'c1'])
  // A process that believes that the folder is there.
  const other = fileStore(folder)
  await other.put('c3', 1, 'x', 2)
  for (const key of ['c2', 'c3']) await other.put(key, 2, 'x', null)
  await other.due(EVER, 10)
  await store.put('c4', 1, 'x', 3)
  assert.deepEqual(await store.due(3 + 1, 10), ['c4'])
})

test('a mark for a past day also syncs the folder of days, because another process may have just made that day', async t => {
  const store = fileStore(join(root, 'synced-days'))
  const later = Date.now() + 90 * 86_400_000
  let syncs = 0
  const {fsync} = fs
  t.mock.method(fs, 'fsync', (...call: Parameters<typeof fsync>) => (syncs++, fsync(...call)))
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  const syncsOf = async (key: string, due: number) => {
    await store.put(key, 1, 'x', due)
    syncs = 0
    await store.put(key, 2, 'x', due + 1)
    return syncs
  }
  assert.equal(await syncsOf('c1', 1), (await syncsOf('c2', later)) + 1)
})

test('an ephemeral folder is recognized', () => {
  const plain = () => false
  assert.equal(ephemeralReason('/srv/shop/.crypto-checkout', {}, plain), undefined)
  assert.match(ephemeralReason('/srv/shop', {VERCEL: '1'}, plain) ?? '', /Vercel/)
  assert.match(ephemeralReason('/tmp/shop', {}, plain) ?? '', /temporary/)
  assert.match(ephemeralReason('/app', {}, path => path === '/.dockerenv') ?? '', /container/)
})
