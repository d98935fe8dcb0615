/** Two clocks, ours and the service's: what has expired, what is stored, and steps of the wall clock. */
import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import type {TransportReply, TransportRequest} from '../../../src/http/index.js'
import {ServiceTime} from '../../../src/server/base/service-time.js'
import {memoryStore} from '../../../src/stores/memory-store.js'
import {FakeClock} from '../../fake-clock.js'
import {opened, recordingLogger, ScriptedService, scripted, startOfTest} from '../scripted-service.js'

const hour = 3_600_000

function httpDate(milliseconds: number): string {
  return new Date(milliseconds).toUTCString()
}

describe('ServiceTime', () => {
  /** A clock and responses of a service whose clock is ahead by so many milliseconds. */
  function fixture() {
    const clock = new FakeClock(startOfTest)
    const {logged, logger} = recordingLogger()
    const time = new ServiceTime(clock, logger)
    /** The true time: that of the monotonic clock. */
    const observe = (...aheadMs: number[]) => {
      for (const each of aheadMs) time.observe(httpDate(clock.monotonic() + each), clock.monotonic())
    }
    const hours = (milliseconds: number) => Math.round((milliseconds - startOfTest) / hour)
    const all = () => [time.now(), time.expiry(), time.latest()].map(hours)
    return {clock, logged, time, observe, all}
  }
  const ten = (ms: number) => Array.from({length: 10}, () => ms)

  for (const [name, stepMs, responses, expected] of [
    ['before the first response our clock decides', 2 * hour, [], [2, 2, 2]],
    ['both clocks agree', 0, ten(0), [0, 0, 0]],
    [
      'one response differs: both clocks have to pass an expiry, and one ends quotes',
      0,
      [0, 0, 2 * hour],
      [0, 0, 2],
    ],
    ['one wrong server of several is outvoted', 0, [0, 2 * hour, 0, 0, 2 * hour, 0, 0], [0, 0, 0]],
    ['our clock is ahead', 2 * hour, [0, 0, 0], [0, 0, 2]],
    ['our clock is ahead, for ten responses', 2 * hour, ten(0), [0, 0, 2]],
    ['our clock is behind: nothing expires by the service alone', -2 * hour, ten(0).slice(1), [0, -2, 0]],
    ['our clock is behind, and ten responses agree: the service decides', -2 * hour, ten(0), [0, 0, 0]],
    ['ten responses, of which one differs', -2 * hour, [...ten(0).slice(1), 6_000], [0, -2, 0]],
    ['ten responses that agree within five seconds', -2 * hour, [...ten(0).slice(1), 4_000], [0, 0, 0]],
  ] as const)
    test(name, () => {
      const {clock, observe, all} = fixture()
      clock.step(stepMs)
      observe(...responses)
      assert.deepEqual(all(), expected)
    })

  test('an offset up to two seconds, or one that the duration of a response explains, is none', async () => {
    for (const ms of [0, 2_000, -2_000]) {
      const {clock, time, observe} = fixture()
      observe(...ten(ms))
      assert.equal(time.now(), clock.now(), `${ms}`)
    }
    const {clock, time} = fixture()
    const sentAt = clock.monotonic()
    await clock.advance(9_000)
    time.observe(httpDate(startOfTest), sentAt)
    assert.equal(time.now(), clock.now())
  })

  test('a step of the wall clock, or a suspended machine, is corrected by the next response', async () => {
    for (const stepMs of [2 * hour, -2 * hour]) {
      const {clock, observe, all} = fixture()
      observe(...ten(0))
      clock.step(stepMs)
      observe(0)
      assert.equal(all()[0], 0)
      assert.equal(all()[1], 0)
      // The machine was suspended: the time has really gone on, and the monotonic clock has not.
      const suspended = fixture()
      suspended.observe(...ten(0))
      suspended.clock.step(2 * hour)
      suspended.observe(2 * hour)
      assert.deepEqual(suspended.all(), [2, 2, 2])
    }
    // Time passed for all clocks.
    const {clock, observe, all} = fixture()
    observe(...ten(0))
    await clock.jump(3 * hour)
    assert.deepEqual(all(), [3, 3, 3])
  })

  test('a header that is absent or no date of HTTP is ignored', () => {
    const {clock, logged, time} = fixture()
    const later = httpDate(startOfTest + 2 * hour)
    const unreadable = [
      '',
      'yesterday',
      '2026-11-21',
      'Sat, 99 Nov 2026 01:23:45 GMT',
      `x${later}`,
      `${later}+1`,
    ]
    for (const date of [undefined, ...unreadable]) time.observe(date, startOfTest)
    assert.deepEqual([logged, time.now(), time.latest()], [[], clock.now(), clock.now()])
  })

  test('an offset beyond a minute is logged once an hour', async () => {
    const {clock, logged, observe} = fixture()
    observe(50_000)
    assert.equal(logged.length, 0)
    observe(120_000, 120_000, 120_000)
    assert.deepEqual(logged, [
      ['the clock of this server differs from the clock of the service', {seconds: 120}],
    ])
    await clock.advance(hour)
    observe(120_000)
    assert.equal(logged.length, 2)
  })
})

/** A service with the clock of this machine, plus so many milliseconds for each response. */
function dated(clock: FakeClock, ...aheadMs: number[]): ScriptedService {
  const service = new ScriptedService()
  const send = service.transport
  let count = 0
  const transport = async (request: TransportRequest): Promise<TransportReply> => {
    const reply = await send(request)
    const ahead = aheadMs[Math.min(count++, aheadMs.length - 1)] ?? 0
    return {...reply, headers: {...reply.headers, date: httpDate(clock.monotonic() + ahead)}}
  }
  return Object.assign(service, {transport})
}

for (const aheadMs of [2 * hour, -2 * hour])
  test(`a fresh charge is payable while this clock is ${aheadMs / hour} hours ahead, until the service's clock has passed`, async () => {
    const clock = new FakeClock(startOfTest)
    clock.step(aheadMs)
    const fixture = await opened({clock, service: dated(clock)})
    for (let times = 0; times < 5; times++) await fixture.poll()
    const {json} = await fixture.read()
    assert.deepEqual([json.status, json.payable], ['open', true])
    const near = (at: string) => Math.abs(Date.parse(at) - clock.monotonic()) <= 10_000
    assert.ok(near(json.serverTime), json.serverTime)
    for (const {at} of await fixture.checkout.journal('c1')) assert.ok(near(at), at)
    // Either clock forbids a new quote.
    const quoted = await fixture.quote()
    assert.equal(quoted.json.code ?? quoted.json.status, aheadMs > 0 ? 'expired' : 'open')
    await clock.advance(hour)
    assert.deepEqual([(await fixture.poll()).status, (await fixture.read()).json.payable], ['expired', false])
  })

test('a new process whose clock is hours behind learns the time from a charge that it has to tell of, once', async () => {
  const store = memoryStore()
  const clock = new FakeClock(startOfTest)
  /** A process that starts a minute later. @returns what it told and how often it read, after a minute */
  const started = async () => {
    const told: string[] = []
    const ours = new FakeClock(startOfTest + 60_000)
    ours.step(-2 * hour)
    const service = dated(ours)
    const {checkout} = scripted({store, clock: ours, service, onPaid: ({status}) => void told.push(status)})
    await ours.advance(60_000)
    await checkout.close()
    return [told, service.calls['getCharge']]
  }
  assert.deepEqual(await started(), [[], undefined])
  const failing = () => Promise.reject(new TypeError('canary'))
  const first = await opened({store, clock, service: dated(clock), onPaid: failing})
  await first.checkout.close()
  assert.deepEqual(await started(), [[], undefined])
  const second = scripted({store, clock, service: dated(clock), onPaid: failing})
  second.service.report('paid', {transaction_id: '0xa'})
  await second.webhook()
  await second.checkout.close()
  assert.deepEqual(await started(), [['paid'], 1])
})

test('a lock of a process that died is waited for no longer than it lasts, whichever clock is wrong', async () => {
  for (const [ourMs, serverMs] of [
    [0, 0],
    [-2 * hour, 0],
    [0, 2 * hour],
  ] as const) {
    const store = memoryStore()
    const [clock, ours] = [new FakeClock(startOfTest), new FakeClock(startOfTest)]
    ours.step(ourMs)
    const service = dated(clock, serverMs)
    service.hold('createCryptoCharge')
    void scripted({store, clock, service}).open()
    await clock.advance(0)
    const waiting = scripted({store, clock: ours, service: dated(ours)})
    const response = waiting.open()
    await ours.advance(19_000)
    assert.equal(waiting.service.minted, 0)
    await ours.advance(2_000)
    assert.equal((await response).json.payable, true)
  }
})
