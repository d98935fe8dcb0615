/** Money that the merchant was not told of yet: who may tell it, what stands in the way, and what is never given up. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {Charge, Checkout, ObservedPayment} from '../../../src/contract/index.js'
import {memoryStore} from '../../../src/server/stores/memory-store.js'
import type {Store} from '../../../src/server/stores/store.js'
import {flushPromises} from '../../fake-clock.js'
import {scripted, status, type ScriptedService} from '../scripted-service.js'

const DAY = 86_400_000
/** From the start of a test to seven days after the expiry of its charges. */
const LONG_OVER = 3_600_000 + 7 * DAY

function shop() {
  const told: string[] = []
  const logged: [message: string, fields: object | undefined][] = []
  const log = (message: string, fields?: object) => void logged.push([message, fields])
  return {
    told,
    logged,
    logger: {info: log, warn: log, error: log},
    handlers: {
      onPayment: ({transactionId}: ObservedPayment) => void told.push(transactionId),
      onPaid: ({chargeId, status}: Checkout) => void told.push(`${chargeId} ${status}`),
    },
  }
}

function pay(service: ScriptedService): void {
  service.payments = [{transaction_id: '0xa'}]
  service.status = {value: 'paid'}
}

async function turns(): Promise<void> {
  for (let count = 0; count < 5; count++) await flushPromises()
}

/** A handler that waits for the test, each time it is called. */
function held() {
  const calls: {finish: () => void; fail: () => void}[] = []
  const handler = () =>
    new Promise<void>((resolve, reject) =>
      calls.push({finish: resolve, fail: () => reject(new TypeError('canary'))}),
    )
  return {calls, handler}
}

async function aboutWhat(store: Store, chargeId = 'c1'): Promise<unknown[]> {
  const entries = (await store.read(chargeId)).map(text => JSON.parse(text) as Record<string, unknown>)
  return entries.filter(({kind}) => kind === 'notified').map(({subject, done}) => [subject, done])
}

test('each is claimed before it is handed over, and noted once the shop has it', async () => {
  const store = memoryStore()
  const {ask, service} = scripted({store, ...shop().handlers})
  await ask('POST', '/charges/c1')
  pay(service)
  await ask('POST', '/webhook', {chargeId: 'c1'})
  assert.deepEqual(await aboutWhat(store), [
    ['payment bsc:0xa:USDT', false],
    ['payment bsc:0xa:USDT', true],
    ['paid', false],
    ['paid', true],
  ])
})

test('a shop that asks for one kind of news is told that, and nothing is noted of the other', async () => {
  const {told, handlers} = shop()
  for (const [handler, news] of [
    [{onPaid: handlers.onPaid}, 'c1 paid'],
    [{onPayment: handlers.onPayment}, '0xa'],
    [{}, undefined],
  ] as const) {
    const store = memoryStore()
    const {ask, service, checkout} = scripted({store, ...handler})
    await ask('POST', '/charges/c1')
    pay(service)
    told.length = 0
    const delivered = news === undefined ? 0 : 1
    assert.deepEqual(await checkout.reconcile(), {read: 1, delivered})
    assert.deepEqual(told, news === undefined ? [] : [news])
    assert.equal((await aboutWhat(store)).length, 2 * delivered)
  }
})

test('the shop is handed the checkout as it is just now and the charge with its own reference, whoever saw the money', async () => {
  for (const isWebhook of [true, false]) {
    const seen: unknown[] = []
    const note = ({chargeId, stale, status}: Checkout, {_id, ref_id}: Charge) =>
      void seen.push([chargeId, stale, status, _id, ref_id])
    const {ask, service, clock} = scripted({
      onPayment: (_, {checkout, charge}) => note(checkout, charge),
      onPaid: (checkout, {charge}) => note(checkout, charge),
    })
    service.extra = {ref_id: 'order-7'}
    await ask('POST', '/charges/c1')
    pay(service)
    await clock.advance(1_500)
    if (isWebhook) await ask('POST', '/webhook', {chargeId: 'c1'})
    else await ask('GET', '/charges/c1')
    await turns()
    const handed = ['c1', false, 'paid', 'c1', 'order-7']
    assert.deepEqual(seen, [handed, handed])
  }
})

test('verify reads a charge that is open here once, and what it gives is not stale', async () => {
  const {ask, checkout, service} = scripted()
  await ask('POST', '/charges/c1')
  service.calls = {}
  assert.equal((await checkout.verify('c1')).checkout.stale, false)
  assert.deepEqual(service.calls, {getCryptoCharge: 1, getCharge: 1})
})

test('overpaid is paid, to the shop and to who verifies', async () => {
  const {told, handlers} = shop()
  const {ask, service, checkout} = scripted(handlers)
  await ask('POST', '/charges/c1')
  pay(service)
  service.status = {value: 'overpaid'}
  await ask('POST', '/webhook', {chargeId: 'c1'})
  assert.deepEqual(told, ['0xa', 'c1 overpaid'])
  assert.equal((await checkout.verify('c1')).paid, true)
  service.payments = []
  service.status = {value: 'unpaid'}
  assert.equal((await checkout.verify('c2')).paid, false)
})

test('a handler that failed is logged by the kind of its error alone', async () => {
  const {logged, logger} = shop()
  const {ask, service} = scripted({
    logger,
    onPayment: () => {
      throw new TypeError('canary')
    },
  })
  await ask('POST', '/charges/c1')
  pay(service)
  assert.equal((await ask('POST', '/webhook', {chargeId: 'c1'})).status, 500)
  assert.deepEqual(
    logged.find(([message]) => message.startsWith('a handler')),
    [
      'a handler failed; it will be tried again',
      {chargeId: 'c1', about: 'payment bsc:0xa:USDT', error: 'TypeError'},
    ],
  )
})

test('a claim holds for a minute, to the millisecond', async () => {
  const store = memoryStore()
  const {told, handlers} = shop()
  const {calls, handler} = held()
  const first = scripted({store, onPayment: handler})
  const {clock, service} = first
  const other = scripted({store, clock, transport: service.transport, onPayment: handlers.onPayment})
  await first.ask('POST', '/charges/c1')
  pay(service)
  void first.ask('POST', '/webhook', {chargeId: 'c1'})
  await turns()
  assert.equal(calls.length, 1)
  await clock.advance(59_999)
  assert.equal((await other.checkout.reconcile()).delivered, 0)
  await clock.advance(1)
  assert.equal((await other.checkout.reconcile()).delivered, 1)
  assert.deepEqual(told, ['0xa'])
})

test('a handler that failed too late lets go of no claim but its own', async () => {
  const store = memoryStore()
  const {calls, handler} = held()
  const first = scripted({store, onPayment: handler})
  const {clock, service} = first
  const [second, third] = [1, 2].map(() =>
    scripted({store, clock, transport: service.transport, onPayment: handler}),
  )
  await first.ask('POST', '/charges/c1')
  pay(service)
  const early = first.ask('POST', '/webhook', {chargeId: 'c1'})
  await turns()
  await clock.advance(60_000)
  const late = second?.ask('POST', '/webhook', {chargeId: 'c1'})
  await turns()
  assert.equal(calls.length, 2)
  calls[0]?.fail()
  assert.equal((await early).status, 500)
  await third?.ask('POST', '/webhook', {chargeId: 'c1'})
  assert.equal(calls.length, 2)
  calls[1]?.finish()
  assert.equal((await late)?.status, 200)
})

test('a second webhook waits for what the first one tells, and tells it when that failed', async () => {
  const {calls, handler} = held()
  const {ask, service} = scripted({onPayment: handler})
  await ask('POST', '/charges/c1')
  pay(service)
  const answered: string[] = []
  const webhook = async (name: string) => {
    const {status} = await ask('POST', '/webhook', {chargeId: 'c1'})
    answered.push(`${name} ${status}`)
  }
  const first = webhook('first')
  await turns()
  const second = webhook('second')
  await turns()
  assert.deepEqual([answered, calls.length], [[], 1])
  calls[0]?.fail()
  await first
  await turns()
  assert.deepEqual([answered, calls.length], [['first 500'], 2])
  calls[1]?.finish()
  await second
  assert.deepEqual(answered, ['first 500', 'second 200'])
})

test('a webhook that names two charges follows up the one although the other cannot be read, and asks to come again', async () => {
  const {told, handlers, logged, logger} = shop()
  const {ask, service, clock} = scripted({...handlers, logger})
  await ask('POST', '/charges/c1')
  await ask('POST', '/charges/c2')
  pay(service)
  service.next['getCryptoCharge'] = Array.from({length: 3}, () => status(503))
  const asked = ask('POST', '/webhook', [{chargeId: 'c1'}, {chargeId: 'c2'}])
  await clock.advance(10_000)
  assert.equal((await asked).status, 500)
  assert.equal(told.length, 2)
  const failed = told.includes('c1 paid') ? 'c2' : 'c1'
  assert.deepEqual(
    logged.filter(([message]) => message.includes('webhook')),
    [['a webhook could not be followed up', {chargeId: failed, error: 'ServiceError'}]],
  )
})

test("a page's poll is answered although telling fails, and the failure is logged", async () => {
  const kept = memoryStore()
  const store: Store = {
    ...kept,
    append: (chargeId, rev, entry) =>
      entry.includes('"notified"')
        ? Promise.reject(new RangeError('canary'))
        : kept.append(chargeId, rev, entry),
  }
  const {handlers, logged, logger} = shop()
  const {ask, service, clock} = scripted({store, ...handlers, logger})
  await ask('POST', '/charges/c1')
  pay(service)
  await clock.advance(1_500)
  assert.equal((await ask('GET', '/charges/c1')).json.status, 'paid')
  await turns()
  assert.deepEqual(logged.at(-1), ['telling failed', {chargeId: 'c1', error: 'RangeError'}])
})

// Walking the open charges

test('the walk goes on behind a charge that cannot be read, and counts what it read and told', async () => {
  const {told, handlers, logged, logger} = shop()
  const {ask, checkout, service, clock} = scripted({...handlers, logger})
  await ask('POST', '/charges/c1')
  await ask('POST', '/charges/c2')
  pay(service)
  service.next['getCryptoCharge'] = Array.from({length: 3}, () => status(503))
  const walk = checkout.reconcile()
  await clock.advance(10_000)
  assert.deepEqual(await walk, {read: 1, delivered: 2})
  const failed = told.includes('c1 paid') ? 'c2' : 'c1'
  assert.deepEqual(
    logged.filter(([message]) => message.includes('reconcil')),
    [
      ['reconciling a charge failed', {chargeId: failed, error: 'ServiceError'}],
      ['reconciled', {read: 1, delivered: 2}],
    ],
  )
})

test('the walk passes by a journal of a charge that was never opened', async () => {
  const store = memoryStore()
  await store.append('c9', 1, JSON.stringify({kind: 'minting', at: 0, until: 0}))
  const {checkout, service} = scripted({store})
  assert.deepEqual(await checkout.reconcile(), {read: 0, delivered: 0})
  assert.deepEqual(service.calls, {})
})

test('closing ends the walk behind the charge that is being read', async () => {
  const {ask, checkout, service} = scripted()
  await ask('POST', '/charges/c1')
  await ask('POST', '/charges/c2')
  let arrive = () => {}
  service.next['getCryptoCharge'] = [
    request =>
      new Promise(resolve => {
        arrive = () => resolve({status: 200, headers: {}, body: service.answer('getCryptoCharge', request)})
      }),
  ]
  const walk = checkout.reconcile()
  await turns()
  await checkout.close()
  arrive()
  assert.deepEqual(await walk, {read: 1, delivered: 0})
})

test('a walk on a timer that failed is logged, the next one comes in its turn, and none after closing', async () => {
  const kept = memoryStore()
  let walks = 0
  const store: Store = {
    ...kept,
    openCharges: () => {
      walks += 1
      if (walks === 1) throw new RangeError('canary')
      return kept.openCharges()
    },
  }
  const {told, handlers, logged, logger} = shop()
  const {ask, checkout, service, clock} = scripted({store, ...handlers, logger, reconcileEvery: 60_000})
  await ask('POST', '/charges/c1')
  pay(service)
  await clock.advance(60_000)
  assert.deepEqual(logged.at(-1), ['reconciling failed', {error: 'RangeError'}])
  await clock.advance(60_000)
  assert.deepEqual(told, ['0xa', 'c1 paid'])
  await checkout.close()
  await clock.advance(600_000)
  assert.equal(walks, 2)
})

test('a charge that is long over is looked after for as long as its shop cannot be told', async () => {
  const {told, handlers} = shop()
  let isShut = true
  const {ask, checkout, service, clock} = scripted({
    onPaid: checkout => {
      if (isShut) throw new Error('the shop is closed')
      handlers.onPaid(checkout)
    },
  })
  await ask('POST', '/charges/c1')
  pay(service)
  await clock.advance(LONG_OVER)
  assert.deepEqual(await checkout.reconcile(), {read: 1, delivered: 0})
  isShut = false
  assert.deepEqual(await checkout.reconcile(), {read: 1, delivered: 1})
  assert.deepEqual(told, ['c1 paid'])
  assert.deepEqual(await checkout.reconcile(), {read: 0, delivered: 0})
})

test('a charge that is long over is not given up while another process may die telling it', async () => {
  const store = memoryStore()
  const {told, handlers} = shop()
  const {calls, handler} = held()
  const first = scripted({store, onPaid: handler})
  const {clock, service} = first
  const other = scripted({store, clock, transport: service.transport, onPaid: handlers.onPaid})
  await first.ask('POST', '/charges/c1')
  pay(service)
  await clock.advance(LONG_OVER)
  void first.ask('POST', '/webhook', {chargeId: 'c1'})
  await turns()
  assert.equal(calls.length, 1)
  assert.equal((await other.checkout.reconcile()).delivered, 0)
  await clock.advance(60_000)
  assert.equal((await other.checkout.reconcile()).delivered, 1)
  assert.deepEqual(told, ['c1 paid'])
})
