/** Telling the merchant: once for each event, again when a handler failed or its process died. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {Charge, Checkout, Store} from '../../../src/contract/index.js'
import {memoryStore} from '../../../src/stores/memory-store.js'
import {FakeClock} from '../../fake-clock.js'
import {flushRequests, opened, otherAddress, scripted, startOfTest, status} from '../scripted-service.js'
import {holdingHandler, openedWithHandlers, recordingHandlers} from './recording-handlers.js'

const DAY = 86_400_000
const payment = {transaction_id: '0xa'}
const all = ['payment 0xa 100.00', 'paid c1 paid']
const subjects = ['payment bsc:0xa:usdt', 'paid']
const never = new Promise<never>(() => undefined)

test('a notice is claimed until half a minute after handlerTimeout, and becomes one that was told', async () => {
  const {calls, handler} = holdingHandler()
  const {service, clock, webhook, document} = await opened({handlerTimeout: 120_000, onPaid: handler})
  service.report('paid', payment)
  const response = webhook()
  await flushRequests()
  const [notice] = (await document()).notices ?? []
  assert.deepEqual([notice?.subject, (notice?.at ?? 0) - clock.now()], ['paid', 150_000])
  calls[0]?.finish()
  assert.equal((await response).status, 200)
  const {notices, told} = await document()
  assert.deepEqual([notices, told], [undefined, ['paid']])
})

test('only handlers that the merchant has are called and recorded', async () => {
  const {received, handlers} = recordingHandlers()
  for (const [options, expected] of [
    [{onPaid: handlers.onPaid}, all.slice(1)],
    [{onPayment: handlers.onPayment}, all.slice(0, 1)],
    [{}, []],
  ] as const) {
    const {service, checkout, document} = await opened(options)
    service.report('paid', payment)
    received.length = 0
    assert.deepEqual(await checkout.reconcile(), {read: 1, delivered: expected.length})
    assert.deepEqual(received, expected)
    assert.equal((await document()).told?.length ?? 0, expected.length)
  }
})

/** Another process of the shop died while it called `onPaid`, which this one does not have. */
async function abandoned(options: Parameters<typeof opened>[0] = {}) {
  const fixture = await opened(options)
  fixture.service.report('paid', payment)
  const dying = fixture.secondInstance({...options, clock: new FakeClock(startOfTest), onPaid: () => never})
  void dying.webhook()
  await flushRequests()
  return fixture
}

test('a notice whose handler no process has is kept for ever without a retention, and while another process calls it', async () => {
  const {clock, checkout, document, secondInstance, store} = await abandoned({retention: 0})
  await clock.jump(400 * DAY)
  await checkout.reconcile()
  assert.equal((await document()).notices?.length, 1)
  const {calls, handler} = holdingHandler()
  secondInstance({onPaid: handler, retention: DAY})
  await clock.advance(1_000)
  assert.equal(calls.length, 1)
  await scripted({clock, store, retention: DAY}).checkout.reconcile()
  assert.equal((await document()).notices?.length, 1)
})

test('a process without a handler leaves the notices of another to it', async () => {
  const {received, handlers} = recordingHandlers()
  const {clock, checkout, webhook, secondInstance, document} = await abandoned()
  await clock.advance(100_000)
  assert.equal((await webhook()).status, 503)
  assert.deepEqual([(await checkout.reconcile()).delivered, (await document()).notices?.length], [0, 1])
  secondInstance(handlers)
  await flushRequests()
  assert.deepEqual(received, ['paid c1 paid'])
})

test('a notice whose handler no process has had for the retention is dropped, and then the charge is archived', async () => {
  const {clock, checkout, document} = await abandoned({retention: DAY})
  const pass = async (milliseconds: number) => {
    await clock.jump(milliseconds)
    await checkout.reconcile()
  }
  await pass(DAY - 1_000)
  assert.equal((await document()).notices?.length, 1)
  await pass(1_000)
  assert.equal((await document()).notices, undefined)
  await pass(DAY)
  assert.equal((await document()).archived?.status, 'paid')
})

test('a notice that this process handles stays when an older one is dropped', async () => {
  const {calls, handler} = holdingHandler()
  const {service, clock, checkout, secondInstance, document} = await opened({
    retention: DAY,
    onPaid: handler,
  })
  service.report('underpaid', {...payment, local: 40})
  const dying = secondInstance({clock: new FakeClock(startOfTest), onUnderpaid: () => never})
  void dying.webhook()
  await flushRequests()
  await clock.jump(DAY - 60_000)
  service.report('paid', {...payment, local: 40}, {transaction_id: '0xb', local: 60})
  await checkout.verify('c1')
  await flushRequests()
  calls[0]?.fail()
  await flushRequests()
  await clock.jump(60_000)
  await clock.advance(10_000)
  assert.equal(calls.length, 2)
  calls[1]?.finish()
  await flushRequests()
  const {told, notices} = await document()
  assert.deepEqual([told, notices], [['underpaid 1', 'paid'], undefined])
})

test('a handler receives the current checkout, the charge with its reference, and the same id at each attempt', async () => {
  for (const isWebhook of [true, false]) {
    const received: unknown[] = []
    const receive = ({chargeId, stale, status}: Checkout, {_id, ref_id}: Charge, id: string) => {
      received.push([chargeId, stale, status, _id, ref_id, id])
      if (received.length <= 2) throw new TypeError('canary')
    }
    const {service, clock, webhook, poll} = await opened({
      onPayment: (_, {checkout, charge, id}) => receive(checkout, charge, id),
      onPaid: (checkout, {charge, id}) => receive(checkout, charge, id),
    })
    service.extra = {ref_id: 'order-7'}
    service.report('overpaid', payment)
    await (isWebhook ? webhook() : poll())
    await clock.advance(35_000)
    const expected = subjects.map(subject => ['c1', false, 'overpaid', 'c1', 'order-7', `c1 ${subject}`])
    assert.deepEqual(received, [...expected, ...expected])
  }
})

test('a process that tells what another one has found reads the charge first, also beside a notice of its own', async () => {
  const told: string[] = []
  const fail = () => Promise.reject(new TypeError('canary'))
  const {service, secondInstance, clock, webhook} = await opened({
    onPayment: fail,
    onPaid: (_, {charge}) => void told.push(charge.status.value),
  })
  service.report('underpaid', {...payment, local: 40})
  await webhook()
  const other = secondInstance({onPaid: fail})
  service.report('paid', payment)
  await other.webhook()
  await other.checkout.close()
  await clock.advance(35_000)
  assert.deepEqual(told, ['paid'])
})

// Failures

test('a failed handler makes the webhook fail, is logged with its error, and only reconcile calls it before its pause is over', async () => {
  const {received, failNext, service, clock, webhook, checkout, logged, log} = await openedWithHandlers()
  service.report('paid', payment)
  failNext(1)
  assert.equal((await webhook()).status, 500)
  assert.deepEqual(received, all.slice(1))
  const {stack = '', ...fields}: {stack?: string} =
    logged.find(([message]) => message.startsWith('a handler'))?.[1] ?? {}
  assert.match(stack, /TypeError: canary\n +at receive/)
  assert.deepEqual(fields, {chargeId: 'c1', subject: subjects[0], error: 'TypeError', cause: 'canary'})
  const {at: _, ...line} = (await log()).find(({kind}) => kind === 'handler_failed') ?? {}
  assert.deepEqual(line, {kind: 'handler_failed', subject: subjects[0]})
  await clock.advance(10_000)
  const response = await webhook()
  assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '20'])
  assert.deepEqual(received, all.slice(1))
  assert.equal((await checkout.reconcile()).delivered, 1)
  assert.deepEqual(received, all.toReversed())
  assert.deepEqual([(await webhook()).status, (await checkout.reconcile()).delivered], [200, 0])
})

test('a handler that fails is called again after 30 s, with pauses that double up to 15 minutes, until the retention', async () => {
  for (const [retention, attempts] of [
    [DAY, 10],
    [0, 11],
  ] as const) {
    const calls: number[] = []
    const {service, clock, webhook} = await opened({
      retention,
      reconcileEvery: 60_000,
      onPaid() {
        calls.push(clock.now() / 1_000)
        throw new TypeError('canary')
      },
    })
    service.report('paid', payment)
    await webhook()
    await clock.advance(4_620_000)
    const pauses = calls.slice(1).map((at, index) => at - (calls[index] ?? 0))
    const expected = [30, 60, 120, 240, 480, 900, 900, 900, 900]
    for (const [index, pause] of pauses.entries())
      assert.ok(pause - (expected[index] ?? 0) <= 5, pauses.join())
    assert.equal(calls.length, 10)
    // The next attempt would be after a day.
    await clock.jump(DAY)
    await clock.advance(910_000)
    assert.ok(retention === 0 ? calls.length > attempts : calls.length <= attempts + 1, String(calls.length))
  }
})

test('each notice waits for its own pause', async () => {
  const calls: string[] = []
  const {service, clock, webhook} = await opened({
    onPayment({transactionId}) {
      calls.push(`${transactionId} ${Math.floor((clock.now() - startOfTest) / 10_000)}`)
      throw new TypeError('canary')
    },
  })
  service.report('underpaid', {...payment, local: 40})
  await webhook()
  await clock.advance(45_000)
  service.report('paid', {...payment, local: 40}, {transaction_id: '0xb', local: 60})
  await webhook()
  await clock.advance(40_000)
  assert.deepEqual(calls, ['0xa 0', '0xa 3', '0xb 4', '0xb 7'])
})

test('a handler that hangs is aborted after handlerTimeout, and delays no other notice of the charge or of others', async () => {
  const signals: AbortSignal[] = []
  const {received, handlers} = recordingHandlers()
  const {open, service, clock, webhook, logged} = await opened({
    ...handlers,
    handlerTimeout: 5_000,
    onUnderpaid(_, {signal}) {
      signals.push(signal)
      return never
    },
  })
  await open('c2')
  service.report('underpaid', {...payment, local: 40})
  const response = webhook()
  await flushRequests()
  service.report('paid', {...payment, local: 40}, {transaction_id: '0xb', local: 60})
  const other = webhook({chargeId: 'c2'})
  void webhook()
  await clock.advance(1_500)
  assert.equal((await other).status, 200)
  assert.deepEqual(
    received.filter(line => line.startsWith('paid')),
    ['paid c2 paid', 'paid c1 paid'],
  )
  assert.deepEqual(
    signals.map(({aborted}) => aborted),
    [false],
  )
  await clock.advance(3_500)
  assert.deepEqual(
    signals.map(({aborted}) => aborted),
    [true],
  )
  assert.equal((await response).status, 500)
  const failure = logged.find(([message]) => message.startsWith('a handler'))?.[1] ?? {}
  const {error, cause} = Object(failure)
  assert.deepEqual([error, cause], ['HandlerTimeoutError', 'it did not return within handlerTimeout'])
})

test('a webhook waits for the handlers of another, and of another process, and succeeds or fails with them', async () => {
  for (const [end, expected] of [
    ['finish', [200, 200, 200]],
    ['fail', [500, 500, 503]],
  ] as const) {
    const {calls, handler} = holdingHandler()
    const {received, handlers} = recordingHandlers()
    const {service, clock, webhook, secondInstance} = await opened({onPaid: handler})
    const other = secondInstance({onPaid: handlers.onPaid})
    service.report('paid', payment)
    const responses = [webhook(), webhook(), other.webhook()]
    await clock.advance(1_000)
    // A claim has to end, whoever asks.
    void other.checkout.reconcile()
    await clock.advance(1_000)
    assert.deepEqual([received, calls.length], [[], 1])
    calls[0]?.[end]()
    await clock.advance(2_000)
    const statuses = (await Promise.all(responses)).map(({status}) => status)
    assert.deepEqual([statuses, received], [expected, []])
  }
})

test('a webhook gets 503 with Retry-After when another process tells for longer than handlerTimeout', async () => {
  const {service, clock, webhook, secondInstance} = await opened({
    handlerTimeout: 600_000,
    onPaid: () => never,
  })
  service.report('paid', payment)
  void webhook()
  await flushRequests()
  const response = secondInstance({onPaid: () => undefined, handlerTimeout: 60_000}).webhook()
  await clock.advance(62_000)
  const {status, headers} = await response
  const seconds = Number(headers.get('retry-after'))
  assert.deepEqual([status, seconds > 500, seconds < 600], [503, true, true])
})

test('a success that cannot be recorded is tried again for half a minute, and its handler not called again meanwhile', async () => {
  for (const [failures, status] of [
    [6, 200],
    [Infinity, 500],
  ] as const) {
    let left = failures
    const rows = memoryStore()
    const put: Store['put'] = async (...row) => {
      if (row[2].includes('"told":[') && left-- > 0) throw new Error('down')
      return rows.put(...row)
    }
    const store = {...rows, put}
    const {received, service, clock, webhook, logged} = await openedWithHandlers({store})
    service.report('paid', payment)
    const response = webhook()
    await clock.advance(45_000)
    assert.equal((await response).status, status)
    assert.deepEqual(received, all)
    assert.deepEqual(
      logged.filter(([message]) => message === 'a result could not be recorded').map(([, fields]) => fields),
      status === 200 ? [] : all.map(() => ({chargeId: 'c1', error: 'StoreError'})),
    )
  }
})

test('onAlert hears of a lost store once, with a signal, and its failure is logged', async () => {
  const received: unknown[] = []
  const published: unknown[] = []
  const store = memoryStore()
  let isLost = false
  const get: Store['get'] = async key => (isLost ? undefined : store.get(key))
  const diagnostics = {publish: (message: {type: string}) => void published.push(message)}
  const {poll, logged} = await opened({
    store: {...store, get},
    diagnostics,
    onAlert(alert, {signal, ...others}) {
      received.push(alert, signal.aborted, others)
      throw new TypeError('canary')
    },
  })
  isLost = true
  assert.deepEqual([(await poll()).code, (await poll()).code], ['store_lost', 'store_lost'])
  const id = `c1 store_lost ${startOfTest + 1_500}`
  assert.deepEqual(received, [{kind: 'store_lost', chargeId: 'c1'}, false, {id}])
  assert.deepEqual(
    logged.filter(([message]) => message.startsWith('a handler')),
    [['a handler failed', {chargeId: 'c1', error: 'TypeError'}]],
  )
  const of = (type: string) => published.filter(message => Object(message).type === type)
  assert.deepEqual(of('alert'), [{type: 'alert', kind: 'store_lost'}])
  const handler = {type: 'handler', handler: 'onAlert', outcome: 'handler_failed', durationMs: 0}
  assert.deepEqual(of('handler'), [handler])
  isLost = false
  const other = await opened({store: {...store, get}})
  isLost = true
  assert.equal((await other.poll()).code, 'store_lost')
  assert.ok(!other.logged.some(([message]) => message === 'a handler failed'))
})

test('what a process records that was suspended during its handler changes nothing for the one that took over', async () => {
  for (const isInTime of [false, true]) {
    const [suspended, next] = [holdingHandler(), holdingHandler()]
    const [clock, later] = [new FakeClock(startOfTest), new FakeClock(startOfTest + 91_000)]
    const {service, webhook, secondInstance, document} = await opened({
      clock,
      onPayment: suspended.handler,
      onPaid: () => Promise.reject(new TypeError('canary')),
    })
    service.report('paid', payment)
    void webhook()
    await flushRequests()
    assert.deepEqual(await document().then(({notices}) => notices?.map(({failures}) => failures)), [0, 1])
    secondInstance({clock: later, onPayment: next.handler})
    await later.advance(1_000)
    assert.equal(next.calls.length, 1)
    const claim = async () => (await document()).notices?.find(({handler}) => handler === 'onPayment')
    const claimed = await claim()
    if (isInTime) next.calls[0]?.finish()
    else await clock.advance(60_000)
    await flushRequests()
    if (!isInTime) assert.deepEqual(await claim(), claimed)
    suspended.calls[0]?.finish()
    next.calls[0]?.finish()
    await flushRequests()
    const {told, notices} = await document()
    assert.deepEqual([told, notices?.map(({subject}) => subject)], [subjects.slice(0, 1), ['paid']])
  }
})

// Alerts

test('an alert is told although the charge cannot be read, and nothing is read for alerts alone', async () => {
  const failing = () => Promise.reject(new TypeError('canary'))
  for (const [handlers, reads, left] of [
    [{}, 1, undefined],
    [{onPaid: failing}, 2, ['paid 2']],
  ] as const) {
    const {service, webhook, checkout, secondInstance, clock, document, quote} = await opened({
      ...handlers,
      onAlert: failing,
    })
    await quote()
    service.address = otherAddress
    service.report('paid', payment)
    await webhook()
    await checkout.close()
    await clock.advance(30_000)
    service.calls = {}
    service.next['getCharge'] = Array.from({length: 20}, () => status(400))
    const received: string[] = []
    const {logged} = secondInstance({
      onPaid: () => void received.push('paid'),
      onAlert: ({kind}) => void received.push(kind),
    })
    await clock.advance(4_000)
    const {notices} = await document()
    assert.deepEqual(
      [received, service.calls['getCharge'], notices?.map(({subject, failures}) => `${subject} ${failures}`)],
      [['address_mismatch'], reads, left],
    )
    assert.deepEqual(
      logged.filter(([message]) => message === 'notifying failed').map(([, fields]) => fields),
      left ? [{chargeId: 'c1', error: 'ServiceError'}] : [],
    )
    service.next = {}
    await clock.advance(90_000)
    assert.deepEqual(received, ['address_mismatch', ...(left ? ['paid'] : [])])
  }
})

test('two processes that alternate over a payment that cannot be read tell it once, and the log stays short', async () => {
  const received: unknown[] = []
  const onAlert = (alert: object, {checkout}: {checkout?: Checkout}) =>
    void received.push(alert, checkout?.payments.length)
  const {service, webhook, secondInstance, log, document} = await opened({onAlert})
  const other = secondInstance({onAlert})
  const isBroken = {transaction_id: '', local: 1}
  for (let time = 0; time < 25; time++) {
    service.report('unpaid', {...payment, local: 40}, isBroken)
    await webhook()
    service.report('unpaid', {...payment, local: 40})
    await other.webhook()
  }
  assert.deepEqual(received, [{kind: 'payment_unreadable', chargeId: 'c1', items: 1}, 1])
  assert.ok((await log()).length < 12, JSON.stringify(await log()))
  assert.ok(((await document()).told?.length ?? 0) < 4)
})

test('clearAlert makes the charge payable again; the same contradiction afterwards is told again', async () => {
  const received: string[] = []
  const {service, checkout, quote, webhook, poll, kinds, logged} = await opened({
    onAlert: ({kind}) => void received.push(kind),
  })
  await quote()
  await checkout.clearAlert('c1')
  const {address} = service
  service.address = otherAddress
  await webhook()
  assert.deepEqual([(await poll()).alert, (await poll()).payable], ['address_mismatch', false])
  service.address = address
  for (let time = 0; time < 2; time++) await checkout.clearAlert('c1')
  await checkout.clearAlert('unknown')
  const cleared = logged.filter(([message]) => message === 'alert cleared')
  assert.deepEqual(cleared, [['alert cleared', {chargeId: 'c1'}]])
  assert.deepEqual([(await poll()).alert, (await poll()).payable], [undefined, true])
  assert.equal((await kinds()).filter(kind => kind === 'alert_cleared').length, 1)
  service.address = otherAddress
  await webhook()
  assert.deepEqual(received, ['address_mismatch', 'address_mismatch'])
})
