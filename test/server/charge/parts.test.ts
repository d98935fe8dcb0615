import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {OrderInput} from '../../../src/server/orders/order-input.js'
import {usdt} from '../scripted-service.js'
import {mug, shop} from '../orders/shop.js'

const inParts = {...mug, partial: true}

async function shopInParts(input: OrderInput = inParts) {
  const all = shop()
  const {chargeId} = await all.checkout.createOrder('order-7', input)
  const post = (body: object) => all.inTime(all.request('POST', `/charges/${chargeId}/quote`, body))
  await all.inTime(all.request('POST', `/charges/${chargeId}`))
  return {
    ...all,
    chargeId,
    ask: (part?: string) => post({...usdt, ...(part !== undefined && {part})}),
    /** Pays the quote on screen. */
    async send() {
      const {amount, address} = (await all.read(chargeId)).quote
      all.sandbox.pay(chargeId, {...usdt, amount, address})
      await all.inTime(all.request('POST', '/webhook', {chargeId}))
      await all.checkout.settle()
      return all.read(chargeId)
    },
  }
}

test('a customer pays a charge that accepts parts in two parts', async () => {
  const {ask, send, received, chargeId} = await shopInParts()
  const {status, json} = await ask('20.00')
  assert.deepEqual([status, json.quote.covers], [200, {amount: '20.00', currency: 'USD'}])
  assert.equal('due' in json.quote, false)
  const {status: afterPart, due, payable, quote} = await send()
  assert.deepEqual([afterPart, due.amount, payable, quote], ['underpaid', '29.90', true, null])
  assert.deepEqual((await ask('9.90')).json.quote.covers, {amount: '9.90', currency: 'USD'})
  assert.deepEqual((await ask()).json.quote.covers, {amount: '29.90', currency: 'USD'})
  assert.equal((await send()).status, 'paid')
  assert.equal(received.filter(call => call.startsWith(`paid ${chargeId}`)).length, 1)
})

test('invariant 7: a part can only lower what is asked for, and only of a charge that accepts parts', async () => {
  const {ask, sandbox} = await shopInParts()
  for (const part of ['0', '0.00', '49.91', '100', '20.001', '1e1', '-5', '+5', ' 5', '5.', '', '0x5'])
    assert.deepEqual(await ask(part).then(({status, json}) => [part, status, json.code]), [
      part,
      400,
      'bad_request',
    ])
  assert.equal(sandbox.calls.convert, 0)
  // All that is due is no part.
  assert.equal((await ask('49.90')).json.quote.covers.amount, '49.90')
  assert.equal((await ask()).status, 200)
  assert.equal(sandbox.calls.convert, 1)
  const atFixedPrice = await shopInParts(mug)
  assert.equal((await atFixedPrice.ask('20')).json.code, 'bad_request')
})
