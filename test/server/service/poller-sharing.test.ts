/** Looking at the service: who shares a look, how long one is good for, and what becomes of one that fails. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {TransportReply} from '../../../src/http/index.js'
import {memoryStore} from '../../../src/server/stores/memory-store.js'
import type {Store} from '../../../src/server/stores/store.js'
import {flushPromises} from '../../fake-clock.js'
import {ok, otherAddress, scripted, status} from '../scripted-service.js'

/** An open charge, that was looked at more than a second ago. */
async function opened(options: Parameters<typeof scripted>[0] = {}) {
  const logged: [message: string, fields: object | undefined][] = []
  const log = (message: string, fields?: object) => void logged.push([message, fields])
  const made = scripted({logger: {info: log, warn: log, error: log}, ...options})
  await made.ask('POST', '/charges/c1')
  await made.clock.advance(1_500)
  made.service.calls = {}
  logged.length = 0
  const read = async () => (await made.ask('GET', '/charges/c1')).json
  return {...made, logged, read}
}

/** The next answer of this operation waits for the test. */
function held(stand: Pick<ReturnType<typeof scripted>, 'service'>, operation: string) {
  let answer: (reply: TransportReply) => void = () => assert.fail('not asked')
  stand.service.next[operation] = [
    request =>
      new Promise(resolve => {
        const now = ok(stand.service.answer(operation, request))
        answer = reply => resolve(reply.body === '' ? now : reply)
      }),
  ]
  return {
    asIsNow: () => answer(ok('')),
    fail: () => answer({status: 404, headers: {}, body: 'gone'}),
  }
}

async function turns(): Promise<void> {
  for (let count = 0; count < 5; count++) await flushPromises()
}

test('many tabs share one look, and it is good for a second from its end', async () => {
  const {service, clock, read} = await opened()
  const look = held({service}, 'getCryptoCharge')
  const tabs = [read(), read(), read()]
  await turns()
  await clock.advance(400)
  tabs.push(read())
  await turns()
  look.asIsNow()
  for (const {status} of await Promise.all(tabs)) assert.equal(status, 'open')
  assert.deepEqual(service.calls, {getCryptoCharge: 1})
  await clock.advance(999)
  await read()
  assert.deepEqual(service.calls, {getCryptoCharge: 1})
  await clock.advance(1)
  await read()
  assert.deepEqual(service.calls, {getCryptoCharge: 2})
})

test('a look that failed is good for a second too: a service that is down is not asked by every tab', async () => {
  const {service, clock, read, logged} = await opened()
  service.next['getCryptoCharge'] = [status(404)]
  assert.equal((await read()).stale, true)
  await clock.advance(999)
  assert.equal((await read()).stale, true)
  assert.deepEqual(service.calls, {getCryptoCharge: 1})
  assert.equal(logged.filter(([message]) => message === 'reading failed').length, 2)
  await clock.advance(1)
  assert.equal((await read()).stale, false)
  assert.deepEqual(service.calls, {getCryptoCharge: 2})
})

test('however many verify, at most one look runs and one waits, and that one began after they asked', async () => {
  const {service, checkout} = await opened()
  const look = held({service}, 'getCryptoCharge')
  const early = checkout.verify('c1')
  await turns()
  service.payments = [{transaction_id: '0xa'}]
  service.status = {value: 'paid'}
  const late = [checkout.verify('c1'), checkout.verify('c1'), checkout.verify('c1')]
  await turns()
  look.asIsNow()
  await early
  for (const {paid} of await Promise.all(late)) assert.equal(paid, true)
  assert.equal(service.calls['getCryptoCharge'], 2)
  assert.equal((await checkout.verify('c1')).paid, true)
  assert.equal(service.calls['getCryptoCharge'], 3)
})

test('a look that waited is made although the one before it failed', async () => {
  const {service, checkout} = await opened()
  const look = held({service}, 'getCryptoCharge')
  const early = assert.rejects(checkout.verify('c1'))
  await turns()
  const late = checkout.verify('c1')
  await turns()
  look.fail()
  await early
  assert.equal((await late).paid, false)
})

test('who verifies while a page looks gets a look of its own', async () => {
  const {service, checkout, read} = await opened()
  const look = held({service}, 'getCryptoCharge')
  const page = read()
  await turns()
  service.payments = [{transaction_id: '0xa'}]
  service.status = {value: 'paid'}
  const verified = checkout.verify('c1')
  await turns()
  look.asIsNow()
  assert.equal((await page).status, 'open')
  assert.equal((await verified).paid, true)
})

test('the payment charge is asked only once there is money, and by who verifies always', async () => {
  const {service, clock, checkout, read} = await opened()
  await read()
  assert.deepEqual(service.calls, {getCryptoCharge: 1})
  await checkout.verify('c1')
  assert.deepEqual(service.calls, {getCryptoCharge: 2, getCharge: 1})
  service.payments = [{transaction_id: '0xa', local: 40}]
  await clock.advance(1_000)
  assert.equal((await read()).status, 'pending')
  assert.deepEqual(service.calls, {getCryptoCharge: 3, getCharge: 2})
})

test('pending without a payment is reason enough to ask the payment charge', async () => {
  const {service, clock, checkout, read} = await opened()
  service.status = {value: 'underpaid'}
  assert.equal((await checkout.verify('c1')).checkout.status, 'pending')
  service.calls = {}
  await clock.advance(1_000)
  await read()
  assert.deepEqual(service.calls, {getCryptoCharge: 1, getCharge: 1})
})

test('an answer about another charge, or another crypto charge, is not believed', async () => {
  for (const [operation, body] of [
    ['getCryptoCharge', (service: Stand) => service.cryptoCharge('k9-c9', 'c9')],
    ['getCharge', (service: Stand) => service.charge('c9')],
  ] as const) {
    const {service, checkout} = await opened()
    service.next[operation] = [() => ok(JSON.stringify(body(service)))]
    await assert.rejects(checkout.verify('c1'), {code: 'upstream_invalid', outcome: 'none', operation})
  }
})

type Stand = ReturnType<typeof scripted>['service']

test('what is new is logged once, with the number of its entry, and an alarm as an error', async () => {
  const {service, clock, ask, read, logged} = await opened()
  await ask('POST', '/charges/c1/quote', {asset: '825', network: 'bsc'})
  service.cancelled = true
  await clock.advance(1_000)
  logged.length = 0
  const {rev} = await read()
  await clock.advance(1_000)
  await read()
  assert.deepEqual(logged, [['status observed', {chargeId: 'c1', status: 'cancelled', rev}]])
  service.address = otherAddress
  await clock.advance(1_000)
  assert.equal((await read()).alert, 'address_mismatch')
  assert.deepEqual(logged.at(-1), ['the service changed a deposit address that was shown', {chargeId: 'c1'}])
})

test('news that a page sees is told to the shop once, and what verify sees is left to who verifies', async () => {
  const told: string[] = []
  const {service, clock, checkout, read} = await opened({onPaid: ({chargeId}) => void told.push(chargeId)})
  service.payments = [{transaction_id: '0xa'}]
  service.status = {value: 'paid'}
  await checkout.verify('c1')
  await turns()
  assert.deepEqual(told, [])
  service.payments.push({transaction_id: '0xb', local: 1})
  service.status = {value: 'overpaid'}
  await clock.advance(1_000)
  await read()
  await turns()
  await clock.advance(1_000)
  await read()
  await turns()
  assert.deepEqual(told, ['c1'])
})

test('a charge that was settled without a crypto charge of ours is read from itself', async () => {
  const {service, clock, ask} = scripted()
  service.payments = [{transaction_id: '0xa'}]
  service.status = {value: 'paid'}
  assert.equal((await ask('POST', '/charges/c1')).json.status, 'paid')
  service.status = {value: 'overpaid'}
  await clock.advance(1_000)
  const {json} = await ask('GET', '/charges/c1')
  assert.deepEqual([json.status, json.payments.length, json.assets], ['overpaid', 1, []])
  assert.equal(service.calls['getCryptoCharge'], undefined)
})

// Beside other processes

function leasing(isFirst: () => boolean) {
  const kept = memoryStore()
  const asked: [name: string, milliseconds: number][] = []
  const store: Store = {
    ...kept,
    lease: (name, milliseconds) => {
      asked.push([name, milliseconds])
      return Promise.resolve(isFirst())
    },
  }
  return {store, asked}
}

test('where another process has looked within the second, the journal says what it saw', async () => {
  let isFirst = true
  const {store, asked} = leasing(() => isFirst)
  const {service, clock, read, checkout} = await opened({store})
  asked.length = 0
  await read()
  assert.deepEqual(asked, [['look:c1', 1_000]])
  assert.deepEqual(service.calls, {getCryptoCharge: 1})
  isFirst = false
  await clock.advance(1_000)
  const json = await read()
  assert.deepEqual([json.status, json.stale, json.assets.length], ['open', false, 2])
  assert.deepEqual(service.calls, {getCryptoCharge: 1})
  // Who verifies asks nobody.
  asked.length = 0
  await checkout.verify('c1')
  assert.deepEqual(asked, [])
  assert.deepEqual(service.calls, {getCryptoCharge: 2, getCharge: 1})
})

test('a process that has never looked itself shows the assets as they were at minting', async () => {
  const {store} = leasing(() => false)
  const first = await opened({store})
  const other = scripted({store, clock: first.clock, transport: first.service.transport})
  first.service.calls = {}
  const {json} = await other.ask('GET', '/charges/c1')
  assert.deepEqual([json.status, json.stale, json.assets.length], ['open', false, 2])
  assert.deepEqual(first.service.calls, {})
})
