/** Every field of the checkout API: which may be missing or null, and that nothing else is accepted. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import * as z from 'zod/mini'
import {
  assetOptionSchema,
  checkoutSchema,
  networkOptionSchema,
  observedPaymentSchema,
  problemSchema,
  quoteRequestSchema,
} from '../../src/contract/index.js'
import {mug, shop} from '../server/orders/shop.js'
import {strict, toleranceOf} from './tolerance.js'

const {checkout, pay, quote} = shop()
const input = {...mug, redirectUrl: 'https://shop.example/thanks'}
const {chargeId} = await checkout.createOrder('order-7', input)
await pay(chargeId, {part: '20'})
const {json} = await quote(chargeId)
const flags = {pegged: true, legacy: true} as const
const full = z.parse(checkoutSchema, {
  ...json,
  alert: 'address_mismatch',
  quote: {...json.quote, ...flags},
})
const [asset = assert.fail()] = full.assets
const network = {...asset.networks[0], ...flags}
const [payment = assert.fail()] = full.payments

const accepts = (changes: object) => z.safeParse(checkoutSchema, {...full, ...changes}).success

test('a checkout of the proxy is parsed in full, and unknown fields are dropped', () => {
  assert.deepEqual(z.parse(checkoutSchema, json), json)
  assert.deepEqual(z.parse(checkoutSchema, {...full, key: 'canary'}), full)
  assert.deepEqual(toleranceOf(checkoutSchema, {...full, assets: [], payments: []}), {
    ...strict,
    missing:
      'alert reference country description redirectUrl quote.standard quote.pegged quote.legacy quote.confirmationTime quote.contract quote.chainId quote.caip19 quote.baseUnits quote.uri',
    null: 'quote expiresAt',
  })
  assert.deepEqual(toleranceOf(assetOptionSchema, {...asset, networks: []}), {...strict, missing: 'logo'})
  assert.deepEqual(toleranceOf(networkOptionSchema, network), {
    ...strict,
    missing: 'standard confirmationTime pegged legacy',
  })
  assert.deepEqual(toleranceOf(observedPaymentSchema, payment), {...strict, missing: 'url'})
  for (const list of ['assets', 'payments']) assert.ok(!accepts({[list]: [{}]}), list)
})

test('a problem requires all but retryAfter', () => {
  const problem = {type: 'a', title: 'No', status: 429, code: 'rate_limited', requestId: 'r1', retryAfter: 2}
  assert.deepEqual(z.parse(problemSchema, {...problem, detail: 'canary'}), problem)
  assert.deepEqual(toleranceOf(problemSchema, problem), {
    ...strict,
    missing: 'retryAfter',
    empty: 'type title code requestId',
  })
})

test('amounts are plain digits', () => {
  const price = (amount: string) => accepts({price: {amount, currency: 'USD'}})
  for (const amount of ['0', '10', '1.50', '0.000000000000000001', '007']) assert.ok(price(amount), amount)
  for (const amount of ['.5', '5.', '-1', '1e3', '1.2.3', '1.5x', 'x1.5', '1x5', '1.x', '1\n'])
    assert.ok(!price(amount), JSON.stringify(amount))
  const units = (baseUnits: string) => accepts({quote: {...full.quote, baseUnits}})
  for (const text of ['0', '7', '100250000000000000000']) assert.ok(units(text), text)
  for (const text of ['1.5', 'x1', '1x', '-1', '1\n']) assert.ok(!units(text), JSON.stringify(text))
})

test('times are UTC', () => {
  const time = '2026-11-21T01:23:45Z'
  for (const text of [time, '2026-11-21T01:23:45.1Z', '2026-11-21T01:23:45.123456Z'])
    assert.ok(accepts({serverTime: text}), text)
  const date = '2026-11-21'
  for (const text of [
    date,
    ...['', '+01:00', '.Z', '.xZ', 'x1Z'].map(end => `${date}T01:23:45${end}`),
    ` ${time}`,
    `${time} `,
    `1${time}`,
    ...[0, 5, 8, 11, 14, 17].map(index => `${time.slice(0, index)}x${time.slice(index + 1)}`),
    ...[1, 6, 9, 12, 15, 18].map(index => time.slice(0, index) + time.slice(index + 1)),
  ])
    assert.ok(!accepts({serverTime: text}), text)
})

test('invariant 7: a quote request has the ids of an asset and a network, and unknown fields are dropped', () => {
  const pair = {asset: '825', network: 'bsc'}
  assert.deepEqual(z.parse(quoteRequestSchema, {...pair, amount: '1', currency: 'USD'}), pair)
  assert.deepEqual(toleranceOf(quoteRequestSchema, pair), strict)
  for (const field of ['asset', 'network']) {
    assert.equal(z.safeParse(quoteRequestSchema, {...pair, [field]: 'x'.repeat(64)}).success, true)
    assert.equal(z.safeParse(quoteRequestSchema, {...pair, [field]: 'x'.repeat(65)}).success, false)
  }
})
