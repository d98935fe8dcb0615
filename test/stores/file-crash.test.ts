/** A process is killed before each change of the files, while another one reads: the row is the old or the new one. */
import assert from 'node:assert/strict'
import {mkdir, mkdtemp, readdir, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, before, test} from 'node:test'
import type {Store} from '../../src/contract/store.js'
import {fileStore} from '../../src/stores/file-store.js'
import {bundled} from '../processes/bundle.js'
import {runProcess} from './run-process.js'
import {age, assertTidy, EVER} from './stored-files.js'

const KEY = 'charge/C1'
const CONCURRENCY = 3

/** The due time of the row before and after; undefined: there is none, or nothing is written. */
interface Scenario {
  readonly from?: number | null
  readonly to?: number | null
  /** Whether the process has stored another row before. */
  readonly isInUse?: boolean
  /** Leaves what a writer that died before leaves. */
  readonly dead?: (folder: string) => Promise<void>
}

const scenarios: Readonly<Record<string, Scenario>> = {
  'the first row of a folder': {to: 2_000, isInUse: false},
  'a new row': {to: 2_000},
  'a new row without a due time': {to: null},
  'a due time that moves on': {from: 1_000, to: 2_000},
  'a due time that moves back': {from: 2_000, to: 1_000},
  'a due time that stays': {from: 1_000, to: 1_000},
  'a due time that ends': {from: 1_000, to: null},
  'a due time that begins': {from: null, to: 2_000},
  'a row without a due time': {from: null, to: null},
  'a scan after a writer of a new row died': {
    async dead(folder) {
      await mkdir(join(folder, 'new', '1-dead'), {recursive: true})
      await mkdir(join(folder, 'due', '00000000'), {recursive: true})
      await writeFile(join(folder, 'due', '00000000', await markOf(1)), '')
    },
  },
  'a scan after a writer of a later version died': {
    from: 1_000,
    dead: async folder => writeFile(join(folder, 'due', '00000000', await markOf(2)), ''),
  },
}

/** A mark for the row, of a write that did not take place. */
async function markOf(version: number): Promise<string> {
  const other = await mkdtemp(join(tmpdir(), 'mark-'))
  await fileStore(other).put(KEY, 1, 'x', 1_500)
  const [mark = ''] = await readdir(join(other, 'due', '00000000'))
  await rm(other, {recursive: true})
  return mark.replace(/1-\w+$/, `${version}-dead`)
}

let root = ''
let script = ''
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'file-crash-'))
  script = bundled('crashing-puts.ts')
})
after(async () => {
  await rm(root, {recursive: true})
  await rm(join(script, '..'), {recursive: true})
})

for (const [name, scenario] of Object.entries(scenarios))
  test(`killed before any change: ${name}`, async () => {
    let steps = Infinity
    for (let first = 1; first <= steps; first += CONCURRENCY) {
      const numbers = Array.from({length: CONCURRENCY}, (_, index) => first + index)
      const survivors = await Promise.all(numbers.map(step => killAt(name, scenario, step)))
      const survived = survivors.indexOf(true)
      if (survived >= 0) steps = first + survived
    }
    assert.ok(steps > 2 && steps < 20, `${steps} steps`)
  })

/** @returns whether it survived */
async function killAt(
  name: string,
  {from, to, dead, isInUse = true}: Scenario,
  step: number,
): Promise<boolean> {
  const folder = join(root, `${name}-${step}`)
  const store = fileStore(folder)
  const old = from === undefined ? undefined : {version: 1, value: 'old'}
  if (from !== undefined) assert.ok(await store.put(KEY, 1, 'old', from))
  await dead?.(folder)
  if (dead) await age(folder)

  const version = (old?.version ?? 0) + 1
  const next = to === undefined ? old : {version, value: 'new'}
  const put = to === undefined ? [] : [KEY, String(version), 'new', String(to ?? '')]
  let isOver = false
  const running = runProcess(script, folder, isInUse ? '1' : '', String(step), ...put).finally(
    () => (isOver = true),
  )
  // A scan would leave nothing to do for that of the process.
  const scans = !dead
  while (!isOver) await assertOldOrNew(store, scans, old, next)
  const {printed, end} = await running
  assert.ok(end === 'SIGKILL' || end === 0, `ended with ${end}`)

  const row = await assertOldOrNew(store, true, old, next)
  if (end === 0) assert.deepEqual(row, next, printed)
  await assertDue(store, row === undefined ? null : row.value === 'old' ? (from ?? null) : (to ?? null))
  // Another writer goes on, and what the killed one has left goes away.
  assert.ok(await store.put(KEY, (row?.version ?? 0) + 1, 'next', 3_000))
  await assertTidy(folder, store)
  await assertDue(store, 3_000)
  return end === 0
}

async function assertOldOrNew(store: Store, scans: boolean, ...states: unknown[]) {
  const row = await store.get(KEY)
  assert.ok(
    states.some(state => JSON.stringify(state) === JSON.stringify(row)),
    JSON.stringify(row),
  )
  if (scans) assert.ok((await store.due(EVER, 10)).length <= 1)
  const keys = await store.keys('charge/', 'charge0', 10)
  assert.deepEqual(keys, row || keys.length > 0 ? [KEY] : [])
  return row
}

async function assertDue(store: Store, due: number | null): Promise<void> {
  assert.deepEqual(await store.due(EVER, 10), due === null ? [] : [KEY])
  if (due === null) return
  assert.deepEqual(await store.due(due, 10), [])
  assert.deepEqual(await store.due(due + 1, 10), [KEY])
}
