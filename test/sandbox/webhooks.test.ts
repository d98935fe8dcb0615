import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import * as z from 'zod/mini'
import {chargeSchema, paymentSchema} from '../../src/contract/index.js'
import {webhookFormats} from '../../src/sandbox/webhook-formats.js'
import {activatedFixture, parse, usdtOnBsc, type Fixture} from './fixture.js'

interface Delivery {
  url: string
  body: string
  headers: Record<string, string>
  at: number
}

const webhookUrl = 'https://shop.example/crypto-checkout/webhook'
const webhookSchema = z.object({
  _id: z.string(),
  chargeId: z.string(),
  cryptoChargeId: z.string(),
  reference: z.string(),
  metadata: z.unknown(),
  data: z.extend(paymentSchema, {charge: chargeSchema}),
})

type Outcome = number | Error | 'no response'

/** A merchant whose webhook has these outcomes in turn; the last one repeats. */
async function merchantWith(...outcomes: Outcome[]): Promise<Fixture & {deliveries: Delivery[]}> {
  const deliveries: Delivery[] = []
  const fixture = await activatedFixture({
    webhookUrl,
    deliver: (url, body, headers) => {
      const outcome = outcomes[Math.min(deliveries.length, outcomes.length - 1)] ?? 200
      deliveries.push({url, body, headers, at: fixture.clock.now()})
      if (outcome === 'no response') return new Promise(() => {})
      return typeof outcome === 'number' ? Promise.resolve(outcome) : Promise.reject(outcome)
    },
  })
  return {...fixture, deliveries}
}

async function assertDispatch({client}: Fixture, paymentId: string | undefined, expected: object) {
  const {retries, dispatched, acknowledged} = parse.verification(await client.verifyPayment(paymentId ?? ''))
  assert.deepEqual({retries, dispatched, acknowledged}, expected)
}

describe('a webhook of the sandbox', () => {
  it('has the ids and the metadata of the charge', async () => {
    const merchant = await merchantWith(200)
    const {paymentId, transactionId} = merchant.sandbox.pay(merchant.chargeId, usdtOnBsc)
    await merchant.sandbox.idle()
    const [delivery] = merchant.deliveries
    assert.equal(merchant.deliveries.length, 1)
    assert.equal(delivery?.url, webhookUrl)
    assert.match(delivery?.headers['content-type'] ?? '', /^application\/json/)
    const sent = z.parse(webhookSchema, JSON.parse(delivery?.body ?? ''))
    assert.equal(sent._id, paymentId)
    assert.equal(sent.chargeId, merchant.chargeId)
    assert.equal(sent.cryptoChargeId, merchant.cryptoChargeId)
    assert.deepEqual(sent.metadata, {order: 1, note: {gift: true}})
    assert.equal(sent.data.transaction_id, transactionId)
    assert.equal(sent.data.charge._id, merchant.chargeId)
    await assertDispatch(merchant, paymentId, {retries: 0, dispatched: true, acknowledged: true})
  })

  it('is sent when a payment is seen and when it is confirmed, and names the charge in every format', async () => {
    for (const format of webhookFormats) {
      const merchant = await merchantWith(200)
      const {sandbox, chargeId, cryptoChargeId, deliveries} = merchant
      sandbox.webhookFormat = format
      const {transactionId} = sandbox.pay(chargeId, {...usdtOnBsc, confirmed: false})
      sandbox.confirm(transactionId)
      sandbox.confirm(transactionId)
      await sandbox.idle()
      assert.equal(deliveries.length, 2)
      const id = format === 'cryptoCharge' ? cryptoChargeId : chargeId
      for (const {body} of deliveries) assert.ok(body.includes(id), format)
    }
  })

  it('is retried with growing pauses until a 2xx response', async () => {
    const merchant = await merchantWith(500, new Error('unreachable'), 204)
    const start = merchant.clock.now()
    const {paymentId} = merchant.sandbox.pay(merchant.chargeId, usdtOnBsc)
    await merchant.sandbox.idle()
    await assertDispatch(merchant, paymentId, {retries: 0, dispatched: true, acknowledged: false})
    await merchant.clock.advance(60_000)
    const times = merchant.deliveries.map(({at}) => at - start)
    assert.deepEqual(times, [0, 1_000, 3_000])
    await assertDispatch(merchant, paymentId, {retries: 2, dispatched: true, acknowledged: true})
    assert.equal(merchant.clock.sleepers, 0)
  })

  it('is retried at most five times', async () => {
    const merchant = await merchantWith(new Error('unreachable'))
    const {paymentId} = merchant.sandbox.pay(merchant.chargeId, usdtOnBsc)
    await merchant.clock.advance(3_600_000)
    assert.equal(merchant.deliveries.length, 6)
    await assertDispatch(merchant, paymentId, {retries: 5, dispatched: false, acknowledged: false})
  })

  it('is not retried after a newer event of the payment', async () => {
    const merchant = await merchantWith(500, 200)
    const {sandbox, chargeId} = merchant
    const {transactionId, paymentId} = sandbox.pay(chargeId, {...usdtOnBsc, confirmed: false})
    await sandbox.idle()
    sandbox.confirm(transactionId)
    await merchant.clock.advance(3_600_000)
    assert.equal(merchant.deliveries.length, 2)
    await assertDispatch(merchant, paymentId, {retries: 0, dispatched: true, acknowledged: true})
  })
})
