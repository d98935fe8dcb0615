import assert from 'node:assert/strict'
import {chmod, mkdtemp, readdir, rm, stat, writeFile} from 'node:fs/promises'
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
