/** A process is killed inside a handler of the merchant; the next one calls it again. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {crashHarness} from './crash-harness.js'
import {order} from './order.js'
import {requester, usdt} from './scripted-service.js'

const CLAIM_MS = 60_000

const harness = crashHarness('notifying-checkout.ts')

async function paidCharge(folder: string): Promise<string> {
  const checkout = harness.checkout(folder)
  const request = requester(checkout.fetch)
  const {_id} = await checkout.service.createCharge(order())
  await request('POST', `/charges/${_id}`)
  const {json} = await request('POST', `/charges/${_id}/quote`, usdt)
  const {amount, address} = json.quote
  harness.sandbox.pay(_id, {...usdt, amount, address})
  await checkout.close()
  return _id
}

/** @returns the handlers that were called and the webhook's status, and how the process ended */
async function sendWebhook(folder: string, chargeId: string, dieIn: string, later: number) {
  const {printed, end} = await harness.run(folder, chargeId, dieIn, String(later))
  return {lines: printed.trim().split('\n'), end}
}

for (const [dieIn, first, second] of [
  ['onPayment', ['onPayment'], ['onPayment', 'onPaid', '200']],
  ['onPaid', ['onPayment', 'onPaid'], ['onPaid', '200']],
] as const)
  test(`a process killed inside ${dieIn} calls it again after a restart, and no completed handler twice`, async () => {
    const folder = harness.folder(dieIn)
    const chargeId = await paidCharge(folder)
    assert.deepEqual(await sendWebhook(folder, chargeId, dieIn, 0), {lines: first, end: 'SIGKILL'})
    assert.deepEqual(await sendWebhook(folder, chargeId, '', CLAIM_MS), {lines: second, end: 0})
    assert.deepEqual(await sendWebhook(folder, chargeId, '', 2 * CLAIM_MS), {lines: ['200'], end: 0})
  })
