/** The service's time, from the `Date` header of its responses. */
import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import type {TransportReply, TransportRequest} from '../../../src/http/index.js'
import {memoryStore} from '../../../src/stores/memory-store.js'
import {ServiceTime} from '../../../src/server/base/service-time.js'
import {FakeClock} from '../../fake-clock.js'
import {opened, recordingLogger, ScriptedService, scripted, startOfTest, usdt} from '../scripted-service.js'

const hour = 3_600_000

function httpDate(milliseconds: number): string {
  return new Date(milliseconds).toUTCString()
}

describe('ServiceTime', () => {
  function fixture() {
    const clock = new FakeClock(startOfTest)
    const {logged, logger} = recordingLogger()
    const time = new ServiceTime(clock, logger)
    const observe = (offsetMs: number) => time.observe(httpDate(clock.now() + offsetMs), clock.now())
    const offset = () => time.now() - clock.now()
    return {clock, logged, time, observe, offset}
  }

  test('follows the service to within a second, and not an offset up to two seconds', async () => {
    const {clock, time, observe, offset} = fixture()
    assert.equal(time.isKnown, false)
    for (const [observed, least, most] of [
      [0, 0, 0],
      [2_000, 0, 0],
      [-2_000, 0, 0],
      [2 * hour, 2 * hour, 2 * hour + 1_000],
      // The offset is kept while responses agree with it.
      [2 * hour + 1_000, 2 * hour, 2 * hour + 1_000],
      [-2 * hour, -2 * hour, -2 * hour + 1_000],
      [1_000, 0, 0],
    ] as const) {
      observe(observed)
      await clock.advance(1_000)
      observe(observed)
      assert.ok(offset() >= least && offset() <= most, `${observed}: ${offset()}`)
    }
    assert.equal(time.isKnown, true)
  })

  test('follows an offset of more than a minute when two responses agree that are a second apart', async () => {
    const {clock, time, observe, offset} = fixture()
    for (const [elapsed, observed, followed] of [
      [0, 20 * hour, 0],
      [999, 20 * hour, 0],
      [1, 20 * hour + 5_000, 20 * hour],
      [1_000, 0, 20 * hour],
      [1_000, hour, 20 * hour],
      [1_000, 0, 20 * hour],
      [1_000, 20 * hour, 20 * hour],
      [1_000, 30 * hour, 20 * hour],
      [1_000, 30 * hour, 30 * hour],
    ] as const) {
      await clock.advance(elapsed)
      observe(observed)
      assert.equal(Math.round(offset() / hour), followed / hour)
      assert.equal(time.isKnown, followed > 0)
    }
  })

  test('is unsure about an expiry that only one of two clocks has passed', async () => {
    const {clock, time, observe} = fixture()
    observe(2 * hour)
    assert.equal(time.isUnsure(null), true)
    await clock.advance(1_000)
    observe(0)
    assert.equal(time.isUnsure(startOfTest + hour), false)
    observe(2 * hour)
    assert.deepEqual(
      [null, startOfTest, startOfTest + hour, startOfTest + 3 * hour].map(at => time.isUnsure(at)),
      [false, false, true, false],
    )
  })

  test('does not take the duration of a slow response for an offset', async () => {
    const {clock, time, offset} = fixture()
    const sentAt = clock.now()
    await clock.advance(9_000)
    time.observe(httpDate(sentAt), sentAt)
    assert.equal(offset(), 0)
  })

  test('ignores a header that is absent or no date', () => {
    const {logged, time, offset} = fixture()
    const later = httpDate(startOfTest + 2 * hour)
    for (const date of [
      undefined,
      '',
      'yesterday',
      '2026-11-21',
      'Sat, 99 Nov 2026 01:23:45 GMT',
      `x${later}`,
      `${later}+1`,
    ])
      time.observe(date, startOfTest)
    assert.deepEqual(logged, [])
    assert.equal(offset(), 0)
  })

  test('does not follow an offset that the end of a second explains', async () => {
    const {clock, observe, offset} = fixture()
    await clock.advance(999)
    observe(-2_999)
    assert.equal(offset(), 0)
    for (let times = 0; times < 2; times++) observe(-3_999)
    assert.notEqual(offset(), 0)
  })

  test('logs an offset beyond a minute once an hour', async () => {
    const {clock, logged, observe} = fixture()
    observe(50_000)
    assert.equal(logged.length, 0)
    for (let times = 0; times < 3; times++) observe(120_000)
    assert.deepEqual(logged, [
      ['the clock of this server differs from the clock of the service', {seconds: 120}],
    ])
    await clock.advance(hour)
    observe(120_000)
    assert.equal(logged.length, 2)
  })
})

/** A service whose clock is right, for a proxy whose clock is ahead. */
function dated(clock: FakeClock, aheadMs: number): ScriptedService {
  const service = new ScriptedService()
  const send = service.transport
  const transport = async (request: TransportRequest): Promise<TransportReply> => {
    const reply = await send(request)
    return {...reply, headers: {...reply.headers, date: httpDate(clock.now() - aheadMs)}}
  }
  return Object.assign(service, {transport})
}

for (const aheadMs of [2 * hour, -2 * hour])
  test(`a fresh charge is payable while this clock is ${aheadMs / hour} hours ahead`, async () => {
    const clock = new FakeClock(startOfTest + aheadMs)
    const opening = opened({clock, service: dated(clock, aheadMs)})
    await clock.advance(1_000)
    const fixture = await opening
    const {json: quoted} = await fixture.quote()
    const near = (text: string, expected: number) =>
      assert.ok(Math.abs(Date.parse(text) - expected) <= 2_000, text)
    assert.equal(quoted.status, 'open')
    near(quoted.serverTime, startOfTest)
    near(quoted.quote.quotedAt, startOfTest)
    near(quoted.quote.refreshAfter, startOfTest + 900_000)
    for (const entry of await fixture.checkout.journal('c1')) near(entry.at, startOfTest)
    await clock.advance(hour)
    assert.equal((await fixture.read()).json.status, 'expired')
  })

test('two instances whose clocks differ agree on the lock for minting', async () => {
  const store = memoryStore()
  const clock = new FakeClock(startOfTest)
  const ahead = new FakeClock(startOfTest + 2 * hour)
  const service = dated(clock, 0)
  const first = scripted({store, clock, service})
  // Both read the same service, whose clock is that of the first instance.
  const second = scripted({store, clock: ahead, service})
  const respond = service.hold('createCryptoCharge')
  const opening = first.open()
  await clock.advance(0)
  const waiting = second.open()
  await ahead.advance(1_000)
  respond()
  await opening
  await ahead.advance(1_000)
  await waiting
  assert.equal(service.calls['createCryptoCharge'], 1)
})

test('a process that has just started reads the service before it takes a charge for expired', async () => {
  const clock = new FakeClock(startOfTest)
  const store = {...memoryStore(), lease: () => Promise.resolve(false)}
  const first = await opened({clock, store, service: dated(clock, 0)})
  await first.quote()
  const ahead = new FakeClock(startOfTest + 2 * hour)
  const restarted = () => scripted({clock: ahead, store, service: dated(ahead, 2 * hour)})
  for (const request of [() => restarted().read(), () => restarted().quote(usdt)]) {
    const response = request()
    await ahead.advance(1_000)
    const {status, json} = await response
    assert.deepEqual([status, json.status], [200, 'open'])
  }
})

test('a first response that is dated 20 hours ahead expires nothing, and calls no handler', async () => {
  const clock = new FakeClock(startOfTest)
  const service = dated(clock, 0)
  const first = await opened({clock, service})
  const expired: string[] = []
  const {transport} = service
  const later = {date: httpDate(startOfTest + 20 * hour)}
  let count = 0
  Object.assign(service, {
    transport: async (request: TransportRequest) => {
      const reply = await transport(request)
      return count++ === 0 ? {...reply, headers: later} : reply
    },
  })
  const {checkout, read} = first.secondInstance({onExpired: ({chargeId}) => void expired.push(chargeId)})
  const response = read()
  await clock.advance(1_000)
  assert.equal((await response).json.status, 'open')
  await checkout.settle()
  assert.deepEqual(expired, [])
})
