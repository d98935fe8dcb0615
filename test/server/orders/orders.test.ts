import assert from 'node:assert/strict'
import {test} from 'node:test'
import {memoryStore} from '../../../src/stores/memory-store.js'
import {requester, usdt} from '../scripted-service.js'
import {mug, shop} from './shop.js'

const dearer = {...mug, amount: '60'}
const cheaper = {...mug, amount: '10'}

test('an order has one charge, however often it is created', async () => {
  const {checkout, sandbox} = shop()
  const first = await checkout.createOrder('order 7')
  assert.deepEqual(first, {id: 'order 7', chargeId: first.chargeId, chargeIds: [first.chargeId]})
  const same = [mug, {...mug, amount: 49.9}, {...mug, amount: '49.900', currency: 'usd', description: 'Cup'}]
  for (const input of same) assert.deepEqual(await checkout.createOrder('order 7', input), first)
  assert.notEqual((await checkout.createOrder('order 8')).chargeId, first.chargeId)
  assert.equal(sandbox.charges.length, 2)
})

test('a charge has what the order says', async () => {
  const {checkout, sandbox, read, quote} = shop()
  const input = {
    ...mug,
    customer: {...mug.customer, id: 'u7'},
    vat: '7.5',
    partial: true,
    metadata: {cart: 7},
    redirectUrl: 'https://shop.example/thanks',
  }
  const {chargeId} = await checkout.createOrder('order-7', input)
  const {charge} = sandbox.charge(chargeId) ?? {}
  assert.deepEqual(
    [charge?.ref_id, charge?.customer, charge?.metadata, charge?.charge_source],
    [
      'order-7',
      {user_id: 'u7', name: 'Ada', phone: '+2348000000000', email: 'ada@shop.example'},
      {cart: 7},
      'api',
    ],
  )
  await quote(chargeId)
  const {reference, acceptsPartial, redirectUrl, price, vat, country} = await read(chargeId)
  assert.deepEqual(
    {reference, acceptsPartial, redirectUrl, price, vat, country},
    {
      reference: 'order-7',
      acceptsPartial: true,
      redirectUrl: 'https://shop.example/thanks',
      price: {amount: '49.90', currency: 'USD'},
      vat: '7.5',
      country: 'NG',
    },
  )
})

for (const [change, input] of [
  ['price', dearer],
  ['currency', {...mug, currency: 'EUR'}],
  ['kind', {...mug, partial: true}],
  ['expiry', mug],
  ['cancellation', mug],
] as const)
  test(`without money, a new charge replaces one after a change of its ${change}`, async () => {
    const {checkout, clock, quote, read, request, sandbox} = shop()
    const {chargeId: former} = await checkout.createOrder('order-7')
    assert.equal((await quote(former)).json.payable, true)
    if (change === 'expiry') sandbox.expire(former)
    if (change === 'cancellation') sandbox.cancel(former)
    await clock.advance(10_000)
    const {chargeId, chargeIds} = await checkout.createOrder('order-7', input)
    assert.deepEqual(chargeIds, [former, chargeId])
    const {status, payable, replacedBy, quote: shown} = await read(former)
    assert.deepEqual([status, payable, replacedBy, shown], ['expired', false, true, null])
    const problem = await request('POST', `/charges/${former}/quote`, usdt)
    assert.deepEqual([problem.status, problem.json.code], [410, 'expired'])
    assert.equal((await quote(chargeId)).json.payable, true)
  })

test('a charge with money is returned; with another price it is an error', async () => {
  for (const confirmed of [true, false]) {
    const {checkout, pay, sandbox} = shop()
    const order = await checkout.createOrder('order-7')
    await pay(order.chargeId, {confirmed})
    assert.deepEqual(await checkout.createOrder('order-7'), order)
    await assert.rejects(checkout.createOrder('order-7', dearer), {code: 'order_has_payment', status: 409})
    assert.equal(sandbox.charges.length, 1)
  }
})

test('money that another process has just found keeps a charge from being replaced', async () => {
  const {checkout, quote, sandbox, store, start, requestOf, inTime} = shop()
  const {chargeId} = await checkout.createOrder('order-7')
  const {amount, address} = (await quote(chargeId)).json.quote
  sandbox.pay(chargeId, {...usdt, amount, address, confirmed: false})
  await inTime(requestOf(start())('POST', '/webhook', {chargeId}))
  await assert.rejects(checkout.createOrder('order-7', dearer), {code: 'order_has_payment'})
  assert.equal(sandbox.charges.length, 1)
  const [key = ''] = await store.keys('order/', 'order/~', 1)
  assert.doesNotMatch((await store.get(key))?.value ?? '', /"lock"/)
})

test('when the charges of an order cannot be read, nothing is created', async () => {
  const {checkout, clock, sandbox} = shop()
  for (let times = 0; times < 2; times++) await checkout.createOrder('order-7')
  await clock.advance(10_000)
  sandbox.fault('getCharge', {kind: 'status', status: 503})
  for (const input of [mug, dearer]) {
    await assert.rejects(checkout.createOrder('order-7', input), {code: 'upstream_unavailable'})
    await clock.advance(1_000)
  }
  sandbox.clearFaults()
  await checkout.createOrder('order-7')
  assert.equal(sandbox.charges.length, 1)
})

test('a create with an unknown outcome is repeated after its lock, and its charge is never shown', async () => {
  const {checkout, clock, sandbox} = shop()
  sandbox.fault('createCharge', {kind: 'dropAfterEffect', times: 1})
  for (let time = 0; time < 2; time++)
    await assert.rejects(checkout.createOrder('order-7'), {code: 'upstream_unavailable'})
  assert.equal(sandbox.charges.length, 1)
  await clock.advance(20_000)
  const {chargeIds} = await checkout.createOrder('order-7')
  assert.equal(sandbox.charges.length, 2)
  assert.deepEqual(chargeIds, [sandbox.charges[1]?.id])
})

test('a process that is so slow that its lock has ended adds no second charge', async () => {
  const store = memoryStore()
  const {checkout, clock, start, sandbox} = shop({store})
  const wait = () => clock.sleep(4_900)
  const slowStore: typeof store = {
    ...store,
    get: async key => (await wait(), store.get(key)),
    put: async (...row) => (await wait(), store.put(...row)),
  }
  sandbox.fault('createCharge', {kind: 'delay', ms: 9_900, times: 1})
  const slow = start({store: slowStore}).createOrder('order-7', mug)
  await clock.advance(31_000)
  const order = await checkout.createOrder('order-7')
  await clock.advance(60_000)
  assert.deepEqual(await slow, order)
  assert.deepEqual([order.chargeIds.length, sandbox.charges.length], [1, 2])
})

/** An order whose first charge has ended, without money or after a part. */
async function ended({end = 'expire', part}: {end?: 'expire' | 'cancel'; part?: string} = {}) {
  const fixture = shop()
  const {checkout, clock, quote, pay, sandbox, inTime, request, received} = fixture
  const {chargeId: former} = await checkout.createOrder('order-7')
  const {amount, address} = (await quote(former)).json.quote
  if (part) await pay(former, {part})
  sandbox[end](former)
  await inTime(request('POST', '/webhook', {chargeId: former}))
  await clock.advance(10_000)
  received.length = 0
  return {...fixture, former, amount, address}
}

const paidInPart = (end?: 'expire' | 'cancel') => ended({end, part: '20'})

/** Its current charge can be paid. */
async function renewed() {
  const fixture = await ended()
  const {checkout, quote, received} = fixture
  const {chargeId: current} = await checkout.createOrder('order-7')
  assert.equal((await quote(current)).json.payable, true)
  received.length = 0
  return {...fixture, current}
}

test('a former charge that gets paid pays the order, and the current one cannot be paid any more', async () => {
  const {checkout, clock, payElsewhere, read, received, request, inTime, sandbox, former, current} =
    await renewed()
  assert.equal((await inTime(checkout.verify(current))).checkout.payable, true)
  await payElsewhere(former)
  assert.equal((await inTime(checkout.verify(current))).checkout.payable, false)
  assert.deepEqual(received, ['payment 49.90 order-7', `paid ${former} ${former} ${current}`])
  const {payable, quote, status} = await read(current)
  assert.deepEqual([payable, quote, status], [false, null, 'open'])
  assert.equal((await request('POST', `/charges/${current}/quote`, usdt)).json.code, 'already_paid')
  assert.equal((await checkout.createOrder('order-7')).chargeId, former)
  // It is paid for ever, so it is not read any more.
  await clock.advance(15_000)
  const {getCharge} = sandbox.calls
  await read(current)
  assert.equal(sandbox.calls.getCharge, getCharge + 1)
  // The customer had sent to both.
  received.length = 0
  await payElsewhere(current)
  assert.deepEqual(received, ['payment 49.90 order-7', `order_paid_twice ${current} order-7`])
})

test('while a former charge cannot be read, the current one is not quoted; without any read, what is stored decides', async () => {
  const {payElsewhere, sandbox, start, requestOf, inTime, clock, former, current} = await renewed()
  const transport: typeof sandbox.transport = async request =>
    request.url.includes(former) ? {status: 503, headers: {}, body: ''} : sandbox.transport(request)
  const request = requestOf(start({transport}))
  await clock.advance(15_000)
  const refused = await inTime(request('POST', `/charges/${current}/quote`, usdt))
  assert.equal(refused.json.code, 'upstream_unavailable')
  const shown = async () => {
    sandbox.fault('getCharge', {kind: 'status', status: 503})
    await clock.advance(1_500)
    const {json} = await inTime(request('GET', `/charges/${current}`))
    sandbox.clearFaults()
    return [json.stale, json.payable]
  }
  assert.deepEqual(await shown(), [true, true])
  await payElsewhere(former)
  assert.deepEqual(await shown(), [true, false])
})

test('a former charge that gets paid closes the current one within 15 seconds, although its webhook was lost', async () => {
  const {checkout, clock, quote, read, sandbox, received, former, current} = await renewed()
  assert.equal((await read(current)).payable, true)
  sandbox.payElsewhere(former, {listed: true})
  await clock.advance(15_000)
  const {payable, quote: shown} = await read(current)
  assert.deepEqual([payable, shown], [false, null])
  assert.equal((await quote(current)).json.code, 'already_paid')
  await checkout.settle()
  assert.deepEqual(received, ['payment 49.90 order-7', `paid ${former} ${former} ${current}`])
})

test('a page that is loaded again gets the order at once, from reads of the last ten seconds', async () => {
  const {checkout, clock, start, sandbox} = shop()
  const order = await checkout.createOrder('order-7')
  await clock.advance(9_000)
  const calls = {...sandbox.calls}
  const [now, {createOrder}] = [clock.now(), start()]
  assert.deepEqual(await createOrder('order-7', mug), order)
  await clock.advance(900)
  assert.deepEqual(await createOrder('order-7', mug), order)
  assert.equal(sandbox.calls.getCharge, calls.getCharge + 1)
  assert.equal(clock.now(), now + 900)
  await clock.advance(9_100)
  await createOrder('order-7', mug)
  assert.equal(sandbox.calls.getCharge, calls.getCharge + 2)
})

test('an unconfirmed payment on a former charge holds the current one back until it has failed', async () => {
  const fixture = await renewed()
  const {read, sandbox, inTime, request, former, current, amount, address} = fixture
  const {transactionId} = sandbox.pay(former, {...usdt, amount, address, confirmed: false})
  await inTime(request('POST', '/webhook', {chargeId: former}))
  assert.equal((await read(former)).status, 'pending')
  assert.equal((await read(current)).payable, false)
  assert.equal((await request('POST', `/charges/${current}/quote`, usdt)).json.code, 'payment_pending')
  sandbox.failPayment(transactionId)
  await inTime(request('POST', '/webhook', {chargeId: former}))
  assert.equal((await read(current)).payable, true)
  await fixture.pay(current)
  assert.equal((await read(current)).status, 'paid')
})

test('a former charge of another price that gets paid is an alert, and the right one still pays the order', async () => {
  const {checkout, payElsewhere, received} = shop()
  const {chargeId: former} = await checkout.createOrder('order-7', cheaper)
  const {chargeId: current} = await checkout.createOrder('order-7')
  await payElsewhere(former)
  assert.deepEqual(received, ['payment 10.00 order-7', `order_price_mismatch ${former} order-7`])
  const {paid, checkout: shown} = await checkout.getOrder('order-7')
  assert.deepEqual([paid, shown.chargeId], [true, former])
  received.length = 0
  await payElsewhere(current)
  assert.deepEqual(received, [
    'payment 49.90 order-7',
    `paid ${current} ${former} ${current}`,
    `order_paid_twice ${current} order-7`,
  ])
})

test('a charge that a newer version has taken over meanwhile changes nothing in its order', async () => {
  const memory = memoryStore()
  let isDown = true
  /** Between the load of the worker's round and the next one. */
  let isNext = false
  const store: typeof memory = {
    ...memory,
    async put(...row) {
      if (isDown && row[0].startsWith('order/') && row[2].includes('"paid":[{')) throw new Error('down')
      return memory.put(...row)
    },
    due(before, limit) {
      isNext = !isDown && limit > 1
      return memory.due(before, limit)
    },
    async get(key) {
      const row = await memory.get(key)
      if (isNext && row && key.startsWith('charge/'))
        await memory.put(key, row.version + 1, JSON.stringify({...JSON.parse(row.value), format: 2}), 0)
      isNext = false
      return row
    },
  }
  const {checkout, sandbox, quote, clock, start, inTime, request, received} = shop({store})
  const {chargeId} = await checkout.createOrder('order-7')
  await quote(chargeId)
  sandbox.pay(chargeId, usdt)
  assert.notEqual((await inTime(request('POST', '/webhook', {chargeId}))).status, 200)
  await checkout.close()
  const stored = async (prefix: string) => {
    const [key = ''] = await memory.keys(prefix, `${prefix}~`, 1)
    return memory.get(key)
  }
  const before = await stored('order/')
  received.length = 0
  isDown = false
  start()
  await clock.advance(60_000)
  assert.equal(JSON.parse((await stored('charge/'))?.value ?? '').format, 2)
  assert.deepEqual([received, await stored('order/')], [[], before])
})

test('the end of a charge is not told any more when its order has another one', async () => {
  const told: string[] = []
  let isDown = true
  const {checkout, clock, sandbox, quote, inTime, request} = shop({
    onExpired: ({chargeId}) => {
      if (isDown) throw new TypeError('canary')
      told.push(chargeId)
    },
  })
  const end = async () => {
    const {chargeId} = await checkout.createOrder('order-7')
    await quote(chargeId)
    sandbox.expire(chargeId)
    assert.equal((await inTime(request('POST', '/webhook', {chargeId}))).status, 500)
    return chargeId
  }
  await end()
  const last = await end()
  isDown = false
  await clock.advance(60_000)
  assert.deepEqual(told, [last])
})

test('no end of a charge is told when a former one has money, which is read at that moment', async () => {
  for (const end of ['expire', 'cancel'] as const) {
    const {checkout, sandbox, received, inTime, request, former, current} = await renewed()
    sandbox.payElsewhere(former, {listed: true})
    sandbox[end](current)
    await inTime(request('POST', '/webhook', {chargeId: current}))
    await checkout.settle()
    assert.deepEqual(received, ['payment 49.90 order-7', `paid ${former} ${former} ${current}`])
  }
})

test('a cancelled order cannot be paid; later money is an alert', async () => {
  const {checkout, quote, read, request, received, payElsewhere} = shop()
  const {chargeId} = await checkout.createOrder('order-7')
  await quote(chargeId)
  await checkout.cancelOrder('order-7')
  await checkout.cancelOrder('order-7')
  const {status, payable, quote: shown} = await read(chargeId)
  assert.deepEqual([status, payable, shown], ['cancelled', false, null])
  const problem = await request('POST', `/charges/${chargeId}/quote`, usdt)
  assert.deepEqual([problem.status, problem.json.code], [410, 'cancelled'])
  await checkout.reconcile()
  assert.deepEqual(received, [])
  await payElsewhere(chargeId)
  assert.deepEqual(received, ['payment 49.90 order-7', `payment_after_cancel ${chargeId} order-7`])
  assert.equal((await read(chargeId)).status, 'paid')
})

for (const [confirmed, code] of [
  [true, 'already_paid'],
  [false, 'payment_pending'],
] as const)
  test(`cancelling an order is ${code} when the service knows such a payment`, async () => {
    const {checkout, quote, sandbox} = shop()
    const {chargeId} = await checkout.createOrder('order-7')
    const {amount, address} = (await quote(chargeId)).json.quote
    sandbox.pay(chargeId, {...usdt, amount, address, confirmed})
    await assert.rejects(checkout.cancelOrder('order-7'), {code, status: 409})
  })

for (const end of ['expire', 'cancel'] as const)
  test(`after a part and the end of its charge (${end}), the rest of the order is a charge that pays it, once`, async () => {
    const {checkout, clock, pay, quote, read, request, received, former} = await paidInPart(end)
    const {chargeId: current, chargeIds} = await checkout.createOrder('order-7')
    assert.deepEqual(chargeIds, [former, current])
    assert.deepEqual(await checkout.createOrder('order-7'), {id: 'order-7', chargeId: current, chargeIds})
    const before = await checkout.getOrder('order-7')
    assert.deepEqual(
      [before.paid, before.price.amount, before.received.amount, before.due.amount],
      [false, '49.90', '20.00', '29.90'],
    )
    const {json} = await quote(current)
    assert.deepEqual([json.price.amount, json.payable], ['29.90', true])
    assert.deepEqual([(await read(former)).payable, (await read(former)).replacedBy], [false, true])
    assert.equal((await request('POST', `/charges/${former}/quote`, usdt)).json.code, 'expired')
    await pay(current)
    await clock.advance(10_000)
    assert.equal((await checkout.createOrder('order-7')).chargeId, current)
    assert.deepEqual(received, ['payment 29.90 order-7', `paid ${current} ${former} ${current}`])
    const {paid, received: sum, due, checkout: shown} = await checkout.getOrder('order-7')
    assert.deepEqual([paid, sum.amount, due.amount, shown.chargeId], [true, '49.90', '0.00', current])
  })

test('the rest follows the price of the order, and what was paid in another currency cannot be taken from it', async () => {
  const {checkout, read, former} = await paidInPart()
  const restOf = async (input: typeof mug) => {
    const {chargeId} = await checkout.createOrder('order-7', input)
    return (await checkout.getOrder('order-7')).checkout.chargeId === chargeId
      ? (await checkout.getOrder('order-7')).checkout.price.amount
      : ''
  }
  assert.deepEqual([await restOf(mug), await restOf(dearer), await restOf(mug)], ['29.90', '40.00', '29.90'])
  assert.equal((await read(former)).payable, false)
  await assert.rejects(checkout.createOrder('order-7', {...mug, currency: 'EUR'}), {
    code: 'order_has_payment',
  })
})

test('when the sum of all charges covers the price, the order is paid and told once, and nothing is created', async () => {
  const {checkout, sandbox, quote, read, received, former} = await paidInPart()
  const {chargeId: current} = await checkout.createOrder('order-7')
  assert.equal((await quote(current)).json.payable, true)
  for (let times = 0; times < 2; times++) {
    const shown = await checkout.createOrder('order-7', {...mug, amount: '15'})
    assert.equal(shown.chargeId, former)
    await checkout.reconcile()
  }
  assert.deepEqual(received, [`paid ${former} ${former} ${current}`])
  assert.deepEqual([(await read(current)).payable, sandbox.charges.length], [false, 2])
  assert.equal((await checkout.getOrder('order-7')).paid, true)
  await assert.rejects(checkout.cancelOrder('order-7'), {code: 'already_paid'})
})

test('parts on several charges that cover the price together pay the order, once', async () => {
  const {checkout, pay, read, sandbox, inTime, request, received, former} = await paidInPart()
  const {chargeId: current} = await checkout.createOrder('order-7')
  await pay(current, {part: '20'})
  sandbox.payElsewhere(former, {amount: '10', listed: true})
  await inTime(request('POST', '/webhook', {chargeId: former}))
  received.length = 0
  for (let times = 0; times < 2; times++) {
    const {paid, received: sum, due} = await checkout.getOrder('order-7')
    assert.deepEqual([paid, Number(sum.amount) >= 49.9, due.amount], [true, true, '0.00'])
    await checkout.reconcile()
  }
  assert.deepEqual(received, [`paid ${current} ${former} ${current}`])
  assert.equal((await checkout.createOrder('order-7')).chargeId, current)
  const {status, payable} = await read(current)
  assert.deepEqual([status, payable], ['underpaid', false])
})

test('an order that is paid while it is cancelled, and created again then, is told once', async () => {
  const {checkout, quote, payElsewhere, received} = shop()
  const {chargeId} = await checkout.createOrder('order-7')
  await quote(chargeId)
  await checkout.cancelOrder('order-7')
  await payElsewhere(chargeId)
  assert.deepEqual(received, ['payment 49.90 order-7', `payment_after_cancel ${chargeId} order-7`])
  for (let times = 0; times < 2; times++) {
    assert.equal((await checkout.createOrder('order-7')).chargeId, chargeId)
    await checkout.reconcile()
  }
  assert.deepEqual(received.slice(2), [`paid ${chargeId} ${chargeId}`])
})

test('an order that nobody created is not found', async () => {
  const {checkout} = shop()
  const expected = {code: 'order_not_found', status: 404}
  await assert.rejects(checkout.getOrder('order-7'), expected)
  await assert.rejects(checkout.cancelOrder('order-7'), expected)
})

test('a charge without money that the service does not know is replaced, and blocks nothing', async () => {
  const {checkout, clock, sandbox, quote, pay, received} = shop()
  const {chargeId: former} = await checkout.createOrder('order-7')
  await quote(former)
  await clock.advance(10_000)
  sandbox.fault('getCharge', {kind: 'status', status: 404, times: 1})
  const {chargeId, chargeIds} = await checkout.createOrder('order-7')
  assert.deepEqual(chargeIds, [former, chargeId])
  assert.equal((await quote(chargeId)).json.payable, true)
  await pay(chargeId)
  assert.equal(received.at(-1), `paid ${chargeId} ${former} ${chargeId}`)
})

test('an order is alive again after it was cancelled: its former charge pays it, once', async () => {
  const {checkout, quote, payElsewhere, received} = shop()
  const {chargeId: former} = await checkout.createOrder('order-7')
  await quote(former)
  await checkout.cancelOrder('order-7')
  const {chargeId: current} = await checkout.createOrder('order-7')
  await payElsewhere(former)
  assert.deepEqual(received, ['payment 49.90 order-7', `paid ${former} ${former} ${current}`])
  await payElsewhere(current)
  assert.deepEqual(received.slice(2), ['payment 49.90 order-7', `order_paid_twice ${current} order-7`])
})

test('a charge whose order is not in the store is a lost store, reported with the order', async () => {
  const real = memoryStore()
  let isLost = false
  const get: typeof real.get = async key => (isLost && key.startsWith('order/') ? undefined : real.get(key))
  const lost: unknown[] = []
  const {checkout, quote, sandbox, inTime, start} = shop({store: {...real, get}})
  const {chargeId} = await checkout.createOrder('order-7')
  await quote(chargeId)
  await checkout.close()
  isLost = true
  const next = start({onAlert: alert => void lost.push(alert)})
  sandbox.payElsewhere(chargeId, {listed: true})
  const response = await inTime(requester(next.fetch)('POST', '/webhook', {chargeId}))
  assert.ok(response.status >= 500)
  assert.deepEqual(lost, [{kind: 'store_lost', orderId: 'order-7'}])
})

test('a former charge that the service has forgotten stops no operation on its order', async () => {
  const {checkout, clock, read, sandbox, former, current} = await renewed()
  sandbox.forget(former)
  await clock.advance(15_000)
  assert.equal((await read(current)).payable, true)
  assert.equal((await checkout.createOrder('order-7')).chargeId, current)
  assert.equal((await checkout.getOrder('order-7')).checkout.chargeId, current)
  await checkout.cancelOrder('order-7')
  assert.equal((await read(current)).status, 'cancelled')
})

test('a former charge that no page has opened is never minted', async () => {
  const {checkout, request, inTime, sandbox} = shop()
  const {chargeId: former} = await checkout.createOrder('order-7')
  await checkout.createOrder('order-7', dearer)
  const {json} = await inTime(request('POST', `/charges/${former}`))
  assert.deepEqual([json.status, json.replacedBy, json.assets], ['expired', true, []])
  assert.equal(sandbox.calls.createCryptoCharge, 0)
})

test('an order that is paid on an archived charge is paid, and createOrder asks for nothing more', async () => {
  const {checkout, clock, sandbox, store, received} = shop()
  const {chargeId} = await checkout.createOrder('order-7')
  sandbox.expire(chargeId)
  // It ends, is read once more, and is archived.
  for (let rounds = 0; rounds < 3; rounds++) {
    await clock.jump(100 * 86_400_000)
    await checkout.reconcile()
  }
  await checkout.reconcile()
  assert.match((await store.get(`charge/${chargeId}`))?.value ?? '', /"archived"/)
  sandbox.payElsewhere(chargeId, {})
  assert.equal((await checkout.getOrder('order-7')).paid, true)
  await checkout.settle()
  assert.deepEqual((await checkout.createOrder('order-7')).chargeIds, [chargeId])
  assert.match(received.at(-1) ?? '', /^payment_after_archive/)
})

test('a charge that the service has forgotten holds its order only if it had money', async () => {
  const {checkout, sandbox, clock, pay} = shop()
  const {chargeId} = await checkout.createOrder('order-7')
  sandbox.forget(chargeId)
  await clock.advance(20_000)
  const {chargeId: current} = await checkout.createOrder('order-7')
  assert.notEqual(current, chargeId)
  await pay(current, {part: '20'})
  sandbox.forget(current)
  await clock.advance(20_000)
  await assert.rejects(checkout.createOrder('order-7'), {code: 'charge_not_found'})
})
