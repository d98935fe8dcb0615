import assert from 'node:assert/strict'
import {it} from 'node:test'
import type {AssetOption} from '../../src/contract/checkout.js'
import {availableNetworks, onlyPair, pairKey} from '../../src/core/choice.js'
import {findRememberedPair, isBitcoin, search, sorted} from '../../src/core/listing.js'
import {preselect} from '../../src/core/preselect.js'
import {pairForRemaining} from '../../src/core/remaining.js'
import {checkout, eth, onBsc, onEthereum, payment, usdt} from './sample.js'

const ethPair = {asset: '1027', network: 'ethereum'}
const disabled = (asset: AssetOption): AssetOption => ({...asset, disabled: true})
const disabledOn = (asset: AssetOption, id: string): AssetOption => ({
  ...asset,
  networks: asset.networks.map(network => ({...network, disabled: network.id === id})),
})

it('onlyPair is the pair of an asset with one available network', () => {
  assert.deepEqual(onlyPair(eth), ethPair)
  assert.deepEqual(onlyPair(disabledOn(usdt, 'bsc')), onEthereum)
  assert.equal(onlyPair(usdt), null)
  assert.equal(onlyPair(disabled(eth)), null)
  assert.deepEqual(availableNetworks(disabledOn(eth, 'ethereum')), [])
})

it('sorted puts featured assets first and unavailable ones last', () => {
  const list = [disabled(usdt), eth, {...usdt, id: 'b'}, disabledOn({...eth, id: 'd'}, 'ethereum')]
  const ids = sorted(list).map(({id}) => id)
  assert.deepEqual(ids, ['b', '1027', '825', 'd'])
})

const symbolsOf = (assets: readonly AssetOption[]) => assets.map(({symbol}) => symbol).join(' ')

it('search needs every word in symbol, name or networks, and puts matching symbols first', () => {
  for (const [query, symbols] of [
    ['', 'USDT ETH'],
    ['tether', 'USDT'],
    ['usdt SMART', 'USDT'],
    ['usdt\t  bnb', 'USDT'],
    [' BEP20 ', 'USDT'],
    ['BEP-20', 'USDT'],
    ['h', 'USDT ETH'],
    ['eth', 'ETH USDT'],
    ['ethereum eth', 'ETH USDT'],
    ['usdt doge', ''],
    ['usdttether', ''],
  ] as const)
    assert.equal(symbolsOf(search([usdt, eth], query)), symbols, query)
})

it('search finds other names of an asset and of a network', () => {
  const coin = (symbol: string, name: string): AssetOption => ({...eth, id: symbol, symbol, name})
  const assets = [eth, usdt, coin('BNB', 'BNB'), coin('MATIC', 'Matic'), coin('POL', 'Polygon Token')]
  for (const [query, symbols] of [
    ['binance coin', 'BNB'],
    // First the one that has this name, then those on its network.
    ['Binance', 'BNB USDT'],
    ['matic', 'MATIC POL'],
    ['pol', 'MATIC POL'],
  ] as const)
    assert.equal(symbolsOf(search(assets, query)), symbols, query)
})

it('isBitcoin knows the coin, and no token of a similar name', () => {
  assert.deepEqual(['btc', ' Bitcoin ', 'wbtc', 'bitcoin cash'].map(isBitcoin), [true, true, false, false])
})

it('findRememberedPair finds the pair of a key, if it is available', () => {
  const find = (key: string | null, list = [usdt, eth]) => {
    const found = findRememberedPair(list, key)
    return found && {asset: found.asset.id, network: found.network.id}
  }
  assert.deepEqual(find(pairKey(onBsc)), onBsc)
  assert.equal(find(pairKey(onBsc), [disabledOn(usdt, 'bsc')]), null)
  assert.equal(find(pairKey(onBsc), [disabled(usdt)]), null)
  for (const key of [null, '', '825', 'nonsense']) assert.equal(find(key), null)
})

it('preselect matches ids, symbols and names, ignoring case, and returns what is unknown or disabled', () => {
  for (const [asset, network, expected, assets] of [
    ['825', 'bsc', {pair: onBsc}],
    ['usdt', 'BSC', {pair: onBsc}],
    [' Tether usd ', 'bnb smart chain', {pair: onBsc}],
    ['eth', null, {pair: ethPair}],
    ['usdt', null, {asset: '825'}],
    ['doge', 'bsc', {ignored: 'doge'}],
    ['usdt', 'solana', {asset: '825', ignored: 'solana'}],
    ['usdt', 'bsc', {ignored: 'usdt'}, [disabled(usdt)]],
    ['usdt', 'bsc', {asset: '825', ignored: 'bsc'}, [disabledOn(usdt, 'bsc')]],
    [null, 'bsc', {}],
  ] as const)
    assert.deepEqual(preselect(checkout(assets && {assets: [...assets]}), asset, network), expected)
})

it('pairForRemaining is the last displayed pair, else that of the last payment, if it is available', () => {
  const inEth = payment({network: 'Ethereum', currency: 'eth'})
  const paidTwice = checkout({payments: [payment(), inEth]})
  assert.deepEqual(pairForRemaining(paidTwice, onBsc), onBsc)
  for (const last of [null, {asset: '825', network: 'gone'}, {asset: '1', network: 'bsc'}])
    assert.deepEqual(pairForRemaining(paidTwice, last), ethPair)
  assert.deepEqual(pairForRemaining(checkout({payments: [inEth]}), null), ethPair)
  const onSecond = checkout({payments: [payment({network: 'ethereum'})]})
  assert.deepEqual(pairForRemaining(onSecond, null), onEthereum)
  assert.equal(pairForRemaining(checkout(), null), null)
  assert.equal(pairForRemaining(checkout({payments: [payment({currency: 'doge'})]}), null), null)
  assert.equal(pairForRemaining(checkout({assets: [disabled(usdt)], payments: [payment()]}), onBsc), null)
})
