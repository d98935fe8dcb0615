import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import type {AssetOption} from '../../src/contract/checkout.js'
import {pairKey, onlyPair, availableNetworks} from '../../src/core/choice.js'
import {findRememberedPair, search, sorted} from '../../src/core/listing.js'
import {preselect} from '../../src/core/preselect.js'
import {pairForRemaining} from '../../src/core/remaining.js'
import {checkout, eth, onBsc, onEthereum, payment, usdt} from './sample.js'

const closed = (asset: AssetOption): AssetOption => ({...asset, disabled: true})
const closedOn = (asset: AssetOption, id: string): AssetOption => ({
  ...asset,
  networks: asset.networks.map(network => ({...network, disabled: network.disabled || network.id === id})),
})

describe('choosing an asset', () => {
  it('means its only open network at once', () => {
    assert.deepEqual(onlyPair(eth), {asset: '1027', network: 'ethereum'})
    assert.deepEqual(onlyPair(closedOn(usdt, 'bsc')), onEthereum)
    assert.equal(onlyPair(usdt), null)
    assert.equal(onlyPair(closed(eth)), null)
    assert.deepEqual(availableNetworks(closedOn(eth, 'ethereum')), [])
  })

  it('lists featured assets first and closed ones last', () => {
    const list = [closed(usdt), eth, {...usdt, id: 'b'}, closedOn({...eth, id: 'd'}, 'ethereum')]
    assert.deepEqual(
      sorted(list).map(({id}) => id),
      ['b', '1027', '825', 'd'],
    )
  })

  it('finds by symbol, name and network, ignoring case', () => {
    const find = (text: string) => search([usdt, eth], text).map(({symbol}) => symbol)
    assert.deepEqual(find(''), ['USDT', 'ETH'])
    assert.deepEqual(find('tether'), ['USDT'])
    assert.deepEqual(find('usdt SMART'), ['USDT'])
    assert.deepEqual(find('ethereum'), ['USDT', 'ETH'])
    assert.deepEqual(find('doge'), [])
  })

  it('finds a standard with and without its hyphen, and the symbol that is meant before a name that sounds so', () => {
    const find = (text: string) => search([usdt, eth], text).map(({symbol}) => symbol)
    assert.deepEqual(find('bep20'), ['USDT'])
    assert.deepEqual(find('BEP-20'), ['USDT'])
    assert.deepEqual(find('eth'), ['ETH', 'USDT'])
  })

  it('finds again what was kept, if it can be chosen now', () => {
    const find = (key: string | null, list = [usdt, eth]) => {
      const choice = findRememberedPair(list, key)
      return choice && {asset: choice.asset.id, network: choice.network.id}
    }
    assert.deepEqual(find(pairKey(onBsc)), onBsc)
    assert.equal(find(pairKey(onBsc), [closedOn(usdt, 'bsc')]), null)
    assert.equal(find(pairKey(onBsc), [closed(usdt)]), null)
    for (const key of [null, '', '825', 'nonsense']) assert.equal(find(key), null)
  })
})

describe('preselection', () => {
  const given = checkout()

  it('matches ids, symbols and names, ignoring case', () => {
    for (const asset of ['825', 'usdt', ' Tether usd '])
      for (const network of ['bsc', 'BSC', 'bnb smart chain'])
        assert.deepEqual(preselect(given, asset, network), {pair: onBsc})
  })

  it('means an asset’s only network, or shows its networks', () => {
    assert.deepEqual(preselect(given, 'eth', null), {pair: {asset: '1027', network: 'ethereum'}})
    assert.deepEqual(preselect(given, 'usdt', null), {asset: '825'})
  })

  it('ignores what is unknown or disabled, and says so', () => {
    assert.deepEqual(preselect(given, 'doge', 'bsc'), {ignored: 'doge'})
    assert.deepEqual(preselect(given, 'usdt', 'solana'), {asset: '825', ignored: 'solana'})
    assert.deepEqual(preselect(checkout({assets: [closed(usdt)]}), 'usdt', 'bsc'), {ignored: 'usdt'})
    const half = checkout({assets: [closedOn(usdt, 'bsc')]})
    assert.deepEqual(preselect(half, 'usdt', 'bsc'), {asset: '825', ignored: 'bsc'})
    assert.deepEqual(preselect(given, null, 'bsc'), {})
  })
})

describe('paying the rest', () => {
  it('uses the pair that was shown last, then the one of the last payment', () => {
    const given = checkout({
      payments: [payment({network: 'bsc'}), payment({network: 'ethereum', currency: 'eth'})],
    })
    assert.deepEqual(pairForRemaining(given, onBsc), onBsc)
    assert.deepEqual(pairForRemaining(given, null), {asset: '1027', network: 'ethereum'})
    assert.deepEqual(pairForRemaining(given, {asset: '825', network: 'gone'}), {
      asset: '1027',
      network: 'ethereum',
    })
  })

  it('leaves the choice to the customer when neither can be chosen', () => {
    assert.equal(pairForRemaining(checkout(), null), null)
    assert.equal(pairForRemaining(checkout({payments: [payment({currency: 'doge'})]}), null), null)
    assert.equal(pairForRemaining(checkout({assets: [closed(usdt)], payments: [payment()]}), onBsc), null)
  })
})
