import assert from 'node:assert/strict'
import {test} from 'node:test'
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import * as fc from 'fast-check'
import {ExactNumber} from '../../../src/contract/index.js'
import {parseLossless} from '../../../src/server/service/parse-lossless.js'

function textOf(value: unknown): string {
  return value instanceof ExactNumber ? value.text : String(value)
}

test('no number loses a digit, wherever it stands', () => {
  for (const number of [
    '0.1',
    '-0.30000000000000004',
    '1.10',
    '1e-7',
    '12E3',
    '123456789012345678',
    '-9007199254740993',
    '900719925474099',
    '0',
  ])
    for (const json of [
      number,
      `[${number}]`,
      `[1, ${number}]`,
      `{"a":{"amount":${number}}}`,
      `{"amount" : \n ${number} }`,
    ]) {
      const [found] = [parseLossless(json)].map(function first(value): unknown {
        if (Array.isArray(value)) return value.at(-1)
        const isNumber = typeof value !== 'object' || value === null || value instanceof ExactNumber
        return isNumber ? value : first(Object.values(value)[0])
      })
      assert.equal(textOf(found), number, json)
    }
})

test('any number that was written plainly comes out as it was written', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt({min: 0n}), fc.string(), (whole, fraction, text) => {
      for (const number of [`${whole}`, `${whole}.${fraction}`]) {
        const parsed = parseLossless(`{"text":${JSON.stringify(text)},"amount":${number}}`)
        assert.ok(typeof parsed === 'object' && parsed !== null && 'amount' in parsed && 'text' in parsed)
        assert.equal(textOf(parsed.amount), number)
        assert.equal(parsed.text, text)
      }
    }),
  )
})

test('text that looks like a number stays text, and of a key that is given twice the last counts', () => {
  assert.deepEqual(
    parseLossless('{"at":"01:23:45.678","a":"x:1.5","b":1,"b":2}'),
    parseLossless('{"at":"01:23:45.678","a":"x:1.5","b":2}'),
  )
  assert.throws(() => parseLossless('{"a":1'))
  assert.throws(() => parseLossless('{"a":1.5'))
})

test('an answer with such a number weighs about as much, for as long as it is held, as one without', () => {
  const answer = (amount: number) =>
    `{"amount":${amount},"id":"${'f'.repeat(66)}","by":["${'a'.repeat(42)}"]}`
  const light = weightOf(() => JSON.parse(answer(1)))
  const heavy = weightOf(() => parseLossless(answer(100.25)))
  assert.ok(heavy < 4 * light, `${heavy} bytes, and ${light} without`)
})

/** Bytes of one of many. */
function weightOf(make: () => unknown): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const held: unknown[] = Array.from({length: 5_000}, () => null)
  collect()
  const before = process.memoryUsage().heapUsed
  held.forEach((_, place) => (held[place] = make()))
  collect()
  return (process.memoryUsage().heapUsed - before) / held.length
}
