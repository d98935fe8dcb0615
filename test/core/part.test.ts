import assert from 'node:assert/strict'
import {test} from 'node:test'
import {parsePart, parseTypedPart} from '../../src/core/part.js'

const due = (amount: string, currency: string) => ({due: {amount, currency}})

const rows = [
  ['20', due('49.90', 'USD'), '20.00'],
  [' 20,5 ', due('49.90', 'USD'), '20.50'],
  ['٢٠٫٥', due('49.90', 'USD'), '20.50'],
  ['50', due('49.90', 'USD'), null],
  ['0', due('49.90', 'USD'), null],
  ['20.005', due('49.90', 'USD'), null],
  ['twenty', due('49.90', 'USD'), null],
  ['1000.5', due('1500', 'JPY'), null],
  // One thousand, or one and no thousandths?
  ['1,000', due('1500.000', 'KWD'), null],
  ['1.000', due('1500.000', 'KWD'), null],
  ['12.345', due('15000.000', 'KWD'), null],
  ['١٬٠٠٠', due('1500.000', 'KWD'), null],
  ['1,000', due('1500', 'JPY'), null],
  ['1000', due('1500.000', 'KWD'), '1000.000'],
  ['1000.500', due('1500.000', 'KWD'), '1000.500'],
  ['1.5', due('1500.000', 'KWD'), '1.500'],
  ['1.00050', due('15.00000', 'BTC'), '1.00050'],
] as const

test('a typed part is read in the digits and with the decimal sign of the customer, or refused', () => {
  for (const [text, checkout, part] of rows) assert.equal(parseTypedPart(text, checkout), part, text)
})

test('an amount of the proxy is read as it is', () => {
  assert.equal(parsePart('1.000', due('1500.000', 'KWD')), '1.000')
})
