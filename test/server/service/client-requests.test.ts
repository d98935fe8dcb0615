/** What the service client sends, when it sends it again, and what it makes of each response. No network. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {RequestNotSentError, type TransportReply, type TransportRequest} from '../../../src/http/index.js'
import type {Diagnostics, ServiceMessage} from '../../../src/server/base/diagnostics.js'
import {ServiceTime} from '../../../src/server/base/service-time.js'
import {ServiceError} from '../../../src/server/errors.js'
import {createClient} from '../../../src/server/service/client.js'
import {FakeClock} from '../../fake-clock.js'
import {order} from '../order.js'
import {noResponse, ok, recordingLogger, ScriptedService, startOfTest, status} from '../scripted-service.js'

type Reply = (request: TransportRequest) => TransportReply | Promise<TransportReply>

const convertRequest = {
  wallet: {symbol: 'USDT', convert_id: '825', chart: 'cmc' as const},
  local: {amount: '49.90', currency: 'USD'},
  _id: 'k1',
  network: 'bsc',
}

const codeOf = (error: unknown) => (error instanceof ServiceError ? error.code : undefined)

/** A client whose service gives these replies, and then what the scripted service says. */
const client = (...replies: Reply[]) => clientBy('GET', ...replies)

function clientBy(convertMethod: 'GET' | 'POST', ...replies: Reply[]) {
  const service = new ScriptedService()
  const clock = new FakeClock(startOfTest)
  const {logged, logger} = recordingLogger()
  const traces: ServiceMessage[] = []
  const sentAt: number[] = []
  const time = new ServiceTime(clock, logger)
  const diagnostics: Diagnostics = {
    publish: message => {
      if (message.type === 'service') traces.push(message)
    },
  }
  const send = createClient(
    {clock, time, logger, diagnostics, random: () => 0.5},
    {
      apiKey: 'TEST;PK;requests',
      baseUrl: 'https://service.example',
      convertMethod,
      timeout: 10_000,
      transport: async request => {
        sentAt.push(clock.now() - startOfTest)
        return (replies.shift() ?? service.transport)(request)
      },
    },
  )
  /** The error of a call, which may take some time. */
  const errorOf = async (call: Promise<unknown>): Promise<ServiceError> => {
    const failed = call.then(
      () => assert.fail('the call succeeded'),
      (error: unknown) => error,
    )
    await clock.advance(20_000)
    const error = await failed
    assert.ok(error instanceof ServiceError)
    return error
  }
  return {service, clock, time, logged, traces, sentAt, send, errorOf}
}

test('each operation has its method, its path and the api-key, and a type only with a body', async () => {
  for (const convertMethod of ['GET', 'POST'] as const) {
    const {service, clock, send, traces} = clientBy(convertMethod)
    const calls: [string, () => Promise<unknown>][] = [
      ['createCharge POST /api/v1/pay/charge', () => send.createCharge(order())],
      ['getCharge GET /api/v1/pay/charge/a%2Fb', () => send.getCharge('a/b')],
      ['createCryptoCharge POST /api/v1/pay/crypto/c%3F1', () => send.createCryptoCharge('c?1')],
      [`convert ${convertMethod} /api/v1/pay/crypto/convert`, () => send.convert(convertRequest)],
      ['getCryptoCharge GET /api/v1/pay/crypto/k%201', () => send.getCryptoCharge('k 1')],
      ['verifyPayment POST /api/v1/pay/crypto/payment/p%2F1', () => send.verifyPayment('p/1')],
    ]
    for (const [expected, call] of calls) {
      const sending = call().catch(() => undefined)
      await clock.advance(1_000)
      await sending
      const {method, url, headers, body, maxBytes} = service.requests.at(-1) ?? assert.fail()
      const path = url.replace('https://service.example', '')
      assert.equal(`${traces.at(-1)?.operation} ${method} ${path}`, expected)
      const sends = /^(convert|createCharge) /.test(expected)
      assert.deepEqual(headers, {
        'api-key': 'TEST;PK;requests',
        accept: 'application/json',
        ...(sends && {'content-type': 'application/json; charset=utf-8'}),
      })
      assert.deepEqual([body !== undefined, maxBytes], [sends, 1_000_000])
    }
  }
})

test('a read is repeated after 100 and 200 ms on average, at most twice as long', async () => {
  const {sentAt, send, errorOf} = client(status(503), status(503), status(503))
  const {code, upstreamStatus, outcome} = await errorOf(send.getCharge('c1'))
  assert.deepEqual([code, upstreamStatus, outcome], ['upstream_unavailable', 503, 'none'])
  assert.deepEqual(sentAt, [0, 100, 300])
})

test('a read is repeated after the pause that the service asks for, up to two seconds', async () => {
  for (const [retryAfter, expected] of [
    ['0', [0, 100]],
    ['2', [0, 2_000]],
    ['3', [0]],
    [new Date(startOfTest + 2_000).toUTCString(), [0, 2_000]],
    ['soon', [0, 100]],
  ] as const) {
    const {clock, sentAt, send} = client(status(429, {'retry-after': retryAfter}))
    const call = send.getCharge('c1').catch(() => undefined)
    await clock.advance(5_000)
    await call
    assert.deepEqual(sentAt, expected, retryAfter)
  }
})

test('Retry-After is read as seconds or as a date, and is at most an hour', async () => {
  for (const [text, seconds] of [
    ['30', 30],
    ['0', 0],
    ['3600', 3_600],
    ['3601', 3_600],
    ['999999999', 3_600],
    ['9999999999', undefined],
    ['soon', undefined],
    ['', undefined],
    [new Date(startOfTest + 30_000).toUTCString(), 30],
    [new Date(startOfTest - 30_000).toUTCString(), 0],
    [new Date(startOfTest + 7_200_000).toUTCString(), 3_600],
  ] as const) {
    const {send, errorOf} = client(status(503, {'retry-after': text}))
    assert.equal((await errorOf(send.createCryptoCharge('c1'))).retryAfter, seconds, text)
  }
})

test('a response outside 2xx is an error whose outcome says whether the call may have taken effect', async () => {
  for (const [code, create, read] of [
    [199, 'upstream_rejected unknown', 'upstream_rejected none'],
    [300, 'upstream_rejected unknown', 'upstream_rejected none'],
    [302, 'upstream_rejected unknown', 'upstream_rejected none'],
    [400, 'upstream_rejected none', 'upstream_rejected none'],
    [404, 'charge_not_found none', 'charge_not_found none'],
    [429, 'upstream_unavailable none', 'upstream_unavailable none'],
    [499, 'upstream_rejected none', 'upstream_rejected none'],
    [500, 'upstream_unavailable unknown', 'upstream_unavailable none'],
    [599, 'upstream_unavailable unknown', 'upstream_unavailable none'],
  ] as const) {
    const replies = Array.from({length: 4}, () => status(code))
    const {send, errorOf, traces} = client(...replies)
    const created = await errorOf(send.createCryptoCharge('c1'))
    const got = await errorOf(send.getCharge('c1'))
    assert.deepEqual([`${created.code} ${created.outcome}`, `${got.code} ${got.outcome}`], [create, read])
    assert.deepEqual([created.upstreamStatus, created.operation], [code, 'createCryptoCharge'])
    const {status: traced, outcome, code: problem} = traces[0] ?? {}
    assert.deepEqual([traced, outcome, problem], [code, created.outcome, created.code])
  }
})

test('404 means an unknown charge only where the path has the id of a charge', async () => {
  const {send, errorOf} = client(status(404), status(404), status(404), status(404))
  for (const call of [
    () => send.getCryptoCharge('k1'),
    () => send.verifyPayment('p1'),
    () => send.createCharge(order()),
    () => send.convert(convertRequest),
  ])
    assert.equal((await errorOf(call())).code, 'upstream_rejected')
})

test('a create may take 15 seconds and a read, with its retries, ten', async () => {
  const created = client(noResponse)
  const creating = created.send.createCryptoCharge('c1').catch(codeOf)
  await created.clock.advance(14_999)
  assert.equal(created.clock.sleepers, 1)
  await created.clock.advance(1)
  assert.deepEqual([await creating, created.clock.sleepers], ['upstream_timeout', 0])
  const read = client(status(503), noResponse)
  const reading = read.send.getCharge('c1').catch(codeOf)
  await read.clock.advance(9_999)
  assert.equal(read.clock.sleepers, 1)
  await read.clock.advance(1)
  assert.deepEqual([await reading, read.sentAt], ['upstream_timeout', [0, 100]])
})

test('a request is repeated if it only reads, or was not sent and mints and quotes nothing', async () => {
  type Send = ReturnType<typeof client>['send']
  const notSent: Reply = () => Promise.reject(new RequestNotSentError())
  const lost: Reply = () => Promise.reject(new Error('reset'))
  const unavailable = 'upstream_unavailable'
  for (const [reply, call, times, outcome] of [
    [notSent, (send: Send) => send.getCharge('c1'), 3, 'none'],
    [notSent, (send: Send) => send.verifyPayment('p1'), 3, 'none'],
    [notSent, (send: Send) => send.createCryptoCharge('c1'), 1, 'none'],
    [notSent, (send: Send) => send.convert(convertRequest), 1, 'none'],
    [notSent, (send: Send) => send.createCharge(order()), 1, 'none'],
    [lost, (send: Send) => send.getCharge('c1'), 3, 'none'],
    [lost, (send: Send) => send.verifyPayment('p1'), 1, 'unknown'],
    // The service has received it, and did nothing.
    [status(429), (send: Send) => send.verifyPayment('p1'), 1, 'none'],
  ] as const) {
    const {send, sentAt, errorOf, traces} = client(reply, reply, reply)
    const error = await errorOf(call(send))
    assert.deepEqual([error.code, error.outcome, sentAt.length], [unavailable, outcome, times])
    assert.deepEqual([traces[0]?.status, traces[0]?.outcome], [error.upstreamStatus, outcome])
  }
})

test('every status of 2xx is a success', async () => {
  for (const code of [200, 201, 299]) {
    const service = new ScriptedService()
    const {send, traces} = client(request => ({...ok(service.respond('getCharge', request)), status: code}))
    assert.equal((await send.getCharge('c1'))._id, 'c1')
    assert.deepEqual([traces[0]?.status, traces[0]?.outcome], [code, 'ok'])
  }
})

test('an unreadable response is not repeated, and its error has its status', async () => {
  for (const body of ['', 'null', '<html>', '{"_id":7}']) {
    const {send, sentAt, errorOf, traces} = client(
      () => ok(body),
      () => ok(body),
    )
    const created = await errorOf(send.createCryptoCharge('c1'))
    const read = await errorOf(send.getCharge('c1'))
    assert.deepEqual(
      [created.code, created.upstreamStatus, created.outcome],
      ['upstream_invalid', 200, 'unknown'],
    )
    assert.deepEqual([read.code, read.outcome, sentAt.length], ['upstream_invalid', 'none', 2])
    assert.deepEqual([traces[0]?.status, traces[0]?.outcome], [200, 'unknown'])
  }
})

const hint = 'the payment service may have changed its responses: update crypto-checkout, or check baseUrl'

test('assets and networks that cannot be read are logged by their number, once a minute', async () => {
  const {service, send, clock, logged} = client()
  service.moreAssets = [{name: 7}, {name: 'X', symbol: 'X', convert_id: '1', networks: [{address: '0x1'}]}]
  for (const seconds of [0, 59, 1]) {
    await clock.advance(seconds * 1_000)
    assert.equal((await send.getCryptoCharge('k1')).wallet.addresses.length, 3)
  }
  const line = ['skipped unreadable items in a response', {operation: 'getCryptoCharge', skipped: 2, hint}]
  assert.deepEqual(logged, [line, line])
})

test('no attempt starts after the deadline, and the error is that of the last attempt', async () => {
  const slow: Reply = async request => {
    await clock.sleep(9_950)
    return status(503)(request)
  }
  const {clock, sentAt, send} = client(slow)
  const reading = send.getCharge('c1').catch(codeOf)
  await clock.advance(10_000)
  assert.deepEqual([await reading, sentAt], ['upstream_unavailable', [0]])
})
