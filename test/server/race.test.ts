/** Four processes open and quote the same charges at once: each charge has one crypto charge and one address. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {skipWithout} from '../system/programs.js'
import {startRedis} from '../system/redis-server.js'
import {crashHarness} from './crash-harness.js'
import {order} from './order.js'

const PROCESSES = 4
/** `RACE_CHARGES=2000` for the long run. */
const CHARGES = Number(process.env['RACE_CHARGES'] ?? 25)
const harness = crashHarness('racing-checkout.ts')

async function race(store: string): Promise<void> {
  const {service} = harness.checkout(harness.folder('unused'))
  const ids: string[] = []
  while (ids.length < CHARGES) ids.push((await service.createCharge(order()))._id)
  const before = {...harness.sandbox.calls}
  const results = await Promise.all(Array.from({length: PROCESSES}, () => harness.run(store, ids.join(','))))
  assert.equal(harness.sandbox.calls.createCryptoCharge - before.createCryptoCharge, CHARGES)
  assert.equal(harness.sandbox.calls.convert - before.convert, CHARGES)
  const lines = results.flatMap(({printed}) => printed.trim().split('\n'))
  assert.equal(lines.length, PROCESSES * CHARGES)
  assert.equal(new Set(lines).size, CHARGES)
  for (const line of lines) assert.match(line, /^\S+ 0x[0-9a-fA-F]{40}$/)
}

test(`invariant 3: ${PROCESSES} processes over files mint once for each of ${CHARGES} charges`, () =>
  race(harness.folder('race')))

test(
  `invariant 3: ${PROCESSES} processes over Redis mint once for each of ${CHARGES} charges`,
  {skip: skipWithout('redis-server')},
  async () => {
    const redis = await startRedis()
    await race(`redis://127.0.0.1:${redis.port}`)
    await redis.stop()
  },
)
