/** Odd but possible responses of the service: no payment is lost, hidden or requested twice. */
import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {isWithinTolerance} from '../../../src/server/checkout/money.js'
import {walletAssetsOf} from '../../../src/server/assets/wallet-assets.js'
import {walletSchema} from '../../../src/contract/index.js'
import * as z from 'zod/mini'
import {opened, ScriptedService, scripted, usdt, type ScriptedPayment} from '../scripted-service.js'

/** Changes every payment that the service lists. */
function withPayments(service: ScriptedService, change: (payment: object) => unknown): void {
  const original = service.payment.bind(service)
  service.payment = payment => Object(change(original(payment)))
}

const full: ScriptedPayment = {transaction_id: '0xa'}
const unconfirmed: ScriptedPayment = {transaction_id: '0xb', status: 'PENDING', local: 60}
const minute = 60_000

describe('payments', () => {
  test('only the fields that decide matter, and amounts may be text', async () => {
    const value = {local: {amount: '1e2', currency: 'USD'}, crypto: {amount: '100.25', currency: 'USDT'}}
    for (const odd of [
      {timestamp: null, block: null, value},
      {timestamp: 7, block: 'none', value},
      {block: {hash: null, height: '12'}, value},
    ]) {
      const {service, poll} = await opened()
      withPayments(service, payment => ({...payment, ...odd}))
      service.report('paid', full)
      const {status, paid, payments, alert} = await poll()
      assert.deepEqual([status, paid.amount, payments.length, alert], ['paid', '100.00', 1, undefined])
    }
  })

  test('one that cannot be read makes the charge unpayable until all can be read', async () => {
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
})

describe('amounts', () => {
  test('less than the last place of the price is never due, and the tolerance includes its limit', async () => {
    const within = (amount: string, paid: string, tolerance = {}, currency = 'USD') =>
      isWithinTolerance({amount, currency}, [{amount: paid, currency}], tolerance)
    assert.deepEqual([within('49.90', '49.891'), within('49.90', '49.89')], [true, false])
    assert.deepEqual([within('49.900', '49.8991'), within('49.900', '49.899')], [true, false])
    assert.deepEqual([within('500', '499.1', {}, 'JPY'), within('500', '499', {}, 'JPY')], [true, false])
    // At most one percent of the price.
    assert.deepEqual([within('0.5', '0.4951'), within('0.5', '0.495')], [true, false])
    assert.deepEqual([within('3', '1.5', {}, 'JPY'), within('0.009', '0.001')], [false, false])
    assert.deepEqual(
      [within('0.005', '0.00001', {}, 'BTC'), within('0.005', '0.00496', {}, 'BTC')],
      [false, true],
    )
    assert.deepEqual(
      [within('50', '49.5', {percent: 1}), within('50', '49.499', {percent: 1})],
      [true, false],
    )
    assert.deepEqual(
      [within('50', '49.5', {amount: '0.5'}), within('50', '49.4', {amount: '0.5'})],
      [true, false],
    )
    assert.equal(within('50', '49.5', {amount: '0.5', percent: 0.1}), true)
  })

  test('a tolerance in the currency forgives at most ten percent of a price', async () => {
    const within = (amount: string, paid: string, currency = 'USD') =>
      isWithinTolerance({amount, currency}, [{amount: paid, currency}], {amount: '0.50'})
    assert.deepEqual(
      [within('0.50', '0.01'), within('0.50', '0.449'), within('0.50', '0.45')],
      [false, false, true],
    )
    assert.deepEqual([within('5', '4.5'), within('5', '4.49')], [true, false])
  })

  for (const [local, tolerance, status, due] of [
    [99.997, {}, 'paid', '0.00'],
    [99.5, {}, 'underpaid', '0.50'],
    [99.5, {percent: 0.5}, 'paid', '0.50'],
    [99.49, {percent: 0.5}, 'underpaid', '0.51'],
    [99.5, {amount: '0.50'}, 'paid', '0.50'],
    [99.989, {}, 'underpaid', '0.02'],
    [0, {}, 'underpaid', '100.00'],
  ] as const)
    test(`${local} of 100 USD with ${JSON.stringify(tolerance)} is ${status}`, async () => {
      const {service, poll} = await opened({underpaymentTolerance: tolerance})
      service.report('underpaid', {transaction_id: '0xa', local})
      const checkout = await poll()
      assert.deepEqual([checkout.status, checkout.due.amount], [status, due])
    })
})

describe('words for the status of a payment', () => {
  test('are read without their case and spaces', async () => {
    for (const word of ['completed ', 'Complete', 'SUCCESS', 'successful', 'settled', 'paid']) {
      const {service, poll} = await opened()
      service.report('paid', {...full, status: word})
      assert.equal((await poll()).status, 'paid', word)
    }
  })

  test('that nobody knows: what the service calls paid is paid ten minutes later, with an alert', async () => {
    const {service, clock, poll, quote, kinds} = await opened()
    await quote()
    service.report('paid', {...full, status: 'DONE'})
    assert.equal((await poll()).status, 'pending')
    await clock.advance(9 * minute)
    assert.equal((await poll()).status, 'pending')
    await clock.advance(minute)
    for (let times = 0; times < 2; times++)
      assert.deepEqual([(await poll()).status, (await poll()).payable], ['paid', false])
    assert.equal((await kinds()).filter(kind => kind === 'alert').length, 1)
  })
})

describe('a charge that is paid elsewhere', () => {
  /** The crypto charge lists no payment. */
  function paidElsewhere(value = 'paid', service = new ScriptedService()) {
    service.report(value, full)
    const original = service.cryptoCharge.bind(service)
    service.cryptoCharge = (id, chargeId) => {
      const {wallet, ...others} = Object(original(id, chargeId))
      return {...others, wallet: {...wallet, payments: []}}
    }
    return service
  }

  test('is settled by the payment charge with the next read', async () => {
    const {service, poll} = await opened()
    paidElsewhere('overpaid', service)
    const {status, payments, payable, alert} = await poll()
    assert.deepEqual([status, payments.length, payable, alert], ['overpaid', 1, false, undefined])
    assert.equal(payments[0]?.transactionId, '0xa')
  })
})

describe('a dropped payment', () => {
  for (const status of ['FAILED', 'dropped', ' Rejected', 'CANCELLED', 'expired'])
    test(`${status} opens the charge again`, async () => {
      const {service, poll, quote} = await opened()
      service.report('unpaid', unconfirmed)
      assert.equal((await poll()).status, 'pending')
      service.report('unpaid', {...unconfirmed, status})
      const {status: now, payable, payments} = await poll()
      assert.deepEqual([now, payable], ['open', true])
      assert.deepEqual([payments[0]?.confirmed, payments[0]?.dropped], [false, true])
      assert.equal((await quote()).status, 200)
    })

  test('is one that is not listed for ten minutes, and counts when it is confirmed later', async () => {
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

  test('is not assumed while another payment cannot be read', async () => {
    const {service, clock, poll} = await opened()
    service.report('unpaid', unconfirmed)
    await poll()
    service.report('unpaid', {transaction_id: ''})
    await poll()
    await clock.advance(11 * minute)
    assert.equal((await poll()).status, 'pending')
  })
})

describe('responses that repeat', () => {
  test('that cannot be read for ten minutes call onAlert once', async () => {
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
})

describe('contradictions', () => {
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
})

test('an asset that is listed twice has the networks of both', async () => {
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
  const {service, open, quote} = scripted()
  const original = service.cryptoCharge.bind(service)
  service.cryptoCharge = (id, chargeId) => {
    const {wallet, ...charge} = Object(original(id, chargeId))
    const [first, ...rest] = wallet.addresses
    const second = {...first, networks: first.networks.map((one: object) => ({...one, name: 'opbnb'}))}
    return {...charge, wallet: {...wallet, addresses: [first, ...rest, second]}}
  }
  await open()
  assert.equal((await quote({...usdt, network: 'opbnb'})).json.quote.network, 'opbnb')
})
