/** Four processes use the same charges at once: each has one crypto charge and one address, and its journal has no gap. */
import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {openStore} from '../../src/cli/open-store.js'
import {crashHarness} from './crash-harness.js'
import {databases, type StartedDatabase} from './databases.js'
import {order} from './order.js'

const PROCESSES = 4
/** `RACE_CHARGES=2000` for the long run. */
const CHARGES = Number(process.env['RACE_CHARGES'] ?? 6)
const minting = crashHarness('racing-checkout.ts')
const appending = crashHarness('racing-appends.ts')
const ordering = crashHarness('racing-orders.ts')
const ORDERS = Math.min(2 * CHARGES, 40)

async function raceToMint(store: string): Promise<void> {
  const {service} = minting.checkout(minting.folder('unused'))
  const ids: string[] = []
  while (ids.length < CHARGES) ids.push((await service.createCharge(order()))._id)
  const before = {...minting.sandbox.calls}
  const results = await Promise.all(Array.from({length: PROCESSES}, () => minting.run(store, ids.join(','))))
  assert.equal(minting.sandbox.calls.createCryptoCharge - before.createCryptoCharge, CHARGES)
  assert.equal(minting.sandbox.calls.convert - before.convert, CHARGES)
  const lines = results.flatMap(({printed}) => printed.trim().split('\n'))
  assert.equal(lines.length, PROCESSES * CHARGES)
  assert.equal(new Set(lines).size, CHARGES)
  for (const line of lines) assert.match(line, /^\S+ 0x[0-9a-fA-F]{40}$/)
}

async function raceToOrder(store: string): Promise<void> {
  const before = ordering.sandbox.calls.createCharge
  const results = await Promise.all(
    Array.from({length: PROCESSES}, () => ordering.run(store, String(ORDERS))),
  )
  const lines = results.flatMap(({printed}) => printed.trim().split('\n'))
  assert.equal(lines.length, PROCESSES * ORDERS)
  assert.equal(new Set(lines).size, ORDERS)
  assert.equal(ordering.sandbox.calls.createCharge - before, ORDERS)
}

const JOURNALS = Math.min(2 * CHARGES, 40)
const ENTRIES = 25
const TOTAL = JOURNALS * ENTRIES

async function raceToAppend(where: string): Promise<void> {
  // Three of the four processes are killed at different times.
  const results = await Promise.all(
    [0, 0.1, 0.3, 0.6].map((share, index) =>
      appending.run(where, `process-${index}`, ...[JOURNALS, ENTRIES, share * TOTAL].map(String)),
    ),
  )
  assert.deepEqual(
    results.map(({end}) => end),
    [0, 'SIGKILL', 'SIGKILL', 'SIGKILL'],
  )
  const won = results.flatMap(({printed}) => printed.trim().split('\n')).filter(Boolean)
  const {store, close} = await openStore(where)
  const stored: string[] = []
  for (let index = 0; index < JOURNALS; index++) {
    const entries = await store.read(`charge-${index}`)
    assert.deepEqual(
      entries.map(entry => entry.split(' ').slice(0, 2).join(' ')),
      Array.from({length: ENTRIES}, (_, rev) => `charge-${index} ${rev + 1}`),
    )
    stored.push(...entries)
  }
  await close()
  // Each winner's entry is stored. What else is stored was written by a process that was killed before it knew.
  assert.equal(new Set(won).size, won.length)
  assert.deepEqual(
    won.filter(entry => !stored.includes(entry)),
    [],
  )
  for (const entry of stored) assert.ok(won.includes(entry) || !entry.endsWith('process-0'), entry)
}

for (const {name, skip, start} of databases)
  describe(`${PROCESSES} processes over ${name}`, {skip}, () => {
    let database: StartedDatabase
    before(async () => void (database = await start()))
    after(() => database.stop())

    test(`invariant 3: mint once for each of ${CHARGES} charges`, () => raceToMint(database.url))

    test(`create one charge for each of ${ORDERS} orders`, () => raceToOrder(database.url))

    test(`append ${TOTAL} entries, each of which has one winner, also when three are killed`, () =>
      raceToAppend(database.url))
  })
