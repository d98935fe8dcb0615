/** A process is killed after any effect of minting and quoting; another one resumes the charge. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {systemClock} from '../../src/contract/index.js'
import {crashHarness} from './crash-harness.js'
import {order} from './order.js'
import {requester, usdt} from './scripted-service.js'

const harness = crashHarness('crashing-checkout.ts')
/** After this time every lock of the killed process has expired. */
const LATER_MS = 60_000
const CONCURRENCY = 3

/** Kills a process after this effect, resumes its charge and pays. @returns the number of effects, if it survived */
async function killAndResume(effect: number): Promise<number | undefined> {
  const folder = harness.folder(String(effect))
  const restarted = harness.checkout(folder, {
    clock: {...systemClock, now: () => systemClock.now() + LATER_MS},
  })
  const request = requester(restarted.fetch)
  const chargeId = (await restarted.service.createCharge(order()))._id
  const {printed, end} = await harness.run(folder, chargeId, String(effect))
  assert.ok(end === 'SIGKILL' || end === 0, `ended with ${end}`)

  const opened = await request('POST', `/charges/${chargeId}`)
  assert.equal(opened.status, 200, `effect ${effect}: ${opened.text}`)
  const {json} = await request('POST', `/charges/${chargeId}/quote`, usdt)
  for (const [, shown] of printed.matchAll(/"address":"(\w+)"/g))
    assert.equal(shown, json.quote.address, `effect ${effect}`)
  // A payment to a shown address arrives: its convert had succeeded.
  const {amount, address} = json.quote
  const {recorded} = harness.sandbox.pay(chargeId, {...usdt, amount, address})
  assert.equal(recorded, true, `effect ${effect}`)
  assert.equal((await restarted.verify(chargeId)).paid, true, `effect ${effect}`)
  await restarted.close()
  return end === 0 ? Number(/effects (\d+)/.exec(printed)?.[1]) : undefined
}

test('invariants 1 and 3: a charge resumes with one active set of addresses after a crash at any effect', async () => {
  let effects = Infinity
  for (let first = 1; first <= effects; first += CONCURRENCY) {
    const batch = Array.from({length: CONCURRENCY}, (_, index) => killAndResume(first + index))
    for (const survived of await Promise.all(batch)) effects = Math.min(effects, survived ?? Infinity)
  }
  assert.ok(effects > 8 && effects < 50, `${effects} effects`)
})
