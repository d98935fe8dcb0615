/** Which assets a shop offers: the real proxy with the real sandbox. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {AssetRules} from '../../../src/node/index.js'
import {memoryStore} from '../../../src/stores/memory-store.js'
import {shop} from '../orders/shop.js'

/** The pairs that a customer sees, in their order. */
async function pairsWith(assets?: AssetRules): Promise<string[]> {
  const {checkout, request, inTime} = shop(assets && {assets})
  const {chargeId} = await checkout.createOrder('order-7')
  const {json} = await inTime(request('POST', `/charges/${chargeId}`))
  return json.assets.flatMap(({symbol, networks}) => networks.map(({id}) => `${symbol}/${id}`))
}

test('allow names all that is offered, and deny wins', async () => {
  assert.deepEqual(await pairsWith({allow: ['usdt/BSC', '1027']}), ['USDT/bsc', 'ETH/ethereum'])
  assert.deepEqual(await pairsWith({allow: ['USDT'], deny: ['825/ethereum']}), ['USDT/bsc'])
  assert.ok(!(await pairsWith({deny: ['USDT']})).some(pair => pair.startsWith('USDT')))
})

test('an entry that matches nothing is a warning at the first catalogue, and a list that leaves nothing an error', async () => {
  const lines = async (assets: AssetRules) => {
    const {checkout, request, inTime, logged} = shop({assets})
    for (const id of ['order-7', 'order-8']) {
      const {chargeId} = await checkout.createOrder(id)
      await inTime(request('POST', `/charges/${chargeId}`))
    }
    return logged.filter(([message]) => message.includes('assets')).map(([, fields]) => fields)
  }
  assert.deepEqual(await lines({allow: ['USDT', '1027/ethereum'], first: ['usdt/bsc']}), [])
  assert.deepEqual(await lines({allow: ['USDT', 'USTD/bsc'], deny: ['USDT-bsc']}), [
    {entry: 'USTD/bsc'},
    {entry: 'USDT-bsc'},
  ])
  assert.deepEqual(await lines({allow: ['USTD/bsc']}), [{entry: 'USTD/bsc'}, undefined])
})

test('old and pegged tokens come last, unless the shop wants them first', async () => {
  const all = await pairsWith()
  const old = ['BUSD/bsc', 'XRP/bsc', 'ADA/bsc', 'DOT/bsc', 'AVAX/bsc', 'FTM/bsc', 'FTM/ethereum']
  const places = old.map(pair => all.indexOf(pair))
  assert.ok(
    places.every(place => place > all.indexOf('LINK/ethereum')),
    all.join(),
  )
  const chosen = await pairsWith({first: ['XRP', 'USDT/ethereum']})
  assert.deepEqual(chosen.slice(0, 3), ['XRP/bsc', 'USDT/ethereum', 'USDT/bsc'])
})

test('a quote stays after its pair was denied, and is not renewed', async () => {
  const {checkout, quote, start, request, store, inTime, read, clock} = shop({store: memoryStore()})
  const {chargeId} = await checkout.createOrder('order-7')
  const {address} = (await quote(chargeId)).json.quote
  const denying = start({store, assets: {deny: ['USDT/bsc', 'ETH']}})
  const ask = (asset: string, network: string) =>
    inTime(
      denying.fetch(
        new Request(`https://shop.example/crypto-checkout/charges/${chargeId}/quote`, {
          method: 'POST',
          headers: {'content-type': 'application/json'},
          body: JSON.stringify({asset, network}),
        }),
      ),
    ).then(response => response.json() as Promise<{code?: string; quote?: {address: string}}>)
  assert.equal((await ask('825', 'bsc')).quote?.address, address)
  assert.equal((await ask('1027', 'ethereum')).code, 'asset_unavailable')
  await clock.advance(900_000)
  assert.equal((await ask('825', 'bsc')).code, 'network_unavailable')
  assert.equal((await read(chargeId)).quote.address, address)
  assert.equal(
    (await request('POST', `/charges/${chargeId}/quote`, {asset: '825', network: 'ethereum'})).status,
    200,
  )
})
