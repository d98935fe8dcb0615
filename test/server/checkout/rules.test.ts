/** Odd but possible responses of the service: no payment is lost, hidden or requested twice. */
import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {isWithinTolerance} from '../../../src/server/checkout/money.js'
import {walletAssetsOf} from '../../../src/server/assets/wallet-assets.js'
import {walletSchema} from '../../../src/contract/index.js'
import * as z from 'zod/mini'
import {opened, ScriptedService, scripted, type ScriptedPayment} from '../scripted-service.js'

const unconfirmed: ScriptedPayment = {transaction_id: '0xb', status: 'PENDING', local: 60}
const minute = 60_000

test('a payment that cannot be read makes the charge unpayable until all can be read', async () => {
  const {service, poll, quote, logged, kinds} = await opened()
  await quote()
  service.report('unpaid', {transaction_id: '0xa', local: 40}, {transaction_id: '', local: 1})
  for (let times = 0; times < 2; times++) {
    const {alert, payable, payments, paid} = await poll()
    assert.deepEqual([alert, payable, payments.length], ['payment_unreadable', false, 1])
    assert.equal(paid.amount, '40.00')
  }
  assert.equal((await kinds()).filter(kind => kind === 'alert').length, 1)
  assert.equal(logged.filter(([message]) => message === 'a payment cannot be read').length, 1)
  service.status = {value: 'underpaid'}
  await poll()
  assert.equal((await quote()).json.code, 'upstream_invalid')
  service.report('underpaid', {transaction_id: '0xa', local: 40})
  const {alert, payable} = await poll()
  assert.deepEqual([alert, payable], [undefined, true])
})

test('less than the last place of the price is never due, and a tolerance forgives what it says, up to a limit', () => {
  const half = {amount: '0.50'}
  for (const [currency, amount, tolerance, enough, tooLittle] of [
    ['USD', '49.90', {}, '49.891', '49.89'],
    ['USD', '49.900', {}, '49.8991', '49.899'],
    ['JPY', '500', {}, '499.1', '499'],
    // At most one percent of the price.
    ['USD', '0.5', {}, '0.4951', '0.495'],
    ['USD', '0.009', {}, '0.009', '0.001'],
    ['JPY', '3', {}, '3', '1.5'],
    ['BTC', '0.005', {}, '0.00496', '0.00001'],
    ['USD', '50', {percent: 1}, '49.5', '49.499'],
    ['USD', '50', half, '49.5', '49.4'],
    ['USD', '50', {...half, percent: 0.1}, '49.5', '49.4'],
    // At most ten percent of the price.
    ['USD', '0.50', half, '0.45', '0.449'],
    ['USD', '5', half, '4.5', '4.49'],
  ] as const)
    assert.deepEqual(
      [enough, tooLittle].map(paid =>
        isWithinTolerance({amount, currency}, [{amount: paid, currency}], tolerance),
      ),
      [true, false],
      `${amount} ${currency} with ${JSON.stringify(tolerance)}`,
    )
})

for (const [local, tolerance, status, due] of [
  [99.997, {}, 'paid', '0.00'],
  [99.989, {}, 'underpaid', '0.02'],
  [99.5, {percent: 0.5}, 'paid', '0.50'],
  [99.49, {percent: 0.5}, 'underpaid', '0.51'],
  [0, {}, 'underpaid', '100.00'],
] as const)
  test(`${local} of 100 USD with ${JSON.stringify(tolerance)} is ${status}`, async () => {
    const {service, poll} = await opened({underpaymentTolerance: tolerance})
    service.report('underpaid', {transaction_id: '0xa', local})
    const checkout = await poll()
    assert.deepEqual([checkout.status, checkout.due.amount], [status, due])
  })

describe('words for the status of a payment', () => {
  test('that nobody knows: what the service calls paid is paid ten minutes later, with an alert', async () => {
    const {service, clock, poll, quote, kinds} = await opened()
    await quote()
    service.report('paid', {transaction_id: '0xa', status: 'DONE'})
    assert.equal((await poll()).status, 'pending')
    await clock.advance(9 * minute)
    assert.equal((await poll()).status, 'pending')
    await clock.advance(minute)
    for (let times = 0; times < 2; times++)
      assert.deepEqual([(await poll()).status, (await poll()).payable], ['paid', false])
    assert.equal((await kinds()).filter(kind => kind === 'alert').length, 1)
  })
})

test('a payment that is not listed for ten minutes is dropped, and counts when it is confirmed later', async () => {
  const {service, clock, poll} = await opened()
  const confirmed = {transaction_id: '0xa', local: 40}
  service.report('underpaid', confirmed, unconfirmed)
  assert.equal((await poll()).status, 'pending')
  service.report('underpaid', confirmed)
  assert.equal((await poll()).status, 'pending')
  await clock.advance(9 * minute)
  service.report('underpaid', confirmed, unconfirmed)
  assert.equal((await poll()).status, 'pending')
  service.report('underpaid', confirmed)
  await poll()
  await clock.advance(9 * minute)
  assert.equal((await poll()).status, 'pending')
  await clock.advance(minute)
  const {status, due, payments, payable} = await poll()
  assert.deepEqual([status, due.amount, payable], ['underpaid', '60.00', true])
  assert.deepEqual([payments[1]?.dropped, 'missingSince' in Object(payments[1])], [true, false])
  service.report('paid', confirmed, {...unconfirmed, status: 'CONFIRMED'})
  const settled = await poll()
  assert.deepEqual([settled.status, settled.payments[1]?.dropped], ['paid', undefined])
})

test('responses that cannot be read for ten minutes call onAlert once', async () => {
  const alerts: string[] = []
  const {service, poll, clock, checkout} = await opened({
    onAlert: ({kind}) => void alerts.push(kind),
  })
  const readable = service.charge.bind(service)
  service.charge = () => ({another: 'schema'})
  for (let minutes = 0; minutes < 13; minutes++) {
    await clock.advance(minute)
    assert.equal((await poll()).stale, true)
    await checkout.settle()
  }
  assert.deepEqual(alerts, ['service_unreadable'])
  service.charge = readable
  await clock.advance(minute)
  assert.equal((await poll()).stale, false)
})

test('another price of the crypto charge forbids to pay', async () => {
  const service = new ScriptedService()
  service.localPrice = {amount: '10.00', currency: 'USD'}
  const {open, quote, poll, logged} = scripted({service})
  const {alert, payable} = (await open()).json
  assert.deepEqual([alert, payable], ['price_mismatch', false])
  const {status, json} = await quote()
  assert.deepEqual([status, json.code], [409, 'price_mismatch'])
  await poll()
  assert.equal(logged.filter(([message]) => message.startsWith('the price of the crypto')).length, 1)
  // More than the price of the crypto charge, and less than that of the payment charge.
  service.report('underpaid', {transaction_id: '0xa', local: 60})
  assert.equal((await poll()).status, 'underpaid')
  service.report('paid', {transaction_id: '0xa', local: 60})
  assert.equal((await poll()).status, 'paid')
})

test('an asset that is listed twice has the networks of both', () => {
  const account = {address: '0x1'}
  const asset = {symbol: 'USDC', convert_id: '3408', isMultiChain: true}
  const wallet = z.parse(walletSchema, {
    local_price: {amount: '1', currency: 'USD'},
    payments: [],
    addresses: [
      {...asset, networks: [{name: 'bsc', account}]},
      {...asset, networks: ['bsc', 'polygon'].map(name => ({name, account}))},
      {...asset, isDisabled: true, networks: [{name: 'ethereum', account}]},
    ],
  })
  const [merged, ...others] = walletAssetsOf(wallet)
  assert.deepEqual(others, [])
  assert.equal(merged?.disabled, false)
  const networks = merged?.networks.map(({id, disabled}) => `${id} ${disabled}`)
  assert.deepEqual(networks, ['bsc false', 'polygon false', 'ethereum true'])
})
