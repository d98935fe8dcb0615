/** Every schema of the contract accepts or rejects any input, and accepts its own output. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import * as z from 'zod/mini'
import * as contract from '../../src/contract/index.js'
import {parseLossless} from '../../src/server/service/parse-lossless.js'
import {scripted, usdtOnBsc} from '../server/scripted-service.js'
import {applyChanges, changes, arbitraryJson, runs, toText, type Json} from './inputs.js'

const schemas = Object.entries(contract).flatMap(([name, schema]) =>
  name.endsWith('Schema') ? [{name, schema: schema as z.ZodMiniType}] : [],
)

/** Valid values of both APIs, to be changed a little. */
async function samples(): Promise<Readonly<Record<string, Json>>> {
  const {service, request, clock} = scripted()
  await request('POST', '/charges/c1')
  const quoted = await request('POST', '/charges/c1/quote', {asset: '825', network: 'bsc'})
  service.payments = [{transaction_id: '0xa', local: 40}]
  service.status = {value: 'underpaid'}
  await clock.advance(2_000)
  const read = await request('GET', '/charges/c1')
  const checkout = JSON.parse(read.text)
  const charge = JSON.parse(JSON.stringify(service.charge('c1')))
  const cryptoCharge = JSON.parse(JSON.stringify(service.cryptoCharge('k1', 'c1')))
  const [multi, single] = cryptoCharge.wallet.addresses
  const convert = service.requests.find(({url}) => url.endsWith('convert'))
  const chargeRequest = {
    ref_id: 'r',
    customer: {user_id: 'u', name: 'n', phone: 'p', email: 'e'},
    billing: {currency: 'USD', amount: '1', pricing_type: 'p', description: 'd', country: 'NG'},
    metadata: {cart: 7},
    call_back_url: 'https://shop.example',
    userId: 'u',
    charge_source: 'api',
  }
  return {
    checkoutSchema: {...checkout, quote: JSON.parse(quoted.text).quote},
    moneySchema: checkout.price,
    networkOptionSchema: checkout.assets[0].networks[0],
    assetOptionSchema: checkout.assets[0],
    quoteSchema: JSON.parse(quoted.text).quote,
    observedPaymentSchema: checkout.payments[0],
    statusSchema: 'open',
    wakeUpSchema: {rev: 3},
    problemSchema: JSON.parse((await request('GET', '/charges/nobody')).text),
    quoteRequestSchema: {asset: '825', network: 'bsc'},
    paymentSchema: charge.payments[0],
    statusValueSchema: 'paid',
    chargeStatusSchema: charge.status,
    billingSchema: charge.billing,
    customerSchema: {user_id: 'u', name: 'n', phone: 'p', email: 'e'},
    chargeSchema: charge,
    chargeInputSchema: chargeRequest,
    chargeRequestSchema: chargeRequest,
    singleNetworkAssetSchema: single,
    networkEntrySchema: {name: 'bsc', contract_address: usdtOnBsc, account: {address: '0x1'}},
    multiNetworkAssetSchema: multi,
    assetEntrySchema: multi,
    walletSchema: cryptoCharge.wallet,
    cryptoChargeSchema: cryptoCharge,
    convertRequestSchema: JSON.parse(convert?.body ?? ''),
    convertResponseSchema: {amount: 1.5, currency: 'USDT'},
    verificationSchema: {
      _id: 'v',
      chargeId: 'c1',
      cryptoChargeId: 'k1',
      data: {...charge.payments[0], charge},
    },
  }
}

const sampled = await samples()

/** Schemas whose output equals their input. The others convert numbers of the service to strings. */
const unconverted = new Set([
  'checkoutSchema',
  'moneySchema',
  'networkOptionSchema',
  'assetOptionSchema',
  'quoteSchema',
  'observedPaymentSchema',
  'statusSchema',
  'wakeUpSchema',
  'problemSchema',
  'quoteRequestSchema',
  'customerSchema',
  'chargeRequestSchema',
  'convertRequestSchema',
])

/** Parses as the element or the service client does; empty if it is not JSON. */
function readings(name: string, value: Json): unknown[] {
  const text = toText(value)
  return [unconverted.has(name) ? JSON.parse : parseLossless].flatMap(read => {
    try {
      return [read(text)]
    } catch (error) {
      assert.ok(error instanceof SyntaxError || error instanceof RangeError, String(error))
      return []
    }
  })
}

test('every schema has a valid sample', () => {
  assert.ok(schemas.length > 20)
  for (const {name, schema} of schemas)
    for (const value of readings(name, sampled[name] ?? assert.fail(name)))
      assert.ok(z.safeParse(schema, value).success, name)
})

function check(name: string, schema: z.ZodMiniType, value: Json): void {
  for (const read of readings(name, value)) {
    const result = z.safeParse(schema, read)
    if (!result.success) {
      assert.throws(() => z.parse(schema, read), z.core.$ZodError)
      continue
    }
    if (unconverted.has(name)) {
      const again = z.safeParse(schema, JSON.parse(JSON.stringify(result.data)))
      assert.deepEqual(again.data, JSON.parse(JSON.stringify(result.data)), name)
    }
  }
  assert.equal(Object.keys(Object.prototype).length, 0)
}

test('every schema accepts or rejects arbitrary JSON without another error', () => {
  fc.assert(
    fc.property(arbitraryJson, value => {
      for (const {name, schema} of schemas) check(name, schema, value)
    }),
    runs(200),
  )
})

for (const {name, schema} of schemas)
  test(`${name}: accepts or rejects a changed sample, and accepts its own output`, () => {
    fc.assert(
      fc.property(changes, list => check(name, schema, applyChanges(sampled[name] ?? null, list))),
      runs(60),
    )
  })

test('invariant 2: an accepted amount is a positive decimal', () => {
  const isAmount = (text: string) =>
    contract.decimal(contract.toTrimmedText(contract.decimal(text))).units > 0n
  fc.assert(
    fc.property(changes, list => {
      for (const read of readings(
        'convertResponseSchema',
        applyChanges({amount: 1.5, currency: 'USDT'}, list),
      )) {
        const {data} = z.safeParse(contract.convertResponseSchema, read)
        if (data) assert.ok(isAmount(data.amount))
      }
      for (const read of readings(
        'cryptoChargeSchema',
        applyChanges(sampled['cryptoChargeSchema'] ?? null, list),
      )) {
        const {data} = z.safeParse(contract.cryptoChargeSchema, read)
        if (data) assert.ok(isAmount(data.wallet.local_price.amount))
        for (const payment of data?.wallet.payments ?? []) assert.ok(isAmount(payment.value.crypto.amount))
      }
    }),
    runs(300),
  )
})
