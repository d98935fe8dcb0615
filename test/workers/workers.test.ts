/** The entry point of Workers, in Node: it uses nothing that Workers lack. `test/runtimes` runs it in workerd. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {ConfigurationError} from '../../src/server/errors.js'
import {memoryStore} from '../../src/stores/memory-store.js'
import {createCheckout, type CheckoutOptions} from '../../src/workers/index.js'
import {FakeClock} from '../fake-clock.js'
import {requester, ScriptedService, startOfTest} from '../server/scripted-service.js'

function worker(options: Partial<CheckoutOptions> = {}) {
  const service = new ScriptedService()
  const clock = new FakeClock(startOfTest)
  const background: Promise<unknown>[] = []
  const context = {waitUntil: (work: Promise<unknown>) => void background.push(work)}
  const store = memoryStore()
  const checkout = createCheckout({
    apiKey: 'TEST;PK;scripted',
    baseUrl: 'https://service.example',
    transport: service.transport,
    logger: {info() {}, warn() {}, error() {}},
    store,
    clock,
    ...options,
  })
  const request = requester(request => checkout.fetch(request, context))
  return {service, clock, store, checkout, context, background, request}
}

test('an option that Workers cannot fulfil is a configuration error, with one line that says why', () => {
  const faults: readonly [object, RegExp][] = [
    [{store: undefined}, /^store is required.*no disk.*sqlStore/],
    [{reconcileEvery: 1_000}, /^reconcileEvery must be 0.*scheduled\(\)/],
    [{rateLimit: {redis: {}}}, /there is no option rateLimit\.redis/],
    [{unknown: 1}, /there is no option unknown/],
  ]
  for (const [options, message] of faults)
    assert.throws(
      () => worker(options),
      (error: Error) =>
        error instanceof ConfigurationError && message.test(error.message) && !error.message.includes('\n'),
    )
})

test('without the context of the handler, a request is a configuration error', async () => {
  const {checkout} = worker()
  const request = () => new Request('https://shop.example/crypto-checkout/health')
  // @ts-expect-error: the environment is the second argument of a handler, and the context the third
  await assert.rejects(checkout.fetch(request(), {DB: {}}), /checkout\.fetch\(request, ctx\)/)
})

test('a charge is opened, quoted and paid', async () => {
  const paid: string[] = []
  const {service, request, checkout} = worker({onPaid: ({chargeId}) => void paid.push(chargeId)})
  assert.equal((await request('POST', '/charges/c1')).status, 200)
  assert.equal(
    (await request('POST', '/charges/c1/quote', {asset: '825', network: 'bsc'})).json.quote.symbol,
    'USDT',
  )
  service.report('paid', {transaction_id: 't1'})
  assert.equal((await request('POST', '/webhook', {chargeId: 'c1'})).status, 200)
  assert.deepEqual(paid, ['c1'])
  assert.equal((await checkout.journal('c1')).at(-1)?.kind, 'told')
  assert.equal((await checkout.service.getCharge('c1'))._id, 'c1')
})

test('a request does not wait for a promise of another one, which may have ended', async () => {
  const {service, clock, request} = worker()
  // As after the client has disconnected: nothing continues.
  service.next['createCryptoCharge'] = [() => new Promise(() => {})]
  void request('POST', '/charges/c1')
  await clock.advance(1)
  const second = request('POST', '/charges/c1')
  await clock.advance(14_000)
  await clock.advance(7_000)
  assert.equal((await second).status, 200)
  assert.equal(service.minted, 1)
})

test('nothing runs between requests: a charge is notified by a request or by reconcile', async () => {
  const paid: string[] = []
  const {service, clock, request, checkout} = worker({onPaid: ({chargeId}) => void paid.push(chargeId)})
  await request('POST', '/charges/c1')
  service.report('paid', {transaction_id: 't1'})
  assert.equal(clock.untilNext, undefined)
  await clock.advance(3_600_000)
  assert.deepEqual(paid, [])
  assert.deepEqual(await checkout.reconcile(), {read: 1, delivered: 1})
  assert.deepEqual(paid, ['c1'])
})

test('waitUntil gets the notification that a customer’s poll starts, and verify waits without a context', async () => {
  const paid: string[] = []
  const onPaid: CheckoutOptions['onPaid'] = async ({chargeId}) => {
    await new Promise(resolve => setImmediate(resolve))
    paid.push(chargeId)
  }
  const {service, request, clock, checkout, background, context} = worker({onPaid})
  for (const id of ['c1', 'c2', 'c3']) await request('POST', `/charges/${id}`)
  service.report('paid', {transaction_id: 't1'})
  await clock.advance(1_500)
  background.length = 0
  assert.equal((await request('GET', '/charges/c1')).json.status, 'paid')
  await Promise.all(background)
  assert.deepEqual(paid, ['c1'])

  assert.equal((await checkout.verify('c2')).paid, true)
  assert.deepEqual(paid, ['c1', 'c2'])

  background.length = 0
  assert.equal((await checkout.verify('c3', context)).paid, true)
  assert.deepEqual(paid, ['c1', 'c2'])
  await Promise.all(background)
  assert.deepEqual(paid, ['c1', 'c2', 'c3'])
})

test('requests share what they know of a lost store', async () => {
  const rows = memoryStore()
  let isLost = false
  const store = {...rows, get: async (key: string) => (isLost ? undefined : rows.get(key))}
  const {request} = worker({store})
  await request('POST', '/charges/c1')
  isLost = true
  assert.equal((await request('POST', '/charges/c1')).json.code, 'store_lost')
})

test('requests share the limit of reads, and the one that can goes on for a page that had to wait', async () => {
  const {service, clock, request, background} = worker({readRate: 1})
  const ids = ['c1', 'c2', 'c3']
  for (const id of ids) await request('POST', `/charges/${id}`)
  await clock.advance(2_000)
  service.requests.length = 0
  const read = () => service.requests.map(({url}) => url.slice(-2))
  for (const id of ids) {
    const {status, json} = await request('GET', `/charges/${id}`)
    assert.deepEqual([status, json.stale], [200, false])
  }
  await Promise.all(background)
  assert.deepEqual(new Set(read()), new Set(['c1']))
  await clock.advance(1_000)
  service.requests.length = 0
  await request('GET', '/charges/c3')
  await Promise.all(background)
  assert.deepEqual(new Set(read()), new Set(['c2']))
})

test('requests are counted by CF-Connecting-IP, and counted anew each minute', async () => {
  const {clock, checkout, request} = worker({
    rateLimit: {perAddress: 2, rejectedTokensPerAddress: 1},
    tokenSecret: 'a secret of at least 32 characters',
  })
  const read = async (ip: string, token: string) => {
    const headers = {'cf-connecting-ip': ip, 'x-checkout-token': token}
    return (await request('GET', '/charges/c1', undefined, headers)).status
  }
  const token = checkout.createToken('c1')
  for (const status of [404, 404, 429]) assert.equal(await read('203.0.113.7', token), status)
  assert.equal(await read('203.0.113.8', token), 404)
  for (const status of [401, 429]) assert.equal(await read('203.0.113.9', 'wrong'), status)
  await clock.advance(60_000)
  for (const ip of ['203.0.113.7', '203.0.113.9']) assert.equal(await read(ip, token), 404)
})
