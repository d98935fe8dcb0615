/** The status of a charge: each rule by itself, then through the proxy every combination of charge and payments. */
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
import * as sample from '../../core/sample.js'
import {
  noResponse,
  ok,
  opened,
  scripted,
  startOfTest as now,
  type ScriptedPayment,
} from '../scripted-service.js'

const price: Money = {amount: '100.00', currency: 'USD'}
const minted = {cryptoChargeId: 'k1', price, assets: toWalletAssets([])}

function payment(changes: Partial<ObservedPayment> = {}): ObservedPayment {
  const [local, at] = [{amount: '40.00', currency: 'USD'}, '2026-11-21T01:10:00.000Z']
  return sample.payment({transactionId: '0xa', amount: '40.1', local, at, ...changes})
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

const dust = payment({local: {amount: '0.00', currency: 'USD'}})
const another = payment({transactionId: '0xc'})
const open = state()
const underpaid = state({status: 'underpaid'}, payment())
const {minted: _, ...paidElsewhere} = open

const transitions: [name: string, before: ChargeState, value: StatusValue | undefined, ...Transition][] = [
  ['open, and the status was not read', open, undefined, 'open'],
  ['open', open, 'unpaid', 'open'],
  ['open, and the charge counts a payment that the wallet does not show', open, 'underpaid', 'pending'],
  ['open, and the charge is paid by a payment that the wallet does not show', open, 'paid', 'paid'],
  ['open, with a confirmed payment', open, undefined, 'pending', payment()],
  ['open, with an unconfirmed payment', open, undefined, 'pending', pending],
  ['invariant 5: pending', state({status: 'pending'}), 'unpaid', 'pending'],
  ['invariant 5: pending, and the status was not read', state({status: 'pending'}), undefined, 'pending'],
  ['invariant 5: underpaid', state({status: 'underpaid'}), 'unpaid', 'underpaid'],
  ['cancelled without a payment', state({status: 'cancelled'}), 'unpaid', 'open'],
  ['expired by a wrong date, and the status was not read', state({status: 'expired'}), undefined, 'expired'],
  ['expired by a wrong date, and paid in part elsewhere', state({status: 'expired'}), 'underpaid', 'pending'],
  ['expired by a wrong date, and unpaid', state({status: 'expired'}), 'unpaid', 'open'],
  ['underpaid, and the status was not read', underpaid, undefined, 'underpaid'],
  ['underpaid, with another payment', underpaid, undefined, 'pending', another],
  ['underpaid, with an unconfirmed payment', underpaid, undefined, 'pending', pending],
  ['pending, with a payment', state({status: 'pending'}, payment()), undefined, 'pending'],
  ['a confirmed payment worth zero', state({}, dust), 'unpaid', 'underpaid'],
  ['a payment worth zero, and another', state({}, dust, another), 'unpaid', 'pending'],
  ['a payment worth zero, and an unconfirmed one', state({}, dust, pending), 'unpaid', 'pending'],
  ['a payment of the price', state({}, payment()), 'paid', 'paid'],
  ['paid without our crypto charge', paidElsewhere, 'paid', 'paid'],
  ['overpaid without our crypto charge', paidElsewhere, 'overpaid', 'overpaid'],
  ['unpaid without a crypto charge', paidElsewhere, 'unpaid', 'open'],
  ['overpaid later without our crypto charge', {...paidElsewhere, status: 'paid'}, 'overpaid', 'overpaid'],
  ['invariant 5: paid', state({status: 'paid'}, payment()), undefined, 'paid'],
  ['invariant 5: paid, and the charge says unpaid', state({status: 'paid'}, payment()), 'unpaid', 'paid'],
  ['paid, then overpaid', state({status: 'paid'}, payment()), 'overpaid', 'overpaid'],
  ['paid, then overpaid by a payment that is not shown', state({status: 'paid'}), 'overpaid', 'overpaid'],
  ['invariant 5: overpaid', state({status: 'overpaid'}, payment()), 'paid', 'overpaid'],
]
type Transition = [after: CheckoutStatus, ...observed: ObservedPayment[]]

test('each rule leads from a status to the next', () => {
  for (const [name, before, chargeStatus, after, ...payments] of transitions)
    assert.equal(observe(before, {chargeStatus, payments}).status, after, name)
  for (const status of ['pending', 'underpaid'] as const) {
    assert.equal(observe(state({status}), {cancelled: true}).status, 'cancelled')
    assert.equal(observe(state({status}), {expiresAt: now}).status, 'expired')
  }
})

test('a charge is open again when its only payment was dropped, ten minutes after it was missing', () => {
  const after = (changes: Partial<ObservedPayment> & {missingSince?: number}, value?: StatusValue) =>
    observe(state({status: 'pending'}, {...pending, ...changes}), {chargeStatus: value}).status
  assert.equal(after({}), 'pending')
  assert.equal(after({missingSince: now - 599_999}), 'pending')
  assert.equal(after({missingSince: now - 600_000}), 'open')
  // Dropped before, when the payment charge was not read.
  assert.equal(after({dropped: true}), 'pending')
  assert.equal(after({dropped: true}, 'unpaid'), 'open')
  assert.equal(after({dropped: true}, 'underpaid'), 'pending')
})

test('only new and changed payments are recorded, and a confirmed one never changes', () => {
  const recorded = (...seen: ObservedPayment[]) =>
    observe(state({}, pending), {payments: seen, isPartial: true}).payments
  assert.deepEqual(recorded(pending), [])
  for (const change of [
    {status: 'SEEN'},
    {amount: '41'},
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

test('an expiry that has passed is final, and one that has not may change', () => {
  const expiryAfter = (before: number | null, expiresAt: number | null) =>
    observe(state({expiresAt: before}), {expiresAt}).expiresAt
  assert.equal(expiryAfter(now, now + 5), now)
  assert.equal(expiryAfter(now + 1, now + 5), now + 5)
  assert.equal(expiryAfter(null, now + 5), now + 5)
  const passed = [null, now - 1, now, now + 1].map(expiry => hasPassed(expiry, now))
  assert.deepEqual(passed, [false, true, true, false])
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
  assert.deepEqual(toObservedPayment(sent, now), {
    ...payment({status: 'confirmed', local}),
    url: 'https://bscscan.com/tx/0xa',
  })
  const {timestamp: _, ...undated} = sent
  for (const payment of [undated, {...sent, timestamp: 'just now'}])
    assert.equal(toObservedPayment(payment, now).at, new Date(now).toISOString())
  assert.ok(!('url' in toObservedPayment({...sent, network: 'tron'}, now)))
  const inEuro = {...sent, value: {...sent.value, local: {amount: '1.5e-3', currency: 'EUR'}}}
  assert.deepEqual(toObservedPayment(inEuro, now).local, {amount: '0.0015', currency: 'EUR'})
})

// Through the proxy

const confirmed: ScriptedPayment = {transaction_id: '0xa', local: 40}
const unconfirmed: ScriptedPayment = {transaction_id: '0xb', local: 60, status: 'PENDING'}
const full = {...confirmed, local: 100}
const second: ScriptedPayment = {transaction_id: '0xc', local: 30.1}
const inEuros = {...second, localCurrency: 'EUR'}
const floats = [0.1 + 0.2, 10.005].map((local, index) => ({transaction_id: `0x${index}`, local}))

const cases: [
  name: string,
  chargeStatus: string,
  payments: ScriptedPayment[],
  expected: [status: CheckoutStatus, paid?: string, due?: string],
  end?: 'cancelled' | 'expired' | 'cancelled and expired',
][] = [
  ['no payment', 'unpaid', [], ['open', '0.00', '100.00']],
  ['no payment', 'unpaid', [], ['cancelled'], 'cancelled'],
  ['no payment', 'unpaid', [], ['expired'], 'expired'],
  ['no payment', 'unpaid', [], ['cancelled'], 'cancelled and expired'],
  ['an unconfirmed payment', 'unpaid', [unconfirmed], ['pending', '0.00', '100.00']],
  ['an unconfirmed payment', 'paid', [unconfirmed], ['pending']],
  ['a confirmed payment', 'unpaid', [confirmed], ['pending', '40.00', '60.00']],
  [
    'a payment of less than a cent',
    'unpaid',
    [{...confirmed, local: 0.002}],
    ['underpaid', '0.00', '100.00'],
  ],
  ['a part', 'underpaid', [confirmed], ['underpaid', '40.00', '60.00']],
  ['a part and an unconfirmed payment', 'underpaid', [confirmed, unconfirmed], ['pending', '40.00', '60.00']],
  ['a part', 'underpaid', [confirmed], ['underpaid'], 'expired'],
  ['a part', 'underpaid', [confirmed], ['underpaid'], 'cancelled'],
  ['the price', 'paid', [full], ['paid', '100.00', '0.00']],
  ['the price', 'paid', [full], ['paid'], 'expired'],
  ['the price and an unconfirmed payment', 'paid', [full, unconfirmed], ['paid', '100.00']],
  ['more than the price', 'overpaid', [{...full, local: 150}], ['overpaid', '150.00', '0.00']],
  ['several payments', 'underpaid', [confirmed, second], ['underpaid', '70.10', '29.90']],
  ['a payment in euros, not summed', 'underpaid', [confirmed, inEuros], ['underpaid', '40.00', '60.00']],
  ['floats, added exactly', 'underpaid', floats, ['underpaid', '10.30', '89.70']],
]

for (const [name, chargeStatus, payments, [status, paid, due], end] of cases)
  test(`${name}: a charge that is ${chargeStatus} and ${end ?? 'not over'} is shown as ${status}`, async () => {
    for (const pricing_type of ['fixed_price', 'fixed_or_partial_price']) {
      const {service, clock, open, read} = scripted()
      service.billing['pricing_type'] = pricing_type
      await open()
      service.report(chargeStatus, ...payments)
      service.cancelled = end?.includes('cancelled') === true
      await clock.advance(end?.includes('expired') ? 3_600_000 : 1_500)
      const {json} = await read()
      const isPayable = status === 'open' || (status === 'underpaid' && end === undefined)
      assert.deepEqual([json.status, json.payable], [status, isPayable])
      if (paid !== undefined) assert.equal(json.paid.amount, paid)
      if (due !== undefined) assert.equal(json.due.amount, due)
      assert.equal(json.acceptsPartial, pricing_type === 'fixed_or_partial_price')
      assert.equal(json.payments.length, payments.length)
      assert.equal(json.quote, null)
    }
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
    const [payment, ...others] = (await poll()).payments
    assert.deepEqual([payment?.transactionId, others], ['0xa', []])
    assert.equal(payment?.at, new Date(now + 1_500).toISOString())
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

test('a payment that the service lists twice, differently, does not fill the journal', async () => {
  const {service, poll} = await opened()
  service.payments = [unconfirmed, {...unconfirmed, local: 61}]
  const {rev} = await poll()
  assert.equal((await poll()).rev, rev)
})
