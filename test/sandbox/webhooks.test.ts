import assert from 'node:assert/strict'
import {createServer} from 'node:http'
import {describe, it} from 'node:test'
import * as z from 'zod/mini'
import {chargeSchema, paymentSchema} from '../../src/contract/index.js'
import {openShop, read, usdtOnBsc, type Shop} from './merchant.js'

interface Delivery {
  url: string
  body: string
  headers: Record<string, string>
  at: number
}

const url = 'https://shop.example/crypto-checkout/webhook'
const webhookSchema = z.object({
  _id: z.string(),
  chargeId: z.string(),
  cryptoChargeId: z.string(),
  reference: z.string(),
  metadata: z.unknown(),
  data: z.extend(paymentSchema, {charge: chargeSchema}),
})

/** A shop whose merchant answers webhooks with these statuses in turn, then with the last of them. */
async function shopAnswering(...statuses: (number | Error)[]): Promise<Shop & {deliveries: Delivery[]}> {
  const deliveries: Delivery[] = []
  const shop = await openShop({
    webhookUrl: url,
    deliver: (to, body, headers) => {
      const status = statuses[Math.min(deliveries.length, statuses.length - 1)] ?? 200
      deliveries.push({url: to, body, headers, at: shop.clock.now()})
      return typeof status === 'number' ? Promise.resolve(status) : Promise.reject(status)
    },
  })
  await shop.merchant.convert({id: shop.cryptoChargeId, ...usdtOnBsc})
  return {...shop, deliveries}
}

async function dispatch({merchant}: Shop, paymentId = '') {
  const {retries, dispatched, acknowledged} = read.verification(await merchant.verifyPayment(paymentId))
  return {retries, dispatched, acknowledged}
}

describe('a webhook of the sandbox', () => {
  it('tells of a payment, with the ids and the metadata of the charge', async () => {
    const shop = await shopAnswering(200)
    const {paymentId, transactionId} = shop.sandbox.pay(shop.chargeId, usdtOnBsc)
    await shop.sandbox.idle()
    const [delivery] = shop.deliveries
    assert.equal(shop.deliveries.length, 1)
    assert.equal(delivery?.url, url)
    assert.match(delivery?.headers['content-type'] ?? '', /^application\/json/)
    const told = z.parse(webhookSchema, JSON.parse(delivery?.body ?? ''))
    assert.equal(told._id, paymentId)
    assert.equal(told.chargeId, shop.chargeId)
    assert.equal(told.cryptoChargeId, shop.cryptoChargeId)
    assert.deepEqual(told.metadata, {order: 1, note: {gift: true}})
    assert.equal(told.data.transaction_id, transactionId)
    assert.equal(told.data.charge._id, shop.chargeId)
    assert.deepEqual(await dispatch(shop, paymentId), {retries: 0, dispatched: true, acknowledged: true})
  })

  it('tells when a payment is seen and again when it is confirmed', async () => {
    const shop = await shopAnswering(200)
    const {transactionId} = shop.sandbox.pay(shop.chargeId, {...usdtOnBsc, confirmed: false})
    shop.sandbox.confirm(transactionId)
    shop.sandbox.confirm(transactionId)
    await shop.sandbox.idle()
    assert.deepEqual(
      shop.deliveries.map(({body}) => z.parse(webhookSchema, JSON.parse(body)).data.status),
      ['PENDING', 'CONFIRMED'],
    )
  })

  it('does not tell of money that is lost', async () => {
    const shop = await shopAnswering(200)
    shop.sandbox.pay(shop.chargeId, {...usdtOnBsc, via: 'ethereum'})
    await shop.sandbox.idle()
    assert.deepEqual(shop.deliveries, [])
  })

  it('is tried again, later each time, until somebody answers 2xx', async () => {
    const shop = await shopAnswering(500, new Error('unreachable'), 204)
    const begin = shop.clock.now()
    const {paymentId} = shop.sandbox.pay(shop.chargeId, usdtOnBsc)
    await shop.sandbox.idle()
    assert.deepEqual(await dispatch(shop, paymentId), {retries: 0, dispatched: true, acknowledged: false})
    await shop.clock.advance(60_000)
    assert.deepEqual(
      shop.deliveries.map(({at}) => at - begin),
      [0, 1_000, 3_000],
    )
    assert.deepEqual(await dispatch(shop, paymentId), {retries: 2, dispatched: true, acknowledged: true})
    assert.equal(shop.clock.sleepers, 0)
  })

  it('gives up after five retries', async () => {
    const shop = await shopAnswering(new Error('unreachable'))
    const {paymentId} = shop.sandbox.pay(shop.chargeId, usdtOnBsc)
    await shop.clock.advance(3_600_000)
    assert.equal(shop.deliveries.length, 6)
    assert.deepEqual(await dispatch(shop, paymentId), {retries: 5, dispatched: false, acknowledged: false})
  })

  it('is tried again when the sandbox clock is moved', async () => {
    const shop = await shopAnswering(500, 200)
    shop.sandbox.pay(shop.chargeId, usdtOnBsc)
    await shop.sandbox.idle()
    shop.sandbox.moveClock(1_000)
    await shop.clock.advance(0)
    assert.equal(shop.deliveries.length, 2)
  })

  it('gives up on a try that nobody answers', async () => {
    let tries = 0
    const shop = await openShop({
      webhookUrl: url,
      deliver: () => {
        tries++
        return tries === 1 ? new Promise<number>(() => {}) : Promise.resolve(200)
      },
    })
    await shop.merchant.convert({id: shop.cryptoChargeId, ...usdtOnBsc})
    const {paymentId} = shop.sandbox.pay(shop.chargeId, usdtOnBsc)
    await shop.clock.advance(11_000)
    assert.deepEqual(await dispatch(shop, paymentId), {retries: 1, dispatched: true, acknowledged: true})
  })

  it('is not tried again once there is newer news of the payment', async () => {
    const shop = await shopAnswering(500, 200)
    const {transactionId, paymentId} = shop.sandbox.pay(shop.chargeId, {...usdtOnBsc, confirmed: false})
    await shop.sandbox.idle()
    shop.sandbox.confirm(transactionId)
    await shop.clock.advance(3_600_000)
    assert.equal(shop.deliveries.length, 2)
    assert.deepEqual(await dispatch(shop, paymentId), {retries: 0, dispatched: true, acknowledged: true})
  })

  it('goes nowhere without a URL, which may be set later', async () => {
    const shop = await shopAnswering(200)
    shop.sandbox.webhookUrl = undefined
    shop.sandbox.pay(shop.chargeId, {...usdtOnBsc, amount: 'part'})
    await shop.sandbox.idle()
    assert.equal(shop.deliveries.length, 0)
    shop.sandbox.webhookUrl = 'https://elsewhere.example/'
    shop.sandbox.pay(shop.chargeId, usdtOnBsc)
    await shop.sandbox.idle()
    assert.equal(shop.deliveries[0]?.url, 'https://elsewhere.example/')
  })

  it('travels over real HTTP by default', async () => {
    const bodies: string[] = []
    const server = createServer((req, res) => {
      let body = ''
      req.on('data', (chunk: Buffer) => (body += chunk.toString()))
      req.on('end', () => {
        bodies.push(`${req.method} ${req.url} ${body}`)
        res.writeHead(200).end('thanks')
      })
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    assert.ok(address && typeof address === 'object')
    try {
      const shop = await openShop({webhookUrl: `http://127.0.0.1:${address.port}/webhook`})
      await shop.merchant.convert({id: shop.cryptoChargeId, ...usdtOnBsc})
      const {paymentId} = shop.sandbox.pay(shop.chargeId, usdtOnBsc)
      await shop.sandbox.idle()
      assert.match(bodies[0] ?? '', /^POST \/webhook \{"_id":/)
      assert.deepEqual(await dispatch(shop, paymentId), {retries: 0, dispatched: true, acknowledged: true})
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})
