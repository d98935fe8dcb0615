/** Deposit addresses and networks. viem and algosdk decide which addresses of their chains are valid. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import algosdk from 'algosdk'
import fc from 'fast-check'
import {getAddress, isAddress} from 'viem/utils'
import {
  checksummed,
  depositAddress,
  findNetwork,
  isAlgorandAddress,
  sameAddress,
  transactionUrl,
} from '../../../src/server/chains/index.js'
import {randomAlgorandAddress, randomEvmAddress} from './random-address.js'

const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const algorand = 'TMTAD6N22HCS2LKH7677L2KFLT3PAQWY6M4JFQFXQS32ECBFC23F57RYX4'

test('an EVM address is shown with the checksum that viem computes, whether the service wrote it or not', () => {
  fc.assert(
    fc.property(randomEvmAddress, fc.constantFrom('ethereum', 'bsc', 'polygon'), (address, network) => {
      assert.equal(checksummed(address.toLowerCase()), address)
      for (const written of [address, address.toLowerCase()])
        assert.equal(depositAddress(written, network), address)
    }),
  )
})

test('an EVM address with one changed letter is accepted exactly when viem accepts it', () => {
  const letters = fc.constantFrom(...Array.from('0123456789abcdefABCDEFgxX -'))
  fc.assert(
    fc.property(randomEvmAddress, fc.nat(41), letters, (address, index, letter) => {
      const changed = address.slice(0, index) + letter + address.slice(index + 1)
      // Capitals alone are an address without a checksum for viem, but a service never writes it so.
      if (changed === changed.toUpperCase().replace('X', 'x')) return
      assert.equal(depositAddress(changed, 'ethereum'), isAddress(changed) ? getAddress(changed) : undefined)
    }),
    {numRuns: 1000},
  )
})

test('an Algorand address with one changed letter is accepted exactly when algosdk accepts it', () => {
  const letters = fc.constantFrom(...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567018a='))
  fc.assert(
    fc.property(randomAlgorandAddress, fc.nat(57), letters, (address, index, letter) => {
      assert.ok(isAlgorandAddress(address))
      const changed = address.slice(0, index) + letter + address.slice(index + 1)
      // The last letter has two unused bits. algosdk ignores them, but another spelling is not accepted here.
      const isCanonical = () => algosdk.decodeAddress(changed).toString() === changed
      assert.equal(isAlgorandAddress(changed), algosdk.isValidAddress(changed) && isCanonical(), changed)
    }),
    {numRuns: 1000},
  )
})

test('addresses that differ from the zero address are accepted, and a printable word on an unknown network', () => {
  for (const [address, network] of [
    [`0x${'0'.repeat(39)}1`, 'bsc'],
    [`0x1${'0'.repeat(39)}`, 'bsc'],
    ['ABNFUWS2LJNFUWS2LJNFUWS2LJNFUWS2LJNFUWS2LJNFUWS2LJNOX5INEU', 'algorand'],
    ['AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAVIOOBQA', 'algorand'],
    ['TXYZ', 'tron'],
  ] as const)
    assert.equal(depositAddress(address, network), address)
  assert.equal(depositAddress(evm, 'bsc', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'), evm)
})

test('an address that could lose money is rejected', () => {
  const zero = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAY5HFKQ'
  assert.ok(isAlgorandAddress(zero))
  const cases: [name: string, address: string, network: string, contract?: string][] = [
    ['the zero address of an EVM chain', `0x${'0'.repeat(40)}`, 'bsc'],
    ['the zero address of Algorand', zero, 'algorand'],
    ["the token's contract", evm, 'bsc', evm.toLowerCase()],
    ["the token's contract in lower case", evm.toLowerCase(), 'bsc', evm],
    ['an Algorand address on an EVM chain', algorand, 'bsc'],
    ['an EVM address on Algorand', evm, 'algorand'],
    ['too few digits', evm.slice(0, -1), 'bsc'],
    ['no prefix', evm.slice(2), 'bsc'],
    ['text before the prefix', `0${evm.toLowerCase()}`, 'bsc'],
    ['too many digits', `${evm.toLowerCase()}0`, 'bsc'],
    ['too many letters before', `A${algorand}`, 'algorand'],
    ['too many letters after', `${algorand}A`, 'algorand'],
    ...['', 'two words', 'line\nbreak', 'ünicode', '\u202e', 'x'.repeat(201)].map(
      (word): [string, string, string] => ['no printable word', word, 'tron'],
    ),
  ]
  for (const [address, network] of [
    [evm, 'bsc'],
    [evm.toLowerCase(), 'bsc'],
    [algorand, 'algorand'],
    ['TXYZ', 'tron'],
  ] as const)
    for (const padded of [`${address}\n`, `\n${address}`, ` ${address}`, `${address} `])
      cases.push(['space around it', padded, network])
  for (const [name, address, network, contract] of cases)
    assert.equal(depositAddress(address, network, contract), undefined, `${name}: ${JSON.stringify(address)}`)
})

test('two EVM addresses are the same when they differ in case only', () => {
  for (const [one, other, isSame] of [
    [evm, evm.toLowerCase(), true],
    [evm.toLowerCase(), evm, true],
    [evm, evm.replace('5', '6'), false],
    [evm, '', false],
    ['TXYZ', 'TXYZ', true],
    ['TXYZ', 'txyz', false],
  ] as const)
    assert.equal(sameAddress(one, other), isSame, `${one} ${other}`)
})

test('a network has its name, family, chain id, token standard, confirmation time and explorer', () => {
  const hash = 'ab'.repeat(64)
  const networks = {
    ethereum: ['Ethereum', 'evm', 1, 'ERC-20', 'minutes', `https://etherscan.io/tx/${hash}`],
    bsc: ['BNB Smart Chain', 'evm', 56, 'BEP-20', 'under-a-minute', `https://bscscan.com/tx/${hash}`],
    polygon: ['Polygon', 'evm', 137, 'ERC-20', 'under-a-minute', `https://polygonscan.com/tx/${hash}`],
    algorand: [
      'Algorand',
      'algorand',
      undefined,
      'ASA',
      'under-a-minute',
      `https://explorer.perawallet.app/tx/${hash}/`,
    ],
  }
  for (const [id, expected] of Object.entries(networks)) {
    const {name, family, chainId, tokenStandard, confirmationTime} = findNetwork(id) ?? assert.fail(id)
    const url = transactionUrl(id, hash)
    assert.deepEqual([name, family, chainId, tokenStandard, confirmationTime, url], expected)
  }
  for (const id of ['tron', 'Ethereum', '', 'toString', '__proto__']) {
    assert.equal(findNetwork(id), undefined, id)
    assert.equal(transactionUrl(id, hash), undefined, id)
  }
  for (const id of ['', 'a/b', '../x', 'a b', 'a\n', 'a?b', '#a', 'a'.repeat(129)])
    assert.equal(transactionUrl('bsc', id), undefined, JSON.stringify(id))
})
