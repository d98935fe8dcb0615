import assert from 'node:assert/strict'
import {test} from 'node:test'
import {arrayFrom, entriesOf, fromEntries, valuesOf} from '../../src/core/built-ins.js'
import {withoutControls} from '../../src/core/without-controls.js'

test('what is in place of built-ins does the same', () => {
  const object = {a: 1, b: 2}
  assert.deepEqual(valuesOf(object), Object.values(object))
  assert.deepEqual(entriesOf(object), Object.entries(object))
  const entries = [['__proto__', 1] as const, ['b', 2] as const]
  const [own, builtIn] = [fromEntries, Object.fromEntries].map(make => make(entries))
  assert.deepEqual(Object.getOwnPropertyDescriptors(own), Object.getOwnPropertyDescriptors(builtIn))
  assert.deepEqual(arrayFrom(new Set([1, 2])), [1, 2])
})

test('a name has neither control nor direction characters', () => {
  assert.equal(withoutControls('Mug \u202egum\u0007'), 'Mug gum')
})
