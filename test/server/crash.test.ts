/** A process is killed between any two steps of minting and quoting; another one goes on in its place. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {systemClock} from '../../src/contract/index.js'
import {crashHarness} from './crash-harness.js'
import {order} from './order.js'
import {requester} from './scripted-service.js'

const site = crashHarness('crashing-checkout.ts')

/** @returns what the killed process had answered by then, and how many steps there were if it lived */
async function killedAt(step: number, folder: string, chargeId: string) {
  const {printed, end} = await site.run(folder, chargeId, String(step))
  assert.ok(end === 'SIGKILL' || end === 0, `ended with ${end}`)
  return {printed, steps: end === 0 ? Number(/steps (\d+)/.exec(printed)?.[1]) : undefined}
}

/** As after a restart: the same folder, and any lock of the dead process run out. */
function restarted(folder: string) {
  const inAMinute = {...systemClock, now: () => systemClock.now() + 60_000}
  return site.checkout(folder, {clock: inAMinute})
}

/** Kills one at this step, goes on in its place, and pays. @returns how many steps there are, if it lived */
async function killAndGoOn(step: number): Promise<number | undefined> {
  const folder = site.folder(String(step))
  const after = restarted(folder)
  const ask = requester(after.fetch)
  const chargeId = (await after.service.createCharge(order()))._id
  const {printed, steps} = await killedAt(step, folder, chargeId)

  const opened = await ask('POST', `/charges/${chargeId}`)
  assert.equal(opened.status, 200, `step ${step}: ${opened.text}`)
  const {json} = await ask('POST', `/charges/${chargeId}/quote`, {asset: '825', network: 'bsc'})
  const shown = [...printed.matchAll(/"address":"(\w+)"/g)].map(([, address]) => address)
  for (const address of shown) assert.equal(address, json.quote.address, `step ${step}`)
  // Money that is sent to what was shown arrives: its convert had succeeded.
  const {amount, address} = json.quote
  assert.equal(
    site.sandbox.pay(chargeId, {asset: '825', network: 'bsc', amount, address}).recorded,
    true,
    `step ${step}`,
  )
  assert.equal((await after.verify(chargeId)).paid, true, `step ${step}`)
  await after.close()
  return steps
}

const AT_ONCE = 3

test('invariants 1 and 3: killed at any step of minting and quoting, the customer sees one active address set', async () => {
  let steps = Infinity
  for (let first = 1; first <= steps; first += AT_ONCE) {
    const batch = Array.from({length: AT_ONCE}, (_, place) => killAndGoOn(first + place))
    for (const lived of await Promise.all(batch)) steps = Math.min(steps, lived ?? Infinity)
  }
  assert.ok(steps > 20 && steps < 200, `${steps} steps`)
})
