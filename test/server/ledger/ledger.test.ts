/** The ledger over the real proxy and the sandbox. The histories of orders compare it with what the service lists. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {LedgerPeriod} from '../../../src/server/ledger/ledger.js'
import type {LedgerPayment} from '../../../src/server/ledger/ledger-payment.js'
import {memoryStore} from '../../../src/stores/memory-store.js'
import type {Store} from '../../../src/contract/store.js'
import {shop} from '../orders/shop.js'
import {usdt} from '../scripted-service.js'

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
    await clock.jump(DAY)
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

test('payments that two processes find in the same millisecond have a row each', async () => {
  const {checkout, clock, sandbox, quote, inTime, request, requestOf, start} = shop()
  const {chargeId} = await checkout.createOrder('order-7')
  await quote(chargeId)
  await clock.advance(2_000)
  const now = clock.now()
  sandbox.payElsewhere(chargeId, {})
  await inTime(request('POST', '/webhook', {chargeId}))
  assert.deepEqual(
    (await list(checkout)).map(({transactionId}) => transactionId),
    [undefined],
  )
  const {transactionId} = sandbox.pay(chargeId, usdt)
  await inTime(requestOf(start())('POST', '/webhook', {chargeId}))
  assert.equal(clock.now(), now)
  assert.deepEqual(
    (await list(checkout)).map(payment => payment.transactionId),
    [transactionId],
  )
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
    await clock.jump(DAY)
    const next = start()
    await next.reconcile()
    assert.equal((await list(next)).length, 1, `stopped after ${writes} writes`)
    await next.close()
  }
})
