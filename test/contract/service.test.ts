/** Every field that the service writes or reads: which may be missing, null or empty, and that nothing else is accepted. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import * as z from 'zod/mini'
import {
  assetEntrySchema,
  chargeInputSchema,
  chargeRequestSchema,
  chargeSchema,
  convertRequestSchema,
  convertResponseSchema,
  cryptoChargeSchema,
  ExactNumber,
  multiNetworkAssetSchema,
  networkEntrySchema,
  paymentSchema,
  singleNetworkAssetSchema,
  statusValueSchema,
  verificationSchema,
  walletSchema,
} from '../../src/contract/index.js'
import {lenient, strict, toleranceOf} from './tolerance.js'

const accepts = (schema: z.ZodMiniType, value: unknown) => z.safeParse(schema, value).success

const payment = {
  network: 'bsc',
  transaction_id: '0xabc',
  status: 'CONFIRMED',
  timestamp: '2026-11-21T01:23:45.000Z',
  value: {local: {amount: 10.1, currency: 'USD'}, crypto: {amount: 10.05, currency: 'USDT'}},
  block: {hash: '0xdef', height: 7},
}
const parsedPayment = {
  ...payment,
  value: {local: {amount: '10.1', currency: 'USD'}, crypto: {amount: '10.05', currency: 'USDT'}},
}

test('a payment requires all but its time and its block', () => {
  assert.deepEqual(z.parse(paymentSchema, payment), parsedPayment)
  assert.deepEqual(toleranceOf(paymentSchema, payment), lenient('timestamp block'))
})

const customer = {user_id: 'u1', name: 'Ada', phone: '1', email: 'ada@shop.example'}
const billing = {
  currency: 'USD',
  amount: '10.00',
  pricing_type: 'fixed_price',
  description: 'Order 7',
  vat: '7.5',
  country: 'NG',
}
const charge = {
  _id: 'c1',
  chargeId: 'c1',
  app_id: 'a1',
  ref_id: 'order-7',
  userId: 'u1',
  customer,
  billing,
  metadata: {cart: '7', gift: true, note: null, lines: [1, 'a', null]},
  call_back_url: 'https://shop.example/thanks',
  charge_source: 'web',
  hosted_url: 'https://service.example/c1',
  createdAt: '2026-11-21T01:00:00.000Z',
  status: {value: 'unpaid', context: {status: 'notpaid', value: 0}, total_paid: 0},
  payments: [],
  __v: 0,
}

test('a payment charge requires its id, its price and its status', () => {
  assert.deepEqual(z.parse(chargeSchema, {...charge, payments: [payment]}), {
    ...charge,
    status: {value: 'unpaid', context: {status: 'notpaid', value: '0'}, total_paid: '0'},
    payments: [parsedPayment],
    unreadablePayments: 0,
  })
  const optional =
    'chargeId app_id ref_id userId customer billing.pricing_type billing.description billing.vat billing.country metadata call_back_url charge_source hosted_url createdAt status.context status.total_paid payments __v'
  assert.deepEqual(toleranceOf(chargeSchema, charge), lenient(optional))
  assert.equal(z.parse(chargeSchema, {...charge, billing: {...billing, vat: 7.5}}).billing.vat, '7.5')
  const metadata = {cart: [new ExactNumber('7')]}
  assert.deepEqual(z.parse(chargeSchema, {...charge, metadata}).metadata, {cart: [7]})
})

test('a charge is paid, unpaid, overpaid or underpaid, and notpaid means unpaid', () => {
  const values = ['paid', 'unpaid', 'overpaid', 'underpaid', 'notpaid']
  const parsed = values.map(value => z.parse(statusValueSchema, value))
  assert.deepEqual(parsed, ['paid', 'unpaid', 'overpaid', 'underpaid', 'unpaid'])
  for (const value of ['', 'PAID', 'pending', 'paid ']) assert.ok(!accepts(statusValueSchema, value), value)
})

const common = {
  name: 'Tether USD',
  symbol: 'USDT',
  currency: 'usdt',
  convert_id: '825',
  chart: 'cmc',
  logo: 'https://logos.example/usdt.png',
  isToken: true,
  isDisabled: true,
  isFeaturd: true,
}
const identity = {contract_address: '0x2', asset_id: '7', account: {address: '0x1'}}
const networkEntry = {
  ...identity,
  name: 'bsc',
  network: 'bsc',
  logo: 'https://logos.example/bsc.png',
  isDisabled: true,
}
const single = {...common, isMultiChain: false, network: 'bsc', ...identity}
const multi = {...common, isMultiChain: true, networks: [networkEntry]}

test('an asset requires its symbol, its convert id and, in each network, its address', () => {
  assert.deepEqual(z.parse(singleNetworkAssetSchema, single), single)
  assert.deepEqual(z.parse(multiNetworkAssetSchema, multi), multi)
  assert.deepEqual(z.parse(networkEntrySchema, networkEntry), networkEntry)
  const {convert_id, asset_id} = z.parse(singleNetworkAssetSchema, {...single, convert_id: 825, asset_id: 7})
  assert.deepEqual([convert_id, asset_id], ['825', '7'])
  assert.equal(z.parse(networkEntrySchema, {...networkEntry, asset_id: 7}).asset_id, '7')
  const optional = 'name currency chart logo isToken isDisabled isFeaturd isMultiChain'
  const ids = 'contract_address asset_id'
  for (const [schema, sample, optionalFields, emptyFields] of [
    [singleNetworkAssetSchema, single, `${optional} ${ids}`, `name currency chart logo ${ids}`],
    [multiNetworkAssetSchema, {...multi, networks: []}, optional, 'name currency chart logo'],
    [networkEntrySchema, networkEntry, `${ids} network logo isDisabled`, `${ids} network logo`],
  ] as const)
    assert.deepEqual(toleranceOf(schema, sample), lenient(optionalFields, {empty: emptyFields, anything: ''}))
})

test('a missing flag is false, and isMultiChain decides the shape of an asset', () => {
  const {isToken: _, isDisabled: __, isFeaturd: ___, ...bare} = single
  const {isToken, isDisabled, isFeaturd} = z.parse(singleNetworkAssetSchema, bare)
  assert.deepEqual([isToken, isDisabled, isFeaturd], [false, false, false])
  const {isDisabled: ____, ...bareNetwork} = networkEntry
  assert.equal(z.parse(networkEntrySchema, bareNetwork).isDisabled, false)
  assert.ok(!accepts(singleNetworkAssetSchema, {...single, isMultiChain: true}))
  assert.ok(!accepts(multiNetworkAssetSchema, {...multi, isMultiChain: false}))
  assert.ok('networks' in z.parse(assetEntrySchema, multi))
  assert.ok(!('networks' in z.parse(assetEntrySchema, single)))
})

const wallet = {addresses: [], payments: [], code: 'x', local_price: {amount: '10.00', currency: 'USD'}}
const cryptoCharge = {
  _id: 'k1',
  charge_id: 'c1',
  app_id: 'a1',
  code: 'x',
  is_cancelled: true,
  wallet,
  created_at: 'now',
  expires_at: 'later',
  __v: 0,
}

test('a crypto charge requires its id, its price and its assets', () => {
  assert.deepEqual(z.parse(cryptoChargeSchema, cryptoCharge), {
    ...cryptoCharge,
    wallet: {...wallet, unreadablePayments: 0},
  })
  const others = 'app_id code wallet.payments wallet.code created_at expires_at __v'
  assert.deepEqual(
    toleranceOf(cryptoChargeSchema, cryptoCharge),
    lenient('charge_id app_id code is_cancelled wallet.payments wallet.code created_at expires_at __v', {
      empty: `charge_id ${others}`,
      anything: others,
    }),
  )
  // A payment may be hidden.
  for (const payments of [undefined, null, {}])
    assert.equal(z.parse(walletSchema, {...wallet, payments}).unreadablePayments, 1)
  const numeric = {...wallet, local_price: {amount: 10.5, currency: 'USD'}}
  assert.equal(z.parse(walletSchema, numeric).local_price.amount, '10.5')
})

test('an asset or a payment that cannot be parsed is left out, and unknown fields are dropped', () => {
  const unpayable = {...single, account: {address: ''}}
  const withKey = {...single, account: {address: '0x1', key: 'canary'}}
  const parsed = z.parse(cryptoChargeSchema, {
    ...cryptoCharge,
    secret: 'canary',
    wallet: {
      ...wallet,
      secret: 'canary',
      addresses: [7, unpayable, multi, withKey],
      payments: [null, {...payment, value: null}, payment],
    },
  })
  const filled = {...wallet, addresses: [multi, single], payments: [parsedPayment], unreadablePayments: 2}
  assert.deepEqual(parsed, {...cryptoCharge, wallet: filled})
})

test('a verification record requires its ids, the payment and the charge', () => {
  const {timestamp: _, block: __, ...barePayment} = payment
  const bareCharge = {_id: 'c1', billing: {currency: 'USD', amount: '10.00'}, status: {value: 'paid'}}
  const record = {
    _id: 'p1',
    chargeId: 'c1',
    cryptoChargeId: 'k1',
    reference: 'r1',
    retries: 0,
    acknowledged: true,
    dispatched: true,
    createdAt: 'now',
    data: {...barePayment, charge: bareCharge},
    __v: 0,
  }
  assert.deepEqual(z.parse(verificationSchema, record), {
    ...record,
    data: {
      ...barePayment,
      value: parsedPayment.value,
      charge: {...bareCharge, payments: [], unreadablePayments: 0},
    },
  })
  const optional = 'reference retries acknowledged dispatched createdAt __v'
  assert.deepEqual(toleranceOf(verificationSchema, record), lenient(optional))
})

const convert = {
  wallet: {symbol: 'USDT', convert_id: '825', chart: 'cmc'},
  local: {amount: '10.00', currency: 'USD'},
  _id: 'k1',
  network: 'bsc',
}
const request = {
  ref_id: 'order-7',
  customer,
  billing: {...billing, vat: 7.5},
  metadata: {cart: [7]},
  call_back_url: 'https://shop.example/thanks',
  userId: 'u1',
  charge_source: 'web',
}

test('a request to the service requires every field but vat', () => {
  assert.deepEqual(z.parse(convertRequestSchema, convert), convert)
  assert.deepEqual(toleranceOf(convertRequestSchema, convert), strict)
  assert.deepEqual(z.parse(chargeRequestSchema, request), {...request, billing})
  assert.deepEqual(toleranceOf(chargeRequestSchema, {...request, metadata: {}}), {
    missing: 'billing.vat',
    null: '',
    empty:
      'ref_id customer.user_id customer.name customer.phone customer.email billing.pricing_type billing.description billing.country call_back_url userId charge_source',
    anything: '',
  })
})

test('a price is a positive decimal', () => {
  for (const amount of ['0', '0.00', '-1', '1e999', 'ten', ''])
    for (const [schema, value] of [
      [convertRequestSchema, {...convert, local: {...convert.local, amount}}],
      [chargeRequestSchema, {...request, billing: {...request.billing, amount}}],
      [chargeSchema, {...charge, billing: {...billing, amount}}],
    ] as const)
      assert.ok(!accepts(schema, value), amount)
})

test("a merchant's price is a number, or digits with at most one point", () => {
  const withPrice = (amount: unknown) => ({...request, billing: {...request.billing, amount}})
  for (const amount of ['7', '49', '49.90', '0.5', 12.5, 7])
    assert.equal(z.parse(chargeInputSchema, withPrice(amount)).billing.amount, String(amount))
  for (const amount of ['', '1 USD', 0, -1, NaN, ...'0 0.0 -1 1e2 $1 1. .5 1.x 1,5 1.2.3'.split(' ')])
    assert.ok(!accepts(chargeInputSchema, withPrice(amount)), String(amount))
})

test('VAT is a decimal of zero or more, and sent as text', () => {
  const withVat = (vat: unknown) => ({...request, billing: {...billing, vat}})
  for (const schema of [chargeRequestSchema, chargeInputSchema]) {
    for (const vat of ['0', '7.50', 0, 7.5])
      assert.equal(z.parse(schema, withVat(vat)).billing.vat, String(vat))
    for (const vat of ['', 'abc', '7,5', '7.5%', '-1', -1, NaN, Infinity, null])
      assert.ok(!accepts(schema, withVat(vat)), String(vat))
  }
})

test('a converted amount is a positive number, with every digit', () => {
  assert.deepEqual(toleranceOf(convertResponseSchema, {amount: 1, currency: 'usdt'}), strict)
  const amount = new ExactNumber('0.123456789012345678901')
  assert.equal(z.parse(convertResponseSchema, {amount, currency: 'usdt'}).amount, '0.123456789012345678901')
  const numbers = ['1e999', '-1', '0.0'].map(text => new ExactNumber(text))
  for (const wrong of ['12.5', 0, -1, null, undefined, {}, NaN, Infinity, ...numbers])
    assert.ok(!accepts(convertResponseSchema, {amount: wrong, currency: 'USDT'}), String(wrong))
})
