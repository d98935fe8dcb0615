import assert from 'node:assert/strict'
import {test} from 'node:test'
import {toCheckout} from '../../../src/server/checkout/to-checkout.js'
import type {OpenedState} from '../../../src/server/journal/state.js'
import {emptyState} from '../../../src/server/journal/state.js'
import {opened, startOfTest as now} from '../scripted-service.js'

test('a checkout has a description, a redirect URL and an expiry only where the charge has them', () => {
  const entry = {
    kind: 'opened',
    at: now,
    journal: 'j',
    price: {amount: '100.00', currency: 'USD'},
    createdAt: '2026-11-21T01:00:00.000Z',
    acceptsPartial: false,
  } as const
  const context = {now, stale: false, test: true}
  const state: OpenedState = {...emptyState, opened: entry}
  const bare = toCheckout('c1', state, context)
  assert.ok(!('description' in bare) && !('redirectUrl' in bare) && !('alert' in bare))
  assert.equal(bare.expiresAt, null)
  assert.equal(toCheckout('c1', {...state, expiresAt: now}, context).expiresAt, '2026-11-21T01:00:00.000Z')
  const optional = {description: 'Order 7', redirectUrl: 'https://shop.example/'}
  const {description, redirectUrl} = toCheckout('c1', {...state, opened: {...entry, ...optional}}, context)
  assert.deepEqual({description, redirectUrl}, optional)
})

test('invariant 6: a checkout holds the fields that the design names, and no other', async () => {
  const {service, quote, poll} = await opened()
  const {json: quoted} = await quote()
  service.report('underpaid', {transaction_id: '0xa', local: 40})
  const checkout = await poll()
  for (const [value, fields] of [
    [
      checkout,
      'chargeId status payable stale test price paid due acceptsPartial description assets quote payments createdAt expiresAt serverTime journal rev',
    ],
    [
      quoted.quote,
      'asset network covers symbol networkName standard confirmationTime amount address contract chainId baseUnits uri quotedAt refreshAfter',
    ],
    [checkout.assets[0], 'id symbol name logo featured networks disabled'],
    [checkout.assets[0]?.networks[0], 'id name standard confirmationTime disabled'],
    [checkout.payments[0], 'transactionId network status confirmed amount currency local at url'],
  ] as const)
    assert.deepEqual(new Set(Object.keys(value ?? {})), new Set(fields.split(' ')))
})
