/** The stores that need no server: `memoryStore`, and `fileStore`, also on a disk that fails. */
import assert from 'node:assert/strict'
import {execFileSync, fork} from 'node:child_process'
import {once} from 'node:events'
import fs from 'node:fs'
import {chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile} from 'node:fs/promises'
import {syncBuiltinESMExports} from 'node:module'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, before, test, type TestContext} from 'node:test'
import type {Store} from '../../src/contract/store.js'
import {ephemeralReason} from '../../src/stores/ephemeral-folder.js'
import {fileStore} from '../../src/stores/file-store.js'
import {memoryStore} from '../../src/stores/memory-store.js'
import {requireProgram, skipWithout} from '../system/programs.js'
import {asUnprivileged} from '../system/unprivileged.js'
import {storeConformance} from './conformance.js'
import {assertTidy, marksOf, EVER} from './stored-files.js'

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

/** Replaces `fs.fsync` until the test is over. */
function failSync(t: TestContext, isFailing: () => boolean): void {
  const {fsync} = fs
  t.mock.method(fs, 'fsync', (fd: number, done: (error: Error | null) => void) =>
    isFailing() ? done(Object.assign(new Error('canary'), {code: 'EIO'})) : fsync(fd, done),
  )
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
}

test('when a sync fails before the row is in its place, the row is the old one, and the store goes on', async t => {
  const folder = join(root, 'failing-sync')
  const store = fileStore(folder)
  let failing = Infinity
  let syncs = 0
  failSync(t, () => ++syncs === failing)
  await store.put('c1', 1, 'x', 1)
  // The row's file, and the folder of marks.
  for (failing of [1, 2]) {
    syncs = 0
    await assert.rejects(store.put('c1', 2, 'y', 2), /cannot be written \(EIO\)/)
    assert.deepEqual(await store.get('c1'), {version: 1, value: 'x'})
    assert.deepEqual(await store.due(EVER, 10), ['c1'])
    assert.equal((await marksOf(folder)).length, 1)
  }
  failing = Infinity
  assert.equal(await store.put('c1', 2, 'y', 2), true)
  await assertTidy(folder, store)
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
  failSync(t, () => ++syncs < 0)
  const syncsOf = async (key: string, due: number) => {
    await store.put(key, 1, 'x', due)
    syncs = 0
    await store.put(key, 2, 'x', due + 1)
    return syncs
  }
  assert.equal(await syncsOf('c1', 1), (await syncsOf('c2', later)) + 1)
})

test('when the last sync fails, the store stops, because what it reads may be gone after a power cut', async t => {
  const store = fileStore(join(root, 'failing-last-sync'))
  let syncs = 0
  let failing = Infinity
  failSync(t, () => ++syncs === failing)
  await store.put('c1', 1, 'x', null)
  syncs = 0
  failing = 2
  await assert.rejects(store.put('c1', 2, 'y', null), /cannot be written \(EIO\)/)
  failing = Infinity
  for (const act of [
    () => store.get('c1'),
    () => store.put('c1', 3, 'z', null),
    () => store.due(EVER, 1),
    () => store.keys('', '~', 1),
  ])
    await assert.rejects(act(), {name: 'StoreError', message: /^the disk of .* failed, .*: restart$/})
})

test('an ephemeral folder is recognized', () => {
  const plain = () => false
  assert.equal(ephemeralReason('/srv/shop/.crypto-checkout', {}, plain), undefined)
  assert.match(ephemeralReason('/srv/shop', {VERCEL: '1'}, plain) ?? '', /Vercel/)
  assert.match(ephemeralReason('/tmp/shop', {}, plain) ?? '', /temporary/)
  assert.match(ephemeralReason('/app', {}, path => path === '/.dockerenv') ?? '', /container/)
})

// The limit on the size of a process's files acts as a full disk: files are created, and nothing is written to them.
test('a full disk fails writes but loses nothing', {skip: skipWithout('prlimit')}, async t => {
  const folder = join(root, 'full-disk')
  const child = fork('test/processes/filling-store.ts', [folder], {execArgv: ['--import', 'tsx']})
  t.after(() => child.kill())
  await once(child, 'message')
  const call = async (...args: unknown[]): Promise<unknown> => {
    child.send(args)
    const [reply] = (await once(child, 'message')) as unknown[]
    return reply
  }
  const limitFiles = (bytes: string) =>
    execFileSync(requireProgram('prlimit'), ['--pid', String(child.pid), `--fsize=${bytes}:unlimited`])

  assert.equal(await call('put', 'c1', 1, 'x', 1), true)
  const files = (await filesBelow(folder)).length
  limitFiles('0')
  for (const [key, version] of [
    ['c1', 2],
    ['c2', 1],
  ])
    assert.match(
      String(await call('put', key, version, 'y', 2)),
      /^StoreError: .* cannot be written \(EFBIG\)$/,
    )
  assert.deepEqual(await call('get', 'c1'), {version: 1, value: 'x'})
  assert.deepEqual(await call('due', EVER, 10), ['c1'])
  assert.equal((await filesBelow(folder)).length, files)
  limitFiles('unlimited')
  assert.equal(await call('put', 'c1', 2, 'y', 2), true)
  assert.equal(await call('put', 'c2', 1, 'y', 2), true)
  await assertTidy(folder, fileStore(folder))
})
