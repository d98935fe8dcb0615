import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import type {AssetEntry} from '../../src/contract/index.js'
import {depositAddress} from '../../src/server/chains/addresses.js'
import pairs from '../fixtures/pairs.json' with {type: 'json'}
import {message, openShop, read, type Shop} from './merchant.js'

async function wallet({merchant, cryptoChargeId}: Shop): Promise<AssetEntry[]> {
  return read.cryptoCharge(await merchant.getCryptoCharge(cryptoChargeId)).wallet.addresses
}

function pairsOf(entries: readonly AssetEntry[]) {
  return entries.flatMap(entry =>
    ('networks' in entry ? entry.networks : [{...entry, name: entry.network}]).map(
      ({name, contract_address, asset_id, account}) => ({
        symbol: entry.symbol,
        convertId: entry.convert_id,
        network: name,
        contract: contract_address ?? undefined,
        assetId: asset_id ?? undefined,
        address: account.address,
      }),
    ),
  )
}

describe('what the sandbox offers', () => {
  it('is the 17 assets and 26 pairs of the specification, with their contracts', async () => {
    const offered = pairsOf(await wallet(await openShop()))
    const sorted = (list: {convertId: string; network: string}[]) =>
      list.sort((a, b) => `${a.convertId} ${a.network}`.localeCompare(`${b.convertId} ${b.network}`))
    assert.deepEqual(
      sorted(offered.map(({address: _, ...pair}) => pair)),
      sorted(pairs.map(({decimals: _, ...pair}) => ({contract: undefined, assetId: undefined, ...pair}))),
    )
  })

  it('uses the single shape for one network and the list for several', async () => {
    for (const entry of await wallet(await openShop())) {
      if ('networks' in entry) {
        assert.equal(entry.isMultiChain, true)
        assert.ok(entry.networks.length > 1)
      } else assert.equal(entry.isMultiChain, false)
    }
  })

  it('has all the irregularities of the service', async () => {
    const entries = await wallet(await openShop())
    const networks = entries.flatMap(entry => ('networks' in entry ? entry.networks : []))
    assert.ok(networks.some(({network, name}) => network === name))
    assert.ok(networks.some(({network}) => network === undefined))
    assert.ok(entries.some(({currency, symbol}) => currency === symbol))
    assert.ok(entries.some(({currency, symbol}) => currency === symbol.toLowerCase()))
    assert.ok(entries.some(({isFeaturd}) => isFeaturd))
    assert.ok(entries.every(({isDisabled, chart}) => !isDisabled && chart === 'cmc'))
    assert.ok(entries.every(({logo}) => logo?.startsWith('https://')))
  })

  it('gives each pair a valid deposit address of its own', async () => {
    const {sandbox, merchant, chargeId} = await openShop()
    const seen = new Set<string>()
    for (let round = 0; round < 5; round++) {
      const {wallet} = read.cryptoCharge(await merchant.createCryptoCharge(chargeId))
      for (const {address, network, contract} of pairsOf(wallet.addresses)) {
        assert.ok(depositAddress(address, network, contract), `${network} ${address}`)
        seen.add(address.toLowerCase())
      }
    }
    assert.equal(seen.size, 5 * 26)
    assert.equal(sandbox.charge(chargeId)?.cryptoCharges.length, 6)
  })

  it('converts every pair', async () => {
    const {merchant, cryptoChargeId} = await openShop()
    for (const {convertId, symbol, network} of pairs) {
      const answer = read.convert(
        await merchant.convert({id: cryptoChargeId, asset: convertId, symbol, network}),
      )
      assert.equal(answer.currency.toUpperCase(), symbol)
    }
  })

  it('can stop offering an asset or one of its networks', async () => {
    const shop = await openShop()
    shop.sandbox.setDisabled('USDT', 'bsc')
    shop.sandbox.setDisabled('ETH')
    const entries = await wallet(shop)
    const usdt = entries.find(({symbol}) => symbol === 'USDT')
    assert.ok(usdt && 'networks' in usdt)
    assert.deepEqual(
      usdt.networks.map(({isDisabled}) => isDisabled),
      [true, false],
    )
    assert.equal(entries.find(({symbol}) => symbol === 'ETH')?.isDisabled, true)
    const {merchant, cryptoChargeId: id} = shop
    const refused = [
      await merchant.convert({id, asset: '825', symbol: 'USDT', network: 'bsc'}),
      await merchant.convert({id, asset: '1027', symbol: 'ETH', network: 'ethereum'}),
    ]
    for (const reply of refused) assert.match(message(reply), /disabled/)
    shop.sandbox.setDisabled('USDT', 'bsc', false)
    assert.equal((await merchant.convert({id, asset: '825', symbol: 'USDT', network: 'bsc'})).status, 200)
  })

  it('can be replaced, with networks and coins that nobody knows', async () => {
    const shop = await openShop({
      catalogue: [
        {
          convertId: '99',
          symbol: 'NEW',
          name: 'New Coin',
          currency: 'new',
          isToken: false,
          networks: [{name: 'newnet', decimals: 9}],
        },
      ],
    })
    const [entry] = await wallet(shop)
    assert.equal(entry?.symbol, 'NEW')
    const order = {id: shop.cryptoChargeId, asset: '99', symbol: 'NEW', network: 'newnet'}
    assert.equal(read.convert(await shop.merchant.convert(order)).amount, '49.99')
  })

  it('moves a price for the next convert only', async () => {
    const {sandbox, merchant, cryptoChargeId: id, chargeId} = await openShop()
    const eth = {asset: '1027', symbol: 'ETH', network: 'ethereum'}
    const first = read.convert(await merchant.convert({id, ...eth}))
    sandbox.setPrice('ETH', 1000)
    sandbox.pay(chargeId, {...eth, amount: first.amount})
    assert.equal(sandbox.charge(chargeId)?.charge.status.value, 'paid')
    assert.equal(read.convert(await merchant.convert({id, ...eth})).amount, '0.04999')
  })
})
