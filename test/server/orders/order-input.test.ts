import assert from 'node:assert/strict'
import {test} from 'node:test'
import {InvalidRequestError} from '../../../src/server/errors.js'
import {mug, shop} from './shop.js'

const priced = (amount: unknown, currency = 'USD') => ({...mug, amount, currency}) as typeof mug

test('a number is the price that its shortest text is, without the error of floats', async () => {
  const {checkout, sandbox, read, quote} = shop()
  for (const [amount, text] of [
    [5 * 36.49, '182.45'],
    [0.1 + 0.2, '0.30'],
    [3 * 15_999.99, '47999.97'],
    [49.9, '49.90'],
    [1e3, '1000.00'],
    [999_999_999_999.99, '999999999999.99'],
  ] as const) {
    const order = await checkout.createOrder(text, priced(amount))
    assert.deepEqual(await checkout.createOrder(text, priced(text)), order)
    assert.equal(sandbox.charge(order.chargeId)?.charge.billing.amount, text)
    await quote(order.chargeId)
    assert.equal((await read(order.chargeId)).price.amount, text)
  }
})

const forms = {JPY: "no decimals in JPY, such as '50'", KWD: "at most 3 decimals in KWD, such as '49.900'"}

test('more decimals than the currency has are refused with the form that is allowed', async () => {
  const {checkout, sandbox} = shop()
  const twoPlaces = "at most 2 decimals in USD, such as '49.90'"
  for (const [amount, currency, form] of [
    ['182.455', 'USD', twoPlaces],
    [182.455, 'USD', twoPlaces],
    [1e-7, 'USD', twoPlaces],
    ['49.900', 'usd', undefined],
    ['1500.5', 'JPY', forms.JPY],
    [1500.5, 'JPY', forms.JPY],
    ['1500.00', 'JPY', undefined],
    ['3.1255', 'KWD', forms.KWD],
    ['3.125', 'KWD', undefined],
    // Not of ISO 4217, so nothing is known about its decimals.
    ['0.0015', 'BTC', undefined],
    [1e-7, 'BTC', undefined],
    ['0.0000000000001', 'BTC', "at most 12 decimals in BTC, such as '49.900000000000'"],
  ] as const) {
    const created = checkout.createOrder(`${typeof amount} ${amount} ${currency}`, priced(amount, currency))
    if (form === undefined) await created
    else await assert.rejects(created, {message: `the request is not valid: amount (${form})`})
  }
  assert.deepEqual(
    sandbox.charges.map(({charge}) => charge.billing.amount),
    ['49.90', '1500', '3.125', '0.0015', '0.0000001'],
  )
})

test('every input that is refused is an InvalidRequestError that names its field', async () => {
  const {checkout, sandbox} = shop()
  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  for (const [field, input] of [
    ...[1e-13, 1e15, 1e21, NaN, Infinity, -5, 0, -0, 5n, '1e3', '', '0.00', null, undefined, {}].map(
      amount => ['amount', priced(amount)] as const,
    ),
    ['currency', priced('5', 'DOLLAR')],
    ['customer', {...mug, customer: null}],
    ['metadata', {...mug, metadata: {text: 'x'.repeat(8_192)}}],
    ['metadata', {...mug, metadata: {text: 'ä'.repeat(4_092)}}],
    ['metadata', {...mug, metadata: circular}],
    ['metadata', {...mug, metadata: {count: 1n}}],
    ['metadata', {...mug, metadata: {toJSON: () => undefined}}],
    ['metadata', {...mug, metadata: 'text'}],
    ['the input', null],
    ['the input', 'mug'],
  ] as const)
    await assert.rejects(checkout.createOrder('order-7', input as unknown as typeof mug), (error: Error) => {
      assert.ok(error instanceof InvalidRequestError, String(error))
      assert.deepEqual([error.code, error.status], ['bad_request', 400])
      assert.match(error.message, new RegExp(`^the request is not valid: ${field}( \\(|$)`))
      return true
    })
  assert.equal(sandbox.charges.length, 0)
})

test('metadata of 8 kB is passed on', async () => {
  const {checkout, sandbox} = shop()
  const metadata = {text: 'ä'.repeat(4_090)}
  const {chargeId} = await checkout.createOrder('order-7', {...mug, metadata})
  assert.deepEqual(sandbox.charge(chargeId)?.charge.metadata, metadata)
  await assert.rejects(checkout.createOrder('order-8', {...mug, metadata: {...metadata, more: 1}}), {
    message: 'the request is not valid: metadata (at most 8 kB as JSON)',
  })
})
