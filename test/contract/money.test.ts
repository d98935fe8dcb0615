import assert from 'node:assert/strict'
import {test} from 'node:test'
import {subtractMoney} from '../../src/contract/money.js'

test('an amount less another one is exact, and keeps the places and the currency', () => {
  const usd = (amount: string) => ({amount, currency: 'USD'})
  assert.deepEqual(subtractMoney(usd('60.05'), usd('49.90')), usd('10.15'))
  assert.deepEqual(subtractMoney(usd('49.90'), usd('49.90')), usd('0.00'))
})
