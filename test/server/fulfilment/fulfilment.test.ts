/** Webhooks, `verify` and reconciliation: whatever the trigger, only the service's response is believed. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {memoryStore} from '../../../src/stores/memory-store.js'
import type {Store} from '../../../src/contract/store.js'
import {nextTurn} from '../../http/loopback.js'
import {flushRequests, opened, scripted, status, type ScriptedService} from '../scripted-service.js'
import {holdingHandler, openedWithHandlers, recordingHandlers} from './recording-handlers.js'

/** The end of the seven days in which a charge is read after its expiry. */
const DAY = 86_400_000
const RETENTION_END = 3_600_000 + 7 * DAY
const CLOSED_INDEX = '.closed-2026-11-28T02'

function pay(service: ScriptedService): void {
  service.report('paid', {transaction_id: '0xa', local: 60}, {transaction_id: '0xb', local: 40})
}

/** Of a process that dies after some appends. */
function dyingStore(store: Store, appends: number): Store {
  let left = appends
  return {
    ...store,
    append: async (...args) => (left-- > 0 ? store.append(...args) : new Promise(() => undefined)),
  }
}

/** Without the indexes of the ledger, which stay open. */
async function openIds(store: Store): Promise<string[]> {
  const ids: string[] = []
  for await (const id of store.openCharges()) if (!id.startsWith('.payments-')) ids.push(id)
  return ids
}

const all = ['payment 0xa 60.00', 'payment 0xb 40.00', 'paid c1 paid']

test('invariant 8: a forged webhook changes nothing', async () => {
  const {webhook, read, received} = await openedWithHandlers()
  const forged = {chargeId: 'c1', status: 'paid', wallet: {payments: [{transaction_id: '0xf'}]}}
  assert.equal((await webhook(forged)).status, 200)
  assert.deepEqual(received, [])
  assert.equal((await read()).json.status, 'open')
})

test('a webhook may name its charge by its id or the id of its crypto charge, at any depth', async () => {
  for (const body of [{charge_id: 'c1'}, [{deep: [{wallet: {cryptoChargeId: 'k1-c1'}}]}]]) {
    const {service, webhook, received} = await openedWithHandlers()
    pay(service)
    assert.equal((await webhook(body)).status, 200)
    assert.deepEqual(received, all, JSON.stringify(body))
  }
})

test('a webhook about an unknown charge gets the same 200, without a call to the service', async () => {
  const {request, service, logged} = await openedWithHandlers()
  const calls = {...service.calls}
  const deep = `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`
  const named = ['{"chargeId":"c2"}', '{"chargeId":"../c1"}', '{"__proto__":{"chargeId":"c9"}}']
  for (const body of ['', 'hello', '[', 'null', '7', ...named, deep]) {
    const {status, text} = await request('POST', '/webhook', body, {'content-type': 'text/plain'})
    assert.deepEqual([status, text], [200, '{"ok":true}'], body.slice(0, 40))
    assert.deepEqual(logged.pop()?.[0], 'a webhook names no known charge')
  }
  assert.deepEqual(service.calls, calls)
})

test('webhooks that wait for one read are answered one by one, so that other requests come in between', async () => {
  const {webhook} = await openedWithHandlers()
  const statuses: number[] = []
  const all = Promise.all(Array.from({length: 20}, async () => statuses.push((await webhook()).status)))
  const seen = new Set<number>()
  while (statuses.length < 20) {
    await nextTurn()
    seen.add(statuses.length)
  }
  await all
  assert.ok(seen.size > 10, [...seen].join())
  assert.deepEqual(new Set(statuses), new Set([200]))
})

test('a webhook that names two charges, of which one cannot be read, notifies of the other and fails, until it is sent again', async () => {
  const {open, service, webhook, received, logged} = await openedWithHandlers()
  await open('c2')
  pay(service)
  service.next['getCryptoCharge'] = [status(400)]
  service.next['getCharge'] = [status(400)]
  const body = [{chargeId: 'c1'}, {chargeId: 'c2'}]
  assert.equal((await webhook(body)).status, 500)
  assert.equal(received.length, 3)
  const chargeId = received.includes('paid c1 paid') ? 'c2' : 'c1'
  const [failure, ...others] = logged.filter(([message]) => message.includes('webhook'))
  assert.deepEqual([failure?.[1], others], [{chargeId, error: 'ServiceError'}, []])
  assert.equal((await webhook(body)).status, 200)
  assert.equal(received.length, 6)
})

test('a webhook that arrives while the charge is minted notifies of a payment elsewhere', async () => {
  const {received, handlers} = recordingHandlers()
  const {service, open, webhook} = scripted(handlers)
  const minted = service.hold('createCryptoCharge')
  const opening = open()
  await flushRequests()
  service.status = {value: 'paid'}
  const read = service.hold('getCharge')
  const response = webhook()
  await flushRequests()
  minted()
  await flushRequests()
  read()
  assert.equal((await response).status, 200)
  await opening
  assert.deepEqual(received, ['paid c1 paid'])
})

// verify

test('verify is paid only when the service says so now, and rejects when the service is down', async () => {
  const {checkout, clock, service} = await openedWithHandlers()
  service.calls = {}
  const unpaid = await checkout.verify('c1')
  assert.deepEqual([unpaid.paid, unpaid.checkout.stale], [false, false])
  assert.deepEqual(service.calls, {getCryptoCharge: 1, getCharge: 1})
  for (const value of ['paid', 'overpaid']) {
    service.report(value, {transaction_id: '0xa'})
    const {paid, checkout: seen, charge} = await checkout.verify('c1')
    assert.deepEqual([paid, seen.paid.amount, charge._id], [true, '100.00', 'c1'])
  }
  service.failReads('getCryptoCharge', 500)
  service.failReads('getCharge', 500)
  const verifying = assert.rejects(checkout.verify('c1'), {code: 'upstream_unavailable'})
  await clock.advance(10_000)
  await verifying
  await checkout.close()
  await assert.rejects(checkout.verify('c1'), {code: 'upstream_unavailable'})
})

test('a charge is paid and notified when the service says so, although the crypto charge cannot be read', async () => {
  for (const failure of [status(400), () => ({status: 200, headers: {}, body: '{}'})]) {
    const {checkout, poll, service, webhook, received} = await openedWithHandlers()
    pay(service)
    service.next['getCryptoCharge'] = [failure]
    assert.equal((await webhook()).status, 200)
    assert.equal(received.at(-1), 'paid c1 paid')
    service.next['getCryptoCharge'] = [failure]
    const seen = await poll()
    assert.deepEqual([seen.status, seen.payable, seen.alert], ['paid', false, undefined])
    await checkout.reconcile()
    assert.deepEqual(received.toSorted(), all.toSorted())
  }
})

test('a charge is paid when the service says so between two reads of the crypto charge, of which the second fails', async () => {
  const {service, webhook, received, read} = await openedWithHandlers()
  const unpaid = service.cryptoCharge('k1-c1', 'c1')
  pay(service)
  service.next['getCryptoCharge'] = [
    () => ({status: 200, headers: {}, body: JSON.stringify(unpaid)}),
    status(400),
  ]
  assert.equal((await webhook()).status, 200)
  assert.deepEqual(received, all)
  const {json} = await read()
  assert.deepEqual([json.status, json.alert], ['paid', undefined])
})

test('a webhook fails when the service says paid, but the read that would confirm a pending payment fails', async () => {
  const sends = (response: object) => () => ({status: 200, headers: {}, body: JSON.stringify(response)})
  for (const isSecondRead of [false, true]) {
    const {service, webhook, poll, received} = await openedWithHandlers()
    service.report('unpaid', {transaction_id: '0xa', status: 'PENDING'})
    assert.equal((await poll()).status, 'pending')
    const unconfirmed = sends(service.cryptoCharge('k1-c1', 'c1'))
    pay(service)
    service.next['getCharge'] = [sends({...service.charge('c1'), payments: []})]
    service.next['getCryptoCharge'] = [...(isSecondRead ? [unconfirmed] : []), status(400)]
    assert.equal((await webhook()).status, 500)
    assert.deepEqual(received, [])
    assert.equal((await webhook()).status, 200)
    assert.deepEqual(received, all)
  }
})

test('a webhook fails when the service says paid, but the payment that would confirm it cannot be read', async () => {
  const {checkout, service, webhook, poll, read, received} = await openedWithHandlers()
  service.report('unpaid', {transaction_id: '0xa', status: 'PENDING'})
  assert.equal((await poll()).status, 'pending')
  pay(service)
  const {payments} = service
  service.payments = [{transaction_id: ''}]
  assert.equal((await webhook()).status, 500)
  assert.deepEqual([received, (await read()).json.alert], [[], 'payment_unreadable'])
  await checkout.clearAlert('c1')
  assert.equal((await webhook()).status, 500)
  service.payments = payments
  assert.equal((await webhook()).status, 200)
  assert.deepEqual(received, all)
})

for (const end of ['expired', 'cancelled'] as const)
  test(`a charge that was paid elsewhere before it was ${end} is not notified as ${end}`, async () => {
    const received: string[] = []
    const record = ({status}: {status: string}) => void received.push(status)
    const {clock, service, poll} = await opened({onExpired: record, onCancelled: record, onPaid: record})
    await clock.jump(3_590_000)
    await poll()
    service.status = {value: 'paid'}
    if (end === 'cancelled') service.cancelled = true
    await clock.jump(end === 'expired' ? 10_000 : 2_000)
    await poll()
    await clock.advance(31_000)
    assert.deepEqual(received, ['paid'])
  })

test('verify reads a charge that was never opened here, and mints nothing', async () => {
  const {checkout, service} = scripted()
  assert.equal((await checkout.verify('c7')).paid, false)
  service.status = {value: 'paid'}
  assert.equal((await checkout.verify('c7')).paid, true)
  assert.equal(service.minted, 0)
})

// Reconciliation

test('reconcile notifies of payments whose webhook never came, and continues after a charge that cannot be read', async () => {
  const {open, checkout, service, clock, received, logged} = await openedWithHandlers()
  await open('c2')
  pay(service)
  service.failReads('getCryptoCharge')
  service.failReads('getCharge')
  const reconciling = checkout.reconcile()
  await clock.advance(10_000)
  assert.deepEqual(await reconciling, {read: 1, delivered: 3})
  const chargeId = received.includes('paid c1 paid') ? 'c2' : 'c1'
  assert.deepEqual(
    logged.filter(([message]) => message.includes('reconcil')).map(([, fields]) => fields),
    [{chargeId, error: 'ServiceError'}, {read: 1}],
  )
})

test('reconcile skips a journal of a charge that was never opened', async () => {
  const store = memoryStore()
  await store.append('c9', 1, JSON.stringify({kind: 'minting', at: 0, until: 0}))
  const {checkout, service} = scripted({store})
  assert.deepEqual(await checkout.reconcile(), {read: 0, delivered: 0})
  assert.deepEqual(service.calls, {})
})

test('closing ends reconcile after the charge that is being read', async () => {
  const {open, checkout, service} = await openedWithHandlers()
  await open('c2')
  const respond = service.hold('getCryptoCharge')
  const reconciling = checkout.reconcile()
  await flushRequests()
  const closing = checkout.close()
  respond()
  assert.deepEqual(await reconciling, {read: 1, delivered: 0})
  await closing
})

test('reconcileEvery runs on a timer, continues after a failure, and stops when the checkout is closed', async () => {
  const original = memoryStore()
  let isFailing = true
  const openCharges: Store['openCharges'] = () => {
    if (isFailing) throw new RangeError('canary')
    return original.openCharges()
  }
  const {checkout, service, clock, received, logged} = await openedWithHandlers({
    store: {...original, openCharges},
    reconcileEvery: 60_000,
  })
  pay(service)
  await clock.advance(60_000)
  assert.deepEqual(logged.at(-1)?.[1], {error: 'StoreError'})
  isFailing = false
  await clock.advance(59_999)
  assert.deepEqual(received, [])
  await clock.advance(1)
  assert.deepEqual(received, all)
  await checkout.close()
  assert.equal(clock.sleepers, 0)
})

test('reconcile reads an unpaid charge until seven days after its expiry', async () => {
  const {checkout, clock} = await openedWithHandlers()
  await clock.jump(RETENTION_END - 1)
  assert.equal((await checkout.reconcile()).read, 1)
  await clock.jump(1)
  assert.equal((await checkout.reconcile()).read, 1)
  assert.equal((await checkout.reconcile()).read, 0)
})

test('reconcile does not read a charge that is settled and notified, whichever instance asks', async () => {
  const {checkout, service, secondInstance, received} = await openedWithHandlers()
  pay(service)
  assert.deepEqual(await checkout.reconcile(), {read: 1, delivered: 3})
  service.calls = {}
  assert.deepEqual(await checkout.reconcile(), {read: 0, delivered: 0})
  assert.deepEqual(await secondInstance().checkout.reconcile(), {read: 0, delivered: 0})
  assert.deepEqual(service.calls, {})
  assert.deepEqual(received, all)
})

test('a process without handlers neither reads nor closes a paid charge that another has not notified', async () => {
  const {received, handlers} = recordingHandlers()
  const {checkout, clock, service, webhook, secondInstance} = await opened()
  pay(service)
  await webhook()
  service.calls = {}
  await clock.advance(60_000)
  assert.deepEqual(await checkout.reconcile(), {read: 0, delivered: 0})
  assert.deepEqual(service.calls, {})
  secondInstance(handlers)
  await clock.advance(30_000)
  assert.deepEqual(received, all)
})

test('reconcile keeps a charge beyond its retention while a handler fails', async () => {
  const {checkout, clock, service, failNext} = await openedWithHandlers()
  pay(service)
  await clock.jump(RETENTION_END)
  failNext(3)
  assert.deepEqual(await checkout.reconcile(), {read: 1, delivered: 0})
  assert.deepEqual(await checkout.reconcile(), {read: 1, delivered: 3})
  assert.deepEqual(await checkout.reconcile(), {read: 0, delivered: 0})
})

test('reconcile keeps a charge beyond its retention while another process holds a claim', async () => {
  const {calls, handler} = holdingHandler()
  const {service, clock, webhook, secondInstance} = await opened({onPaid: handler})
  const {received, handlers} = recordingHandlers()
  const {checkout} = secondInstance({onPaid: handlers.onPaid})
  pay(service)
  await clock.jump(RETENTION_END)
  void webhook()
  await flushRequests()
  assert.equal(calls.length, 1)
  assert.equal((await checkout.reconcile()).delivered, 0)
  await clock.jump(90_000)
  await checkout.reconcile()
  assert.deepEqual(received, ['paid c1 paid'])
})

test('reconcile reads at its rate', async () => {
  const {open, checkout, clock, service} = await openedWithHandlers({reconcileRate: 2})
  for (let count = 2; count <= 6; count++) await open(`c${count}`)
  service.calls = {}
  const reconciling = checkout.reconcile()
  await clock.advance(0)
  assert.equal(service.calls['getCryptoCharge'], 2 + 1)
  await clock.advance(500)
  assert.equal(service.calls['getCryptoCharge'], 4)
  await clock.advance(1_000)
  assert.deepEqual(await reconciling, {read: 6, delivered: 0})
})

test('a 429 ends the pass, and no pass begins before its Retry-After is over', async () => {
  const {open, checkout, clock, service} = await openedWithHandlers()
  await open('c2')
  service.next['getCryptoCharge'] = [status(429, {'retry-after': '60'})]
  service.calls = {}
  assert.deepEqual(await checkout.reconcile(), {read: 0, delivered: 0})
  await clock.jump(59_000)
  assert.deepEqual(await checkout.reconcile(), {read: 0, delivered: 0})
  assert.deepEqual(service.calls, {getCryptoCharge: 1})
  await clock.jump(1_000)
  assert.deepEqual(await checkout.reconcile(), {read: 2, delivered: 0})
})

test('instances with leases share the charges of a pass', async () => {
  const leases = new Set<string>()
  const lease = (name: string) => Promise.resolve(leases.size < leases.add(name).size)
  const {open, checkout, secondInstance, store} = await openedWithHandlers({store: {...memoryStore(), lease}})
  await open('c2')
  const other = secondInstance({store})
  const results = await Promise.all([checkout.reconcile(), other.checkout.reconcile()])
  assert.equal(results[0].read + results[1].read, 2)
})

test('a process asks for no second lease while it holds one, which lasts half a minute', async () => {
  const ends = new Map<string, number>()
  const asked: string[] = []
  const lease = (name: string, milliseconds: number) => {
    if (!name.startsWith('reconcile')) return Promise.resolve(true)
    asked.push(name)
    const isFree = (ends.get(name) ?? 0) <= clock.now()
    if (isFree) ends.set(name, clock.now() + milliseconds)
    return Promise.resolve(isFree)
  }
  const {checkout, clock, secondInstance, store} = await openedWithHandlers({
    store: {...memoryStore(), lease},
  })
  const other = secondInstance({store})
  const reads = async () => [(await checkout.reconcile()).read, (await other.checkout.reconcile()).read]
  assert.deepEqual(await reads(), [1, 0])
  await clock.jump(29_999)
  assert.deepEqual(await reads(), [1, 0])
  assert.deepEqual(asked, ['reconcile:c1', 'reconcile:c1', 'reconcile:c1'])
  await clock.jump(1)
  assert.deepEqual(await reads(), [1, 0])
  assert.equal(asked.length, 5)
})

test('reconcile reads the charges in random order', async () => {
  let next = 1
  const {open, checkout, service} = await opened({random: () => (next -= 0.01)})
  for (const chargeId of ['c2', 'c3']) await open(chargeId)
  service.requests = []
  await checkout.reconcile()
  const read = service.requests.map(({url}) => url.split('/').at(-1)).filter(id => id?.startsWith('c'))
  assert.deepEqual(read, ['c3', 'c2', 'c1'])
})

test('closing ends a reconciliation that waits for its rate', async () => {
  const {open, checkout, clock, service} = await opened({reconcileRate: 1})
  for (const chargeId of ['c2', 'c3']) await open(chargeId)
  service.calls = {}
  const reconciling = checkout.reconcile()
  await clock.advance(0)
  await checkout.close()
  assert.equal((await reconciling).read, 2)
  assert.equal(service.calls['getCharge'], 2)
})

test('close logs a reconciliation that is still reading', async () => {
  const {checkout, clock, service, logged} = await opened({closeTimeout: 2_000})
  const respond = service.hold('getCryptoCharge')
  void checkout.reconcile()
  await flushRequests()
  const closing = checkout.close()
  await clock.advance(2_000)
  await closing
  assert.deepEqual(logged.at(-1), ['closed before all work had ended', {reads: 1}])
  respond()
})

test('a charge that cannot be closed, or whose notification cannot be recorded, is logged', async () => {
  const original = memoryStore()
  let isFailing = true
  const unavailable = () => Promise.reject(new RangeError('canary'))
  const {checkout, service, logged} = await openedWithHandlers({
    store: {
      ...original,
      append: (chargeId, rev, entry) =>
        isFailing && entry.includes('"notified"') ? unavailable() : original.append(chargeId, rev, entry),
      closeCharge: unavailable,
    },
  })
  pay(service)
  const warning = async () => {
    logged.length = 0
    await checkout.reconcile()
    return logged.findLast(([message]) => message.endsWith('failed'))
  }
  const fields = {chargeId: 'c1', error: 'StoreError'}
  assert.deepEqual(await warning(), ['delivering notifications failed', fields])
  isFailing = false
  assert.deepEqual(await warning(), ['closing a charge failed', fields])
})

test('reconcile keeps reading a charge that the service rejects for another reason than 404', async () => {
  const {checkout, clock, service, kinds} = await openedWithHandlers()
  for (let days = 0; days < 3; days++) {
    service.next['getCryptoCharge'] = [status(400)]
    assert.equal((await checkout.reconcile()).read, 0)
    await clock.jump(86_400_000)
  }
  assert.equal((await kinds()).includes('lookup'), false)
  assert.equal((await checkout.reconcile()).read, 1)
})

test('reconcile gives up a charge that the service has not known for 24 hours', async () => {
  const {checkout, clock, service, logged, kinds} = await openedWithHandlers()
  const fail = () => (service.next['getCryptoCharge'] = [status(404)])
  fail()
  assert.equal((await checkout.reconcile()).read, 0)
  await clock.jump(86_400_000)
  fail()
  await checkout.reconcile()
  service.calls = {}
  assert.deepEqual(await checkout.reconcile(), {read: 0, delivered: 0})
  assert.deepEqual(service.calls, {})
  assert.equal((await kinds()).filter(kind => kind === 'lookup').length, 1)
  const [line, ...others] = logged.filter(([message]) => message.includes('not known'))
  assert.deepEqual([line?.[1], others], [{chargeId: 'c1'}, []])
})

test('a handler that hangs in a sweep does not delay a retry of another charge', async () => {
  const {received, failNext, handlers} = recordingHandlers()
  let calls = 0
  const {open, clock, service, webhook} = await opened({
    handlerTimeout: 600_000,
    onPaid: paid => {
      if (paid.chargeId !== 'c1') return handlers.onPaid(paid)
      if (++calls === 1) throw new TypeError('canary')
      return new Promise(() => undefined)
    },
  })
  await open('c2')
  pay(service)
  await webhook({chargeId: 'c1'})
  await clock.advance(35_000)
  assert.equal(calls, 2)
  failNext(1)
  assert.equal((await webhook({chargeId: 'c2'})).status, 500)
  await clock.advance(61_000)
  assert.deepEqual(received, ['paid c2 paid'])
})

test('a handler that hangs does not delay the next reconciliation', async () => {
  const {handler} = holdingHandler()
  const {clock, service} = await opened({
    handlerTimeout: 3_600_000,
    reconcileEvery: 300_000,
    onPaid: handler,
  })
  pay(service)
  await clock.advance(301_000)
  service.calls = {}
  await clock.advance(300_000)
  assert.equal(service.calls['getCryptoCharge'], 1)
})

test('an onArchive that hangs does not delay reconciliation', async () => {
  let archived = 0
  const {open, clock, checkout, service} = await openedWithHandlers({
    retention: DAY,
    onArchive: () => {
      archived += 1
      return new Promise(() => undefined)
    },
  })
  await clock.jump(RETENTION_END)
  await checkout.reconcile()
  await clock.jump(DAY + 3_600_000)
  service.expiresAt = undefined
  await open('c2')
  service.calls = {}
  void checkout.reconcile()
  await clock.advance(1_000)
  assert.deepEqual([archived, service.calls['getCryptoCharge']], [1, 1])
})

test('more than twenty handlers that hang do not stop a sweep', async () => {
  const store = memoryStore()
  const {open, service, checkout} = await opened({store})
  const ids = Array.from({length: 25}, (_, index) => `c${index + 1}`)
  pay(service)
  for (const id of ids) await open(id)
  await checkout.close()
  const called: string[] = []
  const {clock} = scripted({
    store,
    service,
    onPaid: ({chargeId}) => {
      called.push(chargeId)
      return new Promise(() => undefined)
    },
  })
  await clock.advance(30_000)
  assert.equal(called.length, 20)
  await clock.advance(2_000)
  assert.equal(called.length, 22)
  await clock.advance(8_000)
  assert.deepEqual(called.sort(), ids.sort())
})

test('one 404 does not end a charge that the service knows at every later read', async () => {
  const {checkout, clock, service, received} = await openedWithHandlers()
  service.next['getCryptoCharge'] = [status(404)]
  await checkout.reconcile()
  for (let days = 0; days < 2; days++) {
    await clock.jump(86_400_000)
    assert.equal((await checkout.reconcile()).read, 1)
  }
  service.next['getCryptoCharge'] = [status(404)]
  await checkout.reconcile()
  pay(service)
  await checkout.reconcile()
  assert.deepEqual(received, all)
})

test('a late payment of a closed charge is notified again after a failure, without a trigger', async () => {
  const {checkout, clock, service, webhook, received, failNext} = await openedWithHandlers()
  await clock.jump(RETENTION_END)
  await checkout.reconcile()
  assert.equal((await checkout.reconcile()).read, 0)
  pay(service)
  failNext(3)
  assert.equal((await webhook()).status, 500)
  await clock.advance(61_000)
  assert.deepEqual(received, all)
})

test('invariant 10: another process notifies of a late payment of a closed charge when the first one dies', async () => {
  const {calls, handler} = holdingHandler()
  const {checkout, clock, service, store, webhook} = await opened({onPayment: handler, onPaid: handler})
  await clock.jump(RETENTION_END)
  await checkout.reconcile()
  assert.deepEqual(await openIds(store), [CLOSED_INDEX])
  pay(service)
  void webhook()
  await clock.advance(2_000)
  assert.equal(calls.length, 1)

  const {received, handlers} = recordingHandlers()
  const other = scripted({store, service, ...handlers})
  await other.clock.jump(RETENTION_END)
  await other.clock.advance(121_000)
  assert.deepEqual(received.sort(), [...all].sort())
  const entries = await store.read(CLOSED_INDEX)
  await other.clock.advance(60_000)
  assert.deepEqual(await store.read(CLOSED_INDEX), entries)
  await other.clock.jump(2 * 86_400_000)
  await other.checkout.reconcile()
  assert.deepEqual(await openIds(store), [CLOSED_INDEX])
})

test('invariant 10: wherever the process dies that records a late payment of a closed charge, another one notifies', async () => {
  for (let appends = 0, isDone = false; !isDone; appends++) {
    const {checkout, clock, service, store, received, handlers} = await openedWithHandlers()
    await clock.jump(RETENTION_END)
    await checkout.reconcile()
    await checkout.close()
    pay(service)
    const dying = scripted({store: dyingStore(store, appends), service, ...handlers})
    await dying.clock.jump(RETENTION_END)
    void dying.webhook().then(() => (isDone = true))
    await flushRequests()
    if (!(await store.read('c1')).some(entry => entry.includes('0xa'))) continue

    const other = scripted({store, service, ...handlers})
    await other.clock.jump(RETENTION_END)
    await other.clock.advance(121_000)
    await other.checkout.reconcile()
    assert.ok(received.includes('paid c1 paid'), `after ${appends} appends`)
  }
})

test('a closed charge is kept while a handler is being told of its late payment', async () => {
  const {calls, handler} = holdingHandler()
  const {checkout, clock, service, store, webhook} = await opened({
    retention: DAY,
    handlerTimeout: 3 * DAY,
    onPaid: handler,
  })
  await clock.jump(RETENTION_END)
  await checkout.reconcile()
  pay(service)
  const response = webhook()
  await flushRequests()
  await clock.jump(DAY + 3_600_000)
  await checkout.reconcile()
  assert.notDeepEqual(await store.read('c1'), [])
  calls[0]?.finish()
  assert.equal((await response).status, 200)
  await clock.jump(DAY + 3_600_000)
  await checkout.reconcile()
  assert.match((await store.read('c1')).join(), /^{"kind":"archived",[^}]*"status":"paid"/)
})

test('money for an archived charge raises an alert once, and the charge cannot be opened again', async () => {
  const alerts: unknown[] = []
  let failures = 1
  const {checkout, clock, open, service, store, webhook} = await opened({
    retention: DAY,
    onAlert: (alert, context) => {
      if (failures-- > 0) throw new TypeError('canary')
      alerts.push(alert, Object.keys(context))
    },
  })
  const [{cryptoChargeId}] = (await store.read('c1'))
    .map(text => JSON.parse(text) as {cryptoChargeId?: string})
    .filter(entry => entry.cryptoChargeId !== undefined) as [{cryptoChargeId: string}]
  await clock.jump(RETENTION_END)
  await checkout.reconcile()
  await clock.jump(DAY + 3_600_000)
  await checkout.reconcile()
  const [tombstone = ''] = await store.read('c1')
  assert.match(tombstone, /^{"kind":"archived"/)
  assert.ok(Buffer.byteLength(tombstone) <= 300, tombstone)
  assert.equal((await webhook()).status, 200)
  assert.equal((await open()).status, 410)
  assert.equal(service.minted, 1)
  assert.deepEqual(await openIds(store), [])

  pay(service)
  assert.equal((await webhook({cryptoChargeId})).status, 500)
  await clock.advance(60_000)
  assert.deepEqual(alerts, [{kind: 'payment_after_archive', chargeId: 'c1'}, ['id', 'signal']])
  for (const body of [{chargeId: 'c1'}, {cryptoChargeId}]) assert.equal((await webhook(body)).status, 200)
  assert.equal((await open()).status, 410)
  assert.equal(alerts.length, 2)
  service.calls = {}
  const webhooks = Array.from({length: 30}, () => webhook())
  for (const {status} of await Promise.all(webhooks)) assert.equal(status, 200)
  assert.deepEqual(service.calls, {getCharge: 1, getCryptoCharge: 1})
  await clock.jump(2 * DAY)
  await checkout.reconcile()
  assert.deepEqual(await openIds(store), [])
})

test('a sweep closes a charge that is settled and notified', async () => {
  const {clock, service, store, webhook} = await openedWithHandlers()
  pay(service)
  await webhook()
  assert.deepEqual(await openIds(store), ['c1'])
  await clock.advance(30_000)
  assert.deepEqual(await openIds(store), ['.closed-2026-11-21T01'])
})

test('an index that cannot be deleted is logged, and deleted by the next pass', async () => {
  const original = memoryStore()
  let isFailing = true
  const remove: Store['delete'] = async (id, ...args) => {
    if (isFailing && id.startsWith('.')) throw new RangeError('canary')
    return original.delete(id, ...args)
  }
  const store = {...original, delete: remove}
  const {checkout, clock, logged} = await openedWithHandlers({store, retention: DAY})
  await clock.jump(RETENTION_END)
  await checkout.reconcile()
  await clock.jump(DAY + 3_600_000)
  await checkout.reconcile()
  assert.deepEqual(
    logged.filter(([message]) => message === 'archiving charges failed').map(([, fields]) => fields),
    [{error: 'StoreError'}],
  )
  assert.deepEqual(await openIds(store), [CLOSED_INDEX])
  isFailing = false
  await checkout.reconcile()
  assert.deepEqual(await openIds(store), [])
})

test('a webhook reads at most twenty known charges', async () => {
  const {open, service, webhook} = await openedWithHandlers()
  const ids = Array.from({length: 25}, (_, index) => `c${index + 1}`)
  for (const id of ids) await open(id)
  service.calls = {}
  assert.equal((await webhook(ids.map(chargeId => ({chargeId})))).status, 200)
  assert.equal(service.calls['getCryptoCharge'], 20)
})

// Closing

test('close waits for a handler, and refuses new requests meanwhile', async () => {
  const {calls, handler} = holdingHandler()
  const {checkout, clock, service, webhook, read} = await opened({onPaid: handler})
  pay(service)
  const response = webhook()
  await flushRequests()
  let isClosed = false
  const closing = checkout.close().then(() => (isClosed = true))
  await clock.advance(9_000)
  assert.equal(isClosed, false)
  const refused = await read()
  assert.equal(refused.status, 503)
  assert.deepEqual(
    ['cache-control', 'x-content-type-options', 'connection'].map(name => refused.headers.get(name)),
    ['no-store', 'nosniff', 'close'],
  )
  assert.equal(refused.headers.get('x-request-id'), refused.json.requestId)
  calls[0]?.finish()
  await closing
  assert.equal((await response).status, 200)
})

test('close ends after closeTimeout and logs what is left', async () => {
  const {checkout, clock, service, webhook, logged} = await opened({
    closeTimeout: 2_000,
    onPaid: () => new Promise(() => undefined),
  })
  pay(service)
  void webhook()
  await flushRequests()
  const closing = checkout.close()
  await clock.advance(2_000)
  await closing
  assert.deepEqual(logged.at(-1), ['closed before all work had ended', {requests: 1, handlers: 1}])
})

test('close waits for a mint, so that no crypto charge is lost', async () => {
  const {checkout, service, open, kinds} = scripted()
  const respond = service.hold('createCryptoCharge')
  const opening = open()
  await flushRequests()
  const closing = checkout.close()
  respond()
  await closing
  assert.equal((await opening).status, 200)
  assert.ok((await kinds()).includes('minted'))
})

test('close ends after closeTimeout while a pass waits for a store that does not respond', async () => {
  const store = {
    ...memoryStore(),
    openCharges: () => ({[Symbol.asyncIterator]: () => ({next: () => new Promise<never>(() => {})})}),
  }
  const {checkout, clock, logged} = scripted({store, closeTimeout: 1_000})
  await clock.advance(30_000)
  const closed = checkout.close()
  await clock.advance(1_000)
  await closed
  assert.equal(logged.at(-1)?.[0], 'closed before all work had ended')
})
