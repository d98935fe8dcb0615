import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import {ConnectionDroppedError, type TransportReply} from '../../src/http/index.js'
import {InvalidInputError, type Fault, type Operation} from '../../src/sandbox/index.js'
import {operations} from '../../src/sandbox/operations.js'
import {flushPromises} from '../fake-clock.js'
import {
  activatedFixture,
  callOf,
  createClient,
  json,
  openFixture,
  overHttp,
  parse,
  usdtOnBsc,
  type Fixture,
} from './fixture.js'

/** A charge with a payment, and a changed price, so that a convert has a visible effect. */
async function paidFixture(): Promise<Fixture & {paymentId: string}> {
  const fixture = await activatedFixture()
  const {paymentId = ''} = fixture.sandbox.pay(fixture.chargeId, usdtOnBsc)
  fixture.sandbox.setPrice('825', 2)
  return {...fixture, paymentId}
}

const operationsWithEffect = new Set<Operation>(['createCharge', 'createCryptoCharge', 'convert'])

const parserOf: Record<Operation, (reply: TransportReply) => unknown> = {
  createCharge: parse.charge,
  getCharge: parse.charge,
  createCryptoCharge: parse.cryptoCharge,
  convert: parse.convert,
  getCryptoCharge: parse.cryptoCharge,
  verifyPayment: parse.verification,
}

type Check = (call: Promise<TransportReply>, operation: Operation) => Promise<unknown>

const isDropped: Check = call => assert.rejects(call, ConnectionDroppedError)
const isNotJson: Check = async call => {
  const reply = await call
  assert.equal(reply.status, 200)
  assert.throws(() => json(reply), SyntaxError)
}

const beforeEffect: readonly [Fault, Check][] = [
  ...[404, 429, 503].map((status): [Fault, Check] => [
    {kind: 'status', status, retryAfter: 7},
    async call => {
      const reply = await call
      assert.equal(reply.status, status)
      assert.equal(reply.headers['retry-after'], '7')
    },
  ]),
  [{kind: 'drop'}, isDropped],
  [
    {kind: 'redirect'},
    async call => {
      const reply = await call
      assert.equal(reply.status, 302)
      assert.ok(reply.headers['location'])
    },
  ],
]

const afterEffect: readonly [Fault, Check][] = [
  [{kind: 'statusAfterEffect', status: 502}, async call => assert.equal((await call).status, 502)],
  [{kind: 'dropAfterEffect'}, isDropped],
  [{kind: 'malformed'}, isNotJson],
  [{kind: 'truncated'}, isNotJson],
  [
    {kind: 'missingFields'},
    async (call, operation) => {
      const reply = await call
      assert.equal(reply.status, 200)
      assert.throws(() => parserOf[operation](reply))
    },
  ],
]

for (const operation of operations)
  describe(`a fault on ${operation}`, () => {
    const call = (fixture: Fixture & {paymentId: string}) => callOf[operation](fixture, fixture.paymentId)

    for (const [faults, when, hasEffect] of [
      [beforeEffect, 'before', false],
      [afterEffect, 'after', operationsWithEffect.has(operation)],
    ] as const)
      it(`can apply ${when} the effect`, async () => {
        for (const [fault, check] of faults) {
          const fixture = await paidFixture()
          const before = JSON.stringify(fixture.sandbox.charges)
          fixture.sandbox.fault(operation, fault)
          await check(call(fixture), operation)
          assert.equal(JSON.stringify(fixture.sandbox.charges) !== before, hasEffect, fault.kind)
        }
      })

    it('can delay the response', async () => {
      const fixture = await paidFixture()
      fixture.sandbox.fault(operation, {kind: 'delay', ms: 5_000})
      let isDone = false
      const response = call(fixture).finally(() => (isDone = true))
      await fixture.clock.advance(4_999)
      assert.equal(isDone, false)
      await fixture.clock.advance(1)
      assert.equal((await response).status, 200)
    })

    it('applies to the given number of calls, or until it is cleared, and to no other operation', async () => {
      const fixture = await paidFixture()
      const {sandbox} = fixture
      const expectStatuses = async (...expected: number[]) => {
        for (const status of expected) assert.equal((await call(fixture)).status, status)
      }
      sandbox.fault(operation, {kind: 'status', status: 503, times: 2})
      await expectStatuses(503, 503, 200)
      sandbox.fault(operation, {kind: 'status', status: 503})
      await expectStatuses(503, 503, 503)
      for (const other of operations)
        if (other !== operation) assert.equal((await callOf[other](fixture, fixture.paymentId)).status, 200)
      sandbox.fault(operation, null)
      await expectStatuses(200)
      sandbox.fault('*', {kind: 'status', status: 500})
      sandbox.fault(operation, {kind: 'status', status: 503, times: 1})
      await expectStatuses(503, 500)
      sandbox.clearFaults()
      await expectStatuses(200)
    })
  })

describe('a fault', () => {
  it('can drop request bodies, so that a convert is rejected and activates nothing', async () => {
    const fixture = {...(await openFixture()), paymentId: ''}
    fixture.sandbox.fault('*', {kind: 'lostBody'})
    for (const operation of ['convert', 'createCharge'] as const)
      assert.equal((await callOf[operation](fixture, '')).status, 400)
    assert.equal(fixture.sandbox.pay(fixture.chargeId, usdtOnBsc).recorded, false)
    for (const operation of ['getCharge', 'createCryptoCharge', 'getCryptoCharge'] as const)
      assert.equal((await callOf[operation](fixture, '')).status, 200)
  })

  it('can replace every address by another valid one, in the response only', async () => {
    const fixture = await openFixture()
    const read = () => callOf.getCryptoCharge(fixture, '')
    const addresses = (text: string): string[] => text.match(/"address":"\w+"/g) ?? []
    const lengths = (texts: string[]) => texts.map(({length}) => length)
    const right = addresses((await read()).body)
    fixture.sandbox.fault('getCryptoCharge', {kind: 'swappedAddress', times: 1})
    const reply = await read()
    const wrong = addresses(reply.body)
    assert.equal(parse.cryptoCharge(reply).wallet.addresses.length, 17)
    assert.equal(wrong.length, 26)
    assert.ok(wrong.every(address => !right.includes(address)))
    assert.deepEqual(lengths(wrong), lengths(right))
    assert.deepEqual(addresses((await read()).body), right)
  })

  it('can remove fields by path, through arrays', async () => {
    const fixture = await openFixture()
    const without = async (...fields: string[]) => {
      fixture.sandbox.fault('getCryptoCharge', {kind: 'missingFields', fields})
      return (await callOf.getCryptoCharge(fixture, '')).body
    }
    assert.doesNotMatch(await without('expires_at', 'wallet.local_price.amount'), /expires_at|"49.99"/)
    const body = await without('wallet.addresses.networks.account', 'wallet.addresses.account.address')
    assert.doesNotMatch(body, /"address":/)
    assert.match(await without('no.such.field'), /"wallet"/)
  })

  it('can convert to another currency or an invalid amount', async () => {
    const {sandbox, client, cryptoChargeId} = await openFixture()
    for (const [fault, expected] of [
      [{kind: 'wrongCurrency'}, /"currency":"DOGE"/],
      [{kind: 'badAmount'}, /"amount":null/],
      [{kind: 'badAmount', amount: -1}, /"amount":-1,/],
      [{kind: 'badAmount', amount: '1e999'}, /"amount":1e999,/],
      [{kind: 'badAmount', amount: '"12"'}, /"amount":"12",/],
    ] satisfies [Fault, RegExp][]) {
      sandbox.fault('convert', fault)
      assert.match((await client.convert({id: cryptoChargeId, ...usdtOnBsc})).body, expected)
    }
  })

  it('ends a delay when it is cleared', async () => {
    const fixture = await openFixture()
    fixture.sandbox.fault('*', {kind: 'delay', ms: 60_000})
    const response = callOf.getCharge(fixture, '')
    await flushPromises()
    fixture.sandbox.clearFaults()
    assert.equal((await response).status, 200)
    assert.equal(fixture.clock.sleepers, 0)
  })

  it('can close a real connection, before and after the effect', async t => {
    const {sandbox, chargeId, cryptoChargeId} = await openFixture()
    const {url, close} = await sandbox.listen()
    t.after(close)
    const client = createClient(sandbox, overHttp, url)
    for (const kind of ['drop', 'dropAfterEffect'] as const) {
      sandbox.fault('convert', {kind, times: 1})
      await assert.rejects(client.convert({id: cryptoChargeId, ...usdtOnBsc}), /hang up|ECONNRESET/)
      assert.equal(sandbox.pay(chargeId, usdtOnBsc).recorded, kind === 'dropAfterEffect')
    }
  })

  it('is rejected if invalid, and the installed one stays', async () => {
    const {sandbox, client} = await openFixture()
    sandbox.fault('createCharge', {kind: 'status', status: 503})
    for (const fault of [
      {kind: 'status', status: 200},
      {kind: 'status', status: 503, retryAfter: -1},
      {kind: 'delay', ms: -1},
      {kind: 'drop', times: 0},
      {kind: 'missingFields', fields: []},
    ] satisfies Fault[])
      assert.throws(() => sandbox.fault('createCharge', fault), InvalidInputError)
    assert.equal((await client.createCharge()).status, 503)
  })
})
