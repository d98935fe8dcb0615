/** The status of a charge: pure rules, and what a page sees of them. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {CheckoutStatus, ObservedPayment, Payment, StatusValue} from '../../../src/contract/index.js'
import type {OpenedDocument} from '../../../src/server/charges/document.js'
import {
  applyObservation,
  confirmedAmounts,
  hasMoney,
  hasPassed,
  isHeld,
  isPaidForLong,
  statusNow,
  toObservedPayment,
  type Observation,
} from '../../../src/server/checkout/status.js'
import {chargeDocument, expiresAt, payment} from '../sample-document.js'
import {opened, scripted, startOfTest as now, type ScriptedPayment} from '../scripted-service.js'

const pending = payment({transactionId: '0xb', status: 'PENDING', confirmed: false})
const dust = payment({local: {amount: '0.001', currency: 'USD'}})
const another = payment({transactionId: '0xc'})

interface Observed extends Partial<Observation> {
  readonly payments?: readonly ObservedPayment[]
}

function observe(before: OpenedDocument, {payments = [], ...changes}: Observed, expiry = now) {
  const seen = {cancelled: false, expiresAt, lists: [payments], isPartial: false, ...changes}
  return applyObservation(before, {chargeStatus: 'unpaid', ...seen}, {now, expiry})
}

const state = chargeDocument
const open = state()
const underpaid = state({status: 'underpaid'}, payment())
const paidElsewhere = state({minted: undefined, expiresAt: null})

type Transition = [after: CheckoutStatus, ...observed: ObservedPayment[]]
const transitions: [name: string, before: OpenedDocument, value: StatusValue, ...Transition][] = [
  ['open', open, 'unpaid', 'open'],
  ['open, and the service counts a payment that nobody lists', open, 'underpaid', 'pending'],
  ['open, and paid by a payment that nobody lists', open, 'paid', 'paid'],
  ['open, with a confirmed payment', open, 'unpaid', 'pending', payment()],
  ['open, with an unconfirmed payment', open, 'unpaid', 'pending', pending],
  ['invariant 5: pending', state({status: 'pending'}), 'unpaid', 'pending'],
  ['invariant 5: underpaid', state({status: 'underpaid'}), 'unpaid', 'underpaid'],
  ['cancelled without a payment', state({status: 'cancelled'}), 'unpaid', 'open'],
  ['expired by a wrong date, and paid in part elsewhere', state({status: 'expired'}), 'underpaid', 'pending'],
  ['expired by a wrong date, and unpaid', state({status: 'expired'}), 'unpaid', 'open'],
  ['underpaid, with another payment', underpaid, 'unpaid', 'pending', payment(), another],
  ['underpaid, with an unconfirmed payment', underpaid, 'underpaid', 'pending', payment(), pending],
  ['pending, with a payment', state({status: 'pending'}, payment()), 'unpaid', 'pending', payment()],
  ['a confirmed payment worth zero', state({}, dust), 'unpaid', 'underpaid', dust],
  ['a payment worth zero, and another', state({}, dust, another), 'unpaid', 'pending', dust, another],
  [
    'a payment worth zero, and an unconfirmed one',
    state({}, dust, pending),
    'unpaid',
    'pending',
    dust,
    pending,
  ],
  ['a payment of the price', state({}, payment()), 'paid', 'paid', payment()],
  ['paid, beside an unconfirmed payment', open, 'paid', 'paid', payment(), pending],
  ['paid without our crypto charge', paidElsewhere, 'paid', 'paid'],
  ['overpaid without our crypto charge', paidElsewhere, 'overpaid', 'overpaid'],
  ['unpaid without a crypto charge', paidElsewhere, 'unpaid', 'open'],
  ['invariant 5: paid', state({status: 'paid'}, payment()), 'unpaid', 'paid', payment()],
  ['invariant 5: paid, without its payment', state({status: 'paid'}, payment()), 'unpaid', 'paid'],
  ['paid, then overpaid', state({status: 'paid'}, payment()), 'overpaid', 'overpaid', payment()],
  ['paid, then overpaid by a payment that is not shown', state({status: 'paid'}), 'overpaid', 'overpaid'],
  ['invariant 5: overpaid', state({status: 'overpaid'}, payment()), 'paid', 'overpaid', payment()],
]

test('each rule leads from a status to the next', () => {
  for (const [name, before, chargeStatus, after, ...payments] of transitions)
    assert.equal(observe(before, {chargeStatus, payments}).status, after, name)
  for (const status of ['pending', 'underpaid'] as const) {
    assert.equal(observe(state({status}), {cancelled: true}).status, 'cancelled')
    assert.equal(observe(state({status}), {}, expiresAt).status, 'expired')
  }
  const notOpenedInTime = state({status: 'expired', minted: undefined, expiresAt: null})
  assert.equal(observe(notOpenedInTime, {expiresAt: null}).status, 'expired')
})

test('a charge is open again when its only payment was dropped, ten minutes after it was missing', () => {
  const after = (
    changes: Partial<ObservedPayment> & {missingSince?: number},
    value: StatusValue = 'unpaid',
  ) => observe(state({status: 'pending'}, {...pending, ...changes}), {chargeStatus: value}).status
  assert.equal(after({}), 'pending')
  assert.equal(after({missingSince: now - 599_999}), 'pending')
  assert.equal(after({missingSince: now - 600_000}), 'open')
  assert.equal(after({dropped: true}), 'open')
  assert.equal(after({dropped: true}, 'underpaid'), 'pending')
  const partly = {isPartial: true}
  const missing = state({status: 'pending'}, {...pending, missingSince: now - 600_000})
  assert.equal(observe(missing, partly).status, 'pending')
})

test('a charge that the service calls paid without a payment that is confirmed is so for ten minutes first', () => {
  const since = (chargeStatus: StatusValue, before = open) =>
    observe(before, {chargeStatus, payments: [pending]}).paidSince
  assert.deepEqual([since('unpaid'), since('paid')], [undefined, now])
  assert.equal(since('paid', state({paidSince: now - 1})), now - 1)
  const isLong = (paidSince?: number) => isPaidForLong(state({paidSince}), now)
  assert.deepEqual([isLong(), isLong(now - 599_999), isLong(now - 600_000)], [false, false, true])
})

test('without money, the order and the archive decide the status; money holds a charge until it has ended', () => {
  const archived = (status: CheckoutStatus, amount = '0.00') =>
    state({archived: {at: now, status, paid: {amount, currency: 'USD'}, listed: {}}})
  const withdrawn = {confirmed: 0}
  const rows: [charge: OpenedDocument, status: CheckoutStatus, hasMoney: boolean, isHeld: boolean][] = [
    [open, 'open', false, false],
    [state({expiresAt: now}), 'expired', false, false],
    [state({expiresAt: now, status: 'pending'}), 'pending', true, true],
    [underpaid, 'underpaid', true, true],
    [{...underpaid, endedAt: now}, 'underpaid', true, false],
    [state({status: 'paid', endedAt: now}), 'paid', true, true],
    ...(['open', 'expired', 'cancelled'] as const).flatMap((status): typeof rows => [
      [state({status, withdrawn}), 'cancelled', false, false],
      [state({status, isReplaced: true}), 'expired', false, false],
    ]),
    [{...underpaid, withdrawn, isReplaced: true}, 'underpaid', true, true],
    [archived('open'), 'expired', false, false],
    [archived('cancelled'), 'cancelled', false, false],
    [archived('underpaid', '40.00'), 'underpaid', true, false],
    [archived('paid', '100.00'), 'paid', true, true],
  ]
  for (const [charge, ...expected] of rows)
    assert.deepEqual([statusNow(charge, now), hasMoney(charge, now), isHeld(charge, now)], expected)
  const amounts = [underpaid, archived('paid', '100.00'), archived('expired')].map(confirmedAmounts)
  assert.deepEqual(
    amounts.map(money => money.map(({amount}) => amount)),
    [['40'], ['100.00'], []],
  )
})

test('invariant 5: payments are the union of all observed, and a confirmed one never changes', () => {
  const before = state({}, pending)
  const known = before.payments['bsc:0xb:usdt']
  const recorded = (...payments: ObservedPayment[]) => observe(before, {payments, isPartial: true}).payments
  // The worth of an unconfirmed payment follows a price that always changes.
  for (const same of [pending, {...pending, local: {amount: '41', currency: 'USD'}}])
    assert.equal(recorded(same)['bsc:0xb:usdt'], known)
  for (const change of [{status: 'SEEN'}, {amount: '41'}, {status: 'CONFIRMED', confirmed: true}]) {
    const changed = {...pending, ...change}
    assert.deepEqual(recorded(changed), {'bsc:0xb:usdt': {...changed, seenAt: now}}, JSON.stringify(change))
  }
  assert.deepEqual(Object.keys(recorded(another)), ['bsc:0xb:usdt', 'bsc:0xc:usdt'])
  const settled = state({}, payment(), {...pending, dropped: true})
  for (const payments of [[], [payment({amount: '1', confirmed: false})]])
    assert.deepEqual(observe(settled, {payments}).payments, settled.payments)
})

test('an expiry that has passed is final, a known one is kept, and less than a minute is no difference', () => {
  const expiryAfter = (before: number | null, observed: number | null) =>
    observe(state({expiresAt: before}), {expiresAt: observed}).expiresAt
  assert.equal(expiryAfter(now, now + 90_000), now)
  assert.equal(expiryAfter(now + 1, now + 90_000), now + 90_000)
  assert.equal(expiryAfter(now + 1, now + 60_000), now + 1)
  assert.equal(expiryAfter(now + 1, now + 60_001), now + 60_001)
  assert.equal(expiryAfter(null, now + 5), now + 5)
  assert.equal(expiryAfter(now + 5, null), now + 5)
  const passed = [null, now - 1, now, now + 1].map(expiry => hasPassed(expiry, now))
  assert.deepEqual(passed, [false, true, true, false])
})

test('an observed payment has plain amounts, a link to its explorer, a time, and is confirmed, dropped or neither', () => {
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
  const words = {
    confirmed: ['completed ', 'Complete', 'SUCCESS', 'successful', 'settled', 'paid', 'Confirmed'],
    dropped: ['FAILED', ' Rejected', 'dropped', 'CANCELLED', 'expired'],
    unconfirmed: ['PENDING', 'DONE', ''],
  }
  for (const [expected, all] of Object.entries(words))
    for (const status of all) {
      const {confirmed, dropped} = toObservedPayment({...sent, status}, now)
      assert.equal(dropped ? 'dropped' : confirmed ? 'confirmed' : 'unconfirmed', expected, status)
    }
})

// Through the proxy

const confirmed: ScriptedPayment = {transaction_id: '0xa', local: 40}
const full = {...confirmed, local: 100}

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

test('a charge whose expiry cannot be parsed can be paid for a week after its last quote', async () => {
  const {service, clock, open, read, quote} = scripted()
  service.expiresAt = 'tomorrow at noon'
  assert.equal((await open()).json.expiresAt, null)
  for (let times = 0; times < 3; times++) {
    await clock.jump(6 * 86_400_000)
    assert.equal((await quote()).json.payable, true)
  }
  await clock.jump(7 * 86_400_000)
  const {status, payable, quote: shown} = (await read()).json
  assert.deepEqual([status, payable, shown], ['expired', false, null])
  assert.equal((await quote()).json.code, 'expired')
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

test('what is paid without a listed payment has nothing due, and a row in the ledger', async () => {
  const {service, poll, checkout} = await opened()
  service.report('paid')
  const {status, paid, due} = await poll()
  assert.deepEqual([status, paid.amount, due.amount], ['paid', '0.00', '0.00'])
  const rows: unknown[] = []
  for await (const row of checkout.payments()) rows.push(row)
  assert.equal(rows.length, 1)
})
