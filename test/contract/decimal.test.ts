import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {
  add,
  compare,
  decimal,
  floatText,
  minorUnit,
  parseDecimal,
  rounded,
  subtract,
  toText,
  toTrimmedText,
} from '../../src/contract/index.js'
import {subtractMoney} from '../../src/contract/money.js'

test('parses plain and exponent notation of up to a hundred characters without losing a digit', () => {
  assert.equal(toTrimmedText(decimal('0.30000000000000004')), '0.30000000000000004')
  assert.equal(toTrimmedText(decimal('1.23e-7')), '0.000000123')
  assert.equal(toTrimmedText(decimal('1E3')), '1000')
  assert.equal(toTrimmedText(decimal('1e21')), '1000000000000000000000')
  assert.equal(toText(decimal(`${'0'.repeat(99)}7`)), '7')
})

test('rejects what is not a non-negative, finite decimal', () => {
  const long = [`${'0'.repeat(100)}7`, `1${'0'.repeat(40)}`, `0.${'0'.repeat(50)}1`]
  for (const text of [...' -1 .5 5. 1e 1e999 NaN 0x10 1,5 1e40 1e-51 0e-60'.split(' '), ...long])
    assert.equal(parseDecimal(text), null, text)
  assert.throws(() => decimal('ten'), RangeError)
})

test('formats every parsed decimal so that it parses to the same value', () => {
  const written = fc
    .tuple(fc.bigInt({min: 0n, max: 10n ** 45n}), fc.nat(60), fc.integer({min: -420, max: 420}))
    .map(([digits, places, exponent]) => `${toText({units: digits, scale: places})}e${exponent}`)
  fc.assert(
    fc.property(fc.oneof(written, fc.double({noNaN: true, min: 0}).map(String)), text => {
      const value = parseDecimal(text)
      if (value) assert.equal(compare(decimal(toText(value)), value), 0)
      if (value) assert.equal(compare(decimal(toTrimmedText(value)), value), 0)
    }),
    {numRuns: 1000},
  )
  assert.ok(parseDecimal(`1${'0'.repeat(39)}`))
  assert.ok(parseDecimal(`0.${'0'.repeat(49)}1`))
})

test('rounds up, or to the nearest with a half up, unless there are enough places', () => {
  for (const [text, scale, up, nearest] of [
    ['0.0000004', 6, '0.000001', '0.000000'],
    ['2.345', 2, '2.35', '2.35'],
    ['2.344', 2, '2.35', '2.34'],
    ['0.4999999', 0, '1', '0'],
    ['0.5', 0, '1', '1'],
    ['1.500', 1, '1.5', '1.5'],
    ['10.000', 0, '10', '10'],
    ['1.5', 1, '1.5', '1.5'],
    ['1.5', 3, '1.500', '1.500'],
  ] as const) {
    assert.equal(toText(rounded(decimal(text), scale, 'up')), up, text)
    assert.equal(toText(rounded(decimal(text), scale, 'nearest')), nearest, text)
  }
})

test('compares by value, whatever the number of places', () => {
  const sorted = ['2', '1.50', '0.100', '1.5', '10'].map(decimal).sort(compare).map(toTrimmedText)
  assert.deepEqual(sorted, ['0.1', '1.5', '1.5', '2', '10'])
  assert.deepEqual([compare(decimal('1.50'), decimal('1.5')), compare(decimal('2'), decimal('10'))], [0, -1])
})

const amounts = fc
  .tuple(fc.bigInt({min: 0n, max: 10n ** 30n}), fc.integer({min: 0, max: 20}))
  .map(([units, scale]) => ({units, scale}))

test('subtracts what was added, and never below zero', () => {
  assert.equal(toText(subtract(decimal('1.5'), decimal('2'))), '0.0')
  fc.assert(fc.property(amounts, amounts, (a, b) => compare(subtract(add(a, b), b), a) === 0))
})

test('rounds up by less than one unit', () => {
  fc.assert(
    fc.property(amounts, fc.integer({min: 0, max: 20}), (value, scale) => {
      const up = rounded(value, scale, 'up')
      const less = subtract(up, value)
      return compare(up, value) >= 0 && compare(less, {units: 1n, scale}) < 0
    }),
  )
})

test('a float is written in its shortest form, without exponent and without the error of its arithmetic', () => {
  for (const [float, text] of [
    [5 * 36.49, '182.45'],
    [47_999.969999999994, '47999.97'],
    [1e-7, '0.0000001'],
    [1e-13, '0'],
    [-0, '0'],
    [1e14, '100000000000000'],
    [999_999_999_999.99, '999999999999.99'],
    ...[1e15, 1e21, -1, NaN, Infinity].map(float => [float, undefined] as const),
  ] as const)
    assert.equal(floatText(float), text, String(float))
  const cents = fc.bigInt({min: 0n, max: 10n ** 15n - 1n}).map(units => toTrimmedText({units, scale: 2}))
  fc.assert(fc.property(cents, text => floatText(Number(text)) === text))
})

test('a currency has the decimals of ISO 4217, or two if it is unknown', () => {
  const places = ['usd', 'JPY', 'kwd', 'CLF', 'BTC', 'HUF', 'IDR'].map(minorUnit)
  assert.deepEqual(places, [2, 0, 3, 4, 2, 2, 2])
})

test('an amount less another one is exact, and keeps the places and the currency', () => {
  const usd = (amount: string) => ({amount, currency: 'USD'})
  assert.deepEqual(subtractMoney(usd('60.05'), usd('49.90')), usd('10.15'))
  assert.deepEqual(subtractMoney(usd('49.90'), usd('49.90')), usd('0.00'))
})
