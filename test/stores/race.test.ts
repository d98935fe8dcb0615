/** Four processes store the same rows at once, and three of them are killed: each version has one winner. */
import assert from 'node:assert/strict'
import {rm} from 'node:fs/promises'
import {join} from 'node:path'
import {after, before, describe, test} from 'node:test'
import {openStore} from '../../src/cli/open-store.js'
import {bundled} from '../processes/bundle.js'
import {databases, type StartedDatabase} from './databases.js'
import {runProcess} from './run-process.js'
import {EVER} from './stored-files.js'

/** `RACE_KEYS=200` for the long run. */
const KEYS = Number(process.env['RACE_KEYS'] ?? 16)
const VERSIONS = 25
const TOTAL = KEYS * VERSIONS

let script = ''
before(() => void (script = bundled('racing-puts.ts')))
after(() => rm(join(script, '..'), {recursive: true}))

async function race(where: string): Promise<void> {
  // Early, so that each is killed before the others have stored everything.
  const results = await Promise.all(
    [0, 0.05, 0.1, 0.15].map((share, index) =>
      runProcess(
        script,
        where,
        `process-${index}`,
        ...[KEYS, VERSIONS, Math.ceil(share * TOTAL)].map(String),
      ),
    ),
  )
  const won = results.flatMap(({printed}) => printed.trim().split('\n')).filter(Boolean)
  assert.equal(new Set(won).size, won.length)
  const {store, close} = await openStore(where)
  const keys = await store.keys('charge/', 'charge0', KEYS + 1)
  assert.equal(keys.length, KEYS)
  const due = (await store.due(EVER, KEYS + 10)).filter(key => key.startsWith('charge/'))
  assert.deepEqual(due.sort(), keys)
  assert.ok((await store.due(VERSIONS, KEYS)).every(key => key.startsWith('started/')))
  const stored: string[] = []
  for (const key of keys) {
    const row = await store.get(key)
    const {history} = JSON.parse(row!.value) as {history: string[]}
    assert.deepEqual([row?.version, history.length], [VERSIONS, VERSIONS])
    stored.push(...history.map((who, index) => `${key} ${index + 1} ${who}`))
  }
  await close()
  // Each winner is stored. What else is stored was written by a process that was killed before it knew.
  assert.deepEqual(
    won.filter(each => !stored.includes(each)),
    [],
  )
  const killed = results.flatMap(({end}, index) => (end === 'SIGKILL' ? [`process-${index}`] : []))
  assert.ok(killed.length >= 2 && !killed.includes('process-0'), killed.join())
  for (const each of stored) assert.ok(won.includes(each) || killed.some(who => each.endsWith(who)), each)
}

for (const {name, skip, start} of databases)
  describe(`four processes over ${name}`, {skip}, () => {
    let database: StartedDatabase
    before(async () => void (database = await start()))
    after(() => database.stop())

    test(`store ${TOTAL} versions, each of which has one winner, also when others are killed`, () =>
      race(database.url))
  })
