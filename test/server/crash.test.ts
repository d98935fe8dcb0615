/** A process is killed after any effect of minting and quoting, or inside a handler; another one resumes the charge. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {systemClock} from '../../src/contract/index.js'
import {crashHarness} from './crash-harness.js'
import {order} from './order.js'
import {requester, usdt} from './scripted-service.js'

const quoting = crashHarness('crashing-checkout.ts')
const notifying = crashHarness('notifying-checkout.ts')
/** After this time every lock and claim of a killed process has expired. */
const LATER_MS = 60_000
const CONCURRENCY = 3

/** Kills a process after this effect, resumes its charge and pays. @returns the number of effects, if it survived */
async function killAndResume(effect: number): Promise<number | undefined> {
  const folder = quoting.folder(String(effect))
  const restarted = quoting.checkout(folder, {
    clock: {...systemClock, now: () => systemClock.now() + LATER_MS},
  })
  const request = requester(restarted.fetch)
  const chargeId = (await restarted.service.createCharge(order()))._id
  const {printed, end} = await quoting.run(folder, chargeId, String(effect))
  assert.ok(end === 'SIGKILL' || end === 0, `ended with ${end}`)

  const opened = await request('POST', `/charges/${chargeId}`)
  assert.equal(opened.status, 200, `effect ${effect}: ${opened.text}`)
  const {json} = await request('POST', `/charges/${chargeId}/quote`, usdt)
  const {amount, address} = json.quote
  for (const [, shown] of printed.matchAll(/"address":"(\w+)"/g))
    assert.equal(shown, address, `effect ${effect}`)
  // The sandbox records a payment to this address only if its convert succeeded.
  const {recorded} = quoting.sandbox.pay(chargeId, {...usdt, amount, address})
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

for (const [dieIn, first, second] of [
  ['onPayment', ['onPayment'], ['onPayment', 'onPaid', '200']],
  ['onPaid', ['onPayment', 'onPaid'], ['onPaid', '200']],
] as const)
  test(`invariant 10: a process killed inside ${dieIn} calls it again after a restart, and no completed handler twice`, async () => {
    const folder = notifying.folder(dieIn)
    const checkout = notifying.checkout(folder)
    const request = requester(checkout.fetch)
    const {_id: chargeId} = await checkout.service.createCharge(order())
    await request('POST', `/charges/${chargeId}`)
    const {amount, address} = (await request('POST', `/charges/${chargeId}/quote`, usdt)).json.quote
    notifying.sandbox.pay(chargeId, {...usdt, amount, address})
    await checkout.close()

    /** The handlers that are called and the webhook's status, and how the process ends. */
    const sendWebhook = async (die: string, later: number) => {
      const {printed, end} = await notifying.run(folder, chargeId, die, String(later))
      return [...printed.trim().split('\n'), end]
    }
    assert.deepEqual(await sendWebhook(dieIn, 0), [...first, 'SIGKILL'])
    assert.deepEqual(await sendWebhook('', LATER_MS), [...second, 0])
    assert.deepEqual(await sendWebhook('', 2 * LATER_MS), ['200', 0])
  })
