import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import {ConnectionDroppedError, type TransportReply} from '../../src/http/index.js'
import {InvalidInputError, type Fault} from '../../src/sandbox/index.js'
import {operations, type Operation} from '../../src/sandbox/operations.js'
import {sendRequest} from '../http/loopback.js'
import {activatedFixture, callOf, openFixture, parse, usdtOnBsc, type Fixture} from './fixture.js'

/** A charge with a payment, and a changed price, so that a convert has a visible effect. */
async function paidFixture(): Promise<Fixture & {paymentId: string}> {
  const fixture = await activatedFixture()
  const {paymentId = ''} = fixture.sandbox.pay(fixture.chargeId, usdtOnBsc)
  fixture.sandbox.setPrice('825', 2)
  return {...fixture, paymentId}
}

const isDropped = (call: Promise<TransportReply>) => assert.rejects(call, ConnectionDroppedError)
const hasStatus = (expected: number) => async (call: Promise<TransportReply>) =>
  assert.equal((await call).status, expected)
const isUnreadable = async (call: Promise<TransportReply>) => {
  const reply = await call
  assert.equal(reply.status, 200)
  for (const parser of Object.values(parse)) assert.throws(() => parser(reply))
}

const outcomes: readonly [Fault, boolean, (call: Promise<TransportReply>) => Promise<void>][] = [
  [{kind: 'status', status: 503}, false, hasStatus(503)],
  [{kind: 'redirect'}, false, hasStatus(302)],
  [{kind: 'drop'}, false, isDropped],
  [{kind: 'statusAfterEffect', status: 502}, true, hasStatus(502)],
  [{kind: 'dropAfterEffect'}, true, isDropped],
  [{kind: 'malformed'}, true, isUnreadable],
  [{kind: 'truncated'}, true, isUnreadable],
]

for (const operation of operations)
  it(`a fault on ${operation} applies before or after its effect`, async () => {
    for (const [fault, isAfter, check] of outcomes) {
      const fixture = await paidFixture()
      const before = JSON.stringify(fixture.sandbox.charges)
      fixture.sandbox.fault(operation, fault)
      await check(callOf[operation](fixture, fixture.paymentId))
      const hasEffect = isAfter && /^(create|convert)/.test(operation)
      assert.equal(JSON.stringify(fixture.sandbox.charges) !== before, hasEffect, fault.kind)
    }
  })

describe('a fault', () => {
  it('applies to a number of calls, or until it is cleared, and to no other operation', async () => {
    const fixture = await paidFixture()
    const {sandbox} = fixture
    const expectStatuses = async (...expected: number[]) => {
      for (const status of expected) assert.equal((await callOf.getCharge(fixture, '')).status, status)
    }
    sandbox.fault('getCharge', {kind: 'status', status: 503, times: 2})
    await expectStatuses(503, 503, 200)
    sandbox.fault('getCharge', {kind: 'status', status: 503})
    await expectStatuses(503, 503, 503)
    for (const other of operations)
      if (other !== 'getCharge') await hasStatus(200)(callOf[other](fixture, fixture.paymentId))
    sandbox.fault('*', {kind: 'status', status: 500})
    sandbox.fault('getCharge', {kind: 'status', status: 503, times: 1})
    await expectStatuses(503, 500)
    sandbox.clearFaults()
    await expectStatuses(200)
  })

  const forms: readonly [Operation, Fault, RegExp][] = [
    ['convert', {kind: 'wrongCurrency'}, /"currency":"DOGE"/],
    ['convert', {kind: 'badAmount'}, /"amount":null/],
    ['convert', {kind: 'badAmount', amount: -1}, /"amount":-1,/],
    ['convert', {kind: 'badAmount', amount: '1e999'}, /"amount":1e999,/],
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
    ['getCryptoCharge', {kind: 'wrongPrice'}, /"local_price":\{"amount":"4.99","currency":"USD"\}/],
    [
      'getCryptoCharge',
      {kind: 'wrongPrice', amount: '50'},
      /"local_price":\{"amount":"50","currency":"USD"\}/,
    ],
    ['getCryptoCharge', {kind: 'wrongPrice', currency: 'JPY'}, /"local_price":\{.*"currency":"JPY"\}/],
    ['getCharge', {kind: 'wrongPrice'}, /"amount":"49.90"/],
    ['getCryptoCharge', {kind: 'repeatedAssets'}, /"symbol":"DAI".*"symbol":"DAI"/],
  ]
  it('changes a response in its way', async () => {
    for (const [operation, fault, expected] of forms) {
      const fixture = await openFixture({billing: {amount: '49.90'}})
      fixture.sandbox.fault('*', fault)
      assert.match((await callOf[operation](fixture, '')).body, expected, JSON.stringify(fault))
    }
  })

  it('can delay a response, until it is cleared', async () => {
    const fixture = await openFixture()
    for (const end of [
      () => fixture.clock.advance(1),
      () => Promise.resolve(fixture.sandbox.clearFaults()),
    ]) {
      fixture.sandbox.fault('*', {kind: 'delay', ms: 5_000})
      let isDone = false
      const response = callOf.getCharge(fixture, '').finally(() => (isDone = true))
      await fixture.clock.advance(4_999)
      assert.equal(isDone, false)
      await end()
      assert.equal((await response).status, 200)
      assert.equal(fixture.clock.sleepers, 0)
    }
  })

  it('can drop request bodies, so that a convert is rejected and activates nothing', async () => {
    const fixture = await openFixture()
    fixture.sandbox.fault('*', {kind: 'lostBody'})
    for (const operation of ['convert', 'createCharge'] as const)
      assert.equal((await callOf[operation](fixture, '')).status, 400)
    assert.equal(fixture.sandbox.pay(fixture.chargeId, usdtOnBsc).recorded, false)
    assert.equal((await callOf.createCryptoCharge(fixture, '')).status, 200)
  })

  it('can replace every address by another valid one, in the response only', async () => {
    const fixture = await openFixture()
    const read = () => callOf.getCryptoCharge(fixture, '')
    const addresses = (text: string): string[] => text.match(/"address":"\w+"/g) ?? []
    const right = addresses((await read()).body)
    fixture.sandbox.fault('getCryptoCharge', {kind: 'swappedAddress', times: 1})
    const wrong = addresses((await read()).body)
    assert.equal(wrong.length, 26)
    assert.ok(
      wrong.every((address, index) => !right.includes(address) && address.length === right[index]?.length),
    )
    assert.deepEqual(addresses((await read()).body), right)
  })

  it('is rejected if invalid, and the installed one stays', async () => {
    const {sandbox, client} = await openFixture()
    sandbox.fault('createCharge', {kind: 'status', status: 503})
    for (const fault of [
      {kind: 'status', status: 200},
      {kind: 'delay', ms: -1},
      {kind: 'drop', times: 0},
      {kind: 'missingFields', fields: []},
    ] satisfies Fault[])
      assert.throws(() => sandbox.fault('createCharge', fault), InvalidInputError)
    assert.equal((await client.createCharge()).status, 503)
  })

  it('can give payments an unusual form, wherever they are', async () => {
    const fixture = await activatedFixture()
    const {sandbox, chargeId, client} = fixture
    sandbox.payElsewhere(chargeId, {amount: 'part', listed: true})
    const {paymentId = ''} = sandbox.pay(chargeId, {...usdtOnBsc, amount: '1.5'})
    const read = async (call: Promise<TransportReply>) => JSON.parse((await call).body)
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
      const {charge, ...data} = (await read(client.verifyPayment(paymentId))).data
      for (const payment of [
        data,
        charge.payments[1],
        (await read(callOf.getCryptoCharge(fixture, ''))).wallet.payments[0],
        (await read(callOf.getCharge(fixture, ''))).payments[1],
      ])
        assert.match(JSON.stringify(payment), expected)
    }
    sandbox.fault('*', {kind: 'oddPayments', form: 'unreadableItems'})
    assert.equal((await read(callOf.getCryptoCharge(fixture, ''))).wallet.payments.length, 4)
  })

  it('can set the date hours ahead or behind, which is otherwise that of the sandbox', async t => {
    const {sandbox} = await openFixture()
    const {url, close} = await sandbox.listen()
    t.after(close)
    const headers = {'api-key': sandbox.apiKey}
    const dateOf = async () =>
      (await sendRequest(`${url}/api/v1/pay/charge/x`, {method: 'GET', headers})).headers['date']
    assert.equal(await dateOf(), 'Sat, 21 Nov 2026 01:23:45 GMT')
    sandbox.fault('getCharge', {kind: 'wrongDate', ms: 7_200_000})
    assert.equal(await dateOf(), 'Sat, 21 Nov 2026 03:23:45 GMT')
    sandbox.fault('getCharge', {kind: 'wrongDate', ms: -7_200_000})
    assert.equal(await dateOf(), 'Fri, 20 Nov 2026 23:23:45 GMT')
  })
})
