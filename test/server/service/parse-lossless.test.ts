import assert from 'node:assert/strict'
import {test} from 'node:test'
import * as fc from 'fast-check'
import {ExactNumber} from '../../../src/contract/index.js'
import {parseLossless} from '../../../src/server/service/parse-lossless.js'

/** The digits of a number, whether it was parsed as a float or kept as text. */
function textOf(value: unknown): string {
  return value instanceof ExactNumber ? value.text : String(value)
}

test('no number loses a digit, wherever it is', () => {
  for (const number of ['0.1', '-0.30000000000000004', '1.10', '1e-7', '12E3', '123456789012345678', '0'])
    for (const [json, valueIn] of [
      [number, (value: unknown) => value],
      [`[1, ${number}]`, (value: unknown) => (value as unknown[])[1]],
      [`{"amount" : \n ${number} }`, (value: unknown) => (value as {amount: unknown}).amount],
    ] as const)
      assert.equal(textOf(valueIn(parseLossless(json))), number, json)
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt({min: 0n}), fc.string(), (whole, fraction, text) => {
      for (const number of [`${whole}`, `${whole}.${fraction}`]) {
        const json = `{"text":${JSON.stringify(text)},"amount":${number}}`
        const parsed = parseLossless(json) as {text: unknown; amount: unknown}
        assert.deepEqual([parsed.text, textOf(parsed.amount)], [text, number])
      }
    }),
  )
})

test('text with digits stays text, and the last value of a repeated key counts', () => {
  assert.deepEqual(
    parseLossless('{"at":"01:23:45.678","a":"x:1.5","b":1,"b":2}'),
    parseLossless('{"at":"01:23:45.678","a":"x:1.5","b":2}'),
  )
  assert.throws(() => parseLossless('{"a":1'))
  assert.throws(() => parseLossless('{"a":1.5'))
})
