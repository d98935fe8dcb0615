/**
 * Every field that the service writes or reads: which may be missing, null or empty, and that nothing else is accepted. The
 * samples are what the sandbox sends.
 */
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
import {activatedFixture, convertRequest, json, usdtOnBsc} from '../sandbox/fixture.js'
import {order} from '../server/order.js'
import {lenient, strict, toleranceOf} from './tolerance.js'

const accepts = (schema: z.ZodMiniType, value: unknown) => z.safeParse(schema, value).success

const fixture = await activatedFixture()
fixture.sandbox.pay(fixture.chargeId, usdtOnBsc)
const created = json(await fixture.createCharge())
const verification = json(await fixture.verifyPayment())
const {charge: verified, ...payment} = verification.data
/** As it is created, and as it is in the record of a payment. */
const charge = {...created, ...verified}
const cryptoCharge = json(await fixture.createCryptoCharge())
const {wallet} = cryptoCharge
const [withNetworks, withOne] = [true, false].map(isMulti =>
  wallet.addresses.find(({isMultiChain}: {isMultiChain: boolean}) => isMultiChain === isMulti),
)
const tokenIds = {contract_address: '0x2', asset_id: '7'}
const networkEntry = {...withNetworks.networks[0], network: 'bsc', ...tokenIds}
const single = {...withOne, isFeaturd: true, ...tokenIds}
const multi = {...withNetworks, isFeaturd: true, networks: [networkEntry]}
const withText = ({value: {local, crypto}}: typeof payment) => ({
  local: {...local, amount: String(local.amount)},
  crypto: {...crypto, amount: String(crypto.amount)},
})
const parsedPayment = {...payment, value: withText(payment)}

test('a payment requires all but its time and its block', () => {
  assert.deepEqual(z.parse(paymentSchema, payment), parsedPayment)
  assert.deepEqual(toleranceOf(paymentSchema, payment), lenient('timestamp block'))
})

test('a payment charge requires its id, its price and its status', () => {
  const parsed = z.parse(chargeSchema, charge)
  assert.deepEqual([parsed.payments, parsed.unreadablePayments], [[parsedPayment], 0])
  assert.deepEqual([parsed.billing.vat, parsed.status.total_paid], ['1.5', '49.99'])
  const optional =
    'chargeId app_id ref_id customer billing.pricing_type billing.description billing.country billing.vat metadata call_back_url userId charge_source createdAt __v status.context status.total_paid hosted_url payments'
  assert.deepEqual(toleranceOf(chargeSchema, charge), lenient(optional))
  const metadata = {cart: [new ExactNumber('7')], note: null}
  assert.deepEqual(z.parse(chargeSchema, {...charge, metadata}).metadata, {cart: [7], note: null})
})

test('a charge is paid, unpaid, overpaid or underpaid, and notpaid means unpaid', () => {
  const values = ['paid', 'unpaid', 'overpaid', 'underpaid', 'notpaid']
  const parsed = values.map(value => z.parse(statusValueSchema, value))
  assert.deepEqual(parsed, ['paid', 'unpaid', 'overpaid', 'underpaid', 'unpaid'])
  for (const value of ['', 'PAID', 'pending', 'paid ']) assert.ok(!accepts(statusValueSchema, value), value)
})

test('an asset requires its symbol, its convert id and, in each network, its address', () => {
  const {convert_id, asset_id} = z.parse(singleNetworkAssetSchema, {...single, convert_id: 825, asset_id: 7})
  assert.deepEqual([convert_id, asset_id], ['825', '7'])
  assert.equal(z.parse(networkEntrySchema, {...networkEntry, asset_id: 7}).asset_id, '7')
  const ids = 'contract_address asset_id'
  const flags = 'name currency chart isToken isDisabled isFeaturd logo'
  for (const [schema, sample, optional, empty] of [
    [singleNetworkAssetSchema, single, `${flags} isMultiChain ${ids}`, `name currency chart logo ${ids}`],
    [multiNetworkAssetSchema, {...multi, networks: []}, `${flags} isMultiChain`, 'name currency chart logo'],
    [
      networkEntrySchema,
      networkEntry,
      'network isDisabled contract_address logo asset_id',
      'network contract_address logo asset_id',
    ],
  ] as const)
    assert.deepEqual(toleranceOf(schema, sample), lenient(optional, {empty, anything: ''}))
})

test('a missing flag is false, and isMultiChain decides the shape of an asset', () => {
  const {isToken: _, isDisabled: __, isFeaturd: ___, ...bare} = single
  const {isToken, isDisabled, isFeaturd} = z.parse(singleNetworkAssetSchema, bare)
  assert.deepEqual([isToken, isDisabled, isFeaturd], [false, false, false])
  assert.equal(z.parse(networkEntrySchema, {...networkEntry, isDisabled: undefined}).isDisabled, false)
  assert.ok(!accepts(singleNetworkAssetSchema, {...single, isMultiChain: true}))
  assert.ok(!accepts(multiNetworkAssetSchema, {...multi, isMultiChain: false}))
  assert.ok('networks' in z.parse(assetEntrySchema, multi))
  assert.ok(!('networks' in z.parse(assetEntrySchema, single)))
})

test('a crypto charge requires its id, its price and its assets', () => {
  const others = 'app_id code wallet.payments wallet.code wallet.metadata created_at expires_at __v'
  const missing =
    'charge_id app_id code is_cancelled wallet.payments wallet.code wallet.metadata created_at expires_at __v'
  const tolerated = toleranceOf(cryptoChargeSchema, {
    ...cryptoCharge,
    wallet: {...wallet, addresses: [], payments: []},
  })
  assert.deepEqual(tolerated, lenient(missing, {empty: `charge_id ${others}`, anything: others}))
  // A payment may be hidden.
  for (const payments of [undefined, null, {}])
    assert.equal(z.parse(walletSchema, {...wallet, payments}).unreadablePayments, 1)
  const numeric = {...wallet, local_price: {amount: 10.5, currency: 'USD'}}
  assert.equal(z.parse(walletSchema, numeric).local_price.amount, '10.5')
})

test('an asset or a payment that cannot be parsed is left out, and unknown fields are dropped', () => {
  const unpayable = {...single, account: {address: ''}}
  const withKey = {...single, account: {...single.account, key: 'canary'}}
  const addresses = [7, unpayable, multi, withKey]
  const payments = [null, {...payment, value: null}, payment]
  const sent = {...cryptoCharge, secret: 'canary', wallet: {...wallet, secret: 'canary', addresses, payments}}
  const {wallet: parsed, ...others} = z.parse(cryptoChargeSchema, sent)
  assert.deepEqual(parsed.payments, [parsedPayment])
  assert.equal(parsed.unreadablePayments, 2)
  assert.deepEqual(
    parsed.addresses.map(({convert_id}) => convert_id),
    [multi.convert_id, single.convert_id],
  )
  assert.doesNotMatch(JSON.stringify([parsed, others]), /canary|"key"/)
})

test('a verification record requires its ids, the payment and the charge', () => {
  const bare = {
    ...payment,
    charge: {_id: 'c1', billing: {amount: '1', currency: 'USD'}, status: {value: 'paid'}},
  }
  const optional = 'reference data.timestamp data.block retries dispatched acknowledged createdAt __v'
  assert.deepEqual(toleranceOf(verificationSchema, {...verification, data: bare}), lenient(optional))
})

const request = {...order('10.00'), metadata: {}}

test('a request to the service requires every field but vat', () => {
  const convert = convertRequest('k1')
  assert.deepEqual(z.parse(convertRequestSchema, convert), convert)
  assert.deepEqual(toleranceOf(convertRequestSchema, convert), strict)
  assert.deepEqual(z.parse(chargeRequestSchema, order('10.00')), order('10.00'))
  assert.deepEqual(toleranceOf(chargeRequestSchema, request), {
    missing: 'billing.vat',
    null: '',
    empty:
      'ref_id customer.user_id customer.name customer.phone customer.email billing.pricing_type billing.description billing.country call_back_url userId charge_source',
    anything: '',
  })
})

test('a price is a positive decimal', () => {
  const convert = convertRequest('k1')
  for (const amount of ['0', '0.00', '-1', '1e999', 'ten', ''])
    for (const [schema, value] of [
      [convertRequestSchema, {...convert, local: {...convert.local, amount}}],
      [chargeRequestSchema, {...request, billing: {...request.billing, amount}}],
      [chargeSchema, {...charge, billing: {...charge.billing, amount}}],
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
  const withVat = (vat: unknown) => ({...request, billing: {...request.billing, vat}})
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
