import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'
import {
  ceilUnits,
  checksummed,
  findToken,
  isLegacy,
  isNativeCoin,
  isPegged,
  payableAmount,
  paymentRequestUri,
} from '../../../src/server/chains/index.js'

interface Vectors {
  eip681: {uri: string}[]
  arc26: string[]
  ceilUnits: [string, number, string][]
  eip55: string[]
}
interface Pair {
  symbol: string
  convertId: string
  network: string
  contract?: string
  assetId?: string
  decimals: number
}
const vectors = JSON.parse(readFileSync('test/fixtures/vectors.json', 'utf8')) as Vectors
const pairs = JSON.parse(readFileSync('test/fixtures/pairs.json', 'utf8')) as Pair[]
const facts = pairs.map(({convertId, network, contract, assetId}) => ({
  convertId,
  network,
  contract: contract ?? assetId,
}))

test('base units agree with the vectors', () => {
  for (const [amount, decimals, units] of vectors.ceilUnits)
    assert.equal(String(ceilUnits(amount, decimals)), units, `${amount} at ${decimals}`)
})

test('addresses have the checksum of EIP-55', () => {
  for (const address of vectors.eip55) assert.equal(checksummed(address.toLowerCase()), address)
})

test('an amount has eight places, more for six significant digits, and never more than its decimals', () => {
  assert.equal(payableAmount('0.123456789', 18), '0.12345679')
  assert.equal(payableAmount('0.000012345678', 18), '0.0000123457')
  assert.equal(payableAmount('0.000012345678', 8), '0.00001235')
  assert.equal(payableAmount('12.3456785', 6), '12.345679')
  assert.equal(payableAmount('0.0000004', 6), '0.000001')
  assert.equal(payableAmount('1.23e-7', 18), '0.000000123')
  assert.equal(payableAmount('10.000', 6), '10')
  assert.equal(payableAmount('9.99999999999', 18), '10')
})

test('an amount with unknown decimals has six places, more for six significant digits', () => {
  assert.equal(payableAmount('0.123456789', undefined), '0.123457')
  assert.equal(payableAmount('0.000012345678', undefined), '0.0000123457')
})

test('a payment request has plain digits and the chain id', () => {
  const token = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
  const to = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'
  assert.equal(
    paymentRequestUri({
      network: 'ethereum',
      contract: token,
      address: to,
      baseUnits: '12345678',
    })?.toLowerCase(),
    vectors.eip681[2]?.uri.toLowerCase(),
  )
  assert.equal(
    paymentRequestUri({network: 'bsc', contract: undefined, address: to, baseUnits: '1'}),
    `ethereum:${to}@56?value=1`,
  )
  const algo = 'TMTAD6N22HCS2LKH7677L2KFLT3PAQWY6M4JFQFXQS32ECBFC23F57RYX4'
  assert.equal(
    paymentRequestUri({network: 'algorand', contract: '45', address: algo, baseUnits: '150'}),
    vectors.arc26[3],
  )
  assert.equal(
    paymentRequestUri({network: 'algorand', contract: undefined, address: algo, baseUnits: '150500000'}),
    vectors.arc26[2],
  )
  assert.equal(
    paymentRequestUri({network: 'tron', contract: undefined, address: 'T1', baseUnits: '1'}),
    undefined,
  )
})

test('invariant 2: each pair of the service has the decimals and the contract of public lists', () => {
  assert.equal(pairs.length, 26)
  pairs.forEach(({symbol, convertId, network, contract, assetId, decimals}) => {
    const address = contract ?? assetId
    const token = {symbol, convertId, network, contract: address ?? null, decimals}
    assert.deepEqual(findToken({convertId, network, contract: address}), token)
    assert.deepEqual(findToken({convertId, network, contract: address?.toLowerCase()}), token)
    assert.equal(isNativeCoin({convertId, network, contract: address}), address === undefined)
  })
})

test('invariant 2: a pair with another id, network or contract is unknown', () => {
  for (const pair of facts)
    for (const changed of [
      {...pair, convertId: '1'},
      {...pair, network: 'tron'},
      {...pair, contract: '0x0000000000000000000000000000000000001010'},
      {...pair, contract: pair.contract === undefined ? '0x1' : undefined},
    ]) {
      if (changed.network === 'polygon' && changed.contract?.endsWith('1010')) continue
      assert.equal(findToken(changed), undefined, JSON.stringify(changed))
      assert.equal(isNativeCoin(changed), false, JSON.stringify(changed))
    }
})

test("Polygon's own coin is also known by its system contract", () => {
  const coin = {convertId: '3890', network: 'polygon'}
  const systemContract = '0x0000000000000000000000000000000000001010'
  assert.equal(findToken({...coin, contract: systemContract})?.decimals, 18)
  assert.equal(isNativeCoin({...coin, contract: systemContract}), true)
})

test('pegged and legacy tokens are known', () => {
  const named = (is: (convertId: string, network: string) => boolean) =>
    pairs
      .filter(({convertId, network}) => is(convertId, network))
      .map(({symbol, network}) => `${symbol} ${network}`)
  assert.deepEqual(named(isPegged), ['XRP bsc', 'ADA bsc', 'DOT bsc', 'AVAX bsc'])
  assert.deepEqual(named(isLegacy), [
    'BUSD bsc',
    'MATIC bsc',
    'MATIC ethereum',
    'MATIC polygon',
    'FTM bsc',
    'FTM ethereum',
  ])
})
