/**
 * Writers and scans over one folder, one step on the file system at a time, in random order. Some writers sleep for hours, and
 * some never go on, as after `kill -9`: each version has one winner, no due time is lost, and nothing is left over.
 */
import assert from 'node:assert/strict'
import {AsyncLocalStorage} from 'node:async_hooks'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test, type TestContext} from 'node:test'
import {setImmediate} from 'node:timers/promises'
import type {Store} from '../../src/contract/store.js'
import {fileStore} from '../../src/stores/file-store.js'
import {seededRandom} from '../seeded-random.js'
import {interceptSteps} from './file-steps.js'
import {assertTidy, EVER} from './stored-files.js'

/** `INTERLEAVINGS=4000 SEED=1` for a long run. */
const ROUNDS = Number(process.env['INTERLEAVINGS'] ?? 40)
const SEED = Number(process.env['SEED'] ?? 46)
const KEYS = ['charge/a', 'order/A']
const WRITERS = ['w1', 'w2', 'w3']
const SCANS = ['s1', 's2']
const PUTS = 2
const DUE = [null, 1_000, 2_000, 3_000]
/** Longer than the store waits for a writer. */
const HOURS_MS = 10_000_000

interface Value {
  /** Who has stored each version. */
  readonly history: readonly string[]
  readonly due: number | null
}

interface WaitingStep {
  readonly actor: string
  run(): Promise<void>
}

/** What `WRITERS` and `SCANS` do next. */
let waiting: WaitingStep[] = []
const currentActor = new AsyncLocalStorage<string>()

function waitForTurn(step: () => Promise<unknown>): Promise<unknown> {
  const actor = currentActor.getStore()
  if (actor === undefined) return step()
  return new Promise((resolve, reject) => {
    const run = () => step().then(resolve, reject)
    waiting.push({actor, run})
  })
}

test(`${ROUNDS} random interleavings of writers and scans, seed ${SEED}`, async t => {
  const root = await mkdtemp(join(tmpdir(), 'interleavings-'))
  const {restore, closeFiles} = interceptSteps(waitForTurn)
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const random = seededRandom(SEED * 100_000 + round)
      // The first numbers of seeds that are close are close too.
      for (let skipped = 0; skipped < 3; skipped++) random()
      await runRound(t, join(root, `${round}`), random).catch((error: unknown) => {
        throw new Error(`round ${round}`, {cause: error})
      })
      await closeFiles()
    }
  } finally {
    restore()
    await rm(root, {recursive: true})
  }
})

async function runRound(t: TestContext, folder: string, random: () => number): Promise<void> {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  const won: string[] = []
  const dead = new Set<string>()
  const running = new Set([...WRITERS, ...SCANS])
  let failure: unknown
  waiting = []
  const store = fileStore(folder)
  // Its folders are there then, so most steps are those of rows.
  won.push(...(await putNext(store, KEYS[0]!, 'w1', 1_000)))
  const start = (actor: string, act: () => Promise<void>) =>
    void currentActor.run(actor, () =>
      act()
        .catch((error: unknown) => (failure = error))
        .finally(() => running.delete(actor)),
    )
  for (const writer of WRITERS)
    start(writer, async () => {
      for (let put = 1; put <= PUTS; put++) won.push(...(await putNext(store, pick(KEYS), writer, pick(DUE))))
    })
  for (const scan of SCANS)
    start(scan, async () => {
      while (WRITERS.some(writer => running.has(writer))) await store.due(EVER, 10)
    })

  // The clock of the scans; the files have the real time.
  let isLater = false
  const {now} = Date
  t.mock.method(Date, 'now', () => now() + (isLater ? HOURS_MS : 0))
  let sleeper = ''
  while (running.size > 0) {
    if (random() < 0.1) isLater = !isLater
    if (random() < 0.04) sleeper = pick(WRITERS)
    if (random() < 0.02) dead.add(pick(WRITERS))
    for (const actor of dead) running.delete(actor)
    const alive = waiting.filter(({actor}) => !dead.has(actor))
    const awake = alive.filter(({actor}) => actor !== sleeper)
    if (awake.length === 0) sleeper = ''
    if (alive.length > 0) {
      const step = pick(awake.length > 0 ? awake : alive)
      waiting = waiting.filter(each => each !== step)
      await step.run()
    }
    // Until the actor waits again.
    await setImmediate()
    if (failure !== undefined) throw new Error('a call failed', {cause: failure})
  }
  t.mock.restoreAll()
  await check(folder, won, dead)
}

/** @returns what was stored, if it was */
async function putNext(store: Store, key: string, who: string, due: number | null): Promise<string[]> {
  const row = await store.get(key)
  const {history} = parse(row?.value)
  const version = history.length + 1
  const value = JSON.stringify({history: [...history, who], due})
  // A writer that slept may find that a scan has removed what it was making.
  const isStored = await store.put(key, version, value, due).catch((error: unknown) => {
    if (!String(error).includes('ENOENT')) throw error
    return false
  })
  return isStored ? [`${key} ${version} ${who}`] : []
}

async function check(folder: string, won: readonly string[], dead: ReadonlySet<string>): Promise<void> {
  const store = fileStore(folder)
  const stored: string[] = []
  for (const key of KEYS) {
    const row = await store.get(key)
    const {history, due} = parse(row?.value)
    assert.equal(row?.version ?? 0, history.length)
    stored.push(...history.map((who, index) => `${key} ${index + 1} ${who}`))
    assert.equal((await store.due(EVER, 10)).includes(key), due !== null, `${key} ${due}`)
    if (due === null) continue
    assert.ok(!(await store.due(due, 10)).includes(key))
    assert.ok((await store.due(due + 1, 10)).includes(key))
  }
  assert.equal(new Set(won).size, won.length)
  assert.deepEqual(
    won.filter(each => !stored.includes(each)),
    [],
  )
  for (const each of stored)
    assert.ok(won.includes(each) || [...dead].some(who => each.endsWith(who)), `${each} was not reported`)
  // Each row is written once more, which removes what the dead have left.
  for (const key of KEYS) assert.equal((await putNext(store, key, 'last', 1_000)).length, 1)
  await assertTidy(folder, store)
}

function parse(value = '{"history": [], "due": null}'): Value {
  return JSON.parse(value) as Value
}
