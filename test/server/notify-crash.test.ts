/** A process is killed inside the shop's handler; whoever comes after it tells what may not have been heard. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {crashHarness} from './crash-harness.js'
import {order} from './order.js'
import {requester} from './scripted-service.js'

const CLAIM = 60_000

const site = crashHarness('notifying-checkout.ts')

async function paidCharge(folder: string): Promise<string> {
  const checkout = site.checkout(folder)
  const ask = requester(checkout.fetch)
  const {_id} = await checkout.service.createCharge(order())
  await ask('POST', `/charges/${_id}`)
  const {json} = await ask('POST', `/charges/${_id}/quote`, {asset: '825', network: 'bsc'})
  const {amount, address} = json.quote
  site.sandbox.pay(_id, {asset: '825', network: 'bsc', amount, address})
  await checkout.close()
  return _id
}

/** @returns what the shop was told and the webhook answered, line by line, and how the process ended */
async function webhookInAProcess(folder: string, chargeId: string, dieIn: string, later: number) {
  const {printed, end} = await site.run(folder, chargeId, dieIn, String(later))
  return {told: printed.trim().split('\n'), end}
}

for (const [dieIn, first, second] of [
  ['onPayment', ['onPayment'], ['onPayment', 'onPaid', '200']],
  ['onPaid', ['onPayment', 'onPaid'], ['onPaid', '200']],
] as const)
  test(`killed inside ${dieIn}: told again after a restart, and what was noted is not told twice`, async () => {
    const folder = site.folder(dieIn)
    const chargeId = await paidCharge(folder)
    assert.deepEqual(await webhookInAProcess(folder, chargeId, dieIn, 0), {told: first, end: 'SIGKILL'})
    assert.deepEqual(await webhookInAProcess(folder, chargeId, '', CLAIM), {told: second, end: 0})
    assert.deepEqual(await webhookInAProcess(folder, chargeId, '', 2 * CLAIM), {told: ['200'], end: 0})
  })
