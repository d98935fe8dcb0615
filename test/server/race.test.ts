/** Four processes use the same charges at once: each has one crypto charge, one quote and one notification, and each order one charge. */
import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {memoryStore} from '../../src/node/index.js'
import {databases, type StartedDatabase} from '../stores/databases.js'
import {crashHarness} from './crash-harness.js'
import {order} from './order.js'
import {usdt} from './scripted-service.js'

const PROCESSES = 4
/** `RACE_CHARGES=1000` for the long run. */
const CHARGES = Number(process.env['RACE_CHARGES'] ?? 6)
const ORDERS = Math.min(2 * CHARGES, 40)
const paying = crashHarness('racing-checkout.ts')
const ordering = crashHarness('racing-orders.ts')

async function race(harness: typeof paying, ...args: readonly string[]): Promise<string[]> {
  const [store = '', ...rest] = args
  const results = await Promise.all(Array.from({length: PROCESSES}, () => harness.run(store, ...rest)))
  return results.flatMap(({printed}) => printed.trim().split('\n')).filter(Boolean)
}

async function raceToPay(store: string): Promise<void> {
  const {sandbox} = paying
  const {service, close} = paying.checkout({store: memoryStore()})
  const ids: string[] = []
  while (ids.length < CHARGES) ids.push((await service.createCharge(order()))._id)
  await close()
  const before = {...sandbox.calls}
  const shown = await race(paying, store, ids.join(','), 'quote')
  assert.equal(sandbox.calls.createCryptoCharge - before.createCryptoCharge, CHARGES)
  assert.equal(sandbox.calls.convert - before.convert, CHARGES)
  assert.equal(shown.length, PROCESSES * CHARGES)
  assert.equal(new Set(shown).size, CHARGES)
  for (const line of shown) assert.match(line, /^\S+ [\d.]+ 0x[0-9a-fA-F]{40}$/)
  for (const id of ids) sandbox.pay(id, usdt)
  const told = await race(paying, store, ids.join(','), 'webhook')
  assert.deepEqual(told.sort(), ids.flatMap(id => [`onPaid ${id}`, `onPayment ${id}`]).sort())
}

async function raceToOrder(store: string): Promise<void> {
  const before = ordering.sandbox.calls.createCharge
  const lines = await race(ordering, store, String(ORDERS))
  assert.equal(lines.length, PROCESSES * ORDERS)
  assert.equal(new Set(lines).size, ORDERS)
  assert.equal(ordering.sandbox.calls.createCharge - before, ORDERS)
}

for (const {name, skip, start} of databases)
  describe(`${PROCESSES} processes over ${name}`, {skip}, () => {
    let database: StartedDatabase
    before(async () => void (database = await start()))
    after(() => database.stop())

    test(`invariants 3 and 10: mint, quote and tell once for each of ${CHARGES} charges`, () =>
      raceToPay(database.url))

    test(`invariant 11: create one charge for each of ${ORDERS} orders`, () => raceToOrder(database.url))
  })
