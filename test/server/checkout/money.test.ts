import assert from 'node:assert/strict'
import {test} from 'node:test'
import {
  computeBalance,
  exactAmount,
  localPrice,
  sameMoney,
  shownAmount,
} from '../../../src/server/checkout/money.js'

const price = {amount: '100.00', currency: 'USD'}

test('a price has the decimals of its currency, or its own where it has more', () => {
  for (const [amount, currency, expected] of [
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
    assert.deepEqual(localPrice(amount, currency), {amount: expected, currency})
})

test('amounts are added exactly, and more than was paid is never shown', () => {
  assert.equal(exactAmount('29.999999999999996'), '30')
  assert.equal(shownAmount(price, {amount: '39.999', currency: 'usd'}).amount, '39.99')
  assert.equal(shownAmount(price, {amount: '39.999', currency: 'EUR'}).amount, '39.999')
  const thirds = Array.from({length: 3}, () => ({amount: '33.333333333333', currency: 'USD'}))
  const {paid, due} = computeBalance(price, thirds)
  assert.deepEqual([paid.amount, due.amount], ['99.99', '0.00'])
  const balance = computeBalance(price, [
    {amount: '40', currency: 'usd'},
    {amount: '9', currency: 'EUR'},
  ])
  assert.deepEqual(balance, {
    paid: {amount: '40.00', currency: 'USD'},
    due: {amount: '60.00', currency: 'USD'},
  })
  assert.equal(computeBalance(price, [{amount: '101', currency: 'USD'}]).due.amount, '0.00')
})

test('two amounts are the same money when their values and currencies are equal', () => {
  assert.equal(sameMoney(price, {amount: '100', currency: 'usd'}), true)
  assert.equal(sameMoney(price, {amount: '100', currency: 'EUR'}), false)
  assert.equal(sameMoney(price, {amount: '100.01', currency: 'USD'}), false)
})
