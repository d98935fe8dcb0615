/**
 * Amounts, addresses and payment requests compared with other implementations: viem for EVM chains, algosdk for
 * Algorand. Only this file uses them.
 */
import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'
import algosdk from 'algosdk'
import fc from 'fast-check'
import {formatUnits, getAddress, isAddress, parseUnits} from 'viem'
import {toTrimmedText} from '../../../src/contract/index.js'
import {
  ceilUnits,
  checksummed,
  depositAddress,
  findNetwork,
  findToken,
  isAlgorandAddress,
  payableAmount,
  paymentRequestUri,
} from '../../../src/server/chains/index.js'

const places = fc.integer({min: 0, max: 18})
const plainAmount = fc
  .tuple(fc.bigInt({min: 0n, max: 10n ** 27n}), fc.integer({min: 0, max: 30}))
  .map(([units, scale]) => formatUnits(units, scale))

test('base units equal those of viem, rounded up where the token has fewer places', () => {
  fc.assert(
    fc.property(plainAmount, places, (amount, decimals) => {
      const scale = 30
      const step = 10n ** BigInt(scale - decimals)
      const exact = parseUnits(amount, scale)
      assert.equal(ceilUnits(amount, decimals), (exact + step - 1n) / step)
    }),
  )
})

test('an amount is formatted as viem formats it', () => {
  fc.assert(
    fc.property(fc.bigInt({min: 0n, max: 2n ** 256n - 1n}), places, (units, scale) => {
      assert.equal(toTrimmedText({units, scale}), formatUnits(units, scale))
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

const twentyBytes = hex(20)
const evmAddress = twentyBytes.map(digits => getAddress(`0x${digits}`))

test('EVM addresses have the checksum that viem computes', () => {
  fc.assert(
    fc.property(twentyBytes, digits => assert.equal(checksummed(`0x${digits}`), getAddress(`0x${digits}`))),
  )
})

test('an EVM address is accepted exactly when viem accepts it, with any letter changed', () => {
  const typed = fc.constantFrom(...Array.from('0123456789abcdefABCDEFgxX -'))
  fc.assert(
    fc.property(evmAddress, fc.nat(41), typed, (address, place, letter) => {
      const spelled = address.slice(0, place) + letter + address.slice(place + 1)
      const shown = depositAddress(spelled, 'ethereum')
      // viem takes capitals alone for an address without a checksum; EIP-55 has it so too, but a service never writes it.
      if (spelled === spelled.toUpperCase().replace('X', 'x')) return
      assert.equal(shown !== undefined, isAddress(spelled), spelled)
      if (shown !== undefined) assert.equal(shown, getAddress(spelled))
    }),
    {numRuns: 1000},
  )
})

test('a payment request of an EVM chain follows the grammar of EIP-681', () => {
  const wanted = fc.record({
    network: fc.constantFrom('ethereum', 'bsc', 'polygon'),
    contract: fc.option(evmAddress, {nil: undefined}),
    address: evmAddress,
    units: fc.bigInt({min: 1n, max: 2n ** 256n - 1n}),
  })
  fc.assert(
    fc.property(wanted, ({network, contract, address, units}) => {
      const read = readEip681(paymentRequestUri({network, contract, address, baseUnits: String(units)}) ?? '')
      assert.equal(read.chainId, findNetwork(network)?.chainId)
      assert.equal(read.contract && getAddress(read.contract), contract)
      assert.equal(getAddress(read.address), address)
      assert.equal(read.units, units)
    }),
  )
})

interface Eip681 {
  readonly contract: string | undefined
  readonly address: string
  readonly chainId: number
  readonly units: bigint
}

/** The grammar of EIP-681, as far as a payment with a chain id and plain digits needs it. */
function readEip681(uri: string): Eip681 {
  const [, target = '', chainId, , name, query] =
    /^ethereum:(0x[0-9a-fA-F]{40})@(\d+)(\/([a-z]+))?\?([^?#]+)$/.exec(uri) ?? assert.fail(uri)
  const values = new URLSearchParams(query)
  const units = name === undefined ? values.get('value') : values.get('uint256')
  assert.match(units ?? '', /^\d+$/)
  if (name !== undefined) assert.equal(name, 'transfer')
  return {
    contract: name === undefined ? undefined : target,
    address: name === undefined ? target : (values.get('address') ?? ''),
    chainId: Number(chainId),
    units: BigInt(units ?? ''),
  }
}

const algorandAddress = hex(32).map(digits => algosdk.encodeAddress(Buffer.from(digits, 'hex')))

test('an Algorand address is accepted exactly when algosdk accepts it, with any letter changed', () => {
  fc.assert(
    fc.property(
      algorandAddress,
      fc.nat(57),
      fc.constantFrom(...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567018a=')),
      (address, place, letter) => {
        assert.ok(isAlgorandAddress(address))
        const mistyped = address.slice(0, place) + letter + address.slice(place + 1)
        // The library overlooks the two bits that the last letter has to spare; another spelling is not taken here.
        const isSpelledSo = () => algosdk.decodeAddress(mistyped).toString() === mistyped
        assert.equal(isAlgorandAddress(mistyped), algosdk.isValidAddress(mistyped) && isSpelledSo(), mistyped)
      },
    ),
    {numRuns: 1000},
  )
})

test('a payment request of Algorand follows ARC-26', () => {
  const micro = fc.bigInt({min: 1n, max: 2n ** 64n - 1n})
  const asset = fc.option(fc.bigInt({min: 1n, max: 2n ** 53n}).map(String), {nil: undefined})
  fc.assert(
    fc.property(algorandAddress, micro, asset, (address, units, contract) => {
      const uri = paymentRequestUri({network: 'algorand', contract, address, baseUnits: String(units)})
      const [, host = '', query] =
        /^algorand:\/\/([A-Z2-7]{58})\?([^?#]+)$/.exec(uri ?? '') ?? assert.fail(uri)
      const values = new URLSearchParams(query)
      assert.deepEqual(algosdk.decodeAddress(host), algosdk.decodeAddress(address))
      assert.equal(BigInt(values.get('amount') ?? ''), units)
      assert.equal(values.get('asset') ?? undefined, contract)
      assert.equal([...values].length, contract === undefined ? 1 : 2)
    }),
  )
})

test('every contract of the token table is a valid address of its chain', () => {
  for (const [convertId, network, contract] of knownContracts()) {
    const known = findToken({convertId, network, contract})
    assert.equal(known?.contract, contract)
    if (network === 'algorand') assert.match(contract, /^[1-9]\d*$/)
    else assert.equal(getAddress(contract), contract)
  }
})

/** As the table's source has them, since nothing else lists them all. */
function knownContracts(): [convertId: string, network: string, contract: string][] {
  const rows = readFileSync('src/server/chains/tokens.ts', 'utf8').matchAll(
    /convertId: "(\d+)", network: "(\w+)", contract: "(\w+)"/g,
  )
  const found = [...rows].map(([, id = '', network = '', contract = '']): [string, string, string] => [
    id,
    network,
    contract,
  ])
  assert.equal(found.length, 22)
  return found
}

function hex(bytes: number): fc.Arbitrary<string> {
  return fc.uint8Array({minLength: bytes, maxLength: bytes}).map(array => Buffer.from(array).toString('hex'))
}
