/** The stores of one machine: `fileStore`, also on a full disk, and `memoryStore`. */
import assert from 'node:assert/strict'
import {execFileSync, fork} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, readdir, rm, stat, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {basename, join} from 'node:path'
import {after, before, test} from 'node:test'
import type {Checkout, Problem} from '../../../src/contract/index.js'
import {ephemeralReason} from '../../../src/server/stores/ephemeral-folder.js'
import {fileStore} from '../../../src/server/stores/file-store.js'
import {memoryStore} from '../../../src/server/stores/memory-store.js'
import type {Store} from '../../../src/server/stores/store.js'
import {requireProgram, skipWithout} from '../../system/programs.js'
import {openOf, storeConformance} from './store-conformance.js'

let root = ''
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'file-store-'))
})
after(() => rm(root, {recursive: true}))

storeConformance('fileStore', data => fileStore(join(root, data)), {hasSubscriptions: false})

const memoryStores = new Map<string, Store>()
storeConformance(
  'memoryStore',
  data => {
    const store = memoryStores.get(data) ?? memoryStore()
    memoryStores.set(data, store)
    return store
  },
  {hasSubscriptions: true},
)

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
