/** How a status comes about: each rule by itself, then every combination that the service can give. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {
  CheckoutStatus,
  Money,
  ObservedPayment,
  Payment,
  StatusValue,
} from '../../../src/contract/index.js'
import {toWalletAssets} from '../../../src/server/assets/catalogue.js'
import {
  applyObservation,
  hasPassed,
  statusNow,
  toObservedPayment,
  type Observation,
} from '../../../src/server/checkout/status.js'
import {emptyState, paymentKey, type ChargeState} from '../../../src/server/journal/state.js'
import {
  noResponse,
  ok,
  opened,
  otherAddress,
  scripted,
  startOfTest as now,
  type ScriptedPayment,
} from '../scripted-service.js'

const price: Money = {amount: '100.00', currency: 'USD'}
const minted = {cryptoChargeId: 'k1', price, assets: toWalletAssets([])}

function payment(changes: Partial<ObservedPayment> = {}): ObservedPayment {
  return {
    transactionId: '0xa',
    network: 'bsc',
    status: 'CONFIRMED',
    confirmed: true,
    amount: '40.1',
    currency: 'USDT',
    local: {amount: '40.00', currency: 'USD'},
    at: '2026-11-21T01:10:00.000Z',
    ...changes,
  }
}

const pending = payment({transactionId: '0xb', status: 'PENDING', confirmed: false})

function state(changes: Partial<ChargeState> = {}, ...payments: ObservedPayment[]): ChargeState {
  return {
    ...emptyState,
    minted,
    expiresAt: now + 1000,
    payments: new Map(payments.map(one => [paymentKey(one), one])),
    ...changes,
  }
}

function observe(before: ChargeState, changes: Partial<Observation>) {
  const seen = {cancelled: false, expiresAt: now + 1000, payments: [], chargeStatus: undefined, ...changes}
  return applyObservation(before, seen, now)
}

function statusAfter(
  before: ChargeState,
  chargeStatus: StatusValue | undefined,
  ...payments: ObservedPayment[]
): CheckoutStatus {
  return observe(before, {chargeStatus, payments}).status
}

test('an open charge stays open until a payment or the charge status makes it pending', () => {
  assert.equal(statusAfter(state(), undefined), 'open')
  assert.equal(statusAfter(state(), 'unpaid'), 'open')
  assert.equal(statusAfter(state(), 'underpaid'), 'pending')
  assert.equal(statusAfter(state(), undefined, payment()), 'pending')
  assert.equal(statusAfter(state(), undefined, pending), 'pending')
})

test('invariant 5: pending and underpaid never become open, but may be cancelled or expire', () => {
  for (const status of ['pending', 'underpaid'] as const) {
    assert.equal(statusAfter(state({status}), 'unpaid'), status)
    assert.equal(statusAfter(state({status}), undefined), status)
    assert.equal(observe(state({status}), {cancelled: true}).status, 'cancelled')
    assert.equal(observe(state({status}), {expiresAt: now}).status, 'expired')
  }
  assert.equal(statusAfter(state({status: 'cancelled'}), 'unpaid'), 'open')
})

test('an underpaid charge stays so while its status is unknown, unless another payment is on its way', () => {
  const before = state({status: 'underpaid'}, payment())
  assert.equal(statusAfter(before, undefined), 'underpaid')
  assert.equal(statusAfter(state({status: 'underpaid'}, payment(), pending), undefined), 'pending')
  assert.equal(statusAfter(state({status: 'pending'}, payment()), undefined), 'pending')
  assert.equal(statusAfter(before, undefined, payment({transactionId: '0xc'})), 'pending')
})

test('a confirmed payment worth zero is underpaid where the charge says unpaid; anything more is pending', () => {
  const dust = payment({local: {amount: '0.00', currency: 'USD'}})
  assert.equal(statusAfter(state({}, dust), 'unpaid'), 'underpaid')
  assert.equal(statusAfter(state({}, dust, payment({transactionId: '0xc'})), 'unpaid'), 'pending')
  assert.equal(statusAfter(state({}, dust, pending), 'unpaid'), 'pending')
})

test('a charge is paid when the service says so, with or without a payment to our crypto charge', () => {
  assert.equal(statusAfter(state(), 'paid'), 'paid')
  assert.equal(statusAfter(state({}, payment()), 'paid'), 'paid')
  const {minted: _, ...settledElsewhere} = state()
  assert.equal(statusAfter(settledElsewhere, 'paid'), 'paid')
  assert.equal(statusAfter(settledElsewhere, 'overpaid'), 'overpaid')
  assert.equal(statusAfter(settledElsewhere, 'unpaid'), 'open')
  assert.equal(statusAfter({...settledElsewhere, status: 'paid'}, 'overpaid'), 'overpaid')
})

test('invariant 5: a paid charge may only become overpaid', () => {
  for (const value of ['unpaid', 'underpaid', 'paid', undefined] as const)
    assert.equal(statusAfter(state({status: 'paid'}, payment()), value), 'paid')
  assert.equal(statusAfter(state({status: 'paid'}, payment()), 'overpaid'), 'overpaid')
  assert.equal(statusAfter(state({status: 'paid'}), 'overpaid'), 'overpaid')
  assert.equal(statusAfter(state({status: 'overpaid'}, payment()), 'paid'), 'overpaid')
})

test('only new and changed payments are recorded, and a confirmed one never changes', () => {
  const recorded = (...seen: ObservedPayment[]) =>
    observe(state({}, pending), {payments: seen, isPartial: true}).payments
  assert.deepEqual(recorded(pending), [])
  for (const change of [
    {status: 'SEEN'},
    {amount: '41'},
    {local: {amount: '41.00', currency: 'USD'}},
    {status: 'CONFIRMED', confirmed: true},
    {transactionId: '0xd'},
  ])
    assert.deepEqual(recorded({...pending, ...change}), [{...pending, ...change}], JSON.stringify(change))
  // Listed twice, the confirmed one counts, whichever comes first.
  const confirmed = {...pending, confirmed: true}
  assert.deepEqual(recorded(confirmed, pending), [confirmed])
  assert.deepEqual(recorded(pending, confirmed), [confirmed])
  const reverted = {payments: [payment({amount: '1', confirmed: false})]}
  assert.deepEqual(observe(state({}, payment()), reverted).payments, [])
})

test('an expiry that has passed is final, one that has not may change, and the moment itself has passed', () => {
  const expiryAfter = (before: number | null, expiresAt: number | null) =>
    observe(state({expiresAt: before}), {expiresAt}).expiresAt
  assert.equal(expiryAfter(now, now + 5), now)
  assert.equal(expiryAfter(now + 1, now + 5), now + 5)
  assert.equal(expiryAfter(null, now + 5), now + 5)
  assert.deepEqual(
    [null, now - 1, now, now + 1].map(expiry => hasPassed(expiry, now)),
    [false, true, true, false],
  )
  assert.equal(statusNow(state({expiresAt: now}), now), 'expired')
  assert.equal(statusNow(state({expiresAt: now, status: 'pending'}), now), 'pending')
})

test('an observed payment has plain amounts, a link to its explorer, and a time', () => {
  const local = {amount: '39.996', currency: 'usd'}
  const sent: Payment = {
    network: 'bsc',
    transaction_id: '0xa',
    status: 'confirmed',
    timestamp: '2026-11-21T01:10:00Z',
    value: {local, crypto: {amount: '4.01e1', currency: 'USDT'}},
  }
  assert.deepEqual(toObservedPayment(sent, price, now), {
    ...payment({status: 'confirmed', local: {amount: '40.00', currency: 'usd'}}),
    url: 'https://bscscan.com/tx/0xa',
  })
  const {timestamp: _, ...undated} = sent
  for (const payment of [undated, {...sent, timestamp: 'just now'}])
    assert.equal(toObservedPayment(payment, price, now).at, new Date(now).toISOString())
  assert.ok(!('url' in toObservedPayment({...sent, network: 'tron'}, price, now)))
  const inEuro = {...sent, value: {...sent.value, local: {amount: '1.5e-3', currency: 'EUR'}}}
  assert.deepEqual(toObservedPayment(inEuro, price, now).local, {amount: '0.0015', currency: 'EUR'})
})

// Through the proxy

const confirmed: ScriptedPayment = {transaction_id: '0xa', local: 40}
const unconfirmed: ScriptedPayment = {transaction_id: '0xb', local: 60, status: 'PENDING'}
const full = {...confirmed, local: 100}

interface Case {
  readonly value: string
  readonly payments?: ScriptedPayment[]
  readonly end?: 'cancelled' | 'expired' | 'both'
  readonly result: {status: string; payable: boolean; paid?: string; due?: string}
}

const notPayable = (status: string) => ({status, payable: false})

const cases: Record<string, Case> = {
  'no payment': {value: 'unpaid', result: {status: 'open', payable: true, due: '100.00'}},
  'no payment, cancelled': {value: 'unpaid', end: 'cancelled', result: notPayable('cancelled')},
  'no payment, expired': {value: 'unpaid', end: 'expired', result: notPayable('expired')},
  'no payment, cancelled and expired': {value: 'unpaid', end: 'both', result: notPayable('cancelled')},
  'an unconfirmed payment': {
    value: 'unpaid',
    payments: [unconfirmed],
    result: {...notPayable('pending'), paid: '0.00', due: '100.00'},
  },
  'an unconfirmed payment, but the charge says paid': {
    value: 'paid',
    payments: [unconfirmed],
    result: notPayable('pending'),
  },
  'a confirmed payment, but the charge says unpaid': {
    value: 'unpaid',
    payments: [confirmed],
    result: {...notPayable('pending'), paid: '40.00', due: '60.00'},
  },
  'a confirmed payment worth next to nothing, and the charge says unpaid': {
    value: 'unpaid',
    payments: [{...confirmed, local: 0.002}],
    result: {status: 'underpaid', payable: true, paid: '0.00', due: '100.00'},
  },
  'a part': {
    value: 'underpaid',
    payments: [confirmed],
    result: {status: 'underpaid', payable: true, paid: '40.00', due: '60.00'},
  },
  'a part, and an unconfirmed payment': {
    value: 'underpaid',
    payments: [confirmed, unconfirmed],
    result: {...notPayable('pending'), paid: '40.00', due: '60.00'},
  },
  'a part, expired': {
    value: 'underpaid',
    payments: [confirmed],
    end: 'expired',
    result: notPayable('underpaid'),
  },
  'a part, cancelled': {
    value: 'underpaid',
    payments: [confirmed],
    end: 'cancelled',
    result: notPayable('underpaid'),
  },
  'the price': {
    value: 'paid',
    payments: [full],
    result: {...notPayable('paid'), paid: '100.00', due: '0.00'},
  },
  'the price, expired': {value: 'paid', payments: [full], end: 'expired', result: notPayable('paid')},
  'the price, and an unconfirmed payment': {
    value: 'paid',
    payments: [full, unconfirmed],
    result: {...notPayable('paid'), paid: '100.00'},
  },
  'more than the price': {
    value: 'overpaid',
    payments: [{...confirmed, local: 150}],
    result: {...notPayable('overpaid'), paid: '150.00', due: '0.00'},
  },
  'several payments': {
    value: 'underpaid',
    payments: [confirmed, {transaction_id: '0xc', local: 30.1}],
    result: {status: 'underpaid', payable: true, paid: '70.10', due: '29.90'},
  },
  'a payment counted in another currency is listed, not summed': {
    value: 'underpaid',
    payments: [confirmed, {transaction_id: '0xc', local: 30, localCurrency: 'EUR'}],
    result: {status: 'underpaid', payable: true, paid: '40.00', due: '60.00'},
  },
  'floats are rounded to the nearest cent': {
    value: 'underpaid',
    payments: [
      {transaction_id: '0xc', local: 0.1 + 0.2},
      {transaction_id: '0xd', local: 10.005},
    ],
    result: {status: 'underpaid', payable: true, paid: '10.31', due: '89.69'},
  },
}

for (const [name, {value, payments = [], end, result}] of Object.entries(cases))
  test(`${name}: the charge is ${result.status}`, async () => {
    for (const pricing_type of ['fixed_price', 'fixed_or_partial_price']) {
      const {service, clock, open, read} = scripted()
      service.billing['pricing_type'] = pricing_type
      await open()
      service.report(value, ...payments)
      service.cancelled = end === 'cancelled' || end === 'both'
      await clock.advance(end === 'expired' || end === 'both' ? 3_600_000 : 1_500)
      const {json} = await read()
      const {status, payable, paid, due} = json
      const amounts = {
        ...(result.paid === undefined ? {} : {paid: paid.amount}),
        ...(result.due === undefined ? {} : {due: due.amount}),
      }
      assert.deepEqual({status, payable, ...amounts}, result)
      assert.equal(json.acceptsPartial, pricing_type === 'fixed_or_partial_price')
      assert.equal(json.payments.length, payments.length)
      if (!payable) assert.equal(json.quote, null)
    }
  })

test('a charge that says underpaid before the wallet shows a payment is pending, and takes no second payment', async () => {
  const {service, clock, webhook, read, quote} = await opened()
  service.report('underpaid')
  await clock.advance(1_500)
  await webhook()
  const {json} = await read()
  assert.deepEqual([json.status, json.payable], ['pending', false])
  assert.equal((await quote()).json.code, 'payment_pending')
})

test('invariant 5: a paid charge stays paid with its payments, whatever the service reports later', async () => {
  const {service, poll} = await opened()
  service.report('paid', full)
  assert.equal((await poll()).status, 'paid')
  for (const value of ['unpaid', 'underpaid'])
    for (const payments of [[], [{...full, status: 'PENDING'}], [confirmed]])
      for (const cancelled of [true, false]) {
        service.report(value, ...payments)
        service.cancelled = cancelled
        const {status, payments: listed, paid} = await poll()
        assert.deepEqual([status, listed.map(one => one.confirmed), paid.amount], ['paid', [true], '100.00'])
      }
  service.report('overpaid', confirmed, {transaction_id: '0xz', local: 50})
  assert.equal((await poll()).status, 'overpaid')
  service.status = {value: 'paid'}
  assert.equal((await poll()).status, 'overpaid')
})

test('invariant 5: pending and underpaid may alternate, and rev never decreases', async () => {
  const {service, open, poll} = scripted()
  let {rev} = (await open()).json
  for (const [value, payments, expected] of [
    ['unpaid', [unconfirmed], 'pending'],
    ['unpaid', [], 'pending'],
    ['underpaid', [{...unconfirmed, status: 'CONFIRMED'}], 'underpaid'],
    ['unpaid', [], 'pending'],
    ['underpaid', [], 'underpaid'],
  ] as const) {
    service.report(value, ...payments)
    const json = await poll()
    assert.ok(json.rev >= rev)
    assert.equal(json.status, expected)
    rev = json.rev
  }
})

test('a cancelled charge stays cancelled until a payment comes, and then is not payable', async () => {
  const {service, poll} = await opened()
  for (const cancelled of [true, false]) {
    service.cancelled = cancelled
    assert.equal((await poll()).status, 'cancelled')
  }
  service.report('underpaid', confirmed)
  const {status, payable} = await poll()
  assert.deepEqual([status, payable], ['underpaid', false])
})

test('a charge whose expiry cannot be parsed has none, and stays open', async () => {
  const {service, clock, open, read} = scripted()
  service.expiresAt = 'tomorrow at noon'
  assert.equal((await open()).json.expiresAt, null)
  await clock.jump(365 * 86_400_000)
  assert.equal((await read()).json.status, 'open')
})

test('a time or an amount that is too large to write does not make the charge unreadable', async () => {
  const {service, poll} = await opened()
  service.payments = [confirmed, {transaction_id: '0xhuge', local: 1e200}]
  const original = service.payment.bind(service)
  service.payment = payment => ({...original(payment), timestamp: '9999-12-31T23:59:59-12:00'})
  for (let times = 0; times < 2; times++) {
    const {payments} = await poll()
    assert.deepEqual(
      payments.map(({transactionId, at}) => [transactionId, at]),
      [['0xa', new Date(now + 1_500).toISOString()]],
    )
  }
})

test("invariant 9: the server's clock expires a charge, also while the service is down", async () => {
  const {service, clock, read, quote} = await opened()
  await quote()
  service.failReads('getCryptoCharge')
  await clock.advance(3_600_000)
  const response = read()
  await clock.advance(5_000)
  const {json} = await response
  assert.deepEqual([json.stale, json.status, json.payable, json.quote], [true, 'expired', false, null])
})

test('a response that repeats is not parsed again, and the first that differs is', async () => {
  const {service, quote, poll} = await opened()
  await quote()
  service.report('underpaid', confirmed)
  for (let times = 0; times < 3; times++) assert.equal((await poll()).status, 'underpaid')
  // Only the payment charge differs; the crypto charge's response repeats.
  service.status = {value: 'paid'}
  assert.equal((await poll()).status, 'paid')
  service.address = otherAddress
  assert.equal((await poll()).alert, 'address_mismatch')
})

test('an empty response is not taken for a repetition of one that was too long to cache', async () => {
  const {service, poll} = await opened()
  service.extra = {note: 'x'.repeat(40_000)}
  assert.equal((await poll()).stale, false)
  service.next['getCryptoCharge'] = [() => ok('')]
  assert.equal((await poll()).stale, true)
})

test('a payment is shown after one second, while the payment charge does not respond', async () => {
  const {service, clock, read} = await opened()
  service.report('paid', full)
  service.next['getCharge'] = [noResponse]
  await clock.advance(1_500)
  const response = read()
  await clock.advance(1_000)
  const {json} = await response
  assert.deepEqual([json.status, json.payments.length], ['pending', 1])
  // A second reader does not wait again, and causes no other call.
  assert.equal((await read()).json.status, 'pending')
  assert.equal(service.calls['getCharge'], 2)
  await clock.advance(10_000)
  assert.equal((await read()).json.status, 'paid')
  assert.equal(clock.sleepers, 0)
})

test('a new payment that the charge does not count yet makes an underpaid charge pending', async () => {
  const {service, clock, read, poll} = await opened()
  service.report('underpaid', confirmed)
  assert.equal((await poll()).payable, true)
  service.payments.push({...unconfirmed, status: 'CONFIRMED'})
  service.next['getCharge'] = [() => new Promise(() => {})]
  await clock.advance(1_500)
  const response = read()
  await clock.advance(1_000)
  const {due, status, payable} = (await response).json
  assert.deepEqual([due.amount, status, payable], ['0.00', 'pending', false])
})

test('a payment that the service lists twice, differently, does not fill the journal', async () => {
  const {service, poll} = await opened()
  service.payments = [unconfirmed, {...unconfirmed, local: 61}]
  const {rev} = await poll()
  assert.equal((await poll()).rev, rev)
})
