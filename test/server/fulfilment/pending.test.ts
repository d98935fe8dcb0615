/** What is still to be notified, from the state of a charge alone. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {Handlers} from '../../../src/server/fulfilment/handlers.js'
import {nextAttemptAt, pendingNotifications} from '../../../src/server/fulfilment/pending.js'
import {applyEntries, emptyState} from '../../../src/server/journal/state.js'

const at = 1_000_000

test('the next attempt is at the end of a claim, else after a pause that doubles from 30 s to 15 minutes', () => {
  const next = (until: number, failures: number) => nextAttemptAt({until, failures, at})
  assert.equal(next(at + 90_000, 0), at + 90_000)
  assert.equal(next(at + 90_000, 3), at + 90_000)
  assert.equal(next(0, 0), 0)
  assert.deepEqual(
    [1, 2, 5, 6, 100].map(failures => next(0, failures) - at),
    [30_000, 60_000, 480_000, 900_000, 900_000],
  )
})

test('each status has its handler, which is called until it is done; open and pending have none', () => {
  const handlers: Handlers = {
    onPaid: () => 'paid',
    onUnderpaid: () => 'underpaid',
    onExpired: () => 'expired',
    onCancelled: () => 'cancelled',
  }
  for (const [status, subject, handler] of [
    ['open'],
    ['pending'],
    ['paid', 'paid', 'onPaid'],
    ['overpaid', 'paid', 'onPaid'],
    ['underpaid', 'underpaid', 'onUnderpaid'],
    ['expired', 'expired', 'onExpired'],
    ['cancelled', 'cancelled', 'onCancelled'],
  ] as const) {
    const state = {...emptyState, status}
    const pending = pendingNotifications('c1', state, handlers)
    const called = pending.map(each => [each.subject, each.handler, each.call({} as never, {} as never)])
    assert.deepEqual(called, subject ? [[subject, handler, subject]] : [])
    assert.deepEqual(pendingNotifications('c1', state, {}), [])
    const claimed = applyEntries(state, [{kind: 'notified', at, subject: 'paid', until: at, done: false}])
    assert.equal(pendingNotifications('c1', claimed, handlers).length, called.length)
    const done = applyEntries(state, [{kind: 'notified', at, subject: subject ?? 'paid', done: true}])
    assert.deepEqual(pendingNotifications('c1', done, handlers), [])
  }
})

test('an alert is notified again when it comes again, and not after it was cleared', () => {
  const alert = {kind: 'alert', at, alert: 'price_mismatch'} as const
  const subjects = (...entries: Parameters<typeof applyEntries>[1][number][]) =>
    pendingNotifications('c1', applyEntries(emptyState, entries), {onAlert: () => undefined}).map(
      ({subject, handler}) => [subject, handler],
    )
  assert.deepEqual(subjects(alert), [['alert price_mismatch 1', 'onAlert']])
  assert.deepEqual(subjects(alert, {kind: 'alert_cleared', at}), [])
  assert.deepEqual(subjects(alert, {kind: 'alert_cleared', at}, alert), [
    ['alert price_mismatch 3', 'onAlert'],
  ])
})
