/** The ledger over the real proxy and the sandbox. `LEDGER_CHARGES=10000` compares the totals of more charges. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {toCsv} from '../../../src/cli/payments/csv.js'
import {add, decimal, toTrimmedText, type Decimal} from '../../../src/contract/index.js'
import {catalogue} from '../../../src/sandbox/catalogue.js'
import {exactAmount} from '../../../src/server/checkout/money.js'
import type {LedgerPeriod} from '../../../src/server/ledger/ledger.js'
import type {LedgerPayment} from '../../../src/server/ledger/ledger-payment.js'
import {memoryStore} from '../../../src/stores/memory-store.js'
import type {Store} from '../../../src/contract/store.js'
import {seededRandom} from '../../seeded-random.js'
import {mug, shop} from '../orders/shop.js'
import {requester, usdt} from '../scripted-service.js'

const DAY = 86_400_000

interface Ledger {
  payments(period?: LedgerPeriod): AsyncIterable<LedgerPayment>
}

async function list({payments}: Ledger, period?: LedgerPeriod): Promise<LedgerPayment[]> {
  const found: LedgerPayment[] = []
  for await (const payment of payments(period)) found.push(payment)
  return found
}

test('every payment is listed once, the oldest first, with its order, price and what is due', async () => {
  const {checkout, clock, pay, sandbox, read, inTime, request} = shop()
  const {chargeId} = await checkout.createOrder('order-7')
  const first = await pay(chargeId, {part: '20'})
  assert.ok('transactionId' in first)
  await clock.advance(DAY / 48)
  const second = await pay(chargeId, {confirmed: false})
  assert.ok('transactionId' in second)
  const seen = await list(checkout)
  assert.deepEqual(seen[0], {
    time: seen[0]?.time,
    orderId: 'order-7',
    chargeId,
    status: 'confirmed',
    network: 'bsc',
    transactionId: first.transactionId,
    amount: '20',
    currency: 'USDT',
    local: {amount: seen[0]?.local.amount, currency: 'USD'},
    price: {amount: '49.90', currency: 'USD'},
    due: {amount: seen[0]?.due?.amount, currency: 'USD'},
  })
  assert.deepEqual(
    seen.map(({transactionId, status}) => [transactionId, status]),
    [
      [first.transactionId, 'confirmed'],
      [second.transactionId, 'pending'],
    ],
  )
  sandbox.failPayment(second.transactionId)
  await inTime(request('POST', '/webhook', {chargeId}))
  await read(chargeId)
  assert.deepEqual(
    (await list(checkout)).map(({status}) => status),
    ['confirmed', 'dropped'],
  )
})

test('a period has what was first seen in it: from its start up to, but not at, its end', async () => {
  const {checkout, clock, pay} = shop()
  for (const id of ['a', 'b', 'c']) {
    await pay((await checkout.createOrder(id)).chargeId)
    await clock.advance(DAY)
  }
  const all = await list(checkout)
  const ids = async (period: LedgerPeriod) => (await list(checkout, period)).map(({orderId}) => orderId)
  const [, second, third] = all.map(({time}) => new Date(time))
  assert.deepEqual(await ids({}), ['a', 'b', 'c'])
  assert.deepEqual(await ids({since: second}), ['b', 'c'])
  assert.deepEqual(await ids({until: third}), ['a', 'b'])
  assert.deepEqual(await ids({since: second, until: third}), ['b'])
  await assert.rejects(list(checkout, {since: new Date('never')}), {code: 'bad_request'})
})

test('a row is written before its change, and not listed without it', async () => {
  for (let writes = 0, isDone = false; !isDone; writes++) {
    const real = memoryStore()
    let left = Infinity
    const put: Store['put'] = async (...row) => {
      if (left-- <= 0) throw new Error('stopped')
      return real.put(...row)
    }
    const {checkout, quote, sandbox, request, start, clock} = shop({store: {...real, put}})
    const {chargeId} = await checkout.createOrder('order-7')
    await quote(chargeId)
    await clock.advance(2_000)
    sandbox.pay(chargeId, usdt)
    left = writes
    const webhook = request('POST', '/webhook', {chargeId})
    // It tries to record for half a minute.
    await clock.advance(40_000)
    await webhook
    isDone = left >= 0
    left = Infinity
    const rows = (await real.keys('payment/', 'payment0', 10)).length
    const isRecorded = (await real.get(`charge/${chargeId}`))?.value.includes('"transactionId"') === true
    assert.deepEqual([rows, (await list(checkout)).length], [Math.min(writes, 1), Number(isRecorded)])
    // The next process, on the next day, lists it under the day on which it saw it.
    await checkout.close()
    await clock.advance(DAY)
    const next = start()
    await next.reconcile()
    assert.equal((await list(next)).length, 1, `stopped after ${writes} writes`)
    await next.close()
  }
})

/** Adds to the total of the currency, and to that of the charge in it. */
function count(totals: Map<string, Decimal>, chargeId: string, currency: string, amount: string): void {
  for (const key of [currency, `${chargeId} ${currency}`])
    totals.set(key, add(totals.get(key) ?? {units: 0n, scale: 0}, decimal(amount)))
}

function toTexts(totals: ReadonlyMap<string, Decimal>): Record<string, string> {
  return Object.fromEntries([...totals].map(([key, total]) => [key, toTrimmedText(total)]))
}

test('the totals of the CSV are those of the sandbox: of each charge, and of random orders over many days', async () => {
  const {sandbox, clock, start} = shop()
  const core = start()
  const request = requester(core.fetch)
  const random = seededRandom(7)
  const below = (limit: number) => Math.floor(random() * limit)
  const pairs = catalogue.flatMap(({convertId: asset, networks}) =>
    networks.map(({name: network}) => ({asset, network})),
  )
  const wanted = Number(process.env['LEDGER_CHARGES'] ?? 100)
  // Each batch takes hours, in which the worker reads all that is open.
  const size = Math.max(10, Math.ceil(wanted / 100))
  for (let first = 0; first < wanted; first += size) {
    const orders = await Promise.all(
      Array.from({length: Math.min(size, wanted - first)}, async (_, index) => {
        const pair = pairs[below(pairs.length)] ?? usdt
        const units = 100 + below(50_000)
        const currency = ['USD', 'EUR', 'NGN', 'JPY'][below(4)] ?? ''
        const amount = String(currency === 'JPY' ? units : units / 100)
        const {chargeId} = await core.createOrder(`order-${first + index}`, {...mug, amount, currency})
        return {chargeId, pair}
      }),
    )
    for (const path of ['', '/quote']) {
      await clock.advance(1_100)
      await Promise.all(
        orders.map(({chargeId, pair}) => request('POST', `/charges/${chargeId}${path}`, pair)),
      )
    }
    for (let round = 0; round < 2; round++) {
      for (const {chargeId, pair} of orders)
        if (random() < 0.7)
          sandbox.pay(chargeId, {
            ...pair,
            amount: ['exact', 'less', 'more', '7.5', '0.123456'][below(5)] ?? 'exact',
            confirmed: random() < 0.9,
          })
      // After an hour, a payment is late.
      await clock.jump(1_100 + below(DAY / 6))
      await Promise.all(orders.map(({chargeId}) => request('POST', '/webhook', {chargeId})))
    }
  }
  const listed = new Map<string, Decimal>()
  let before = ''
  for await (const line of toCsv(core.payments())) {
    const cells = line.slice(1, -3).split('","')
    const [time = '', , chargeId = '', status, , , amount = '', asset = '', local = '', currency = ''] = cells
    if (status !== 'confirmed') continue
    assert.ok(before <= time)
    before = time
    count(listed, chargeId, asset, amount)
    count(listed, chargeId, currency, local)
  }
  const received = new Map<string, Decimal>()
  for (const {id, payments} of sandbox.charges)
    for (const {data} of payments) {
      if (data.status !== 'CONFIRMED') continue
      const {crypto, local} = data.value
      count(received, id, crypto.currency, String(crypto.amount))
      count(received, id, local.currency, exactAmount(String(local.amount)))
    }
  assert.ok(received.size > wanted)
  assert.deepEqual(toTexts(listed), toTexts(received))
  await core.close()
})
