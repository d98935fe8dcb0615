import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import {ConnectionDroppedError, type TransportReply} from '../../src/http/index.js'
import type {Fault} from '../../src/sandbox/index.js'
import {operations, type Operation} from '../../src/sandbox/operations.js'
import {activatedFixture, json, openFixture, usdtOnBsc} from './fixture.js'

type Check = (call: Promise<TransportReply>) => Promise<unknown>
const isDropped: Check = call => assert.rejects(call, ConnectionDroppedError)
const hasStatus =
  (expected: number): Check =>
  async call =>
    assert.equal((await call).status, expected)
const isUnreadable: Check = async call => {
  const reply = await call
  assert.equal(reply.status, 200)
  assert.throws(() => json(reply), SyntaxError)
}

const outcomes: readonly [Fault, hasEffect: boolean, Check][] = [
  [{kind: 'status', status: 503}, false, hasStatus(503)],
  [{kind: 'redirect'}, false, hasStatus(302)],
  [{kind: 'drop'}, false, isDropped],
  [{kind: 'statusAfterEffect', status: 502}, true, hasStatus(502)],
  [{kind: 'dropAfterEffect'}, true, isDropped],
  [{kind: 'malformed'}, true, isUnreadable],
  [{kind: 'truncated'}, true, isUnreadable],
]

/** The operation, the fault, and what the body of the reply then is. */
const forms: readonly [Operation, Fault, RegExp][] = [
  ['convert', {kind: 'wrongCurrency'}, /"currency":"DOGE"/],
  ['convert', {kind: 'badAmount'}, /"amount":null/],
  ['convert', {kind: 'badAmount', amount: -1}, /"amount":-1,/],
  ['convert', {kind: 'badAmount', amount: '1e999'}, /"amount":1e999,/],
  ['convert', {kind: 'lostBody'}, /the body is empty/],
  ['getCryptoCharge', {kind: 'missingFields', fields: ['expires_at']}, /^(?!.*expires_at)/],
  ['getCryptoCharge', {kind: 'missingFields', fields: ['no.such.field']}, /"addresses"/],
  ['getCryptoCharge', {kind: 'missingFields'}, /^(?!.*"addresses")/],
  [
    'getCryptoCharge',
    {
      kind: 'missingFields',
      fields: ['wallet.addresses.networks.account', 'wallet.addresses.account.address'],
    },
    /^(?!.*"address":)/,
  ],
  ['getCryptoCharge', {kind: 'wrongPrice'}, /"local_price":\{"amount":"4.99\d*","currency":"USD"\}/],
  ['getCryptoCharge', {kind: 'wrongPrice', amount: '50'}, /"local_price":\{"amount":"50","currency":"USD"\}/],
  ['getCryptoCharge', {kind: 'wrongPrice', currency: 'JPY'}, /"local_price":\{.*"currency":"JPY"\}/],
  ['getCharge', {kind: 'wrongPrice'}, /"amount":"49.99"/],
  ['getCryptoCharge', {kind: 'repeatedAssets'}, /"symbol":"DAI".*"symbol":"DAI"/],
]

describe('a fault', () => {
  for (const operation of operations)
    it(`on ${operation} applies before or after its effect`, async () => {
      for (const [fault, isAfter, check] of outcomes) {
        const fixture = await activatedFixture()
        fixture.sandbox.pay(fixture.chargeId, usdtOnBsc)
        // So that a convert has a visible effect.
        fixture.sandbox.setPrice('825', 2)
        const before = JSON.stringify(fixture.sandbox.charges)
        fixture.sandbox.fault(operation, fault)
        await check(fixture[operation]())
        const hasEffect = isAfter && /^(create|convert)/.test(operation)
        assert.equal(JSON.stringify(fixture.sandbox.charges) !== before, hasEffect, fault.kind)
      }
    })

  it('applies to a number of calls, or until it is cleared, and to no other operation', async () => {
    const fixture = await openFixture()
    const {sandbox} = fixture
    const expectStatuses = async (...expected: number[]) => {
      for (const status of expected) await hasStatus(status)(fixture.getCharge())
    }
    sandbox.fault('getCharge', {kind: 'status', status: 503, times: 2})
    await expectStatuses(503, 503, 200)
    sandbox.fault('getCharge', {kind: 'status', status: 503})
    await expectStatuses(503, 503, 503)
    await hasStatus(200)(fixture.getCryptoCharge())
    sandbox.fault('*', {kind: 'status', status: 500})
    sandbox.fault('getCharge', {kind: 'status', status: 503, times: 1})
    await expectStatuses(503, 500)
    sandbox.clearFaults()
    await expectStatuses(200)
  })

  it('changes a response in its way', async () => {
    for (const [operation, fault, expected] of forms) {
      const fixture = await openFixture()
      fixture.sandbox.fault('*', fault)
      assert.match((await fixture[operation]()).body, expected, JSON.stringify(fault))
    }
  })

  it('can delay a response, until it is cleared', async () => {
    const fixture = await openFixture()
    const {clock, sandbox} = fixture
    for (const end of [() => clock.advance(1), () => Promise.resolve(sandbox.clearFaults())]) {
      sandbox.fault('*', {kind: 'delay', ms: 5_000})
      let isDone = false
      const response = fixture.getCharge().finally(() => (isDone = true))
      await clock.advance(4_999)
      assert.equal(isDone, false)
      await end()
      assert.equal((await response).status, 200)
      assert.equal(clock.sleepers, 0)
    }
  })

  it('can replace every address by another valid one, in the response only', async () => {
    const fixture = await openFixture()
    const addresses = async () => (await fixture.getCryptoCharge()).body.match(/"address":"\w+"/g) ?? []
    const right: readonly string[] = await addresses()
    fixture.sandbox.fault('getCryptoCharge', {kind: 'swappedAddress', times: 1})
    const wrong = await addresses()
    assert.deepEqual(
      wrong.map(({length}) => length),
      right.map(({length}) => length),
    )
    assert.ok(!wrong.some(address => right.includes(address)))
    assert.deepEqual(await addresses(), right)
  })

  it('can give payments an unusual form, wherever they are', async () => {
    const fixture = await activatedFixture()
    const {sandbox, chargeId} = fixture
    sandbox.payElsewhere(chargeId, {amount: 'part', listed: true})
    sandbox.pay(chargeId, {...usdtOnBsc, amount: '1.5'})
    for (const [form, expected] of [
      ['nullTimestamp', /"timestamp":null/],
      ['malformedTimestamp', /"timestamp":"yesterday"/],
      ['nullOptional', /"timestamp":null.*"block":null/],
      ['missingOptional', /^(?!.*timestamp|.*block)/],
      ['unreadable', /"transaction_id":null.*"value":null/],
      ['textNumbers', /"local":\{"amount":"1\.500\d+".*"crypto":\{"amount":"1\.5"/],
      ['textHeight', /"height":"\d+"/],
      [undefined, /"timestamp":null.*"amount":"1\.5".*"height":"\d+"/],
    ] as const) {
      sandbox.fault('*', form ? {kind: 'oddPayments', form} : {kind: 'oddPayments'})
      const {charge, ...data} = json(await fixture.verifyPayment()).data
      for (const payment of [
        data,
        charge.payments[1],
        json(await fixture.getCryptoCharge()).wallet.payments[0],
        json(await fixture.getCharge()).payments[1],
      ])
        assert.match(JSON.stringify(payment), expected)
    }
    sandbox.fault('*', {kind: 'oddPayments', form: 'unreadableItems'})
    assert.equal(json(await fixture.getCryptoCharge()).wallet.payments.length, 4)
  })

  it('can set the date hours ahead or behind, which is otherwise that of the sandbox', async () => {
    const fixture = await openFixture()
    const dateOf = async () => (await fixture.getCharge()).headers['date']
    assert.equal(await dateOf(), 'Sat, 21 Nov 2026 01:23:45 GMT')
    for (const [ms, date] of [
      [7_200_000, 'Sat, 21 Nov 2026 03:23:45 GMT'],
      [-7_200_000, 'Fri, 20 Nov 2026 23:23:45 GMT'],
    ] as const) {
      fixture.sandbox.fault('getCharge', {kind: 'wrongDate', ms})
      assert.equal(await dateOf(), date)
    }
  })
})
