import assert from 'node:assert/strict'
import {test} from 'node:test'
import {opened} from '../scripted-service.js'

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
      'asset network covers symbol networkName standard confirmationTime amount address contract chainId caip19 baseUnits uri quotedAt refreshAfter',
    ],
    [checkout.assets[0], 'id symbol name logo featured networks disabled'],
    [checkout.assets[0]?.networks[0], 'id name standard confirmationTime disabled'],
    [checkout.payments[0], 'transactionId network status confirmed amount currency local at url'],
  ] as const)
    assert.deepEqual(new Set(Object.keys(value ?? {})), new Set(fields.split(' ')))
})
