/** Reads of the service: who shares a read, how long its result is fresh, and what is skipped when nothing changed. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import * as z from 'zod/mini'
import {chargeSchema, cryptoChargeSchema} from '../../../src/contract/index.js'
import {ReadBudget} from '../../../src/server/charge/read-budget.js'
import {SharedRead} from '../../../src/server/charge/shared-read.js'
import type {PollingClient} from '../../../src/server/service/client.js'
import {memoryStore} from '../../../src/stores/memory-store.js'
import type {Store} from '../../../src/contract/store.js'
import {FakeClock, flushPromises} from '../../fake-clock.js'
import {leasingStore} from '../leasing-store.js'
import {
  flushRequests,
  ok,
  opened,
  otherAddress,
  scripted,
  ScriptedService,
  startOfTest,
  status,
} from '../scripted-service.js'
import {testContext} from '../test-context.js'

const price = {amount: '100.00', currency: 'USD'}
const MAX_KEPT_CHARS = 32_768

type Change = (service: ScriptedService) => void

/** The shared read of an open charge, with counts of what it does. */
async function fixture() {
  const service = new ScriptedService()
  const clock = new FakeClock(startOfTest)
  const count = {parsed: 0, storeReads: 0}
  const original = memoryStore()
  const store: Store = {
    ...original,
    read(chargeId, after) {
      count.storeReads += 1
      return original.read(chargeId, after)
    },
  }
  const given = testContext({store, clock}, service)
  const client: PollingClient = {
    ...given.service,
    async readCryptoCharge(id) {
      const {text, read} = await given.service.readCryptoCharge(id)
      return {text, read: () => ((count.parsed += 1), read())}
    },
  }
  const journal = given.journals.of('c1')
  const createdAt = '2026-11-21T01:00:00.000Z'
  await journal.update(() => ({kind: 'opened', journal: 'j', price, createdAt, acceptsPartial: false}))
  const expiresAt = Date.UTC(2026, 10, 21, 2)
  const cryptoChargeId = 'k1-c1'
  await journal.update(() => ({kind: 'minted', cryptoChargeId, price, expiresAt, assets: []}))
  const reads = new SharedRead({...given, service: client}, new ReadBudget(clock, 50))
  const isFresh = () => reads.isFresh(journal, clock.now())
  /** A shared read, when the last one has expired. */
  const read = async () => {
    await clock.advance(1_000)
    const assets = await reads.read(journal)
    await flushPromises()
    return assets
  }
  return {service, clock, count, journal, reads, isFresh, read}
}

test('a repeated response is not parsed again, unless it is too long to keep', async () => {
  const {service, count, read} = await fixture()
  const text = JSON.stringify(service.cryptoCharge('k1-c1', 'c1'))
  for (const [length, parsed] of [
    [0, 1],
    [MAX_KEPT_CHARS, 1],
    [MAX_KEPT_CHARS + 1, 2],
  ] as const) {
    count.parsed = 0
    for (let times = 0; times < 2; times++) {
      service.next['getCryptoCharge'] = [() => ok(text.padEnd(length))]
      assert.equal((await read())?.catalogue.assets.length, 2)
    }
    assert.equal(count.parsed, parsed)
  }
})

test('a shared read reads the store once, and is not fresh while another one runs', async () => {
  const {count, journal, reads, isFresh, read} = await fixture()
  await read()
  count.storeReads = 0
  await read()
  assert.equal(count.storeReads, 1)
  const running = reads.readNow(journal)
  for (let turn = 0; turn < 3; turn++) await Promise.resolve()
  assert.equal(isFresh(), false)
  await running
  await flushPromises()
  assert.equal(isFresh(), true)
})

test('a read requests the payment charge at first, and then 15 seconds after the last time', async () => {
  const {service, clock, journal, reads} = await fixture()
  const requests = async (elapsed: number) => {
    await clock.advance(elapsed)
    await reads.read(journal)
    await flushPromises()
    return service.calls['getCharge']
  }
  assert.deepEqual([await requests(0), await requests(14_999), await requests(1_000)], [1, 1, 2])
  assert.deepEqual([await requests(14_000), await requests(1_000)], [2, 3])
})

test('a charge is read after it was minted, because the response to the create is no read', async () => {
  const {service, journal, reads} = await fixture()
  await reads.record(
    journal,
    z.parse(cryptoChargeSchema, service.cryptoCharge('k1-c1', 'c1')),
    z.parse(chargeSchema, service.charge('c1')),
  )
  assert.equal(reads.lastAssets(journal), undefined)
  assert.equal((await reads.read(journal))?.catalogue.assets.length, 2)
  await flushPromises()
  assert.deepEqual(service.calls, {getCryptoCharge: 1})
})

test('a read that fails is still the last one when another began after it', async () => {
  const {service, clock, journal, reads, isFresh} = await fixture()
  const fail = service.hold('getCryptoCharge')
  const first = assert.rejects(reads.readNow(journal), {code: 'upstream_rejected'})
  await flushPromises()
  const respond = service.hold('getCryptoCharge')
  const second = reads.readNow(journal)
  fail({status: 400, headers: {}, body: ''})
  await first
  await flushPromises()
  assert.equal(isFresh(), false)
  await clock.advance(2_000)
  respond()
  await second
  await flushPromises()
  assert.equal(isFresh(), true)
})

// Through the proxy

/** An open charge whose last read has expired. */
async function expired(options: Parameters<typeof opened>[0] = {}) {
  const made = await opened(options)
  await made.clock.advance(1_500)
  made.service.calls = {}
  made.logged.length = 0
  return {...made, read: async () => (await made.read()).json}
}

test('many tabs share one read, which is fresh for a second from its end', async () => {
  const {service, clock, read} = await expired()
  const respond = service.hold('getCryptoCharge')
  const tabs = [read(), read(), read()]
  await flushRequests()
  await clock.advance(400)
  tabs.push(read())
  await flushRequests()
  respond()
  for (const {status} of await Promise.all(tabs)) assert.equal(status, 'open')
  assert.deepEqual(service.calls, {getCryptoCharge: 1})
  await clock.advance(999)
  await read()
  assert.deepEqual(service.calls, {getCryptoCharge: 1})
  await clock.advance(1)
  await read()
  assert.deepEqual(service.calls, {getCryptoCharge: 2})
})

test('a failed read is not repeated within a second', async () => {
  const {service, clock, read, logged} = await expired()
  service.next['getCryptoCharge'] = [status(404)]
  assert.equal((await read()).stale, true)
  await clock.advance(999)
  assert.equal((await read()).stale, true)
  assert.deepEqual(service.calls, {getCryptoCharge: 1, getCharge: 1})
  assert.equal(logged.filter(([message]) => message === 'reading failed').length, 2)
  await clock.advance(1)
  assert.equal((await read()).stale, false)
  assert.equal(service.calls['getCryptoCharge'], 2)
})

test('invariant 8: verify waits for a read that began after its call, which all waiting callers share', async () => {
  for (const isVerify of [true, false]) {
    const {service, clock, checkout, read} = await expired()
    const respond = service.hold('getCryptoCharge')
    const early = isVerify ? checkout.verify('c1').then(result => result.checkout) : read()
    await flushRequests()
    service.report('paid', {transaction_id: '0xa'})
    const late = [checkout.verify('c1'), checkout.verify('c1'), checkout.verify('c1')]
    await flushRequests()
    respond()
    // The payment charge is read after the crypto charge: it is paid already, so the crypto charge is read again.
    assert.equal((await early).status, isVerify ? 'paid' : 'open')
    await clock.advance(2_000)
    const reads = isVerify ? 3 : 2
    for (const {paid} of await Promise.all(late)) assert.equal(paid, true)
    assert.equal(service.calls['getCryptoCharge'], reads)
    assert.equal((await checkout.verify('c1')).paid, true)
    assert.equal(service.calls['getCryptoCharge'], reads + 1)
  }
})

test('a queued read runs although the one before it failed', async () => {
  const {service, clock, checkout} = await expired()
  const respond = service.hold('getCryptoCharge')
  const early = assert.rejects(checkout.verify('c1'))
  await flushRequests()
  const late = checkout.verify('c1')
  await flushRequests()
  respond({status: 404, headers: {}, body: 'gone'})
  await early
  await clock.advance(2_000)
  assert.equal((await late).paid, false)
})

test('forced reads call the service at most once a second for each charge, whoever asks, and none is lost', async () => {
  const {service, clock, checkout, open, request} = await expired()
  const ids = ['c1', 'c2', 'c3']
  for (const id of ids) await open(id)
  await clock.advance(2_000)
  service.calls = {}
  const calls: Promise<unknown>[] = []
  const startedAt = clock.now()
  for (let times = 0; times < 60; times++) {
    calls.push(request('POST', '/webhook', ids), checkout.verify('c1'), checkout.reconcile(), open())
    await clock.advance(100)
  }
  await clock.advance(2_000)
  await Promise.all(calls)
  const seconds = 2 + (clock.now() - startedAt) / 1_000
  const {getCryptoCharge = 0, getCharge = 0} = service.calls
  assert.ok(getCryptoCharge >= 3 * ids.length && getCharge >= 3 * ids.length)
  assert.ok(getCryptoCharge + getCharge <= seconds * ids.length, `${getCryptoCharge + getCharge} calls`)
  service.report('paid', {transaction_id: '0xa'})
  assert.equal((await checkout.verify('c1')).paid, true)
})

test('webhooks that wait for the same read share what follows it', async () => {
  const original = memoryStore()
  let storeReads = 0
  const store: Store = {...original, read: (...args) => ((storeReads += 1), original.read(...args))}
  const {clock, request} = await expired({store})
  const webhooks = async (count: number) => {
    await clock.advance(2_000)
    storeReads = 0
    const responses = Array.from({length: count}, () => request('POST', '/webhook', {chargeId: 'c1'}))
    await clock.advance(2_000)
    for (const {status} of await Promise.all(responses)) assert.equal(status, 200)
    return storeReads
  }
  const one = await webhooks(1)
  assert.ok((await webhooks(50)) <= one + 2 * 49)
})

test('a read requests the payment charge only when there is a payment or the charge is pending, and verify always', async () => {
  const {service, clock, checkout, read} = await expired()
  await read()
  assert.deepEqual(service.calls, {getCryptoCharge: 1})
  await checkout.verify('c1')
  assert.deepEqual(service.calls, {getCryptoCharge: 2, getCharge: 1})
  service.payments = [{transaction_id: '0xa', local: 40}]
  await clock.advance(1_000)
  assert.equal((await read()).status, 'pending')
  assert.deepEqual(service.calls, {getCryptoCharge: 3, getCharge: 2})
  const other = await expired()
  other.service.status = {value: 'underpaid'}
  assert.equal((await other.checkout.verify('c1')).checkout.status, 'pending')
  await other.clock.advance(1_000)
  await other.read()
  assert.deepEqual(other.service.calls, {getCryptoCharge: 2, getCharge: 2})
})

test('a response about another charge or another crypto charge is invalid', async () => {
  for (const [operation, body] of [
    ['getCryptoCharge', (service: ScriptedService) => service.cryptoCharge('k9-c9', 'c9')],
    ['getCharge', (service: ScriptedService) => service.charge('c9')],
  ] as const) {
    const {service, checkout} = await expired()
    service.next[operation] = [() => ok(JSON.stringify(body(service)))]
    await assert.rejects(checkout.verify('c1'), {code: 'upstream_invalid', outcome: 'none', operation})
  }
})

test('a change is logged once with its revision, and an address mismatch as an error', async () => {
  const {service, clock, quote, read, logged} = await expired()
  await quote()
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
  assert.deepEqual(logged.at(-1), ['the service changed a quoted deposit address', {chargeId: 'c1'}])
})

test('alerts, their ends and a charge that is known again are logged', async () => {
  for (const [change, restore, expected] of [
    [
      service => service.report('unpaid', {transaction_id: '', local: 1}),
      service => service.report('unpaid'),
      [
        ['a payment cannot be read', {chargeId: 'c1', items: 1}],
        ['all payments can be read again', {chargeId: 'c1'}],
      ],
    ],
    [
      service => (service.localPrice = {amount: '101', currency: 'USD'}),
      () => undefined,
      [['the price of the crypto charge is not the price of the charge', {chargeId: 'c1'}]],
    ],
    [
      service => service.report('paid', {transaction_id: '0xa', local: 40}),
      () => undefined,
      [['the charge is paid, but its confirmed payments are below the price', {chargeId: 'c1'}]],
    ],
    [
      service => (service.next['getCryptoCharge'] = [status(404)]),
      () => undefined,
      [['the service knows the charge again', {chargeId: 'c1'}]],
    ],
  ] as [Change, Change, [string, object][]][]) {
    const {service, clock, checkout, read, logged} = await expired()
    const titles = expected.map(([title]) => title)
    for (const act of [change, restore]) {
      act(service)
      await checkout.reconcile()
      await clock.advance(1_000)
      await read()
    }
    assert.deepEqual(
      logged.filter(([message]) => titles.includes(message)),
      expected,
    )
  }
})

test('a page sees a payment with its next read, however long nothing has happened and webhooks arrived', async () => {
  const {service, clock, quote, webhook, poll} = await opened()
  service.expiresAt = undefined
  await quote()
  await webhook()
  for (let minutes = 0; minutes < 20; minutes++) {
    await clock.advance(60_000)
    assert.equal((await poll()).status, 'open')
  }
  service.report('paid', {transaction_id: '0xa'})
  assert.equal((await poll()).status, 'paid')
})

test('a payment that a read or verify sees is notified once', async () => {
  const notified: string[] = []
  const {service, clock, checkout, read} = await expired({
    onPayment: ({transactionId}) => void notified.push(transactionId),
    onPaid: ({chargeId}) => void notified.push(chargeId),
  })
  service.report('paid', {transaction_id: '0xa'})
  await checkout.verify('c1')
  await flushRequests()
  assert.deepEqual(notified, ['0xa', 'c1'])
  service.report('overpaid', {transaction_id: '0xa'}, {transaction_id: '0xb', local: 1})
  for (let times = 0; times < 2; times++) {
    await clock.advance(1_000)
    await read()
    await flushRequests()
    assert.deepEqual(notified, ['0xa', 'c1', '0xb'])
  }
})

test('an asset that the wallet no longer has is not shown, not even while the service is down', async () => {
  const {service, read, clock} = await expired()
  const symbols = async () => {
    const {assets, stale} = await read()
    return [...assets.map(({symbol}) => symbol), stale]
  }
  const original = service.respond.bind(service)
  service.respond = (operation, request) =>
    original(operation, request).replace('"convert_id":"1839"', '"convert_id":null')
  assert.deepEqual(await symbols(), ['USDT', false])
  service.next['getCryptoCharge'] = [status(404)]
  await clock.advance(1_500)
  assert.deepEqual(await symbols(), ['USDT', true])
})

test('a charge that was paid elsewhere can be read at once, also when its journal has just changed', async () => {
  const {service, clock, store, open, read} = scripted()
  const other = testContext({store, clock}).journals
  service.status = {value: 'paid'}
  for (let times = 0; times < 3; times++) {
    assert.equal((await open()).json.status, 'paid')
    await other.of('c1').update(() => ({kind: 'notified', subject: 'paid', done: true}))
    assert.equal((await read()).json.status, 'paid')
  }
})

test('the state at minting is known although the service fails right after it', async () => {
  const {service, open} = scripted()
  service.cancelled = true
  service.next['getCryptoCharge'] = [status(404)]
  const {json} = await open()
  assert.deepEqual([json.status, json.stale, json.payable], ['cancelled', true, false])
})

// Beside other processes

/** Two processes over one store, which know the service's time. The first one has the charge open. */
async function processes() {
  const clock = new FakeClock(startOfTest)
  const store = leasingStore(clock)
  const one = await opened({clock, store})
  const other = one.secondInstance()
  await other.open('c2')
  await clock.advance(2_500)
  one.service.calls = {}
  store.leases.length = 0
  return {...one, other, leases: store.leases}
}

test('a read does not call the service where another process has read within the second, and verify does', async () => {
  const {service, clock, read, checkout, other, leases} = await processes()
  await other.read()
  assert.deepEqual(leases, [
    ['poll:c1', 1_000, true],
    ['read:c1', 55_000, true],
  ])
  assert.deepEqual(service.calls, {getCryptoCharge: 1, getCharge: 1})
  const {status, stale, assets} = (await read()).json
  assert.deepEqual([status, stale, assets.length], ['open', false, 2])
  assert.deepEqual(service.calls, {getCryptoCharge: 1, getCharge: 1})
  await clock.advance(500)
  await checkout.verify('c1')
  assert.deepEqual(leases.at(-2), ['forced:c1', 2_000, true])
  assert.deepEqual(service.calls, {getCryptoCharge: 2, getCharge: 2})
})

test('what the other process has found is shown, although this one has just loaded the journal', async () => {
  const {service, clock, read, quote, other} = await processes()
  await quote()
  await clock.advance(2_500)
  await read()
  await clock.advance(500)
  await quote()
  await clock.advance(500)
  service.report('paid', {transaction_id: '0xa'})
  assert.equal((await other.read()).json.status, 'paid')
  assert.equal((await read()).json.status, 'paid')
})

test('invariant 5: without leases, what another process has recorded is shown after a second at most', async () => {
  const one = await opened()
  const other = one.secondInstance()
  await other.open()
  const {rev} = (await one.quote()).json
  await one.clock.advance(1_000)
  const {json} = await other.read()
  assert.equal(json.rev, rev)
  assert.ok(json.quote)
})

test('a charge that another process has just opened can be read at once', async () => {
  const one = scripted()
  const other = one.secondInstance()
  await other.checkout.verify('c1')
  assert.equal((await other.read()).json.code, 'not_open')
  await one.open()
  assert.equal((await other.read()).status, 200)
})

test('a process that has never read the charge shows the assets as they were at minting', async () => {
  const {service, read, other} = await processes()
  await read()
  service.calls = {}
  const {status, stale, assets} = (await other.read()).json
  assert.deepEqual([status, stale, assets.length], ['open', false, 2])
  assert.deepEqual(service.calls, {})
})

test('forced reads of a charge are two seconds apart in all processes, and each process gets its turn', async () => {
  const {service, clock, request, other} = await processes()
  const startedAt: number[] = []
  const respond = service.respond.bind(service)
  service.respond = (operation, call) => {
    if (operation === 'getCharge') startedAt.push(clock.now())
    return respond(operation, call)
  }
  const ended = [0, 0]
  for (let ms = 0; ms < 12_000; ms += 100) {
    for (const [index, send] of [request, other.request].entries())
      void send('POST', '/webhook', {chargeId: 'c1'}).then(() => (ended[index] = clock.now()))
    await clock.advance(100)
  }
  assert.ok(startedAt.length >= 5)
  for (const [index, at] of startedAt.entries())
    assert.ok(at - (startedAt[index - 1] ?? -Infinity) >= 2_000, startedAt.join())
  for (const at of ended) assert.ok(clock.now() - at <= 4_500)
})

test('a forced read does not wait for a lease that never ends', async () => {
  const store = {...memoryStore(), lease: (name: string) => Promise.resolve(!name.startsWith('forced'))}
  const {service, clock, checkout} = await opened({store})
  service.report('paid', {transaction_id: '0xa'})
  const verified = checkout.verify('c1')
  await clock.advance(11_000)
  assert.equal((await verified).paid, true)
})

test('a failed read is shared: no process shows the charge as fresh, and one call is enough', async () => {
  const {service, clock, read, other} = await processes()
  await other.read()
  await clock.advance(1_000)
  service.next['getCryptoCharge'] = Array.from({length: 100}, () => status(400))
  const stale = async () => [(await read()).json.stale, (await other.read()).json.stale]
  service.calls = {}
  assert.deepEqual(await stale(), [true, true])
  assert.equal(service.calls['getCryptoCharge'], 1)
  for (let times = 0; times < 40; times++) {
    await clock.advance(270)
    assert.deepEqual(await stale(), [true, true])
  }
  assert.ok((service.calls['getCryptoCharge'] ?? 0) <= 24, `${service.calls['getCryptoCharge']} calls`)
  service.next = {}
  await clock.advance(2_000)
  for (let times = 0; times < 10; times++) {
    assert.deepEqual(await stale(), [false, false])
    await clock.advance(270)
  }
})
