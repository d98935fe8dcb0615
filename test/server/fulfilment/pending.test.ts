/** What is still to be notified, from the state of a charge alone. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {pendingNotifications} from '../../../src/server/fulfilment/pending.js'
import {applyEntries, emptyState} from '../../../src/server/journal/state.js'

const at = 1_000_000

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
