import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import type {AssetEntry} from '../../src/contract/index.js'
import pairs from '../fixtures/pairs.json' with {type: 'json'}
import {message, openFixture, parse, type Fixture} from './fixture.js'

async function readAssets({client, cryptoChargeId}: Fixture): Promise<AssetEntry[]> {
  return parse.cryptoCharge(await client.getCryptoCharge(cryptoChargeId)).wallet.addresses
}

function pairsOf(assets: readonly AssetEntry[]) {
  return assets.flatMap(asset =>
    ('networks' in asset ? asset.networks : [{...asset, name: asset.network}]).map(
      ({name, contract_address, asset_id, account}) => ({
        symbol: asset.symbol,
        convertId: asset.convert_id,
        network: name,
        contract: contract_address ?? undefined,
        assetId: asset_id ?? undefined,
        address: account.address,
      }),
    ),
  )
}

describe('the catalogue', () => {
  it('has the 17 assets and 26 pairs of the specification, with their contracts', async () => {
    const offered = pairsOf(await readAssets(await openFixture()))
    const sorted = (list: {convertId: string; network: string}[]) =>
      list.sort((a, b) => `${a.convertId} ${a.network}`.localeCompare(`${b.convertId} ${b.network}`))
    assert.deepEqual(
      sorted(offered.map(({address: _, ...pair}) => pair)),
      sorted(pairs.map(({decimals: _, ...pair}) => ({contract: undefined, assetId: undefined, ...pair}))),
    )
  })

  it('has the irregularities of the service', async () => {
    const assets = await readAssets(await openFixture())
    const networks = assets.flatMap(asset => ('networks' in asset ? asset.networks : []))
    assert.ok(networks.some(({network, name}) => network === name))
    assert.ok(networks.some(({network}) => network === undefined))
    assert.ok(assets.some(({currency, symbol}) => currency === symbol))
    assert.ok(assets.some(({currency, symbol}) => currency === symbol.toLowerCase()))
    assert.ok(assets.some(({isFeaturd}) => isFeaturd))
  })

  it('can disable an asset or one of its networks', async () => {
    const fixture = await openFixture()
    const {sandbox, client, cryptoChargeId: id} = fixture
    sandbox.setDisabled('USDT', 'bsc')
    sandbox.setDisabled('ETH')
    const assets = await readAssets(fixture)
    const usdt = assets.find(({symbol}) => symbol === 'USDT')
    assert.ok(usdt && 'networks' in usdt)
    const disabled = usdt.networks.map(({isDisabled}) => isDisabled)
    assert.deepEqual(disabled, [true, false])
    assert.equal(assets.find(({symbol}) => symbol === 'ETH')?.isDisabled, true)
    const usdtOnBsc = {id, asset: '825', symbol: 'USDT', network: 'bsc'}
    for (const pair of [usdtOnBsc, {id, asset: '1027', symbol: 'ETH', network: 'ethereum'}])
      assert.match(message(await client.convert(pair)), /disabled/)
    sandbox.setDisabled('USDT', 'bsc', false)
    assert.equal((await client.convert(usdtOnBsc)).status, 200)
  })

  it('can be replaced by unknown assets and networks', async () => {
    const networks = [{name: 'newnet', decimals: 9}]
    const asset = {convertId: '99', symbol: 'NEW', name: 'New', currency: 'new', isToken: false, networks}
    const fixture = await openFixture({catalogue: [asset]})
    assert.equal((await readAssets(fixture))[0]?.symbol, 'NEW')
    const pair = {id: fixture.cryptoChargeId, asset: '99', symbol: 'NEW', network: 'newnet'}
    assert.equal(parse.convert(await fixture.client.convert(pair)).amount, '49.99')
  })
})
