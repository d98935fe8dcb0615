import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import {webhookFormats} from '../../src/sandbox/webhook-formats.js'
import {activatedFixture, json, usdtOnBsc} from './fixture.js'

const webhookUrl = 'https://shop.example/crypto-checkout/webhook'

interface Delivery {
  readonly url: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly at: number
}

/** A merchant whose webhook has these outcomes in turn; the last one repeats. */
async function merchantWith(...outcomes: (number | Error)[]) {
  const deliveries: Delivery[] = []
  const fixture = await activatedFixture({
    webhookUrl,
    deliver: (url, body, headers) => {
      const outcome = outcomes[Math.min(deliveries.length, outcomes.length - 1)] ?? 200
      deliveries.push({url, body, headers, at: fixture.clock.now()})
      return typeof outcome === 'number' ? Promise.resolve(outcome) : Promise.reject(outcome)
    },
  })
  const {clock, sandbox, chargeId, cryptoChargeId} = fixture
  const start = clock.now()
  return {
    ...{clock, sandbox, chargeId, cryptoChargeId, deliveries},
    seconds: () => deliveries.map(({at}) => (at - start) / 1_000),
    async verified() {
      const {retries, dispatched, acknowledged} = json(await fixture.verifyPayment())
      return {retries, dispatched, acknowledged}
    },
  }
}

describe('a webhook of the sandbox', () => {
  it('has the ids and the metadata of the charge', async () => {
    const {sandbox, chargeId, cryptoChargeId, deliveries, verified} = await merchantWith(200)
    const {paymentId, transactionId} = sandbox.pay(chargeId, usdtOnBsc)
    await sandbox.idle()
    const [{url, headers, body} = assert.fail(), ...others] = deliveries
    assert.deepEqual([url, others], [webhookUrl, []])
    assert.match(headers['content-type'] ?? '', /^application\/json/)
    const {data, ...sent} = JSON.parse(body)
    const expected = {_id: paymentId, chargeId, cryptoChargeId, metadata: {order: 1}}
    assert.deepEqual(sent, {...sent, ...expected})
    assert.deepEqual([data.transaction_id, data.charge._id], [transactionId, chargeId])
    assert.deepEqual(await verified(), {retries: 0, dispatched: true, acknowledged: true})
  })

  it('is sent when a payment is seen and when it is confirmed, and names the charge in every format', async () => {
    for (const format of webhookFormats) {
      const {sandbox, chargeId, cryptoChargeId, deliveries} = await merchantWith(200)
      sandbox.webhookFormat = format
      const {transactionId} = sandbox.pay(chargeId, {...usdtOnBsc, confirmed: false})
      for (let times = 0; times < 2; times++) sandbox.confirm(transactionId)
      await sandbox.idle()
      assert.equal(deliveries.length, 2)
      const id = format === 'cryptoCharge' ? cryptoChargeId : chargeId
      for (const {body} of deliveries) assert.ok(body.includes(id), format)
    }
  })

  it('is repeated with growing pauses until a 2xx response, at most five times', async () => {
    const unreachable = new Error('unreachable')
    for (const [outcomes, seconds, result] of [
      [[500, unreachable, 204], [0, 1, 3], {retries: 2, dispatched: true, acknowledged: true}],
      [[unreachable], [0, 1, 3, 7, 15, 31], {retries: 5, dispatched: false, acknowledged: false}],
    ] as const) {
      const merchant = await merchantWith(...outcomes)
      merchant.sandbox.pay(merchant.chargeId, usdtOnBsc)
      await merchant.clock.advance(3_600_000)
      assert.deepEqual(merchant.seconds(), seconds)
      assert.deepEqual(await merchant.verified(), result)
      assert.equal(merchant.clock.sleepers, 0)
    }
  })

  it('is not repeated after a newer event of the payment', async () => {
    const {sandbox, clock, chargeId, seconds} = await merchantWith(500, 200)
    const {transactionId} = sandbox.pay(chargeId, {...usdtOnBsc, confirmed: false})
    await sandbox.idle()
    sandbox.confirm(transactionId)
    await clock.advance(3_600_000)
    assert.deepEqual(seconds(), [0, 0])
  })
})
