import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {Entry} from '../../../src/server/journal/entry.js'
import {applyEntries, emptyState, hasAlert, type ChargeState} from '../../../src/server/journal/state.js'

const at = 1_000
const covers = {amount: '1.00', currency: 'USD'}
const selected = {kind: 'quote_selected', at, asset: 'a', network: 'bsc'} as const

function stateAfter(...entries: Entry[]): ChargeState {
  return applyEntries(emptyState, entries)
}

function quoted(asset: string, amount: string): Entry {
  const time = '2026-11-22T00:00:00.000Z'
  const names = {symbol: asset, networkName: 'BNB Smart Chain', address: `0x${asset}`}
  const quote = {asset, network: 'bsc', covers, ...names, amount, quotedAt: time, refreshAfter: time}
  return {kind: 'quoted', at, quote}
}

test('applying entries changes neither the earlier state nor its collections', () => {
  const before = stateAfter(quoted('a', '1'))
  applyEntries(before, [quoted('b', '2'), {kind: 'alert', at, alert: 'amount_mismatch'}])
  assert.equal(before.rev, 1)
  assert.equal(before.quotes.length, 1)
  assert.equal(before.alerts.size, 0)
})

test('a selected quote is the current one again', () => {
  const state = stateAfter(quoted('a', '1'), quoted('a', '2'), quoted('b', '3'), selected)
  const amounts = state.quotes.map(({amount}) => amount)
  assert.deepEqual(amounts, ['1', '3', '2'])
})

test('selecting and quoting are counted', () => {
  const quoting: Entry = {...selected, kind: 'quoting', covers, until: 2_000}
  const state = stateAfter(quoting, quoted('a', '1'), selected)
  assert.equal(state.quotingCount, 2)
})

test('a cleared alert stays known, and can be raised again', () => {
  const cleared = stateAfter({kind: 'alert', at, alert: 'price_mismatch'}, {kind: 'alert_cleared', at})
  assert.equal(hasAlert(cleared, 'price_mismatch'), false)
  assert.deepEqual(cleared.alerts.get('price_mismatch'), {rev: 1, cleared: true, items: 0})
  const again = applyEntries(cleared, [{kind: 'alert', at, alert: 'price_mismatch'}])
  assert.equal(hasAlert(again, 'price_mismatch'), true)
})

test('an alert about unreadable payments ends when all can be read', () => {
  const state = stateAfter({kind: 'alert', at, alert: 'payment_unreadable', items: 2})
  assert.equal(hasAlert(state, 'payment_unreadable'), true)
  const ended = applyEntries(state, [{kind: 'alert', at, alert: 'payment_unreadable', items: 0}])
  assert.equal(ended.alerts.size, 0)
})

test('a charge is unknown to the service since the first lookup that did not find it', () => {
  const state = stateAfter(
    {kind: 'lookup', at, result: 'not_found'},
    {kind: 'lookup', at: at + 5, result: 'not_found'},
  )
  assert.equal(state.notFoundSince, at)
  assert.equal(applyEntries(state, [{kind: 'lookup', at, result: 'found'}]).notFoundSince, undefined)
})

test('failures of a handler are counted, claims are not', () => {
  const state = stateAfter(
    {kind: 'notified', at, subject: 'paid', until: at + 90, done: false},
    {kind: 'notified', at: at + 1, subject: 'paid', done: false},
    {kind: 'notified', at: at + 2, subject: 'paid', until: at + 95, done: false},
  )
  const expected = {until: at + 95, done: false, failures: 1, since: at, at: at + 2}
  assert.deepEqual(state.notifications.get('paid'), expected)
})
