import assert from 'node:assert/strict'
import {test} from 'node:test'
import * as z from 'zod/mini'
import {
  assetEntrySchema,
  chargeSchema,
  convertResponseSchema,
  cryptoChargeSchema,
  ExactNumber,
  paymentSchema,
  verificationSchema,
} from '../../src/contract/index.js'

const payment = {
  network: 'bsc',
  transaction_id: '0xabc',
  status: 'CONFIRMED',
  timestamp: '2026-11-21T01:23:45.000Z',
  value: {local: {amount: 10.1, currency: 'USD'}, crypto: {amount: 10.05, currency: 'USDT'}},
  block: {hash: '0xdef', height: null},
}
const single = {
  name: 'Ripple',
  symbol: 'XRP',
  currency: 'xrp',
  convert_id: '52',
  chart: 'cmc',
  network: 'bsc',
  account: {address: '0x1', key: ''},
  isToken: true,
  isMultiChain: false,
  isDisabled: false,
  logo: 'https://logos.example/xrp.png',
  contract_address: '0x2',
}
const multi = {
  name: 'Tether',
  symbol: 'USDT',
  currency: 'usdt',
  convert_id: '825',
  isFeaturd: true,
  isToken: true,
  isMultiChain: true,
  chart: 'cmc',
  isDisabled: false,
  logo: '',
  networks: [
    {name: 'bsc', account: {address: '0x3'}, isDisabled: false},
    {name: 'ethereum', network: 'ethereum', account: {address: '0x4', key: ''}, isDisabled: true},
  ],
}
const charge = {
  _id: 'c1',
  chargeId: 'c1',
  billing: {currency: 'USD', amount: '10.00', vat: 7.5, pricing_type: 'fixed_price', country: 'NG'},
  status: {value: 'unpaid', context: {status: 'notpaid', value: 0}},
}
const cryptoCharge = {
  _id: 'k1',
  is_cancelled: false,
  wallet: {addresses: [single, multi], payments: [payment], local_price: {amount: '10.00', currency: 'USD'}},
  expires_at: 'Sat Nov 21 2026 01:23:45 GMT+0000 (Coordinated Universal Time)',
}

test('reads both shapes of an asset, with and without account.key and network', () => {
  assert.equal(z.parse(assetEntrySchema, single).symbol, 'XRP')
  const tether = z.parse(assetEntrySchema, multi)
  assert.ok('networks' in tether)
  assert.deepEqual(
    tether.networks.map(({name, network}) => network ?? name),
    ['bsc', 'ethereum'],
  )
  assert.equal(tether.isFeaturd, true)
})

test('drops account.key and every field that the contract does not name', () => {
  const text = JSON.stringify(
    z.parse(cryptoChargeSchema, {
      ...cryptoCharge,
      secret: 'canary',
      wallet: {...cryptoCharge.wallet, secret: 'canary'},
    }),
  )
  assert.ok(!text.includes('canary') && !text.includes('"key"'))
})

test('takes vat as a number or a numeric string', () => {
  assert.equal(z.parse(chargeSchema, charge).billing.vat, '7.5')
  const asText = {...charge, billing: {...charge.billing, vat: '7.5'}}
  assert.equal(z.parse(chargeSchema, asText).billing.vat, '7.5')
})

test('keeps every digit of an amount, and of an exact number in free-form metadata a plain one', () => {
  const amount = new ExactNumber('0.123456789012345678901')
  assert.equal(z.parse(convertResponseSchema, {amount, currency: 'usdt'}).amount, '0.123456789012345678901')
  const {metadata} = z.parse(chargeSchema, {...charge, metadata: {cart: [new ExactNumber('7')]}})
  assert.deepEqual(metadata, {cart: [7]})
})

test('refuses an amount that is not a finite positive number', () => {
  const hostile: unknown[] = [
    '12.5',
    0,
    -1,
    null,
    undefined,
    {},
    new ExactNumber('1e999'),
    new ExactNumber('-1'),
    new ExactNumber('0.0'),
    NaN,
    Infinity,
  ]
  for (const amount of hostile)
    assert.equal(
      z.safeParse(convertResponseSchema, {amount, currency: 'USDT'}).success,
      false,
      String(amount),
    )
})

test('refuses an empty address: that asset is left out, the others stay', () => {
  const broken = {...single, account: {address: ''}}
  assert.equal(z.safeParse(assetEntrySchema, broken).success, false)
  const {wallet} = z.parse(cryptoChargeSchema, {
    ...cryptoCharge,
    wallet: {...cryptoCharge.wallet, addresses: [broken, multi]},
  })
  assert.deepEqual(
    wallet.addresses.map(({symbol}) => symbol),
    ['USDT'],
  )
})

test('a payment that cannot be read does not hide the others', () => {
  const {wallet} = z.parse(cryptoChargeSchema, {
    ...cryptoCharge,
    wallet: {...cryptoCharge.wallet, payments: [{...payment, value: null}, payment]},
  })
  assert.equal(wallet.payments.length, 1)
})

test('reads a payment with and without a block, and a verification record around it', () => {
  assert.equal(z.parse(paymentSchema, {...payment, block: undefined}).status, 'CONFIRMED')
  const record = {
    _id: 'p1',
    chargeId: 'c1',
    cryptoChargeId: 'k1',
    reference: 'r',
    retries: 0,
    acknowledged: false,
    dispatched: true,
    data: {
      ...payment,
      charge: {...charge, payments: [payment], status: {...charge.status, total_paid: 10.1}},
    },
  }
  const read = z.parse(verificationSchema, record)
  assert.equal(read.data.charge.status.total_paid, '10.1')
  assert.equal(read.data.charge.payments?.length, 1)
})
