/**
 * Everything that can go wrong between proxy and service, on each operation that a page sets off, one at a time: the
 * page says what is wrong, shows no address whose convert did not succeed, and recovers when the fault ends.
 */
import {assert} from '@open-wc/testing'
import type {CryptoCheckout} from '../../src/index.js'
import type {Fault} from '../../src/sandbox/faults.js'
import {part, press, Shop, textOf} from './shop.js'

const operations = ['getCharge', 'createCryptoCharge', 'convert', 'getCryptoCharge'] as const

const faults: Fault[] = [
  {kind: 'delay', ms: 60_000},
  {kind: 'status', status: 400},
  {kind: 'status', status: 403},
  {kind: 'status', status: 404},
  {kind: 'status', status: 429, retryAfter: 5},
  {kind: 'status', status: 500},
  {kind: 'statusAfterEffect', status: 503},
  {kind: 'drop'},
  {kind: 'dropAfterEffect'},
  {kind: 'malformed'},
  {kind: 'truncated'},
  {kind: 'missingFields'},
  {kind: 'redirect'},
]

const forConvert: Fault[] = [
  {kind: 'lostBody'},
  {kind: 'wrongCurrency'},
  {kind: 'badAmount', amount: 0},
  {kind: 'badAmount', amount: '1e999'},
]

async function until(
  shop: Shop,
  element: CryptoCheckout,
  isSo: () => boolean,
  seconds: number,
): Promise<boolean> {
  for (let passed = 0; passed < seconds && !isSo(); passed++) await shop.pass(1_000, element)
  return isSo()
}

/** No address on the page but one that the sandbox has activated. */
function assertNothingUnwatched(shop: Shop, element: CryptoCheckout): void {
  const charge = shop.sandbox.charge(element.chargeId ?? '')
  const active = new Set(
    charge?.cryptoCharges.flatMap(one => one.activated.map(({address}) => address.toLowerCase())),
  )
  const all = charge?.cryptoCharges.flatMap(
    ({cryptoCharge}) => JSON.stringify(cryptoCharge).match(/0x[0-9a-f]{40}/gi) ?? [],
  )
  const known = (
    (element.shadowRoot?.innerHTML ?? '').replace(/<[^>]*>|\s/g, '') + JSON.stringify(element.checkout)
  ).toLowerCase()
  const contracts = JSON.stringify(element.checkout?.quote?.contract ?? '').toLowerCase()
  for (const address of all ?? [])
    if (!active.has(address.toLowerCase()) && !contracts.includes(address.toLowerCase()))
      assert.notInclude(known, address.toLowerCase())
}

describe('with every fault of the service', () => {
  for (const operation of operations)
    for (const fault of operation === 'convert' ? [...faults, ...forConvert] : faults)
      it(`invariant 1: ${operation} ${JSON.stringify(fault)}: says so, shows nothing unwatched, recovers`, async () => {
        const shop = new Shop()
        const chargeId = await shop.charge()
        shop.sandbox.fault(operation, fault)
        const element = await shop.mount(chargeId, {asset: '1839', network: 'bsc'})
        await until(shop, element, () => element.phase === 'paying' || part(element, 'notice') !== null, 40)
        assertNothingUnwatched(shop, element)
        if (element.phase !== 'paying') {
          assert.isNull(part(element, 'address'))
          assert.isNotEmpty(textOf(element, 'notice'))
        }
        shop.sandbox.clearFaults()
        await until(shop, element, () => element.phase === 'paying' || element.phase === 'choosing', 90)
        if (element.phase === 'choosing') press(element, 'retry')
        assert.isTrue(await until(shop, element, () => element.phase === 'paying', 60))
        assertNothingUnwatched(shop, element)
        shop.sandbox.pay(chargeId, {asset: '1839', network: 'bsc'})
        assert.isTrue(await until(shop, element, () => element.phase === 'paid', 15))
        assert.isEmpty(shop.sandbox.lost)
      })
})
