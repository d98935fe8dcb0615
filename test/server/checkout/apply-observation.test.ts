/** The rules of a status and of local money by themselves, each pure, so that none can go unnoticed in a larger test. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {CheckoutStatus, Money, Payment, ObservedPayment, StatusValue} from '../../../src/contract/index.js'
import {toWalletAssets} from '../../../src/server/assets/catalogue.js'
import {toCheckout, type OpenedState} from '../../../src/server/checkout/to-checkout.js'
import {emptyState, paymentKey, type ChargeState} from '../../../src/server/journal/state.js'
import {roundToPrice, localPrice, sameMoney, computeBalance} from '../../../src/server/checkout/money.js'
import {
  hasPassed,
  toObservedPayment,
  applyObservation,
  statusNow,
  type Observation,
} from '../../../src/server/checkout/status.js'

const now = Date.UTC(2026, 10, 21, 1)
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

function known(changes: Partial<ChargeState> = {}, ...payments: ObservedPayment[]): ChargeState {
  return {
    ...emptyState,
    minted,
    expiresAt: now + 1000,
    payments: new Map(payments.map(one => [paymentKey(one), one])),
    ...changes,
  }
}

function look(changes: Partial<Observation> = {}): Observation {
  return {cancelled: false, expiresAt: now + 1000, payments: [], chargeStatus: undefined, ...changes}
}

function statusAfter(
  state: ChargeState,
  chargeStatus: StatusValue | undefined,
  ...payments: ObservedPayment[]
): CheckoutStatus {
  return applyObservation(state, look({chargeStatus, payments}), now).status
}

test('a look that sees nothing leaves an open charge open, and a new payment alone makes it pending', () => {
  assert.equal(statusAfter(known(), undefined), 'open')
  assert.equal(statusAfter(known(), 'unpaid'), 'open')
  assert.equal(statusAfter(known(), 'underpaid'), 'pending')
  assert.equal(statusAfter(known(), undefined, payment()), 'pending')
  assert.equal(statusAfter(known(), undefined, pending), 'pending')
})

test('invariant 5: open never follows pending or underpaid, and an end may', () => {
  for (const status of ['pending', 'underpaid'] as const) {
    assert.equal(statusAfter(known({status}), 'unpaid'), status)
    assert.equal(statusAfter(known({status}), undefined), status)
    assert.equal(applyObservation(known({status}), look({cancelled: true}), now).status, 'cancelled')
    assert.equal(applyObservation(known({status}), look({expiresAt: now}), now).status, 'expired')
  }
  assert.equal(statusAfter(known({status: 'cancelled'}), 'unpaid'), 'open')
})

test('underpaid is kept while the payment charge is not asked, unless more is on its way', () => {
  const before = known({status: 'underpaid'}, payment())
  assert.equal(statusAfter(before, undefined), 'underpaid')
  assert.equal(statusAfter(known({status: 'underpaid'}, payment(), pending), undefined), 'pending')
  assert.equal(statusAfter(known({status: 'pending'}, payment()), undefined), 'pending')
  // A payment that nobody has put down yet is no reason to ask for the rest.
  assert.equal(statusAfter(before, undefined, payment({transactionId: '0xc'})), 'pending')
})

test('next to nothing, confirmed, is underpaid where the charge says unpaid; anything more is pending', () => {
  const dust = payment({local: {amount: '0.00', currency: 'USD'}})
  assert.equal(statusAfter(known({}, dust), 'unpaid'), 'underpaid')
  assert.equal(statusAfter(known({}, dust, payment({transactionId: '0xc'})), 'unpaid'), 'pending')
  assert.equal(statusAfter(known({}, dust, pending), 'unpaid'), 'pending')
})

test('paid needs a payment, or to have been settled elsewhere', () => {
  assert.equal(statusAfter(known(), 'paid'), 'pending')
  assert.equal(statusAfter(known({}, payment()), 'paid'), 'paid')
  const {minted: _, ...elsewhere} = known()
  assert.equal(statusAfter(elsewhere, 'paid'), 'paid')
  assert.equal(statusAfter(elsewhere, 'overpaid'), 'overpaid')
  assert.equal(statusAfter(elsewhere, 'unpaid'), 'open')
  assert.equal(statusAfter({...elsewhere, status: 'paid'}, 'overpaid'), 'overpaid')
})

test('invariant 5: paid becomes overpaid and nothing else, and only where a payment shows it', () => {
  for (const value of ['unpaid', 'underpaid', 'paid', undefined] as const)
    assert.equal(statusAfter(known({status: 'paid'}, payment()), value), 'paid')
  assert.equal(statusAfter(known({status: 'paid'}, payment()), 'overpaid'), 'overpaid')
  assert.equal(statusAfter(known({status: 'paid'}), 'overpaid'), 'paid')
  assert.equal(statusAfter(known({status: 'overpaid'}, payment()), 'paid'), 'overpaid')
})

test('only what is new of a payment is noted: its status, its amount, its worth, that it is confirmed', () => {
  const newsOf = (...seen: ObservedPayment[]) =>
    applyObservation(known({}, pending), look({payments: seen}), now).payments
  assert.deepEqual(newsOf(pending), [])
  for (const change of [
    {status: 'SEEN'},
    {amount: '41'},
    {local: {amount: '41.00', currency: 'USD'}},
    {status: 'CONFIRMED', confirmed: true},
    {transactionId: '0xd'},
  ])
    assert.deepEqual(newsOf({...pending, ...change}), [{...pending, ...change}], JSON.stringify(change))
  // Listed twice, the confirmed one counts, whichever comes first.
  const confirmed = {...pending, confirmed: true}
  assert.deepEqual(newsOf(confirmed, pending), [confirmed])
  assert.deepEqual(newsOf(pending, confirmed), [confirmed])
})

test('once confirmed a payment stays as it was then', () => {
  const seen = look({payments: [payment({amount: '1', confirmed: false})]})
  assert.deepEqual(applyObservation(known({}, payment()), seen, now).payments, [])
})

test('an end that has passed is final, one that has not may move, and the moment itself is past', () => {
  const endAfter = (before: number | null, seen: number | null) =>
    applyObservation(known({expiresAt: before}), look({expiresAt: seen}), now).expiresAt
  assert.equal(endAfter(now, now + 5), now)
  assert.equal(endAfter(now + 1, now + 5), now + 5)
  assert.equal(endAfter(null, now + 5), now + 5)
  assert.deepEqual(
    [null, now - 1, now, now + 1].map(end => hasPassed(end, now)),
    [false, true, true, false],
  )
  assert.equal(statusNow(known({expiresAt: now}), now), 'expired')
  assert.equal(statusNow(known({expiresAt: now, status: 'pending'}), now), 'pending')
})

const sent: Payment = {
  network: 'bsc',
  transaction_id: '0xa',
  status: 'confirmed',
  timestamp: '2026-11-21T01:10:00Z',
  value: {local: {amount: '39.996', currency: 'usd'}, crypto: {amount: '4.01e1', currency: 'USDT'}},
}

test('a payment is shown with plain amounts, where to look at it, and when it was, as far as that is known', () => {
  const {timestamp: _, ...undated} = sent
  assert.deepEqual(toObservedPayment(sent, price, now), {
    ...payment({status: 'confirmed', local: {amount: '40.00', currency: 'usd'}}),
    url: 'https://bscscan.com/tx/0xa',
  })
  assert.equal(toObservedPayment(undated, price, now).at, new Date(now).toISOString())
  assert.ok(!('url' in toObservedPayment({...sent, network: 'tron'}, price, now)))
  const local = {amount: '1.5e-3', currency: 'EUR'}
  const inEuro = {...sent, value: {...sent.value, local}}
  assert.deepEqual(toObservedPayment(inEuro, price, now).local, {amount: '0.0015', currency: 'EUR'})
})

test('a price has the places of its currency, or its own where it has more', () => {
  for (const [amount, currency, written] of [
    ['49.9', 'USD', '49.90'],
    ['49.999', 'USD', '49.999'],
    ['5', 'XYZ', '5.00'],
    ['500', 'JPY', '500'],
    ['500', 'xaf', '500'],
    ['1.5', 'KWD', '1.500'],
    ['1.5', 'TND', '1.500'],
    ['1', 'CLF', '1.0000'],
    ['1', 'UYW', '1.0000'],
    ['500.5', 'VND', '500.5'],
    ['7', 'BIF', '7'],
    ['7', 'XPF', '7'],
    ['7', 'BHD', '7.000'],
  ] as const)
    assert.deepEqual(localPrice(amount, currency), {amount: written, currency})
})

test('what was paid is counted in the steps of the price, the nearest of them, and only in its currency', () => {
  assert.equal(roundToPrice(price, '39.994999'), '39.99')
  assert.equal(roundToPrice(price, '39.995'), '40.00')
  assert.deepEqual(
    computeBalance(price, [
      {amount: '40', currency: 'usd'},
      {amount: '9', currency: 'EUR'},
    ]),
    {
      paid: {amount: '40.00', currency: 'USD'},
      due: {amount: '60.00', currency: 'USD'},
    },
  )
  assert.equal(computeBalance(price, [{amount: '101', currency: 'USD'}]).due.amount, '0.00')
  assert.equal(sameMoney(price, {amount: '100', currency: 'usd'}), true)
  assert.equal(sameMoney(price, {amount: '100', currency: 'EUR'}), false)
  assert.equal(sameMoney(price, {amount: '100.01', currency: 'USD'}), false)
})

test('a checkout has a description, a way back and an end where the charge has them, and no such field otherwise', () => {
  const opened = {
    kind: 'opened',
    at: now,
    journal: 'j',
    price,
    createdAt: '2026-11-21T01:00:00.000Z',
    acceptsPartial: false,
  } as const
  const circumstances = {now, stale: false, test: true}
  const bare: OpenedState = {...known({expiresAt: null}), opened}
  const without = toCheckout('c1', bare, circumstances)
  assert.ok(!('description' in without) && !('redirectUrl' in without) && !('alert' in without))
  assert.equal(without.expiresAt, null)
  assert.equal(
    toCheckout('c1', {...bare, expiresAt: now}, circumstances).expiresAt,
    '2026-11-21T01:00:00.000Z',
  )
  const said = {description: 'Order 7', redirectUrl: 'https://shop.example/'}
  const {description, redirectUrl} = toCheckout('c1', {...bare, opened: {...opened, ...said}}, circumstances)
  assert.deepEqual({description, redirectUrl}, said)
})
