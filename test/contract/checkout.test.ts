/** Every field between page and proxy: which may be missing or null, and that nothing else is taken in its place. */
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
  wakeUpSchema,
} from '../../src/contract/index.js'
import {checkout, payment, quote} from '../core/sample.js'
import {toleranceOf} from './tolerance.js'

const strict = {missing: '', null: '', empty: '', anything: ''}

const network = {
  id: 'bsc',
  name: 'BNB Smart Chain',
  standard: 'BEP-20',
  pegged: true,
  legacy: true,
  confirmationTime: 'minutes',
  disabled: false,
} as const
const asset = {
  id: '825',
  symbol: 'USDT',
  name: 'Tether USD',
  logo: 'https://logos.example/usdt.png',
  featured: true,
  networks: [network],
  disabled: false,
}
const seen = payment({url: 'https://bscscan.com/tx/0xaa'})

const whole = {
  ...checkout({
    status: 'underpaid',
    alert: 'address_mismatch',
    description: 'Order 7',
    redirectUrl: 'https://shop.example/thanks',
    assets: [asset],
    quote: quote({
      pegged: true,
      legacy: true,
      confirmationTime: 'under-a-minute',
      contract: '0x22',
      chainId: 56,
      baseUnits: '100',
      uri: 'ethereum:0x1',
    }),
    payments: [seen],
  }),
}

test('a checkout is read whole, and without what is not named', () => {
  assert.deepEqual(z.parse(checkoutSchema, whole), whole)
  assert.deepEqual(z.parse(checkoutSchema, {...whole, key: 'canary'}), whole)
  assert.deepEqual(toleranceOf(checkoutSchema, {...whole, assets: [], payments: []}), {
    ...strict,
    missing:
      'quote.standard quote.pegged quote.legacy quote.confirmationTime quote.contract quote.chainId quote.baseUnits quote.uri alert description redirectUrl',
    null: 'quote expiresAt',
  })
  assert.deepEqual(toleranceOf(assetOptionSchema, {...asset, networks: []}), {...strict, missing: 'logo'})
  assert.deepEqual(toleranceOf(networkOptionSchema, network), {
    ...strict,
    missing: 'standard pegged legacy confirmationTime',
  })
  assert.deepEqual(toleranceOf(observedPaymentSchema, seen), {...strict, missing: 'url'})
  for (const list of ['assets', 'payments'])
    assert.equal(z.safeParse(checkoutSchema, {...whole, [list]: [{}]}).success, false, list)
})

test('a wake-up is a number, and a problem needs all but when to try again', () => {
  assert.deepEqual(toleranceOf(wakeUpSchema, {rev: 7}), strict)
  const problem = {
    type: 'about:blank',
    title: 'No',
    status: 429,
    code: 'rate_limited',
    requestId: 'r1',
    retryAfter: 2,
  }
  assert.deepEqual(z.parse(problemSchema, {...problem, detail: 'canary'}), problem)
  assert.deepEqual(toleranceOf(problemSchema, problem), {
    ...strict,
    missing: 'retryAfter',
    empty: 'type title code requestId',
  })
})

test('amounts are plain digits and moments are UTC, on the whole of our wire', () => {
  const takes = (changes: object) => z.safeParse(checkoutSchema, {...whole, ...changes}).success
  const price = (amount: string) => takes({price: {amount, currency: 'USD'}})
  for (const amount of ['0', '10', '1.50', '0.000000000000000001', '007']) assert.ok(price(amount), amount)
  for (const amount of [
    '.5',
    '5.',
    '-1',
    '1e3',
    ' 1',
    '1 ',
    '1,5',
    '1.2.3',
    '1.5x',
    'x1.5',
    '1x5',
    '1.x',
    '1\n',
  ])
    assert.ok(!price(amount), JSON.stringify(amount))
  const units = (baseUnits: string) => takes({quote: {...whole.quote, baseUnits}})
  for (const text of ['0', '7', '100250000000000000000']) assert.ok(units(text), text)
  for (const text of ['1.5', 'x1', '1x', '0x10', '-1', '1\n']) assert.ok(!units(text), JSON.stringify(text))
  for (const moment of ['2026-11-21T01:23:45Z', '2026-11-21T01:23:45.1Z', '2026-11-21T01:23:45.123456Z'])
    assert.ok(takes({serverTime: moment}), moment)
  for (const moment of [
    '2026-11-21',
    '2026-11-21T01:23:45',
    '2026-11-21T01:23:45.Z',
    '2026-11-21T01:23:45.xZ',
    '2026-11-21T01:23:45x1Z',
    '2026-11-21T01:23:45+01:00',
    ' 2026-11-21T01:23:45Z',
    '2026-11-21T01:23:45Z ',
    '12026-11-21T01:23:45Z',
    ...[0, 5, 8, 11, 14, 17].map(place => spoiltAt('2026-11-21T01:23:45Z', place)),
    ...[1, 6, 9, 12, 15, 18].map(place => shortAt('2026-11-21T01:23:45Z', place)),
  ])
    assert.ok(!takes({serverTime: moment}), moment)
})

function spoiltAt(text: string, place: number): string {
  return `${text.slice(0, place)}x${text.slice(place + 1)}`
}

function shortAt(text: string, place: number): string {
  return text.slice(0, place) + text.slice(place + 1)
}

test('a checkout knows seven states, one alarm and two paces, and no others', () => {
  const takes = (changes: object) => z.safeParse(checkoutSchema, {...whole, ...changes}).success
  for (const status of ['open', 'pending', 'underpaid', 'paid', 'overpaid', 'expired', 'cancelled'])
    assert.ok(takes({status}), status)
  for (const confirmationTime of ['under-a-minute', 'minutes'])
    assert.ok(takes({quote: {...whole.quote, confirmationTime}}))
  for (const other of ['unpaid', 'PAID', ' ']) {
    assert.ok(!takes({status: other}), other)
    assert.ok(!takes({alert: other}), other)
    assert.ok(!takes({quote: {...whole.quote, confirmationTime: other}}), other)
  }
})

test('a line break is text', () => {
  assert.equal(z.parse(checkoutSchema, {...whole, description: '\n'}).description, '\n')
})

test('invariant 7: a page asks for an asset and a network by their ids, and whatever else it says is dropped', () => {
  const wanted = {asset: '825', network: 'bsc'}
  assert.deepEqual(z.parse(quoteRequestSchema, {...wanted, amount: '1', currency: 'USD'}), wanted)
  assert.deepEqual(toleranceOf(quoteRequestSchema, wanted), strict)
  for (const field of ['asset', 'network']) {
    assert.equal(z.safeParse(quoteRequestSchema, {...wanted, [field]: 'x'.repeat(64)}).success, true)
    assert.equal(z.safeParse(quoteRequestSchema, {...wanted, [field]: 'x'.repeat(65)}).success, false)
  }
})
