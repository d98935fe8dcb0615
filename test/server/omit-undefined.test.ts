import assert from 'node:assert/strict'
import {test} from 'node:test'
import {omitUndefined} from '../../src/server/omit-undefined.js'

test('what is unknown is left out, and whatever else is there stays', () => {
  const nothing: string | undefined = undefined
  assert.deepEqual(Object.entries(omitUndefined({nothing, empty: '', none: null, zero: 0, not: false})), [
    ['empty', ''],
    ['none', null],
    ['zero', 0],
    ['not', false],
  ])
})
