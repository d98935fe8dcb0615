import assert from 'node:assert/strict'
import {test} from 'node:test'
import {depositAddress, isAlgorandAddress} from '../../src/server/chains/index.js'

const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const algorand = 'TMTAD6N22HCS2LKH7677L2KFLT3PAQWY6M4JFQFXQS32ECBFC23F57RYX4'

test('an EVM address is shown checksummed, whether it came in lower case or checksummed', () => {
  assert.equal(depositAddress(evm.toLowerCase(), 'bsc'), evm)
  assert.equal(depositAddress(evm, 'ethereum'), evm)
})

test('an EVM address with a wrong checksum, length or letter is refused', () => {
  const swappedCase = evm.replace('aA', 'Aa')
  for (const address of [
    swappedCase,
    evm.slice(0, -1),
    `${evm}0`,
    evm.replace('5', 'g'),
    evm.slice(2),
    ` ${evm}`,
    '',
  ])
    assert.equal(depositAddress(address, 'polygon'), undefined, address)
})

test('the zero address, and the own contract of a token, are refused', () => {
  assert.equal(depositAddress(`0x${'0'.repeat(40)}`, 'bsc'), undefined)
  assert.equal(depositAddress(evm, 'bsc', evm.toLowerCase()), undefined)
})

test('an address of another family is refused', () => {
  assert.equal(depositAddress(algorand, 'bsc'), undefined)
  assert.equal(depositAddress(evm, 'algorand'), undefined)
})

test('an Algorand address must carry its checksum', () => {
  assert.equal(depositAddress(algorand, 'algorand'), algorand)
  assert.equal(isAlgorandAddress(algorand.replace('TMT', 'TMU')), false)
  assert.equal(isAlgorandAddress(algorand.toLowerCase()), false)
  // The last letter holds two unused bits: the same 36 bytes, spelled otherwise.
  assert.equal(isAlgorandAddress(`${algorand.slice(0, -1)}5`), false)
})

test('on a network that we do not know, an address is one plain printable word', () => {
  assert.equal(depositAddress('TXYZ', 'tron'), 'TXYZ')
  for (const address of ['', 'two words', 'line\nbreak', 'ünicode', '\u202e', 'x'.repeat(201)])
    assert.equal(depositAddress(address, 'tron'), undefined, JSON.stringify(address))
})
