import assert from 'node:assert/strict'
import {test} from 'node:test'
import {arrayFrom, entriesOf, fromEntries, valuesOf} from '../../src/core/built-ins.js'
import {networkName} from '../../src/core/network-name.js'
import {hasChecksum, withoutSpace} from '../../src/core/refund-address.js'
import {withoutControls} from '../../src/core/without-controls.js'
import {checkout, payment} from './sample.js'

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

test('a payment has the common name of its network, or the id of one that is not listed', () => {
  const names = ['bsc', 'ethereum', 'tron'].map(network => networkName(checkout(), payment({network})))
  assert.deepEqual(names, ['BNB Smart Chain', 'Ethereum', 'tron'])
})

test('a mistake in an address for a refund is noticed where it has a checksum that the proxy compares', () => {
  const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const algorand = 'TMTAD6N22HCS2LKH7677L2KFLT3PAQWY6M4JFQFXQS32ECBFC23F57RYX4'
  for (const network of ['bsc', 'ethereum', 'polygon'])
    for (const address of [evm, `0x${'0'.repeat(38)}aA`]) assert.ok(hasChecksum(address, network))
  assert.ok(hasChecksum(algorand, 'algorand'))
  for (const address of [evm, algorand]) {
    assert.equal(hasChecksum(address, 'tron'), false)
    for (const other of [`1${address}`, `${address}A`, address.slice(0, -1), address.toLowerCase(), ''])
      assert.equal(hasChecksum(other, 'bsc'), false, other)
  }
  for (const letters of ['a', 'A']) assert.equal(hasChecksum(`0x${letters.repeat(40)}`, 'bsc'), false)
  assert.equal(withoutSpace(' 0x12\n34 '), '0x1234')
})
