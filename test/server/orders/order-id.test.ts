import assert from 'node:assert/strict'
import {test} from 'node:test'
import {requireOrderId} from '../../../src/server/orders/order-id.js'
import {shop} from './shop.js'

test('an order id is text of 1 to 200 characters', () => {
  for (const id of ['7', 'ÖRDER #7/8 – 🛒'.padEnd(200, '.'), 'order 7', '🛒'.repeat(100)])
    assert.equal(requireOrderId(id), id)
})

test('a refused order id says which rule it breaks', async () => {
  const {checkout} = shop()
  for (const [rule, ...ids] of [
    ['be text of 1 to 200 characters', '', 'x'.repeat(201), '🛒'.repeat(101), undefined, 7, null],
    ['have no control characters', 'a\nb', 'a\u0085', '\u007f', '\n'],
    ['have no lone surrogates', '\ud800', 'a\udc00b'],
    ['have no white space at either end', ' 7', '7 ', '7\u00a0', '\u2003', '\ufeff7'],
  ] as const)
    for (const id of ids) {
      const refused = {code: 'invalid_id', status: 400, message: `The order id must ${rule}.`}
      for (const call of ['createOrder', 'getOrder', 'cancelOrder'] as const)
        await assert.rejects(checkout[call](id as string), refused, String(id))
    }
})
