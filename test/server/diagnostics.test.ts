/** What is published on the channel of `node:diagnostics_channel`. */
import assert from 'node:assert/strict'
import {afterEach, beforeEach, test} from 'node:test'
import {createSandbox} from '../../src/sandbox/index.js'
import {channelDiagnostics as diagnostics} from '../../src/node/channel-diagnostics.js'
import {createCheckout, createServiceClient} from '../../src/node/index.js'
import type {DiagnosticsMessage} from '../../src/server/base/diagnostics.js'
import {createLimits} from '../../src/server/api/rate-limit.js'
import {memoryStore} from '../../src/stores/memory-store.js'
import {FakeClock} from '../fake-clock.js'
import {order} from './order.js'
import {recordDiagnostics} from './recording-diagnostics.js'
import {
  flushRequests,
  noResponse,
  opened,
  requester,
  scripted,
  status,
  usdt,
  type ScriptedService,
} from './scripted-service.js'

let recording: ReturnType<typeof recordDiagnostics>
beforeEach(() => (recording = recordDiagnostics()))
afterEach(() => recording.stop())

/** The messages of a type, without their durations. */
function messages(type: DiagnosticsMessage['type']): Record<string, unknown>[] {
  return recording.published
    .filter(message => message.type === type)
    .map(message => {
      const {type: _, durationMs, ...fields}: Record<string, unknown> = {...message}
      assert.ok(durationMs === undefined || Number(durationMs) >= 0)
      return fields
    })
}

test('a charge publishes when it is opened, quoted and paid, with its asset and network', async () => {
  const {quote, poll, service, open} = await opened({diagnostics, apiKey: 'LIVE;PK;x'})
  await quote()
  service.report('paid', {transaction_id: '0xa', local: 100})
  await poll()
  await poll()
  await open()
  assert.deepEqual(messages('checkout'), [
    {status: 'open', asset: 'none', network: 'none', test: false},
    {status: 'open', asset: 'USDT', network: 'bsc', test: false},
    {status: 'paid', asset: 'USDT', network: 'bsc', test: false},
  ])
})

test('an asset and a network that are not in the tables are published as other', async () => {
  const {poll, service} = await opened({diagnostics})
  service.report('paid', {
    transaction_id: '0xa',
    local: 100,
    currency: 'ada@example.com',
    network: 'toString',
  })
  await poll()
  assert.deepEqual(messages('checkout').at(-1), {
    status: 'paid',
    asset: 'other',
    network: 'other',
    test: true,
  })
})

test('a call to the service publishes its operation, the status and the outcome', async () => {
  const {service, request, clock, checkout} = scripted({diagnostics})
  const failures: [string, Parameters<typeof fail>[0], object][] = [
    ['getCharge', status(403), {status: 403, outcome: 'none', code: 'upstream_rejected'}],
    ['createCryptoCharge', status(500), {status: 500, outcome: 'unknown', code: 'upstream_unavailable'}],
    ['createCryptoCharge', noResponse, {status: undefined, outcome: 'unknown', code: 'upstream_timeout'}],
    [
      'createCryptoCharge',
      () => ({status: 200, headers: {}, body: '{}'}),
      {status: 200, outcome: 'unknown', code: 'upstream_invalid'},
    ],
  ]
  function fail(responder: ScriptedService['next'][string][number], operation = '') {
    service.next[operation] = [responder]
  }
  for (const [operation, responder, expected] of failures) {
    fail(responder, operation)
    const opening = request('POST', '/charges/c1')
    await clock.advance(21_000)
    await opening
    assert.deepEqual(messages('service').at(-1), {operation, ...expected})
  }
  await request('POST', '/charges/c1')
  assert.deepEqual(messages('service').at(-1), {operation: 'createCryptoCharge', status: 200, outcome: 'ok'})
  await assert.rejects(checkout.service.createCharge({} as never))
})

test('an unreadable poll is a failed call', async () => {
  const {service, poll} = await opened({diagnostics})
  service.next['getCryptoCharge'] = [() => ({status: 200, headers: {}, body: '[]'})]
  await poll()
  assert.deepEqual(messages('service').at(-1), {
    operation: 'getCryptoCharge',
    status: 200,
    outcome: 'none',
    code: 'upstream_invalid',
  })
})

test('a handler publishes its name, and why it failed', async () => {
  let attempt = 0
  const {service, webhook, clock} = await opened({
    diagnostics,
    handlerTimeout: 1_000,
    onPaid: (_, {signal}) => {
      attempt += 1
      if (attempt === 1) throw new Error('ada@example.com')
      if (attempt === 2) return new Promise(resolve => signal.addEventListener('abort', resolve))
      return undefined
    },
    onPayment: () => undefined,
  })
  service.report('paid', {transaction_id: '0xa', local: 100})
  await webhook()
  // The sweep calls it again after 30 seconds, and after another minute.
  await clock.advance(120_000)
  const [payment, ...paid] = [
    {handler: 'onPayment', outcome: 'ok'},
    'handler_failed',
    'handler_timeout',
    'ok',
  ]
  assert.deepEqual(
    messages('handler').filter(({handler}) => handler === 'onPayment'),
    [payment],
  )
  assert.deepEqual(
    messages('handler').filter(({handler}) => handler === 'onPaid'),
    paid.map(outcome => ({handler: 'onPaid', outcome})),
  )
})

test('a call of the store publishes its operation and outcome, and no message of an error', async () => {
  const fail = () => Promise.reject(new Error('redis://shop:password@10.0.0.7'))
  const {open, checkout} = scripted({diagnostics, store: {...memoryStore(), put: fail, due: fail}})
  await open()
  const outcomes = () =>
    new Set(messages('store').map(({operation, outcome}) => [operation, outcome].join(' ')))
  await assert.rejects(checkout.reconcile())
  assert.deepEqual(outcomes(), new Set(['get ok', 'put failed', 'due failed']))
  assert.doesNotMatch(JSON.stringify(recording.published), /password/)
})

test('every problem publishes its code, also after close', async () => {
  const {request, checkout} = await opened({diagnostics})
  await request('GET', '/nowhere')
  await request('GET', '/charges/c2')
  await request('POST', '/charges/c1/quote', '{')
  await request('POST', '/charges/c1/quote', 'x'.repeat(20_000))
  await request('POST', '/charges/c1', {}, {origin: 'https://other.example'})
  await checkout.close()
  await request('GET', '/charges/c1')
  assert.deepEqual(
    messages('problem').map(({code}) => code),
    ['not_found', 'not_open', 'bad_request', 'payload_too_large', 'forbidden_origin', 'upstream_unavailable'],
  )
})

test('a request over a limit publishes the operation', async () => {
  const limits = createLimits(new FakeClock(), {quotesPerCharge: 1, rejectedTokensPerAddress: 1})
  const {quote} = await opened({diagnostics, limits, trustProxy: 1})
  await quote()
  await quote()
  const tokens = scripted({
    diagnostics,
    limits,
    tokenSecret: 'a secret of at least 32 characters',
    trustProxy: 1,
  })
  for (let count = 0; count < 3; count++)
    await tokens.request('GET', '/charges/c1', undefined, {'x-forwarded-for': '203.0.113.7'})
  assert.deepEqual(
    messages('limited').map(({operation}) => operation),
    ['quote', 'rejected_token', 'rejected_token'],
  )
})

test('an alert publishes its kind once', async () => {
  const {service, quote, poll, checkout} = await opened({diagnostics})
  await quote()
  service.address = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'
  await poll()
  await poll()
  assert.deepEqual(messages('alert'), [{kind: 'address_mismatch'}])
  await checkout.clearAlert('c1')
  await poll()
  assert.equal(messages('alert').length, 2)
})

test('a lost store publishes an alert, and a call of onAlert if there is one', async () => {
  for (const [handlers, calls] of [
    [{}, []],
    [{onAlert: () => undefined}, [{handler: 'onAlert', outcome: 'ok'}]],
  ] as const) {
    const rows = memoryStore()
    let isLost = false
    const store = {...rows, get: async (key: string) => (isLost ? undefined : rows.get(key))}
    const {poll} = await opened({diagnostics, store, ...handlers})
    recording.published.length = 0
    isLost = true
    await poll()
    await flushRequests()
    assert.deepEqual([messages('alert'), messages('handler')], [[{kind: 'store_lost'}], calls])
  }
})

test('createCheckout and createServiceClient publish', async () => {
  const sandbox = createSandbox()
  const options = {
    apiKey: sandbox.apiKey,
    baseUrl: 'http://127.0.0.1:4010',
    transport: sandbox.transport,
  }
  const {_id} = await createServiceClient(options).createCharge(order())
  const checkout = createCheckout({...options, store: memoryStore()})
  const request = requester(checkout.fetch)
  await request('POST', `/charges/${_id}`)
  await request('POST', `/charges/${_id}/quote`, usdt)
  await checkout.close()
  assert.deepEqual(
    messages('service').map(({operation}) => operation),
    ['createCharge', 'getCharge', 'createCryptoCharge', 'getCharge', 'getCryptoCharge', 'convert'],
  )
  assert.deepEqual(
    messages('checkout').map(({asset}) => asset),
    ['none', 'USDT'],
  )
})
