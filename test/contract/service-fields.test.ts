/** Every field that the service writes or reads: which may be missing, null or empty, and that nothing else is taken. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import * as z from 'zod/mini'
import {
  chargeRequestSchema,
  chargeSchema,
  convertResponseSchema,
  convertRequestSchema,
  cryptoChargeSchema,
  multiNetworkAssetSchema,
  networkEntrySchema,
  paymentSchema,
  singleNetworkAssetSchema,
  statusValueSchema,
  verificationSchema,
  walletSchema,
} from '../../src/contract/index.js'
import {toleranceOf} from './tolerance.js'

const payment = {
  network: 'bsc',
  transaction_id: '0xabc',
  status: 'CONFIRMED',
  timestamp: '2026-11-21T01:23:45.000Z',
  value: {local: {amount: 10.1, currency: 'USD'}, crypto: {amount: 10.05, currency: 'USDT'}},
  block: {hash: '0xdef', height: 7},
}
const readPayment = {
  ...payment,
  value: {local: {amount: '10.1', currency: 'USD'}, crypto: {amount: '10.05', currency: 'USDT'}},
}

test('a payment needs all but its moment and its block', () => {
  assert.deepEqual(z.parse(paymentSchema, payment), readPayment)
  assert.deepEqual(toleranceOf(paymentSchema, payment), {
    missing: 'timestamp block',
    null: 'block',
    empty: 'timestamp block.hash',
    anything: '',
  })
})

const charge = {
  _id: 'c1',
  chargeId: 'c1',
  app_id: 'a1',
  ref_id: 'order-7',
  userId: 'u1',
  customer: {user_id: 'u1', name: 'Ada', phone: '1', email: 'ada@shop.example'},
  billing: {
    currency: 'USD',
    amount: '10.00',
    pricing_type: 'fixed_price',
    description: 'Order 7',
    vat: '7.5',
    country: 'NG',
  },
  metadata: {cart: '7', gift: true, note: null, lines: [1, 'a', null]},
  call_back_url: 'https://shop.example/thanks',
  charge_source: 'web',
  hosted_url: 'https://service.example/c1',
  createdAt: '2026-11-21T01:00:00.000Z',
  status: {value: 'unpaid', context: {status: 'notpaid', value: 0}, total_paid: 0},
  payments: [],
  __v: 0,
}

test('a payment charge needs its id, its price and its status', () => {
  assert.deepEqual(z.parse(chargeSchema, {...charge, payments: [payment]}), {
    ...charge,
    status: {value: 'unpaid', context: {status: 'notpaid', value: '0'}, total_paid: '0'},
    payments: [readPayment],
  })
  assert.deepEqual(toleranceOf(chargeSchema, charge), {
    missing:
      'chargeId app_id ref_id userId customer billing.pricing_type billing.description billing.vat billing.country metadata call_back_url charge_source hosted_url createdAt status.context status.total_paid payments __v',
    null: 'app_id ref_id userId customer billing.pricing_type billing.description billing.vat billing.country metadata call_back_url charge_source hosted_url status.context.status status.context.value status.total_paid',
    empty:
      'app_id ref_id userId customer.user_id customer.name customer.phone customer.email billing.pricing_type billing.description billing.vat billing.country metadata call_back_url charge_source hosted_url createdAt status.context.status',
    anything: 'metadata',
  })
})

test('a charge is paid, unpaid, overpaid or underpaid, or as little paid as unpaid in another word', () => {
  const read = ['paid', 'unpaid', 'overpaid', 'underpaid', 'notpaid'].map(value =>
    z.parse(statusValueSchema, value),
  )
  assert.deepEqual(read, ['paid', 'unpaid', 'overpaid', 'underpaid', 'unpaid'])
  for (const value of ['', 'PAID', 'pending', 'paid '])
    assert.equal(z.safeParse(statusValueSchema, value).success, false, value)
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
const networkEntry = {
  name: 'bsc',
  network: 'bsc',
  contract_address: '0x2',
  asset_id: '7',
  account: {address: '0x1'},
  logo: 'https://logos.example/bsc.png',
  isDisabled: true,
}
const single = {
  ...common,
  isMultiChain: false,
  network: 'bsc',
  account: {address: '0x1'},
  contract_address: '0x2',
  asset_id: '7',
}
const multi = {...common, isMultiChain: true, networks: [networkEntry]}

test('an asset needs its symbol, its convert id and, in each network, its address', () => {
  assert.deepEqual(z.parse(singleNetworkAssetSchema, single), single)
  assert.deepEqual(z.parse(multiNetworkAssetSchema, multi), multi)
  assert.deepEqual(z.parse(networkEntrySchema, networkEntry), networkEntry)
  const {convert_id, asset_id} = z.parse(singleNetworkAssetSchema, {...single, convert_id: 825, asset_id: 7})
  assert.deepEqual([convert_id, asset_id], ['825', '7'])
  assert.equal(z.parse(networkEntrySchema, {...networkEntry, asset_id: 7}).asset_id, '7')
  assert.deepEqual(toleranceOf(singleNetworkAssetSchema, single), {
    missing: 'name currency chart logo isToken isDisabled isFeaturd isMultiChain contract_address asset_id',
    null: 'name currency chart logo isToken isDisabled isFeaturd isMultiChain contract_address asset_id',
    empty: 'name currency chart logo contract_address asset_id',
    anything: '',
  })
  assert.deepEqual(toleranceOf(multiNetworkAssetSchema, {...multi, networks: []}), {
    missing: 'name currency chart logo isToken isDisabled isFeaturd isMultiChain',
    null: 'name currency chart logo isToken isDisabled isFeaturd isMultiChain',
    empty: 'name currency chart logo',
    anything: '',
  })
  assert.deepEqual(toleranceOf(networkEntrySchema, networkEntry), {
    missing: 'network contract_address asset_id logo isDisabled',
    null: 'network contract_address asset_id logo isDisabled',
    empty: 'network contract_address asset_id logo',
    anything: '',
  })
})

test('a flag that is missing is off, and an asset is of one shape or the other as it says itself', () => {
  const {isToken: _, isDisabled: __, isFeaturd: ___, ...bare} = single
  const {isToken, isDisabled, isFeaturd} = z.parse(singleNetworkAssetSchema, bare)
  assert.deepEqual([isToken, isDisabled, isFeaturd], [false, false, false])
  const {isDisabled: ____, ...bareNetwork} = networkEntry
  assert.equal(z.parse(networkEntrySchema, bareNetwork).isDisabled, false)
  assert.equal(z.safeParse(singleNetworkAssetSchema, {...single, isMultiChain: true}).success, false)
  assert.equal(z.safeParse(multiNetworkAssetSchema, {...multi, isMultiChain: false}).success, false)
})

const wallet = {
  addresses: [],
  payments: [],
  code: 'x',
  local_price: {amount: '10.00', currency: 'USD'},
}
const cryptoCharge = {
  _id: 'k1',
  charge_id: 'c1',
  app_id: 'a1',
  code: 'x',
  is_cancelled: true,
  wallet,
  created_at: 'now',
  expires_at: 'soon',
  __v: 0,
}

test('a crypto charge needs its id, its price and its lists; what cannot be read in a list is left out', () => {
  assert.deepEqual(z.parse(cryptoChargeSchema, cryptoCharge), cryptoCharge)
  const filled = {...wallet, addresses: [7, multi, single], payments: [null, payment]}
  assert.deepEqual(z.parse(walletSchema, filled), {
    ...wallet,
    addresses: [multi, single],
    payments: [readPayment],
  })
  assert.deepEqual(toleranceOf(cryptoChargeSchema, cryptoCharge), {
    missing: 'charge_id app_id code is_cancelled wallet.code created_at expires_at __v',
    null: 'charge_id app_id code is_cancelled wallet.code created_at expires_at',
    empty: 'charge_id app_id code wallet.code created_at expires_at',
    anything: '',
  })
  assert.equal(
    z.parse(walletSchema, {...wallet, local_price: {amount: 10.5, currency: 'USD'}}).local_price.amount,
    '10.5',
  )
})

const bareCharge = {_id: 'c1', billing: {currency: 'USD', amount: '10.00'}, status: {value: 'paid'}}
const {timestamp: _, block: __, ...barePayment} = payment
const verification = {
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

test('a verification record needs its ids, the payment and the charge', () => {
  assert.deepEqual(z.parse(verificationSchema, verification), {
    ...verification,
    data: {...barePayment, value: readPayment.value, charge: bareCharge},
  })
  assert.deepEqual(toleranceOf(verificationSchema, verification), {
    missing: 'reference retries acknowledged dispatched createdAt __v',
    null: 'reference acknowledged dispatched',
    empty: 'reference createdAt',
    anything: '',
  })
})

test('what is asked of the service is whole, and its amounts are above zero', () => {
  const convert = {
    wallet: {symbol: 'USDT', convert_id: '825', chart: 'cmc'},
    local: {amount: '10.00', currency: 'USD'},
    _id: 'k1',
    network: 'bsc',
  }
  const nothing = {missing: '', null: '', empty: '', anything: ''}
  assert.deepEqual(z.parse(convertRequestSchema, convert), convert)
  assert.deepEqual(toleranceOf(convertRequestSchema, convert), nothing)
  assert.deepEqual(toleranceOf(convertResponseSchema, {amount: 1, currency: 'usdt'}), nothing)
  const request = {
    ref_id: 'order-7',
    customer: charge.customer,
    billing: {...charge.billing, vat: 7.5},
    metadata: {cart: [7]},
    call_back_url: 'https://shop.example/thanks',
    userId: 'u1',
    charge_source: 'web',
  }
  assert.deepEqual(z.parse(chargeRequestSchema, request), request)
  assert.equal(z.parse(chargeRequestSchema, {...request, billing: charge.billing}).billing.vat, '7.5')
  assert.deepEqual(toleranceOf(chargeRequestSchema, {...request, metadata: {}}), {
    missing: 'billing.vat',
    null: '',
    empty:
      'ref_id customer.user_id customer.name customer.phone customer.email billing.pricing_type billing.description billing.vat billing.country call_back_url userId charge_source',
    anything: '',
  })
  for (const amount of ['0', '0.00', '-1', '1e999', 'ten', '']) {
    assert.equal(
      z.safeParse(convertRequestSchema, {...convert, local: {...convert.local, amount}}).success,
      false,
    )
    assert.equal(
      z.safeParse(chargeRequestSchema, {...request, billing: {...request.billing, amount}}).success,
      false,
    )
    assert.equal(
      z.safeParse(chargeSchema, {...charge, billing: {...charge.billing, amount}}).success,
      false,
      amount,
    )
  }
})
