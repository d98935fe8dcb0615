/** When a charge needs no more work. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {CheckoutStatus} from '../../../src/contract/index.js'
import {
  isNotified,
  isOver,
  isSettled,
  isUnknown,
  mayBeClosed,
} from '../../../src/server/journal/completion.js'
import type {Entry} from '../../../src/server/journal/entry.js'
import {applyEntries, emptyState, type ChargeState} from '../../../src/server/journal/state.js'

const at = Date.UTC(2026, 10, 21, 1)
const DAY = 86_400_000
const price = {amount: '100.00', currency: 'USD'}
const opened: Entry = {kind: 'opened', at, journal: 'j', price, createdAt: '', acceptsPartial: false}
const notified = (subject: string, done: boolean): Entry => ({kind: 'notified', at, subject, done})
const stateAfter = (...entries: Entry[]) => applyEntries(emptyState, entries)

/** A charge with a payment for each name. */
function withPayments(status: CheckoutStatus, ...names: string[]): ChargeState {
  const payments = names.map((name, index) => ({
    transactionId: `0x${index}`,
    network: 'bsc',
    currency: 'USDT',
    amount: '1',
    local: price,
    confirmed: name === 'confirmed',
    confirmations: 0,
    timestamp: null,
    ...(name === 'dropped' && {dropped: true}),
  }))
  return stateAfter({kind: 'observed', at, status, cancelled: false, expiresAt: null, payments} as never)
}

test('a charge is settled when it is paid and each payment is confirmed or dropped', () => {
  assert.equal(isSettled(withPayments('paid')), true)
  assert.equal(isSettled(withPayments('overpaid', 'confirmed', 'dropped')), true)
  assert.equal(isSettled(withPayments('paid', 'confirmed', 'pending')), false)
  assert.equal(isSettled(withPayments('underpaid', 'confirmed')), false)
})

test('the merchant is notified when paid and all else that began is done', () => {
  assert.equal(isNotified(stateAfter()), false)
  assert.equal(isNotified(stateAfter(notified('payment 0xa', true))), false)
  assert.equal(isNotified(stateAfter(notified('paid', false))), false)
  assert.equal(isNotified(stateAfter(notified('payment 0xa', false), notified('paid', true))), false)
  assert.equal(isNotified(stateAfter(notified('payment 0xa', true), notified('paid', true))), true)
})

test('a charge is over seven days after its expiry, or after its opening if it has none', () => {
  const expiring = {...stateAfter(opened), expiresAt: at + DAY}
  for (const [state, end] of [
    [expiring, at + 8 * DAY],
    [stateAfter(opened), at + 7 * DAY],
  ] as const)
    assert.deepEqual([isOver(state, end - 1), isOver(state, end)], [false, true])
  assert.equal(isOver(stateAfter(), at + 100 * DAY), false)
})

test('a charge is over when the service has not known it for a day', () => {
  const lost = stateAfter(opened, {kind: 'lookup', at, result: 'not_found'})
  for (const is of [isUnknown, isOver, mayBeClosed])
    assert.deepEqual([is(lost, at + DAY - 1), is(lost, at + DAY)], [false, true])
  assert.equal(isUnknown(stateAfter(opened), at + DAY), false)
})

test('a charge may be closed when it is over or the merchant knows that it is paid', () => {
  assert.equal(mayBeClosed(stateAfter(opened), at), false)
  assert.equal(mayBeClosed(stateAfter(opened, notified('paid', false)), at), false)
  assert.equal(mayBeClosed(stateAfter(opened, notified('paid', true)), at), true)
})
