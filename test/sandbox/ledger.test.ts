import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import {InvalidInputError, type Fault} from '../../src/sandbox/index.js'
import {activatedFixture, json, usdtOnBsc, usdtOnEthereum, type Fixture} from './fixture.js'

const statusOf = async (fixture: Fixture) => json(await fixture.getCharge()).status
const paymentsOf = async (fixture: Fixture) => json(await fixture.getCryptoCharge()).wallet.payments

describe('a payment', () => {
  it('of the quoted amount makes the charge paid', async () => {
    const fixture = await activatedFixture()
    const {recorded, transactionId} = fixture.sandbox.pay(fixture.chargeId, usdtOnBsc)
    assert.equal(recorded, true)
    assert.match(transactionId, /^0x[0-9a-f]{64}$/)
    assert.deepEqual(await statusOf(fixture), {value: 'paid', context: {status: 'paid', value: 0}})
    const [{transaction_id, value, timestamp}] = await paymentsOf(fixture)
    assert.deepEqual([transaction_id, timestamp], [transactionId, '2026-11-21T01:23:45.000Z'])
    assert.deepEqual(value, {
      local: {amount: 49.99, currency: 'USD'},
      crypto: {amount: 49.99 / 1.0003, currency: 'USDT'},
    })
    assert.doesNotMatch((await fixture.getCharge()).body, /"payments"|total_paid/)
  })

  it('of another amount makes it underpaid or overpaid, with the difference', async () => {
    for (const [amounts, value, difference] of [
      [['less'], 'underpaid', 20],
      [['more'], 'overpaid', 25],
      [['49.97'], 'underpaid', 0.01],
      [['49.98'], 'paid', 0],
      [['49.99'], 'overpaid', 0.01],
      // Exactly what is due, with the rate of the parts too.
      [['less', 'less', 'exact'], 'paid', 0],
    ] as const) {
      const fixture = await activatedFixture()
      for (const amount of amounts) fixture.sandbox.pay(fixture.chargeId, {...usdtOnBsc, amount})
      const expected = {value, context: {status: value, value: difference}}
      assert.deepEqual(await statusOf(fixture), expected, amounts.join())
    }
  })

  it('does not count before it is confirmed', async () => {
    const fixture = await activatedFixture()
    const {transactionId} = fixture.sandbox.pay(fixture.chargeId, {...usdtOnBsc, confirmed: false})
    assert.deepEqual(await statusOf(fixture), {value: 'unpaid', context: {status: 'unpaid', value: 0}})
    const [pending] = await paymentsOf(fixture)
    assert.deepEqual([pending.status, pending.block], ['PENDING', {hash: '', height: null}])
    for (let times = 0; times < 2; times++) fixture.sandbox.confirm(transactionId)
    const [{status, timestamp}] = await paymentsOf(fixture)
    assert.deepEqual([status, timestamp], ['CONFIRMED', pending.timestamp])
    assert.equal((await statusOf(fixture)).value, 'paid')
  })
})

describe('money is lost', () => {
  it('if the address is not activated, even when it is activated later', async () => {
    const fixture = await activatedFixture()
    const {sandbox, chargeId, cryptoChargeId} = fixture
    const {recorded, transactionId} = sandbox.pay(chargeId, usdtOnEthereum)
    assert.equal(recorded, false)
    const [lost] = sandbox.lost
    const expected = {chargeId, cryptoChargeId, transactionId, amount: '49.975008', reason: 'not activated'}
    assert.deepEqual(lost, {...lost, ...usdtOnEthereum, ...expected})
    assert.match((await fixture.getCryptoCharge()).body, new RegExp(`"address":"${lost?.address}"`))
    assert.deepEqual(sandbox.charge(chargeId)?.lost, sandbox.lost)
    await fixture.convert({network: 'ethereum'})
    assert.equal((await statusOf(fixture)).context.status, 'notpaid')
    assert.deepEqual(await paymentsOf(fixture), [])
    assert.equal(sandbox.pay(chargeId, usdtOnEthereum).recorded, true)
  })

  it('if it is sent on the wrong network', async () => {
    const {sandbox, chargeId} = await activatedFixture()
    assert.equal(sandbox.pay(chargeId, {...usdtOnBsc, via: 'ethereum'}).recorded, false)
    assert.deepEqual([sandbox.lost[0]?.reason, sandbox.lost[0]?.network], ['wrong network', 'ethereum'])
    assert.equal(sandbox.pay(chargeId, {...usdtOnBsc, via: 'bsc'}).recorded, true)
  })
})

it('invalid input is rejected with a reason, and changes nothing', async () => {
  const fixture = await activatedFixture()
  const {sandbox, chargeId} = fixture
  const {_id: empty} = json(await fixture.createCharge())
  sandbox.fault('getCharge', {kind: 'status', status: 503})
  const fault = (value: Fault) => () => sandbox.fault('getCharge', value)
  for (const [act, reason] of [
    [() => sandbox.pay('missing', usdtOnBsc), /no such charge: missing/],
    [() => sandbox.pay(empty, usdtOnBsc), /no crypto charge yet/],
    [() => sandbox.pay(chargeId, {asset: 'DOGE', network: 'bsc'}), /no such asset: DOGE/],
    [() => sandbox.pay(chargeId, {asset: '825', network: 'polygon'}), /not offered on polygon/],
    ...['-1', '0', 'half'].map(
      amount => [() => sandbox.pay(chargeId, {...usdtOnBsc, amount}), /amount/] as const,
    ),
    [() => sandbox.confirm('0x00'), /no payment/],
    [() => sandbox.expire('missing'), /no such charge/],
    [() => sandbox.cancel('missing'), /no such charge/],
    [() => sandbox.moveClock(-1), /forward/],
    [() => sandbox.setPrice('ETH', 0), /positive/],
    [() => Object.assign(sandbox, {webhookFormat: 'morse'}), /format/i],
    [fault({kind: 'status', status: 200}), /status/],
    [fault({kind: 'delay', ms: -1}), /ms/],
    [fault({kind: 'drop', times: 0}), /times/],
    [fault({kind: 'missingFields', fields: []}), /fields/],
  ] satisfies (readonly [() => unknown, RegExp])[])
    assert.throws(act, (error: Error) => error instanceof InvalidInputError && reason.test(error.message))
  assert.equal((await fixture.getCharge()).status, 503)
})
