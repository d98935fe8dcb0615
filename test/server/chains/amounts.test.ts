/** Amounts to pay, payment requests and tokens, compared with viem, algosdk and public vectors. */
import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'
import fc from 'fast-check'
import {formatUnits, getAddress, parseUnits} from 'viem/utils'
import {
  assetId,
  ceilUnits,
  findNetwork,
  findToken,
  isLegacy,
  isNativeCoin,
  isPegged,
  payableAmount,
  paymentRequestUri,
} from '../../../src/server/chains/index.js'
import {randomAlgorandAddress, randomEvmAddress} from './random-address.js'

interface Vectors {
  eip681: {uri: string}[]
  arc26: string[]
  ceilUnits: [string, number, string][]
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
const pairs = (JSON.parse(readFileSync('test/fixtures/pairs.json', 'utf8')) as Pair[]).map(
  ({assetId, contract = assetId, ...pair}) => ({...pair, contract}),
)

const places = fc.integer({min: 0, max: 18})

test('base units agree with the vectors, and equal those of viem rounded up', () => {
  for (const [amount, decimals, units] of vectors.ceilUnits)
    assert.equal(String(ceilUnits(amount, decimals)), units, `${amount} at ${decimals}`)
  const amounts = fc
    .tuple(fc.bigInt({min: 0n, max: 10n ** 27n}), fc.integer({min: 0, max: 30}))
    .map(([units, scale]) => formatUnits(units, scale))
  fc.assert(
    fc.property(amounts, places, (amount, decimals) => {
      const step = 10n ** BigInt(30 - decimals)
      assert.equal(ceilUnits(amount, decimals), (parseUnits(amount, 30) + step - 1n) / step)
    }),
  )
})

test('invariant 2: the shown amount equals the requested one, and is never less than what was converted', () => {
  const converted = fc.double({min: 1e-18, max: 1e12, noNaN: true, noDefaultInfinity: true}).map(String)
  fc.assert(
    fc.property(converted, places, (amount, decimals) => {
      const shown = payableAmount(amount, decimals)
      const units = ceilUnits(shown, decimals)
      assert.equal(units, parseUnits(shown, decimals))
      assert.ok(units >= ceilUnits(amount, decimals))
      assert.equal(formatUnits(units, decimals), shown)
    }),
  )
})

test('an amount has eight places, more for six significant digits, and never more than its decimals', () => {
  for (const [converted, decimals, shown] of [
    ['0.123456789', 18, '0.12345679'],
    ['0.000012345678', 18, '0.0000123457'],
    ['0.000012345678', 8, '0.00001235'],
    ['12.3456785', 6, '12.345679'],
    ['0.0000004', 6, '0.000001'],
    ['1.23e-7', 18, '0.000000123'],
    ['10.000', 6, '10'],
    ['9.99999999999', 18, '10'],
    // With unknown decimals it has six places.
    ['0.123456789', undefined, '0.123457'],
    ['0.000012345678', undefined, '0.0000123457'],
  ] as const)
    assert.equal(payableAmount(converted, decimals), shown, `${converted} at ${decimals}`)
})

test('a payment request agrees with the vectors, and a network without a standard has none', () => {
  const to = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'
  const tether = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
  const algorand = 'TMTAD6N22HCS2LKH7677L2KFLT3PAQWY6M4JFQFXQS32ECBFC23F57RYX4'
  for (const [network, address, baseUnits, contract, uri] of [
    ['ethereum', to, '12345678', tether, vectors.eip681[2]?.uri],
    ['algorand', algorand, '150', '45', vectors.arc26[3]],
    ['algorand', algorand, '150500000', undefined, vectors.arc26[2]],
    ['tron', 'T1', '1', undefined, undefined],
  ] as const) {
    const request = paymentRequestUri({network, contract, address, baseUnits})
    assert.equal(request?.toLowerCase(), uri?.toLowerCase())
  }
})

test('a payment request of an EVM chain follows EIP-681, with its chain id and plain digits', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('ethereum', 'bsc', 'polygon'),
      fc.option(randomEvmAddress, {nil: undefined}),
      randomEvmAddress,
      fc.bigInt({min: 1n, max: 2n ** 256n - 1n}),
      (network, contract, address, units) => {
        const uri = paymentRequestUri({network, contract, address, baseUnits: String(units)}) ?? ''
        const [, target, chainId, transfer, query] =
          /^ethereum:(0x[0-9a-fA-F]{40})@(\d+)(\/transfer)?\?([^?#]+)$/.exec(uri) ?? assert.fail(uri)
        assert.equal(Number(chainId), findNetwork(network)?.chainId)
        assert.equal(target, contract ?? address)
        assert.deepEqual(
          Object.fromEntries(new URLSearchParams(query)),
          transfer ? {address, uint256: String(units)} : {value: String(units)},
        )
        assert.equal(transfer !== undefined, contract !== undefined)
      },
    ),
  )
})

test('a payment request of Algorand follows ARC-26', () => {
  const microunits = fc.bigInt({min: 1n, max: 2n ** 64n - 1n}).map(String)
  const assetId = fc.option(fc.bigInt({min: 1n, max: 2n ** 53n}).map(String), {nil: undefined})
  fc.assert(
    fc.property(randomAlgorandAddress, microunits, assetId, (address, baseUnits, contract) => {
      const uri = paymentRequestUri({network: 'algorand', contract, address, baseUnits}) ?? ''
      const [, host, query] = /^algorand:\/\/([A-Z2-7]{58})\?([^?#]+)$/.exec(uri) ?? assert.fail(uri)
      assert.equal(host, address)
      const expected = contract === undefined ? {amount: baseUnits} : {amount: baseUnits, asset: contract}
      assert.deepEqual(Object.fromEntries(new URLSearchParams(query)), expected)
    }),
  )
})

test('each pair of an EVM chain has a CAIP-19 id, and no other network', () => {
  const coins: Record<string, string> = {
    'ETH/ethereum': 'eip155:1/slip44:60',
    'BNB/bsc': 'eip155:56/slip44:714',
    'MATIC/polygon': 'eip155:137/slip44:966',
  }
  const chains: Record<string, string> = {ethereum: 'eip155:1', bsc: 'eip155:56'}
  for (const {symbol, network, contract} of pairs) {
    const token = contract && chains[network] && `${chains[network]}/erc20:${contract}`
    const expected = network === 'algorand' ? undefined : (token ?? coins[`${symbol}/${network}`])
    assert.equal(assetId(network, contract), expected, `${symbol}/${network}`)
  }
  assert.equal(assetId('tron', undefined), undefined)
})

test('invariant 2: each pair of the service has the decimals and the checksummed contract of public lists', () => {
  assert.equal(pairs.length, 26)
  for (const {contract, ...pair} of pairs) {
    for (const written of [contract, contract?.toLowerCase()])
      assert.deepEqual(findToken({...pair, contract: written}), {...pair, contract: contract ?? null})
    assert.equal(isNativeCoin({...pair, contract}), contract === undefined)
    if (contract !== undefined && pair.network !== 'algorand') assert.equal(getAddress(contract), contract)
  }
})

test('invariant 2: a pair with another id, network or contract is unknown', () => {
  for (const pair of pairs)
    for (const changed of [
      {...pair, convertId: '1'},
      {...pair, network: 'tron'},
      {...pair, contract: `0x${'1'.repeat(40)}`},
      {...pair, contract: pair.contract === undefined ? '0x1' : undefined},
    ]) {
      assert.equal(findToken(changed), undefined, JSON.stringify(changed))
      assert.equal(isNativeCoin(changed), false, JSON.stringify(changed))
    }
})

test("Polygon's own coin is also known by its system contract, and no other coin is", () => {
  const contract = '0x0000000000000000000000000000000000001010'
  for (const {convertId, network, symbol} of pairs) {
    const isPolygonCoin = network === 'polygon' && symbol === 'MATIC'
    assert.equal(findToken({convertId, network, contract}) !== undefined, isPolygonCoin)
    assert.equal(isNativeCoin({convertId, network, contract}), isPolygonCoin)
  }
})

test('pegged and legacy tokens are known', () => {
  const named = (is: (convertId: string, network: string) => boolean) =>
    pairs
      .filter(({convertId, network}) => is(convertId, network))
      .map(({symbol, network}) => `${symbol} ${network}`)
      .join(', ')
  assert.equal(named(isPegged), 'XRP bsc, ADA bsc, DOT bsc, AVAX bsc')
  assert.equal(named(isLegacy), 'BUSD bsc, MATIC bsc, MATIC ethereum, MATIC polygon, FTM bsc, FTM ethereum')
})
