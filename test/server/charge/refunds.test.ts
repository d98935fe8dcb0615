/** Refund addresses: who may give one, when, and who learns of it. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {memoryStore} from '../../../src/stores/memory-store.js'
import {order} from '../order.js'
import {scripted, usdt} from '../scripted-service.js'
import {mug, shop} from '../orders/shop.js'

const tokenSecret = 'a secret of at least 32 characters'
const DAY = 86_400_000
const bsc = 'bsc'
/** As a wallet shows it, and as some people type it. */
const address = '0x52908400098527886E0F7030069857D2E4169EE7'
const lowerCase = address.toLowerCase()
const other = '0xde709f2102306220921060314715629080e2fb77'
const algorand = 'P7DIFSKS6PVCLBMUTQY32VFHOIQ5HB3LWVAQPHXCXNQHSNHB3IMTQ7NW2E'

function refunds(options: Parameters<typeof shop>[0] = {tokenSecret}) {
  const told: unknown[] = []
  const fixture = shop({
    onRefundAddress: (refund, {id, checkout}) => void told.push({...refund, id, status: checkout.status}),
    ...options,
  })
  const {request, inTime, checkout, clock} = fixture
  return {
    ...fixture,
    told,
    async give(chargeId: string, body: object, call = request) {
      const {status, json} = await inTime(call('POST', `/charges/${chargeId}/refund-address`, body))
      await inTime(checkout.settle())
      return status === 200 && !json.stale ? json.refund : `${status} ${json.code}`
    },
    /** Pays a part of an order, and the time to pay ends. */
    async payPartUntilItEnds(chargeId: string, part = '20') {
      await fixture.pay(chargeId, {part})
      fixture.sandbox.expire(chargeId)
      await clock.advance(10_000)
      return fixture.read(chargeId)
    },
  }
}

/** A customer has sent ten dollars too much. */
async function overpaid(options?: Parameters<typeof shop>[0]) {
  const fixture = refunds(options)
  const {chargeId} = await fixture.checkout.createOrder('order-7')
  const {address: deposit} = (await fixture.quote(chargeId)).json.quote
  await fixture.pay(chargeId, {part: '59.90'})
  return {...fixture, chargeId, deposit}
}

test('a customer who has sent too much says where to send it back; the shop is told once, and the ledger has it', async () => {
  const {read, give, told, checkout, logged, chargeId} = await overpaid()
  assert.equal((await read(chargeId)).refund, 'possible')
  for (const typed of [` ${lowerCase} `, address, `0x${address.slice(2).toUpperCase()}`])
    assert.equal(await give(chargeId, {network: bsc, address: typed}), 'asked')
  assert.equal(await give(chargeId, {network: bsc, address: other}), '409 refund_asked')
  const refund = {chargeId, network: bsc, address, amount: {amount: '10.01', currency: 'USD'}}
  assert.deepEqual(
    told.map(refund => ({...Object(refund), id: undefined})),
    [{...refund, id: undefined, status: 'overpaid'}],
  )
  assert.deepEqual((await checkout.getOrder('order-7')).refunds, [refund])
  for await (const row of checkout.payments()) assert.equal(row.refundAddress, address)
  const log = await checkout.journal(chargeId)
  assert.ok(log.some(({kind}) => kind === 'refund_asked'))
  assert.doesNotMatch(JSON.stringify([log, logged]).toLowerCase(), new RegExp(lowerCase))
  // Only the shop clears it; then the customer gives another one, and the shop is told again.
  await checkout.clearRefundAddress(chargeId)
  assert.equal((await read(chargeId)).refund, 'possible')
  assert.equal(await give(chargeId, {network: bsc, address: other}), 'asked')
  assert.equal(new Set(told.map(refund => Object(refund).id)).size, 2)
})

test('what the shop clears is not told any more, and both are logged without the address', async () => {
  let isDown = true
  const told: string[] = []
  const tell = (text: string) => {
    if (isDown) throw new TypeError('canary')
    told.push(text)
  }
  const {give, read, checkout, clock, logged, chargeId} = await overpaid({
    tokenSecret,
    onPaid: () => tell('paid'),
    onRefundAddress: refund => tell(refund.address.toLowerCase()),
  })
  await give(chargeId, {network: bsc, address})
  for (let time = 0; time < 2; time++) await checkout.clearRefundAddress(chargeId)
  await checkout.clearRefundAddress('unknown')
  assert.equal((await read(chargeId)).refund, 'possible')
  const lines = (await checkout.journal(chargeId)).filter(({kind}) => kind.startsWith('refund'))
  assert.deepEqual(
    lines.map(({at: _, ...line}) => line),
    [{kind: 'refund_asked', network: bsc, amount: '10.01', currency: 'USD'}, {kind: 'refund_cleared'}],
  )
  assert.deepEqual(
    logged.filter(([message]) => message.startsWith('refund')),
    [['refund address cleared', {chargeId}]],
  )
  isDown = false
  await give(chargeId, {network: bsc, address: other})
  await clock.advance(300_000)
  assert.deepEqual(told.toSorted(), [other, 'paid'])
})

test('what cannot be right is refused, and nothing is stored', async () => {
  const {give, told, read, deposit, chargeId} = await overpaid()
  for (const body of [
    {network: bsc, address: address.replace('E', 'e')},
    {network: bsc, address: deposit},
    {network: bsc, address: deposit.toLowerCase()},
    // The contract of the token that was paid.
    {network: bsc, address: '0x55d398326f99059fF775485246999027B3197955'},
    {network: bsc, address: `0x${'0'.repeat(40)}`},
    {network: bsc, address: algorand},
    {network: 'algorand', address: algorand},
    {network: 'polygon', address},
    {network: bsc, address: ''},
    {network: bsc, address: 7},
    {address},
    {network: bsc},
  ])
    assert.equal(await give(chargeId, body), '400 bad_request', JSON.stringify(body))
  assert.deepEqual([(await read(chargeId)).refund, told], ['possible', []])
})

test('nothing can be sent back where nothing is left over', async () => {
  const {checkout, quote, pay, read, give, logged} = refunds()
  const {chargeId: open} = await checkout.createOrder('order-8')
  await quote(open)
  const {chargeId: paid} = await checkout.createOrder('order-9')
  await pay(paid)
  const {chargeId: part} = await checkout.createOrder('order-10')
  await pay(part, {part: '20'})
  for (const chargeId of [open, paid, part]) {
    assert.equal((await read(chargeId)).refund, undefined)
    assert.equal(await give(chargeId, {network: bsc, address}), '400 bad_request')
  }
  assert.doesNotMatch(JSON.stringify(logged), /a request failed/)
})

test('whoever knows the id of a charge cannot redirect a refund: it needs client tokens, and one for this charge', async () => {
  const {request, checkout, chargeId, told} = await overpaid()
  const body = {network: bsc, address}
  for (const token of ['', checkout.createToken('another')]) {
    const path = `/charges/${chargeId}/refund-address`
    const {json} = await request('POST', path, body, {'x-checkout-token': token})
    assert.equal(json.code, 'unauthorized')
  }
  assert.deepEqual(told, [])
  const open = await overpaid({})
  assert.equal((await open.read(open.chargeId)).refund, undefined)
  assert.equal(await open.give(open.chargeId, body), '400 bad_request')
})

test('what is paid on a charge that has ended can be sent back, unless it counts towards the rest of its order', async () => {
  const {checkout, payPartUntilItEnds, pay, quote, read, give, told} = refunds()
  const {_id: alone} = await checkout.service.createCharge(order())
  assert.equal((await payPartUntilItEnds(alone)).refund, 'possible')

  const {chargeId: first} = await checkout.createOrder('order-7')
  assert.equal((await payPartUntilItEnds(first)).refund, undefined)
  assert.equal(await give(first, {network: bsc, address}), '400 bad_request')
  const {chargeId: rest} = await checkout.createOrder('order-7')
  const {price, orderPrice} = (await quote(rest)).json
  assert.deepEqual([price.amount, orderPrice?.amount], ['29.90', '49.90'])
  await pay(rest)
  assert.equal((await read(first)).refund, undefined)

  const {chargeId: withdrawn} = await checkout.createOrder('order-8')
  await payPartUntilItEnds(withdrawn)
  await checkout.cancelOrder('order-8')
  assert.equal(await give(withdrawn, {network: bsc, address}), 'asked')
  assert.deepEqual(Object(told[0]).amount, {amount: '20.00', currency: 'USD'})
})

test('what the customer wants back does not count towards the rest of the order, until the shop clears it', async () => {
  const {checkout, clock, payPartUntilItEnds, quote, give} = refunds()
  const {chargeId: first} = await checkout.createOrder('order-7')
  await payPartUntilItEnds(first)
  await checkout.cancelOrder('order-7')
  await give(first, {network: bsc, address})
  const {chargeId: second} = await checkout.createOrder('order-7')
  assert.equal((await quote(second)).json.price.amount, '49.90')
  const {received, due} = await checkout.getOrder('order-7')
  assert.deepEqual([received.amount, due.amount], ['20.00', '49.90'])
  await checkout.clearRefundAddress(first)
  await clock.advance(11_000)
  const {chargeId: third} = await checkout.createOrder('order-7')
  assert.equal((await quote(third)).json.price.amount, '29.90')
})

test('an order that was cancelled, paid and asked back is not paid again before the shop has decided', async () => {
  const {checkout, clock, sandbox, quote, read, give, inTime, request, received} = refunds()
  const {chargeId} = await checkout.createOrder('order-7')
  const {amount, address: deposit} = (await quote(chargeId)).json.quote
  await checkout.cancelOrder('order-7')
  sandbox.pay(chargeId, {...usdt, amount, address: deposit})
  await inTime(request('POST', '/webhook', {chargeId}))
  await checkout.settle()
  assert.equal((await read(chargeId)).refund, 'possible')
  await give(chargeId, {network: bsc, address})
  await assert.rejects(checkout.createOrder('order-7'), {code: 'order_has_payment'})
  await checkout.clearRefundAddress(chargeId)
  await clock.advance(11_000)
  await checkout.createOrder('order-7')
  await checkout.settle()
  assert.ok(received.includes(`paid ${chargeId} ${chargeId}`))
})

test('money that another process makes part of the rest at the same time cannot be sent back', async () => {
  const memory = memoryStore()
  let meanwhile: (() => Promise<unknown>) | undefined
  const store: typeof memory = {
    ...memory,
    put: async (key, version, value, due) => {
      const act = value.includes('refundAddress') ? meanwhile : undefined
      if (act) meanwhile = undefined
      await act?.()
      return memory.put(key, version, value, due)
    },
  }
  const {checkout, start, payPartUntilItEnds, quote, give, told} = refunds({tokenSecret, store})
  const {chargeId: first} = await checkout.createOrder('order-7')
  await payPartUntilItEnds(first)
  await checkout.cancelOrder('order-7')
  let rest = ''
  meanwhile = async () => {
    rest = (await start({store: memory}).createOrder('order-7', mug)).chargeId
  }
  assert.equal(await give(first, {network: bsc, address}), '400 bad_request')
  assert.equal((await quote(rest)).json.price.amount, '29.90')
  assert.deepEqual(told, [])
})

test('a customer who has paid an order twice gets the second payment back, and of a late part what was not needed', async () => {
  const {checkout, sandbox, clock, quote, pay, read, inTime, request} = refunds()
  await checkout.createOrder('order-7', {...mug, amount: '60.00'})
  const {chargeId: former} = await checkout.createOrder('order-7')
  const {amount, address: deposit} = (await quote(former)).json.quote
  sandbox.expire(former)
  await clock.advance(10_000)
  const {chargeId: current} = await checkout.createOrder('order-7')
  await pay(current)
  assert.equal((await read(current)).refund, undefined)
  sandbox.pay(former, {...usdt, amount, address: deposit})
  // The page reads no more once it is paid.
  const {status, refund} = await read(former)
  assert.deepEqual([status, refund, (await read(current)).refund], ['paid', 'possible', undefined])

  const {chargeId: paidFirst} = await checkout.createOrder('order-8')
  const late = (await quote(paidFirst)).json.quote.address
  sandbox.expire(paidFirst)
  await clock.advance(10_000)
  const {chargeId: second} = await checkout.createOrder('order-8')
  // The service does not list it.
  sandbox.payElsewhere(second, {})
  await inTime(request('POST', '/webhook', {chargeId: second}))
  for (const [confirmed, expected] of [
    [true, 'possible'],
    [false, undefined],
  ] as const) {
    sandbox.pay(paidFirst, {...usdt, amount: '15', address: late, confirmed})
    await inTime(request('POST', '/webhook', {chargeId: paidFirst}))
    await checkout.settle()
    assert.equal((await read(paidFirst)).refund, expected)
  }
})

test('nothing can be sent back while more is on its way', async () => {
  const {checkout, sandbox, pay, payPartUntilItEnds, read, give} = refunds()
  const {_id: payable} = await checkout.service.createCharge(order())
  await pay(payable, {part: '20'})
  assert.equal((await read(payable)).refund, undefined)
  const {_id: chargeId} = await checkout.service.createCharge(order())
  assert.equal((await payPartUntilItEnds(chargeId)).refund, 'possible')
  sandbox.pay(chargeId, {...usdt, amount: '5', confirmed: false})
  // Although the page was told otherwise a moment ago.
  assert.equal(await give(chargeId, {network: bsc, address}), '400 bad_request')
  const {status, refund} = await read(chargeId)
  assert.deepEqual([status, refund], ['pending', undefined])
})

test('what is paid beyond the price of a charge counts towards an order that costs more now', async () => {
  const {checkout, sandbox, payPartUntilItEnds, read, inTime, request} = refunds()
  await checkout.createOrder('order-7', {...mug, amount: '60.00'})
  const {chargeId} = await checkout.createOrder('order-7')
  await payPartUntilItEnds(chargeId)
  await checkout.createOrder('order-7', {...mug, amount: '60.00'})
  sandbox.pay(chargeId, {...usdt, amount: '50'})
  await inTime(request('POST', '/webhook', {chargeId}))
  await checkout.settle()
  const {status, refund} = await read(chargeId)
  assert.deepEqual([status, refund], ['overpaid', undefined])
})

test('a page says that its charge is paid, also if the store has lost the order', async () => {
  const memory = memoryStore()
  let isLost = false
  let isDown = false
  const get = async (key: string) => {
    if (isDown && key.startsWith('order/')) throw new Error('canary')
    return isLost && key.startsWith('order/') ? undefined : memory.get(key)
  }
  const {checkout, pay, read} = refunds({tokenSecret, store: {...memory, get}})
  const {chargeId} = await checkout.createOrder('order-7')
  await pay(chargeId)
  isLost = true
  const {status, refund} = await read(chargeId)
  assert.deepEqual([status, refund], ['paid', undefined])
  // What is known again in a moment is not hidden.
  isDown = true
  assert.equal((await read(chargeId)).code, 'store_unavailable')
})

test('the service says whether too much was paid, and only confirmed payments of a charge that is over go back', async () => {
  const {service, checkout, clock, request, inTime} = scripted({tokenSecret})
  const token = {'x-checkout-token': checkout.createToken('c1')}
  const call = async (method: string, path = '', body?: object) =>
    (await inTime(request(method, `/charges/c1${path}`, body, token))).json
  const give = (network: string, typed = address) =>
    call('POST', '/refund-address', {network, address: typed})
  await call('POST')
  // Quoted, and not listed later.
  const quoted = {name: 'Ether', symbol: 'ETH', currency: 'eth', convert_id: '1027', network: 'ethereum'}
  service.moreAssets = [
    {...quoted, chart: 'cmc', isToken: false, isMultiChain: false, account: {address: other}},
  ]
  service.convertCurrency = 'eth'
  await clock.advance(1_500)
  const {quote} = await call('POST', '/quote', {asset: '1027', network: 'ethereum'})
  assert.equal(quote.address.toLowerCase(), other)
  service.moreAssets = []
  const part = {transaction_id: '0xa', local: 40}
  const onItsWay = {transaction_id: '0xb', network: 'polygon', status: 'PENDING', local: 5}
  service.cancelled = true
  for (const [value, payments, expected] of [
    ['underpaid', [part, onItsWay], ['pending', undefined]],
    ['paid', [part, {transaction_id: '0xc', local: 70}, onItsWay], ['paid', undefined]],
    ['overpaid', [part, {transaction_id: '0xc', local: 70}, onItsWay], ['overpaid', 'possible']],
  ] as const) {
    service.report(value, ...payments)
    await inTime(request('POST', '/webhook', {chargeId: 'c1'}))
    await clock.advance(1_500)
    const {status, refund} = await call('GET')
    assert.deepEqual([status, refund], expected)
  }
  assert.equal((await give('polygon')).code, 'bad_request')
  assert.equal((await give('bsc', other)).code, 'bad_request')
  assert.equal((await give('bsc')).refund, 'asked')
})

test('the archive keeps what is left over and where it goes, so a customer who comes later can still say so', async () => {
  const told: unknown[] = []
  const {checkout, clock, store, inTime, request, payPartUntilItEnds, give} = refunds({
    tokenSecret,
    retention: 30 * DAY,
    onRefundAddress: ({amount}, {checkout}) => void told.push([amount.amount, checkout.payments.length]),
  })
  const archive = async (chargeId: string) => {
    await clock.jump(45 * DAY)
    // The last read, then the archive.
    await checkout.reconcile()
    await checkout.reconcile()
    assert.match((await store.get(`charge/${chargeId}`))?.value ?? '', /"archived"/)
  }
  const {chargeId} = await checkout.createOrder('order-7', mug)
  await payPartUntilItEnds(chargeId)
  await checkout.cancelOrder('order-7')
  await archive(chargeId)
  const {json} = await inTime(request('POST', `/charges/${chargeId}`))
  assert.deepEqual(
    [json.status, json.payable, json.quote, json.paid.amount, json.refund],
    ['underpaid', false, null, '20.00', 'possible'],
  )
  assert.equal(await give(chargeId, {network: bsc, address}), 'asked')
  assert.deepEqual(told, [['20.00', 1]])
  assert.equal((await checkout.getOrder('order-7')).refunds[0]?.address, address)

  const {chargeId: early} = await checkout.createOrder('order-8', mug)
  await payPartUntilItEnds(early)
  await checkout.cancelOrder('order-8')
  await give(early, {network: bsc, address: other})
  await archive(early)
  assert.equal((await checkout.getOrder('order-8')).refunds[0]?.address.toLowerCase(), other)
  const rows: (string | undefined)[] = []
  for await (const row of checkout.payments()) if (row.orderId === 'order-8') rows.push(row.refundAddress)
  assert.deepEqual(
    rows.map(row => row?.toLowerCase()),
    [other],
  )
})
