/** The service's time, from the `Date` header of its responses. */
import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import type {TransportReply, TransportRequest} from '../../../src/http/index.js'
import {memoryStore} from '../../../src/server/stores/memory-store.js'
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

  test('follows the service to within a second, and not an offset up to two seconds', () => {
    const {time, observe, offset} = fixture()
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
      observe(observed)
      assert.ok(offset() >= least && offset() <= most, `${observed}: ${offset()}`)
    }
    assert.equal(time.isKnown, true)
  })

  test('follows the first response at once, and later another offset only when two responses in a row agree', () => {
    const {observe, offset} = fixture()
    const observations = [hour, 0, -hour, 2 * hour, hour, -hour, hour, 0, 0, hour]
    const offsets = observations.map(observed => {
      observe(observed)
      return Math.round(offset() / hour)
    })
    assert.deepEqual(offsets, [1, 1, 1, 1, 1, 1, 1, 1, 0, 0])
  })

  test('does not take the duration of a slow response for an offset', async () => {
    const {clock, time, offset} = fixture()
    const sentAt = clock.now()
    await clock.advance(9_000)
    time.observe(httpDate(sentAt), sentAt)
    assert.equal(offset(), 0)
  })

  test('ignores a header that is absent, no date or more than a day off, and logs the last', () => {
    const {logged, time, observe, offset} = fixture()
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
    observe(25 * hour)
    assert.equal(offset(), 0)
    assert.deepEqual(logged.at(-1)?.[1], {seconds: 90_000})
  })

  test('does not follow an offset that the end of a second explains', async () => {
    const {clock, observe, offset} = fixture()
    await clock.advance(999)
    observe(-2_999)
    assert.equal(offset(), 0)
    for (let times = 0; times < 2; times++) observe(-3_999)
    assert.notEqual(offset(), 0)
  })

  test('follows an offset of exactly a day', () => {
    const {observe, offset} = fixture()
    observe(24 * hour)
    assert.ok(offset() >= 24 * hour)
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
    const fixture = await opened({clock, service: dated(clock, aheadMs)})
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
  await clock.advance(0)
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
  assert.equal((await restarted().read()).json.status, 'open')
  assert.equal((await restarted().quote(usdt)).status, 200)
})
