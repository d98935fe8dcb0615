import assert from 'node:assert/strict'
import {test} from 'node:test'
import {
  depositAddress,
  findNetwork,
  isAlgorandAddress,
  sameAddress,
  transactionUrl,
} from '../../../src/server/chains/index.js'

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

test('on an unknown network, an address is a word of printable ASCII', () => {
  assert.equal(depositAddress('TXYZ', 'tron'), 'TXYZ')
  for (const address of ['', 'two words', 'line\nbreak', 'ünicode', '\u202e', 'x'.repeat(201)])
    assert.equal(depositAddress(address, 'tron'), undefined, JSON.stringify(address))
})

test('an address with text before or after it is refused, on every chain', () => {
  for (const [address, network] of [
    [evm, 'bsc'],
    [evm.toLowerCase(), 'bsc'],
    [algorand, 'algorand'],
    ['TXYZ', 'tron'],
  ] as const)
    for (const padded of [
      `${address}\n`,
      `\n${address}`,
      ` ${address}`,
      `${address} `,
      `${address} ${address}`,
    ])
      assert.equal(depositAddress(padded, network), undefined, JSON.stringify(padded))
  for (const letter of ['A', '2', '7']) {
    assert.equal(depositAddress(letter + algorand, 'algorand'), undefined)
    assert.equal(depositAddress(algorand + letter, 'algorand'), undefined)
  }
  for (const address of [`0${evm.toLowerCase()}`, `${evm.toLowerCase()}0`])
    assert.equal(depositAddress(address, 'bsc'), undefined, address)
})

test('an address with many zeros is accepted', () => {
  const zeros = `0x${'0'.repeat(39)}1`
  assert.equal(depositAddress(zeros, 'bsc'), zeros)
  assert.equal(depositAddress(`0x1${'0'.repeat(39)}`, 'bsc'), `0x1${'0'.repeat(39)}`)
})

test('the zero address of Algorand is refused, and no other that begins like it', () => {
  const beginning = 'ABNFUWS2LJNFUWS2LJNFUWS2LJNFUWS2LJNFUWS2LJNFUWS2LJNOX5INEU'
  const nearly = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAVIOOBQA'
  const zero = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAY5HFKQ'
  assert.equal(isAlgorandAddress(zero), true)
  assert.equal(depositAddress(zero, 'algorand'), undefined)
  for (const other of [beginning, nearly]) assert.equal(depositAddress(other, 'algorand'), other)
})

test('the zero address and the contract of the token are refused', () => {
  const other = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
  assert.equal(depositAddress(`0x${'0'.repeat(40)}`, 'bsc'), undefined)
  assert.equal(depositAddress(evm, 'bsc', evm.toLowerCase()), undefined)
  assert.equal(depositAddress(evm.toLowerCase(), 'bsc', evm), undefined)
  assert.equal(depositAddress(evm, 'bsc', other), evm)
})

test('two EVM addresses are the same when they differ in case only', () => {
  assert.equal(sameAddress(evm, evm.toLowerCase()), true)
  assert.equal(sameAddress(evm.toLowerCase(), evm), true)
  assert.equal(sameAddress(evm, evm.replace('5', '6')), false)
  assert.equal(sameAddress('TXYZ', 'TXYZ'), true)
  assert.equal(sameAddress('TXYZ', 'txyz'), false)
  assert.equal(sameAddress(evm, ''), false)
})

test('a network has its name, family, chain id, token standard and confirmation time', () => {
  const facts = (id: string) => {
    const {name, family, chainId, tokenStandard, confirmationTime} = findNetwork(id) ?? assert.fail(id)
    return [name, family, chainId, tokenStandard, confirmationTime]
  }
  assert.deepEqual(facts('ethereum'), ['Ethereum', 'evm', 1, 'ERC-20', 'minutes'])
  assert.deepEqual(facts('bsc'), ['BNB Smart Chain', 'evm', 56, 'BEP-20', 'under-a-minute'])
  assert.deepEqual(facts('polygon'), ['Polygon', 'evm', 137, 'ERC-20', 'under-a-minute'])
  assert.deepEqual(facts('algorand'), ['Algorand', 'algorand', undefined, 'ASA', 'under-a-minute'])
  for (const id of ['tron', 'Ethereum', '', 'toString', '__proto__'])
    assert.equal(findNetwork(id), undefined, id)
})

test('a transaction has a URL where its network has an explorer and its id is plain', () => {
  const hash = `0x${'ab'.repeat(32)}`
  assert.equal(transactionUrl('ethereum', hash), `https://etherscan.io/tx/${hash}`)
  assert.equal(transactionUrl('bsc', hash), `https://bscscan.com/tx/${hash}`)
  assert.equal(transactionUrl('polygon', hash), `https://polygonscan.com/tx/${hash}`)
  assert.equal(transactionUrl('algorand', 'ABC2'), 'https://explorer.perawallet.app/tx/ABC2/')
  assert.equal(transactionUrl('tron', hash), undefined)
  assert.equal(transactionUrl('bsc', 'a'.repeat(128)), `https://bscscan.com/tx/${'a'.repeat(128)}`)
  for (const id of ['', 'a/b', '../x', 'a b', 'a\n', 'a?b', '#a', 'a'.repeat(129)])
    assert.equal(transactionUrl('bsc', id), undefined, JSON.stringify(id))
})
