/** What a poll records: the first difference between the service's responses and the journal. No network. */
import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import * as z from 'zod/mini'
import {chargeSchema, cryptoChargeSchema} from '../../../src/contract/index.js'
import type {Entry} from '../../../src/server/journal/entry.js'
import {applyEntries, emptyState, isOpened, type OpenedState} from '../../../src/server/journal/state.js'
import {detectChange, toSnapshot} from '../../../src/server/charge/detect-change.js'
import {ScriptedService, startOfTest as at, type ScriptedPayment} from '../scripted-service.js'

const price = {amount: '100.00', currency: 'USD'}
const expiresAt = Date.UTC(2026, 10, 21, 2)
const opened: Entry = {kind: 'opened', at, journal: 'j', price, createdAt: '', acceptsPartial: false}
const minted: Entry = {kind: 'minted', at, cryptoChargeId: 'k1-c1', price, expiresAt, assets: []}
const unreadable: Entry = {kind: 'alert', at, alert: 'payment_unreadable', items: 1}
const payment = {transaction_id: '0xa'}
const brokenPayment = {transaction_id: ''}

function stateAfter(...entries: Entry[]): OpenedState {
  const state = applyEntries(emptyState, [opened, ...entries])
  assert.ok(isOpened(state))
  return state
}

/** The crypto charge, as the service lists these payments. */
function snapshotOf(payments: ScriptedPayment[] = [], id = 'k1-c1') {
  const service = new ScriptedService()
  service.payments = payments
  return toSnapshot(z.parse(cryptoChargeSchema, service.cryptoCharge(id, 'c1')))
}

function chargeOf(value: string, payments: ScriptedPayment[] = []) {
  const service = new ScriptedService()
  service.report(value, ...payments)
  return z.parse(chargeSchema, service.charge('c1'))
}

/** What is recorded: the kind, and the status, number of payments or number of unreadable ones. */
function changeOf(
  state: OpenedState,
  snapshot?: ReturnType<typeof snapshotOf>,
  charge?: ReturnType<typeof chargeOf>,
): string | undefined {
  const entry = detectChange(state, snapshot, charge, at)
  if (entry?.kind === 'observed') return `${entry.status} ${entry.payments.length}`
  return entry?.kind === 'alert' ? `${entry.alert} ${entry.items ?? ''}` : entry?.kind
}

test('equal assets are the cached ones, and other assets are not', () => {
  const {assets} = snapshotOf()
  const service = new ScriptedService()
  const read = () => toSnapshot(z.parse(cryptoChargeSchema, service.cryptoCharge('k1-c1', 'c1')), assets)
  assert.equal(read().assets, assets)
  service.address = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
  assert.notEqual(read().assets, assets)
})

describe('of another crypto charge than the minted one', () => {
  test('nothing is recorded', () => {
    for (const value of ['unpaid', 'paid']) {
      assert.equal(changeOf(stateAfter(minted), snapshotOf([payment], 'k2-c1'), chargeOf(value)), undefined)
      assert.equal(changeOf(stateAfter(), snapshotOf([payment]), chargeOf(value)), undefined)
    }
  })
})

describe('without the crypto charge', () => {
  test('a minted charge can only become paid', () => {
    assert.equal(changeOf(stateAfter(minted)), undefined)
    assert.equal(changeOf(stateAfter(minted), undefined, chargeOf('underpaid', [payment])), undefined)
    assert.equal(changeOf(stateAfter(minted), undefined, chargeOf('paid', [payment])), 'paid 1')
  })

  test('a charge that is not minted changes as the payment charge says', () => {
    assert.equal(changeOf(stateAfter()), undefined)
    assert.equal(changeOf(stateAfter(), undefined, chargeOf('paid')), 'paid 0')
  })

  test('payments can be read again when a complete list has none that cannot', () => {
    assert.equal(changeOf(stateAfter(unreadable)), undefined)
    assert.equal(changeOf(stateAfter(unreadable), undefined, chargeOf('unpaid')), 'payment_unreadable 0')
    assert.equal(changeOf(stateAfter(minted, unreadable), undefined, chargeOf('paid')), 'paid 0')
  })
})

describe('with the crypto charge', () => {
  test('a payment that only the payment charge lists counts when the charge is paid', () => {
    assert.equal(changeOf(stateAfter(minted), snapshotOf(), chargeOf('unpaid', [payment])), undefined)
    assert.equal(changeOf(stateAfter(minted), snapshotOf(), chargeOf('paid', [payment])), 'paid 1')
  })

  test('the larger number of payments that cannot be read is reported, until none is left', () => {
    const two = [brokenPayment, brokenPayment]
    const state = stateAfter(minted)
    assert.equal(changeOf(state, snapshotOf(two), chargeOf('paid', [brokenPayment])), 'payment_unreadable 2')
    assert.equal(changeOf(state, snapshotOf([brokenPayment]), chargeOf('paid', two)), 'payment_unreadable 2')
    const reported = stateAfter(minted, unreadable)
    assert.equal(changeOf(reported, snapshotOf([brokenPayment])), undefined)
    assert.equal(changeOf(reported, snapshotOf(two)), 'payment_unreadable 2')
    assert.equal(changeOf(reported, snapshotOf()), 'payment_unreadable 0')
  })

  test('a charge that was unknown to the service is known again once its payment charge was read', () => {
    const state = stateAfter(minted, {kind: 'lookup', at, result: 'not_found'})
    assert.equal(changeOf(state, snapshotOf()), undefined)
    assert.equal(changeOf(state, snapshotOf(), chargeOf('unpaid')), 'lookup')
    assert.equal(changeOf(stateAfter(minted), snapshotOf(), chargeOf('unpaid')), undefined)
  })

  test('a cancellation or another expiry is recorded without another status or payment', () => {
    const snapshot = snapshotOf([{...payment, local: 40}])
    const change = detectChange(stateAfter(minted), snapshot, chargeOf('underpaid'), at)
    assert.equal(change?.kind, 'observed')
    const underpaid = stateAfter(minted, {...change, at})
    assert.equal(changeOf(underpaid, snapshot), undefined)
    assert.equal(changeOf(underpaid, {...snapshot, cancelled: true}), 'underpaid 0')
    assert.equal(changeOf(underpaid, {...snapshot, expiresAt: expiresAt + 1}), 'underpaid 0')
  })

  test('another price than that of the payment charge is reported once', () => {
    const service = new ScriptedService()
    service.localPrice = {amount: '101', currency: 'USD'}
    const snapshot = toSnapshot(z.parse(cryptoChargeSchema, service.cryptoCharge('k1-c1', 'c1')))
    assert.equal(changeOf(stateAfter(minted), snapshot), 'price_mismatch ')
    assert.equal(changeOf(stateAfter(minted), snapshot, chargeOf('unpaid')), 'price_mismatch ')
    const alert: Entry = {kind: 'alert', at, alert: 'price_mismatch'}
    assert.equal(changeOf(stateAfter(minted, alert), snapshot), undefined)
    assert.equal(changeOf(stateAfter(minted, alert, {kind: 'alert_cleared', at}), snapshot), undefined)
  })

  test('a paid charge whose confirmed payments are below the price is reported once, when the list is complete', () => {
    const confirmed = {transaction_id: '0xa', local: 40}
    const snapshot = snapshotOf([confirmed])
    const charge = chargeOf('paid', [confirmed])
    const change = detectChange(stateAfter(minted), snapshot, charge, at)
    assert.equal(change?.kind, 'observed')
    const paid = stateAfter(minted, {...change, at})
    assert.equal(paid.status, 'paid')
    assert.equal(changeOf(paid, snapshot, charge), 'amount_mismatch ')
    assert.equal(changeOf(paid, snapshot), undefined)
    assert.equal(changeOf(paid, undefined, charge), undefined)
    assert.equal(changeOf(paid, snapshotOf([confirmed, brokenPayment]), charge), 'payment_unreadable 1')
    const reported = applyEntries(paid, [{kind: 'alert', at, alert: 'amount_mismatch'}])
    assert.equal(changeOf(reported as OpenedState, snapshot, charge), undefined)
  })
})
