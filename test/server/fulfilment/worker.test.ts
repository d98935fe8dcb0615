/** The worker: what it reads and when, how it shares and paces the work, and the archive. */
import assert from 'node:assert/strict'
import {after, test} from 'node:test'
import type {ChargeLogLine} from '../../../src/server/charges/log.js'
import {memoryStore} from '../../../src/stores/memory-store.js'
import {shop} from '../orders/shop.js'
import {
  flushRequests,
  opened,
  scripted,
  ScriptedService,
  startOfTest,
  status,
  usdt,
} from '../scripted-service.js'
import {openedWithHandlers} from './recording-handlers.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const never = new Promise<never>(() => undefined)
const payment = {transaction_id: '0xa'}

/** Node warns of more than ten listeners of a signal. */
const warnings: string[] = []
process.on('warning', ({message}) => warnings.push(message))
after(() => assert.doesNotMatch(warnings.join(), /listeners/))

/** Lets the worker read until nothing is left. @returns when it read, in hours since the start */
async function readTimes(
  {service, clock, document}: ReturnType<typeof scripted>,
  chargeId = 'c1',
): Promise<number[]> {
  const times: number[] = []
  for (;;) {
    const {readAt} = await document(chargeId)
    if (readAt === undefined) return times
    const before = service.calls['getCharge'] ?? 0
    await clock.jump(Math.max(0, readAt - clock.now()))
    await clock.advance(6_000)
    if ((service.calls['getCharge'] ?? 0) > before) times.push((clock.now() - startOfTest) / HOUR)
    assert.ok(times.length < 500)
  }
}

function between(times: readonly number[], from: number, until: number): number {
  return times.filter(time => time >= from && time < until).length
}

test('a charge is read every reconcileEvery while it is payable, hourly for a day after its end, daily for a week', async () => {
  const times = await readTimes(await opened({reconcileEvery: 300_000}))
  // It expires after an hour.
  const counts = [
    between(times, 0, 1),
    between(times, 1.002, 25),
    between(times, 25.1, 168.9),
    between(times, 170, Infinity),
  ]
  for (const [index, expected] of [11, 24, 5, 0].entries())
    assert.equal(counts[index], expected, times.join())
})

test('a charge that the service has not known for 24 hours is given up; one 404, or another refusal, ends nothing', async () => {
  const fixture = await opened({reconcileEvery: 300_000})
  const {service, clock, document, kinds} = fixture
  fixture.service.expiresAt = undefined
  service.next['getCharge'] = [status(404)]
  await clock.advance(305_000)
  assert.equal((await document()).unknownSince !== undefined, true)
  await clock.advance(300_000)
  assert.equal((await document()).unknownSince, undefined)
  service.next['getCharge'] = Array.from({length: 3}, () => status(400))
  await clock.advance(900_000)
  assert.equal((await kinds()).filter(kind => kind === 'unknown').length, 1)
  service.next['getCharge'] = Array.from({length: 1_000}, () => status(404))
  const times = await readTimes(fixture)
  const hours = (times.at(-1) ?? 0) - (times[0] ?? 0)
  assert.ok(hours >= 23.8 && hours < 24.3, String(hours))
})

test('between two reads, a round that tells again reads nothing', async () => {
  const {failNext, service, webhook, clock, received} = await openedWithHandlers({reconcileEvery: HOUR})
  service.report('underpaid', {...payment, local: 40})
  failNext(3)
  await webhook()
  service.calls = {}
  await clock.advance(300_000)
  assert.deepEqual([received, service.calls], [['payment 0xa 40.00'], {}])
})

test('the worker tells of a payment whose webhook never came, and two processes share its reads', async () => {
  const {service, clock, received, handlers, open, secondInstance} = await openedWithHandlers({
    reconcileEvery: 60_000,
  })
  const ids = ['c2', 'c3', 'c4']
  for (const id of ids) await open(id)
  secondInstance({reconcileEvery: 60_000, ...handlers})
  service.report('paid', payment)
  service.calls = {}
  await clock.advance(70_000)
  assert.deepEqual(
    received.filter(line => line.startsWith('paid')).sort(),
    ['c1', ...ids].map(id => `paid ${id} paid`),
  )
  assert.ok((service.calls['getCharge'] ?? 0) <= 6, String(service.calls['getCharge']))
})

test('a charge that another process has read since it was loaded is not read again', async () => {
  for (const value of ['unpaid', 'paid']) {
    const {service, store, clock, secondInstance} = await opened({reconcileEvery: 60_000})
    const old = await store.get('charge/c1')
    service.report(value)
    await clock.advance(61_000)
    service.calls = {}
    let stale = 2
    const late: typeof store = {
      ...store,
      due: async () => ['charge/c1'],
      get: async key => (key === 'charge/c1' && stale-- > 0 ? old : store.get(key)),
    }
    secondInstance({store: late, reconcileEvery: 60_000})
    await clock.advance(1_000)
    assert.deepEqual([stale < 0, service.calls], [true, {}])
  }
})

test('reads are paced, also by a rate that is no whole number of milliseconds, and none waits for ever', async () => {
  const {open, service, clock, document, checkout} = await opened({
    reconcileEvery: 60_000,
    reconcileRate: 0.3,
  })
  for (let count = 2; count <= 6; count++) await open(`c${count}`)
  service.calls = {}
  await clock.advance(70_000)
  assert.ok((service.calls['getCharge'] ?? 0) <= 4, String(service.calls['getCharge']))
  await clock.advance(20_000)
  assert.ok((service.calls['getCharge'] ?? 0) >= 6, String(service.calls['getCharge']))
  for (let count = 1; count <= 6; count++) assert.ok(Number.isInteger((await document(`c${count}`)).readAt))
  // Nothing that waits keeps a process alive, and what waits is not read when it is closed.
  await clock.advance(32_000)
  assert.equal(clock.sleepers, 0)
  const {getCharge} = service.calls
  await checkout.close()
  await clock.advance(60_000)
  assert.equal(service.calls['getCharge'], getCharge)
})

test('what has to wait for its turn is moved to the round before it, and keeps its turn', async () => {
  const {open, clock, service, document} = await opened({reconcileEvery: 60_000, reconcileRate: 0.1})
  const ids = ['c2', 'c3', 'c4']
  for (const id of ids) await open(id)
  await clock.advance(60_000)
  const seconds = async () =>
    Promise.all(ids.map(async id => (((await document(id)).readAt ?? 0) - startOfTest) / 1_000))
  assert.deepEqual(await seconds(), [65, 75, 85])
  service.requests = []
  await clock.advance(30_000)
  const read = service.requests.flatMap(({url}) => (url.includes('/crypto/') ? [] : [url.slice(-2)]))
  assert.deepEqual([read, await seconds()], [ids, [125, 135, 145]])
})

test('a charge with an address is read before those that nobody has opened, however many are due', async () => {
  const {checkout, clock, start, quote, sandbox, received} = shop({reconcileEvery: 300_000, reconcileRate: 1})
  for (let count = 1; count <= 60; count++) await checkout.createOrder(`order-${count}`)
  await clock.advance(58 * 60_000)
  const {chargeId} = await checkout.createOrder('order-60')
  await quote(chargeId)
  sandbox.pay(chargeId, usdt)
  await checkout.close()
  await clock.jump(6 * 60_000)
  received.length = 0
  start()
  await clock.advance(10_000)
  assert.deepEqual(received, ['payment 49.90 order-60', `paid ${chargeId} ${chargeId}`])
})

test('charges with an address overtake those that nobody has opened, whose turns were planned before', async () => {
  const {checkout, open, clock, service} = scripted({reconcileEvery: 60_000, reconcileRate: 0.1})
  service.expiresAt = undefined
  const ids = ['u1', 'u2', 'u3', 'c1', 'c2', 'c3']
  for (const id of ids.slice(0, 3)) await checkout.verify(id)
  await clock.jump(HOUR - 55_000)
  for (const id of ids.slice(3)) await open(id)
  service.requests = []
  await clock.advance(100_000)
  const read = service.requests.flatMap(({url}) => (url.includes('/crypto/') ? [] : [url.slice(-2)]))
  assert.deepEqual(read, ['u1', 'c1', 'u2', 'c2', 'c3', 'u3'])
})

test('a charge that nobody has opened is read too: it may be paid on a page of the service', async () => {
  const {checkout, clock, sandbox, received} = shop({reconcileEvery: 300_000})
  const {chargeId} = await checkout.createOrder('order-7')
  sandbox.payElsewhere(chargeId, {listed: true})
  await clock.advance(HOUR + 10_000)
  assert.deepEqual(received, ['payment 49.90 order-7', `paid ${chargeId} ${chargeId}`])
})

test('a process that does not read leaves a charge to reconcile() for an hour each time', async () => {
  const {service, clock, checkout, document} = await opened({reconcileEvery: 0})
  service.calls = {}
  const due: number[] = []
  for (const milliseconds of [10_000, HOUR - 10_000, HOUR]) {
    await clock.advance(milliseconds)
    due.push((await document()).readAt ?? 0)
  }
  assert.deepEqual(service.calls, {})
  assert.deepEqual(
    due.map(at => Math.ceil((at - startOfTest) / HOUR)),
    [1, 2, 3],
  )
  assert.equal((await checkout.reconcile()).read, 1)
})

test('a worker whose store fails goes on, and logs that once a minute', async () => {
  const store = memoryStore()
  const {due, get} = store
  const {service, clock, received, logged} = await openedWithHandlers({store, reconcileEvery: 60_000})
  store.due = () => Promise.reject(new RangeError('canary'))
  await clock.advance(119_000)
  const lines = logged.filter(([message]) => message === 'the store cannot be used')
  const line = ['the store cannot be used', {cause: 'the store failed (RangeError)'}]
  assert.deepEqual(lines, [line, line])
  store.due = due
  store.get = () => Promise.reject(new RangeError('canary'))
  await clock.advance(5_000)
  assert.deepEqual(logged.at(-1), ['the work on a charge failed', {chargeId: 'c1', error: 'StoreError'}])
  store.get = get
  service.report('paid', payment)
  await clock.advance(10_000)
  assert.equal(received.length, 2)
})

test('reconcile does what is due of every charge, in turn, also after one that fails, and reads nothing that is settled', async () => {
  const {open, checkout, service, clock, received, logged} = await openedWithHandlers({reconcileRate: 2})
  for (let count = 2; count <= 20; count++) await open(`c${count}`)
  await clock.advance(1_000)
  service.report('paid', payment)
  service.calls = {}
  service.next['getCharge'] = [status(400)]
  const results: object[] = []
  for (let round = 0; round < 3; round++) {
    const running = checkout.reconcile()
    await clock.advance(4_900)
    if (round === 0) assert.equal(service.calls['getCharge'], 10)
    await clock.advance(5_100)
    results.push(await running)
  }
  assert.deepEqual(results, [
    {read: 19, delivered: 38},
    {read: 1, delivered: 2},
    {read: 0, delivered: 0},
  ])
  assert.equal(received.length, 40)
  const failure = {chargeId: 'c1', code: 'upstream_rejected'}
  assert.deepEqual(
    logged.filter(([, fields]) => fields && ('code' in fields || 'read' in fields)),
    [['reconciling a charge failed', failure], ...[19, 1, 0].map(read => ['reconciled', {read}])],
  )
})

test('a new process works on all other charges although one document cannot be read', async () => {
  const {failNext, service, webhook, checkout, store, clock, secondInstance, received, handlers} =
    await openedWithHandlers()
  service.report('paid', payment)
  failNext(2)
  await webhook()
  await checkout.close()
  await store.put('charge/c0', 1, '{"half', 0)
  secondInstance(handlers)
  await clock.advance(35_000)
  assert.deepEqual(received.toSorted(), ['paid c1 paid', 'payment 0xa 100.00'])
})

/** Charges whose handlers hang, after half a minute. @returns those whose handlers were called, and all */
async function hanging() {
  const store = memoryStore()
  const ids = Array.from({length: 36}, (_, index) => `c${index + 1}`)
  const first = await openedWithHandlers({store})
  const {service} = first
  for (const id of ids) await first.open(id)
  service.report('paid', payment)
  first.failNext(Infinity)
  for (const chargeId of ids) await first.webhook({chargeId})
  await first.checkout.close()
  const called: string[] = []
  const next = first.secondInstance({
    onPaid: ({chargeId}) => (called.push(chargeId), never),
    onPayment: () => never,
  })
  await next.clock.advance(30_000)
  assert.equal(called.length, 20)
  return {...next, called, ids}
}

test('more than twenty handlers that hang do not stop a round', async () => {
  const {clock, called, ids} = await hanging()
  await clock.advance(1_000)
  // Of sixteen that are loaded together, twelve have waited.
  assert.equal(called.length, 32)
  await clock.advance(1_000)
  assert.deepEqual(called.toSorted(), ids.toSorted())
})

test('what waits behind handlers that hang is left to another process when this one closes', async () => {
  const {clock, checkout, called, ids, secondInstance} = await hanging()
  void checkout.close()
  await clock.advance(1_000)
  assert.equal(called.length, 20)
  const others: string[] = []
  secondInstance({onPaid: ({chargeId}) => void others.push(chargeId), onPayment: () => undefined})
  await clock.advance(10_000)
  assert.deepEqual([...called, ...others].toSorted(), ids.toSorted())
})

// The archive

/** A charge that is paid and told. */
async function settled(onArchive?: (chargeId: string, log: ChargeLogLine[]) => unknown) {
  const alerts: unknown[] = []
  const fixture = await openedWithHandlers({
    retention: DAY,
    onAlert: (alert, context) => void alerts.push(alert, Object.keys(context)),
    ...(onArchive && {onArchive}),
  })
  fixture.service.report('paid', payment)
  await fixture.webhook()
  return {...fixture, alerts, pass: () => fixture.clock.jump(DAY + 1_000)}
}

test('a settled charge is archived after the retention: onArchive with its log first, then a short document', async () => {
  const archived: [string, string[]][] = []
  const {store, pass, document, open, webhook, service, received, checkout} = await settled(
    (chargeId, log) => {
      archived.push([chargeId, log.map(({kind}) => kind)])
    },
  )
  await checkout.reconcile()
  assert.deepEqual(archived, [])
  await pass()
  assert.deepEqual(archived, [['c1', ['opened', 'minted', 'payment', 'status', 'told', 'told']]])
  const {value = ''} = (await store.get('charge/c1')) ?? {}
  assert.ok(value.length <= 300, value)
  assert.deepEqual((await document()).archived?.status, 'paid')
  assert.deepEqual([(await open()).status, service.minted], [410, 1])
  assert.equal((await webhook()).status, 200)
  assert.equal(received.length, 2)
  assert.deepEqual(await store.due(Number.MAX_SAFE_INTEGER, 10), [])
})

test('of two processes that archive a charge, one calls onArchive', async () => {
  const calls: string[] = []
  const onArchive = (chargeId: string) => void calls.push(chargeId)
  const {secondInstance, pass, document, store, checkout} = await settled(onArchive)
  const {put} = store
  const ofOther: number[] = []
  // Another one does all of it before the first write of this one.
  store.put = async (...row) => {
    store.put = put
    await secondInstance({retention: DAY, onArchive}).checkout.reconcile()
    ofOther.push(calls.length)
    return put(...row)
  }
  await pass()
  await checkout.settle()
  assert.deepEqual([ofOther, calls.length], [[1], 1])
  assert.equal((await document()).archived?.status, 'paid')
})

test('a charge is kept while onArchive fails, for an hour each time, and a hanging one delays nothing', async () => {
  const calls: number[] = []
  const {clock, pass, document, open, service, received, webhook, logged} = await settled(() => {
    calls.push(clock.now())
    if (calls.length === 1) throw new TypeError('canary')
    if (calls.length === 2) return never
    return undefined
  })
  await pass()
  assert.equal((await document()).archived, undefined)
  await clock.advance(HOUR)
  service.expiresAt = undefined
  await open('c2')
  assert.equal((await webhook({chargeId: 'c2'})).status, 200)
  assert.equal(received.at(-1), 'paid c2 paid')
  await clock.advance(HOUR + 10_000)
  assert.deepEqual([calls.length, (await document()).archived?.status], [3, 'paid'])
  assert.ok(
    calls.every((at, index) => index === 0 || at - (calls[index - 1] ?? 0) >= HOUR),
    calls.join(),
  )
  assert.deepEqual(
    logged.filter(([message]) => message.startsWith('archiving')).map(([, fields]) => fields),
    ['TypeError', 'HandlerTimeoutError'].map(error => ({chargeId: 'c1', error})),
  )
})

test('a charge that is paid again while onArchive runs is kept', async () => {
  let payAgain = async () => {}
  const {pass, checkout, service, webhook, document} = await settled(() => payAgain())
  payAgain = async () => {
    service.report('overpaid', payment, {transaction_id: '0xb', local: 5})
    await webhook()
  }
  await pass()
  await checkout.settle()
  const {archived, status} = await document()
  assert.deepEqual([archived, status], [undefined, 'overpaid'])
})

test('a charge without an address is archived too, also by reconcile', async () => {
  const {checkout, service, clock, document} = scripted({retention: DAY})
  service.report('paid', payment)
  await checkout.verify('c1')
  await clock.jump(DAY - 1_000)
  // Before the next round.
  await clock.advance(2_000)
  assert.equal((await document()).archived, undefined)
  await checkout.reconcile()
  const {archived} = await document()
  assert.deepEqual([archived?.status, archived?.cryptoChargeId], ['paid', undefined])
})

test('money for an archived charge has rows in the ledger, each once, and those of before stay', async () => {
  const {pass, service, webhook, checkout, clock, alerts, store, log} = await settled()
  const rows = async () => {
    const found: string[] = []
    for await (const {transactionId, local} of checkout.payments())
      found.push(`${transactionId} ${local.amount}`)
    return found
  }
  await pass()
  assert.deepEqual(await rows(), ['0xa 100'])
  service.payment = original => ({
    ...ScriptedService.prototype.payment.call(service, original),
    ...(original !== payment && {timestamp: new Date(clock.now()).toISOString()}),
  })
  const {put} = store
  const late = [
    {transaction_id: '0xb', local: 5},
    {transaction_id: '0xc', local: 7},
  ]
  for (const [expected, more, isStopped] of [
    [['0xa 100'], late.slice(0, 1), true],
    [['0xa 100', '0xb 5'], late.slice(0, 1), false],
    [['0xa 100', '0xb 5'], late.slice(0, 1), false],
    [['0xa 100', '0xb 5', '0xc 7'], late, false],
  ] as const) {
    service.report('overpaid', ...more, payment)
    // The row is written, and the process ends before its change.
    store.put = async (...row) => {
      if (isStopped && row[0].startsWith('charge/')) throw new Error('stopped')
      return put(...row)
    }
    await webhook()
    assert.deepEqual(await rows(), expected)
    await clock.advance(1_000)
  }
  assert.equal(alerts.length, 2)
  // One of before, one that was left by the end of the process, and the two late ones.
  assert.equal((await store.keys('payment/', 'payment0', 9)).length, 4)
  assert.deepEqual(
    (await log()).map(({at: _, ...line}) => line),
    [
      {kind: 'alert', alert: 'payment_after_archive'},
      {kind: 'archived_money', amount: '105.00', currency: 'USD'},
      {kind: 'told', subject: 'alert payment_after_archive 1'},
      {kind: 'archived_money', amount: '112.00', currency: 'USD'},
    ],
  )
})

test('a payment that is confirmed after the archive is the one that is listed then', async () => {
  const {pass, document, service, webhook, checkout, clock, alerts} = await settled()
  const older = {transaction_id: '0x0', local: 30}
  service.report('paid', {...older, status: 'PENDING'}, payment)
  await clock.advance(1_000)
  await webhook()
  // What is on its way is read for a week.
  await clock.jump(8 * DAY)
  const reading = checkout.reconcile()
  await clock.advance(2_000)
  await reading
  await pass()
  assert.equal((await document()).archived?.status, 'paid')
  service.report('overpaid', older, payment)
  await webhook()
  const confirmed: string[] = []
  for await (const {transactionId, status, local} of checkout.payments())
    if (status === 'confirmed') confirmed.push(`${transactionId} ${local.amount}`)
  assert.deepEqual(confirmed, ['0xa 100', '0x0 30'])
  assert.equal(alerts.length, 2)
})

test('an archived charge that the service calls paid is told of once, also without a payment, and stays overpaid', async () => {
  const alerts: string[] = []
  const {service, clock, checkout, webhook, document, store} = await opened({
    retention: DAY,
    onAlert: ({kind}) => void alerts.push(kind),
  })
  for (const milliseconds of [2 * HOUR, 9 * DAY, 2 * DAY]) {
    await clock.jump(milliseconds)
    await checkout.reconcile()
  }
  assert.equal((await document()).archived?.status, 'expired')
  const other = {transaction_id: '0xb', local: 5}
  const third = {transaction_id: '0xc', local: 6}
  for (const [value, payments, status, paid, rows] of [
    ['unpaid', [], 'expired', '0.00', []],
    ['underpaid', [other, other], 'expired', '5.00', ['5']],
    ['paid', [], 'paid', '5.00', ['5', '100.00']],
    ['overpaid', [other, payment], 'overpaid', '105.00', ['5', '100.00', '100']],
    ['paid', [other, payment, third], 'overpaid', '111.00', ['5', '100.00', '100', '6']],
  ] as const)
    for (let time = 0; time < 2; time++) {
      const before = await store.get('charge/c1')
      service.report(value, ...payments)
      await clock.advance(1_000)
      assert.equal((await webhook()).status, 200)
      const {archived} = await document()
      assert.deepEqual([archived?.status, archived?.paid.amount], [status, paid])
      const isWritten = (await store.get('charge/c1'))?.version !== before?.version
      assert.equal(isWritten, time === 0 && value !== 'unpaid')
      const listed: string[] = []
      for await (const {local} of checkout.payments()) listed.push(local.amount)
      assert.deepEqual(listed, rows)
      assert.equal((await store.keys('payment/', 'payment0', 9)).length, rows.length)
    }
  assert.deepEqual(alerts, ['payment_after_archive'])
})

// Closing

test('close waits for a handler and a mint, and refuses new requests meanwhile', async () => {
  let finish = () => {}
  const {checkout, clock, service, webhook, read, open, document} = scripted({
    onPaid: () => new Promise<void>(resolve => (finish = resolve)),
  })
  await open()
  service.report('paid', payment)
  const response = webhook()
  await flushRequests()
  const respond = service.hold('createCryptoCharge')
  service.report('unpaid')
  const opening = open('c2')
  await flushRequests()
  let isClosed = false
  const closing = checkout.close().then(() => (isClosed = true))
  await clock.advance(5_000)
  assert.equal(isClosed, false)
  const refused = await read()
  assert.deepEqual([refused.status, refused.headers.get('connection')], [503, 'close'])
  finish()
  respond()
  await closing
  assert.deepEqual([(await response).status, (await opening).status], [200, 200])
  assert.ok((await document('c2')).minted)
  assert.equal(clock.sleepers, 0)
})

test('close ends after closeTimeout and logs what is left, also while the store does not respond', async () => {
  const {checkout, clock, service, webhook, logged} = await opened({closeTimeout: 2_000, onPaid: () => never})
  service.report('paid', payment)
  void webhook()
  await flushRequests()
  const closing = checkout.close()
  await clock.advance(2_000)
  await closing
  assert.deepEqual(logged.at(-1), ['closed before all work had ended', {requests: 1, handlers: 1}])
  const hanging = scripted({store: {...memoryStore(), due: () => never}, closeTimeout: 1_000})
  const closed = hanging.checkout.close()
  await hanging.clock.advance(1_000)
  await closed
  assert.equal(hanging.logged.at(-1)?.[0], 'closed before all work had ended')
})
