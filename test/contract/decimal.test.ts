import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {
  add,
  compare,
  decimal,
  parseDecimal,
  rounded,
  subtract,
  toText,
  toTrimmedText,
  unitsAt,
} from '../../src/contract/index.js'

test('parses plain and exponent notation without losing a digit', () => {
  assert.equal(toTrimmedText(decimal('0.30000000000000004')), '0.30000000000000004')
  assert.equal(toTrimmedText(decimal('1.23e-7')), '0.000000123')
  assert.equal(toTrimmedText(decimal('1E3')), '1000')
  assert.equal(toTrimmedText(decimal('1e21')), '1000000000000000000000')
})

test('rejects what is not a non-negative, finite decimal', () => {
  for (const text of [
    '',
    '-1',
    '+1',
    '.5',
    '5.',
    '1e',
    '1e999',
    'NaN',
    'Infinity',
    '0x10',
    '1,5',
    ' 1',
    '1'.repeat(101),
    '1e40',
    `1${'0'.repeat(40)}`,
    '1e-51',
    `0.${'0'.repeat(50)}1`,
    '0e-60',
  ])
    assert.equal(parseDecimal(text), null, text)
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

test('rounds up or to the nearest', () => {
  assert.equal(unitsAt(decimal('0.0000004'), 6, 'up'), 1n)
  assert.equal(unitsAt(decimal('0.0000004'), 6, 'nearest'), 0n)
  assert.equal(toText(rounded(decimal('2.345'), 2, 'nearest')), '2.35')
  assert.equal(toText(rounded(decimal('2.344'), 2, 'up')), '2.35')
})

test('does not round a decimal that has no more places than requested', () => {
  for (const rounding of ['up', 'nearest'] as const) {
    assert.equal(unitsAt(decimal('1.500'), 1, rounding), 15n)
    assert.equal(unitsAt(decimal('10.000'), 0, rounding), 10n)
    assert.equal(unitsAt(decimal('1.5'), 1, rounding), 15n)
    assert.equal(unitsAt(decimal('1.5'), 3, rounding), 1500n)
  }
})

test('rounds a half up, and less than a half down', () => {
  assert.equal(unitsAt(decimal('0.5'), 0, 'nearest'), 1n)
  assert.equal(unitsAt(decimal('0.4999999'), 0, 'nearest'), 0n)
})

test('parses up to a hundred characters', () => {
  assert.equal(toText(decimal(`${'0'.repeat(99)}7`)), '7')
  assert.equal(parseDecimal(`${'0'.repeat(100)}7`), null)
})

test('throws a RangeError where a decimal is required', () => {
  assert.throws(() => decimal('ten'), RangeError)
})

test('compares by value, whatever the number of places', () => {
  const sorted = ['2', '1.50', '0.100', '1.5', '10'].map(decimal).sort(compare).map(toTrimmedText)
  assert.deepEqual(sorted, ['0.1', '1.5', '1.5', '2', '10'])
  assert.deepEqual([compare(decimal('1.50'), decimal('1.5')), compare(decimal('2'), decimal('10'))], [0, -1])
})

test('subtracts to zero at most', () => {
  assert.equal(toText(subtract(decimal('1.5'), decimal('2'))), '0.0')
})

const amounts = fc
  .tuple(fc.bigInt({min: 0n, max: 10n ** 30n}), fc.integer({min: 0, max: 20}))
  .map(([units, scale]) => ({units, scale}))

test('subtracts what was added', () => {
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
