/** Notifying the merchant: once for each event, again when a handler failed or its process crashed. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {Charge, Checkout} from '../../../src/contract/index.js'
import type {TransportRequest} from '../../../src/http/index.js'
import {memoryStore} from '../../../src/stores/memory-store.js'
import {flushRequests, ok, opened, scripted, startOfTest, status} from '../scripted-service.js'
import {refusingStore} from '../../stores/refusing-store.js'
import {holdingHandler, openedWithHandlers, recordingHandlers} from './recording-handlers.js'

const DAY = 86_400_000

const payment = {transaction_id: '0xa'}
const all = ['payment 0xa 100.00', 'paid c1 paid']

/** The entry of a process that died inside `onPayment`. */
function claimOfDeadProcess(at: number): string {
  const subject = 'payment bsc:0xa:USDT'
  return JSON.stringify({kind: 'notified', at, subject, until: at + 90_000, done: false})
}

async function notifications({entries}: Awaited<ReturnType<typeof opened>>): Promise<unknown[]> {
  return (await entries()).filter(({kind}) => kind === 'notified').map(({subject, done}) => [subject, done])
}

test('each notification is claimed until half a minute after handlerTimeout, and recorded when its handler returned', async () => {
  const fixture = await openedWithHandlers({handlerTimeout: 120_000})
  fixture.service.report('paid', payment)
  await fixture.webhook()
  assert.deepEqual(await notifications(fixture), [
    ['payment bsc:0xa:USDT', false],
    ['payment bsc:0xa:USDT', true],
    ['paid', false],
    ['paid', true],
  ])
  const claims = (await fixture.entries()).filter(({done}) => done === false)
  assert.deepEqual(
    claims.map(({at, until}) => Number(until) - Number(at)),
    [150_000, 150_000],
  )
})

test('only handlers that the merchant has are called and recorded', async () => {
  const {received, handlers} = recordingHandlers()
  for (const [options, expected] of [
    [{onPaid: handlers.onPaid}, ['paid c1 paid']],
    [{onPayment: handlers.onPayment}, ['payment 0xa 100.00']],
    [{}, []],
  ] as const) {
    const fixture = await opened(options)
    fixture.service.report('paid', payment)
    received.length = 0
    assert.deepEqual(await fixture.checkout.reconcile(), {read: 1, delivered: expected.length})
    assert.deepEqual(received, expected)
    assert.equal((await notifications(fixture)).length, 2 * expected.length)
  }
})

test('a handler receives the current checkout and the charge with its reference, whatever saw the payment', async () => {
  for (const isWebhook of [true, false]) {
    const received: unknown[] = []
    const receive = ({chargeId, stale, status}: Checkout, {_id, ref_id}: Charge) =>
      void received.push([chargeId, stale, status, _id, ref_id])
    const {service, webhook, poll} = await opened({
      onPayment: (_, {checkout, charge}) => receive(checkout, charge),
      onPaid: (checkout, {charge}) => receive(checkout, charge),
    })
    service.extra = {ref_id: 'order-7'}
    service.report('overpaid', payment)
    await (isWebhook ? webhook() : poll())
    await flushRequests()
    const expected = ['c1', false, 'overpaid', 'c1', 'order-7']
    assert.deepEqual(received, [expected, expected])
  }
})

test('each payment is notified when it is confirmed, and the paid charge once', async () => {
  const {received, service, webhook} = await openedWithHandlers()
  service.payments = [{...payment, status: 'PENDING'}]
  await webhook()
  assert.deepEqual(received, [])
  service.report('paid', payment)
  await webhook()
  assert.deepEqual(received, all)
  service.report('overpaid', payment, {transaction_id: '0xc', local: 5})
  await webhook()
  assert.deepEqual(received, [...all, 'payment 0xc 5.00'])
})

test('a failed handler makes the webhook fail, is logged with its error, and is called again', async () => {
  const {received, failNext, service, webhook, checkout, logged} = await openedWithHandlers()
  service.report('paid', payment)
  failNext(1)
  assert.equal((await webhook()).status, 500)
  assert.deepEqual(received, all.slice(1))
  const {stack = '', ...fields}: {stack?: string} =
    logged.find(([message]) => message.startsWith('a handler'))?.[1] ?? {}
  assert.match(stack, /TypeError: canary\n +at .*recording-handlers/)
  assert.deepEqual(fields, {
    chargeId: 'c1',
    subject: 'payment bsc:0xa:USDT',
    error: 'TypeError',
    cause: 'canary',
  })
  assert.deepEqual(await checkout.reconcile(), {read: 1, delivered: 1})
  assert.deepEqual(received, [...all.slice(1), all[0]])
  assert.deepEqual(await checkout.reconcile(), {read: 0, delivered: 0})
})

test('two instances that receive the same webhook notify once', async () => {
  const {received, handlers} = recordingHandlers()
  const {service, clock, webhook, secondInstance} = await opened(handlers)
  const other = secondInstance(handlers)
  service.report('paid', payment)
  const responses = Promise.all([webhook, other.webhook, webhook, other.webhook].map(send => send()))
  await clock.advance(1_000)
  for (const {status} of await responses) assert.equal(status, 200)
  assert.deepEqual(received, all)
})

test('a claim or failure recorded two hours ahead delays its notification by its own pause only', async () => {
  const subject = 'payment bsc:0xa:USDT'
  const at = startOfTest + 7_200_000
  for (const [entry, pauseMs] of [
    [{kind: 'notified', at, subject, until: at + 90_000, done: false}, 90_000],
    [{kind: 'notified', at, subject, done: false}, 30_000],
  ] as const)
    for (const isRead of [true, false]) {
      const {received, handlers} = recordingHandlers()
      const {service, store, clock, checkout, poll, secondInstance} = await opened()
      service.report('paid', payment)
      const {rev} = await poll()
      await store.append('c1', rev + 1, JSON.stringify(entry))
      await checkout.close()
      const restarted = secondInstance({onPayment: handlers.onPayment})
      if (isRead) await restarted.poll()
      await clock.advance(pauseMs - 1_000)
      assert.deepEqual(received, [])
      // A process that only sweeps sees the entry first after half a minute.
      await clock.advance(61_000)
      assert.deepEqual(received, all.slice(0, 1))
    }
})

test('a handler that fails after its claim ended releases no other claim', async () => {
  const {calls, handler} = holdingHandler()
  const first = await opened({onPayment: handler})
  first.service.report('paid', payment)
  const late = first.webhook()
  await flushRequests()
  const {rev} = (await first.read()).json
  await first.store.append('c1', rev + 1, claimOfDeadProcess(startOfTest + 410_000))
  calls[0]?.fail()
  assert.equal((await late).status, 500)
  assert.deepEqual((await notifications(first)).length, 2)
})

test('a second webhook waits for the handlers of the first, and fails with it', async () => {
  const {calls, handler} = holdingHandler()
  const {service, webhook} = await opened({onPayment: handler})
  service.report('paid', payment)
  const responses: string[] = []
  const send = async (name: string) => void responses.push(`${name} ${(await webhook()).status}`)
  const first = send('first')
  await flushRequests()
  const second = send('second')
  await flushRequests()
  assert.deepEqual([responses, calls.length], [[], 1])
  calls[0]?.fail()
  await Promise.all([first, second])
  assert.deepEqual([responses, calls.length], [['first 500', 'second 500'], 1])
})

test('within the pause after a failure, a webhook calls no handler and gets 503 with Retry-After', async () => {
  const {received, failNext, service, clock, webhook} = await openedWithHandlers()
  service.report('paid', payment)
  failNext(1)
  assert.equal((await webhook()).status, 500)
  await clock.advance(10_000)
  const response = await webhook()
  assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '20'])
  assert.deepEqual(received, all.slice(1))
  await clock.advance(20_000)
  assert.equal((await webhook()).status, 200)
  assert.deepEqual(received, [...all.slice(1), all[0]])
})

test('a webhook also notifies of what was paid while it waited for a handler', async () => {
  const {calls, handler} = holdingHandler()
  const received: string[] = []
  const {service, clock, webhook, poll} = await opened({
    onUnderpaid: handler,
    onPaid: ({status}, {charge}) => received.push(`${status} ${charge.status.value}`),
  })
  service.report('underpaid', {...payment, local: 40})
  const response = webhook()
  await flushRequests()
  service.report('paid', {...payment, local: 40}, {transaction_id: '0xb', local: 60})
  await clock.advance(1_500)
  await poll()
  calls[0]?.finish()
  assert.equal((await response).status, 200)
  assert.deepEqual(received, ['paid paid'])
})

test('a handler is not called again when its success cannot be recorded at once', async () => {
  let failures = 6
  const store = refusingStore(entry => entry.includes('"done":true') && failures-- > 0)
  const {received, service, clock, webhook} = await openedWithHandlers({store})
  service.report('paid', payment)
  const response = webhook()
  await clock.advance(30_000)
  assert.equal((await response).status, 200)
  assert.deepEqual(received, all)
})

test('a webhook fails when the success of a handler cannot be recorded for half a minute', async () => {
  const store = refusingStore(entry => entry.includes('"done":true'))
  const {received, service, clock, webhook} = await openedWithHandlers({store})
  service.report('paid', payment)
  const response = webhook()
  await clock.advance(29_999)
  assert.deepEqual(received, all.slice(0, 1))
  await clock.advance(1_000)
  assert.equal((await response).status, 503)
})

test('a read succeeds although notifying fails, and the failure is logged', async () => {
  const store = refusingStore(entry => entry.includes('"notified"'))
  const {service, poll, logged} = await openedWithHandlers({store})
  service.report('paid', payment)
  assert.equal((await poll()).status, 'paid')
  await flushRequests()
  assert.deepEqual(logged.at(-1)?.[1], {chargeId: 'c1', error: 'StoreError'})
})

test('a poll that sees a payment passes on the charge that it has read', async () => {
  const {received, service, poll} = await openedWithHandlers()
  service.report('paid', payment)
  service.calls = {}
  await poll()
  await flushRequests()
  assert.deepEqual(received, all)
  assert.equal(service.calls['getCharge'], 1)
})

test('a payment is notified within two seconds although the webhook that saw it could not read the payment charge', async () => {
  const {received, service, clock, webhook} = await openedWithHandlers()
  service.report('paid', payment)
  service.next['getCharge'] = [status(400)]
  assert.equal((await webhook()).status, 500)
  await clock.advance(2_000)
  assert.deepEqual(received, all)
})

test('a poll that sees a second payment does not call the handler that failed on the first before its pause', async () => {
  const {received, failNext, service, clock, poll} = await openedWithHandlers()
  service.report('underpaid', {...payment, local: 40})
  failNext(1)
  await poll()
  await clock.advance(5_000)
  service.report('paid', {...payment, local: 40}, {transaction_id: '0xb', local: 60})
  await poll()
  await flushRequests()
  assert.deepEqual(received, ['payment 0xb 60.00', 'paid c1 paid'])
  await clock.advance(60_000)
  assert.deepEqual(received, ['payment 0xb 60.00', 'paid c1 paid', 'payment 0xa 40.00'])
})

// Without a trigger from outside

test('invariant 10: a new process calls the handler in which another one died, without any trigger', async () => {
  const {received, handlers} = recordingHandlers()
  const {service, store, webhook} = await opened()
  service.report('paid', payment)
  await webhook()
  await store.append('c1', (await store.read('c1')).length + 1, claimOfDeadProcess(startOfTest))
  const {clock} = scripted({store, service, ...handlers})
  service.calls = {}
  await clock.advance(30_000)
  assert.deepEqual(received, all.slice(1))
  await clock.advance(60_000)
  assert.deepEqual(received, [...all.slice(1), all[0]])
})

test('a sweep with nothing to notify sends no request', async () => {
  const {received, handlers} = recordingHandlers()
  const {service, clock} = await opened(handlers)
  service.report('paid', payment)
  service.calls = {}
  await clock.advance(120_000)
  assert.deepEqual(service.calls, {})
  assert.deepEqual(received, [])
})

test('a failed handler is called again after 30 s, and the pause doubles up to 15 minutes', async () => {
  const attempts: number[] = []
  const {service, clock, webhook} = await opened({
    onPaid: () => {
      attempts.push((clock.now() - startOfTest) / 1000)
      throw new TypeError('canary')
    },
  })
  service.report('paid', payment)
  assert.equal((await webhook()).status, 500)
  await clock.advance(5_000_000)
  const pauses = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0))
  assert.deepEqual(pauses, [30, 60, 120, 240, 480, 900, 900, 900, 900])
})

for (const method of ['POST', 'GET'])
  test(`invariant 10: a ${method} of a page calls a handler that failed, once its pause is over`, async () => {
    let calls = 0
    const {request, webhook, open, service, clock} = scripted({
      onPaid() {
        calls += 1
        if (calls === 1) throw new Error('the database is down')
      },
    })
    await open()
    await clock.advance(5_000)
    service.report('paid', {transaction_id: 't1'})
    await webhook()
    // The pause ends after 35 s, between two sweeps.
    await clock.advance(29_000)
    await request(method, '/charges/c1')
    assert.equal(calls, 1)
    await clock.advance(2_000)
    await request(method, '/charges/c1')
    await clock.advance(1_000)
    assert.equal(calls, 2)
  })

test('a sweep retries only the notifications whose own pause is over', async () => {
  const attempts: string[] = []
  const {service, clock, webhook, poll} = await opened({
    onPayment: ({transactionId}) => {
      attempts.push(`${transactionId} ${(clock.now() - startOfTest) / 1000}`)
      throw new TypeError('canary')
    },
  })
  service.report('underpaid', {...payment, local: 40})
  await webhook()
  await clock.advance(91_000)
  service.report('underpaid', {...payment, local: 40}, {transaction_id: '0xb', local: 10})
  await poll()
  await clock.advance(70_000)
  assert.deepEqual(attempts, ['0xa 0', '0xa 30', '0xa 90', '0xb 92.5', '0xb 150'])
})

for (const [days, expected] of [
  [1, 1],
  [0, 2],
] as const)
  test(`with a retention of ${days} days a handler that failed more than a day ago is called ${expected} times`, async () => {
    let attempts = 0
    const fail = () => {
      attempts += 1
      throw new TypeError('canary')
    }
    const {service, clock, webhook} = await opened({retention: days * DAY, onPaid: fail})
    service.report('paid', payment)
    await webhook()
    await clock.jump(DAY + 1)
    await clock.advance(30_000)
    assert.equal(attempts, expected)
  })

test('the retention counts from the first attempt, not from the opening', async () => {
  const {received, failNext, service, clock, webhook} = await openedWithHandlers({retention: DAY})
  await clock.jump(2 * DAY)
  service.report('paid', payment)
  failNext(2)
  assert.equal((await webhook()).status, 500)
  await clock.advance(61_000)
  assert.deepEqual(received.toSorted(), all.toSorted())
})

test('a retry does not need the service', async () => {
  const {received, failNext, service, clock, webhook} = await openedWithHandlers()
  service.report('paid', payment)
  failNext(2)
  assert.equal((await webhook()).status, 500)
  service.calls = {}
  await clock.advance(61_000)
  assert.deepEqual([received.toSorted(), service.calls], [all.toSorted(), {}])
})

test('a handler that does not return is aborted after handlerTimeout, and is called again', async () => {
  const signals: AbortSignal[] = []
  const {service, clock, webhook, logged} = await opened({
    handlerTimeout: 5_000,
    onPaid: (_, {signal}) => {
      signals.push(signal)
      return new Promise(() => undefined)
    },
  })
  service.report('paid', payment)
  const response = webhook()
  const aborted = () => signals.map(signal => signal.aborted)
  await clock.advance(4_999)
  assert.deepEqual(aborted(), [false])
  await clock.advance(1)
  assert.deepEqual(aborted(), [true])
  assert.equal((await response).status, 500)
  const failure = logged.find(([message]) => message.startsWith('a handler'))?.[1] ?? {}
  assert.equal(Reflect.get(failure, 'cause'), 'it did not return within handlerTimeout')
  await clock.advance(60_000)
  assert.equal(signals.length, 2)
})

// The webhook's response

test('a webhook waits for the handler of another instance, and fails with it', async () => {
  const {calls, handler} = holdingHandler()
  const {received, handlers} = recordingHandlers()
  const {service, clock, webhook, secondInstance} = await opened({onPaid: handler})
  const other = secondInstance({onPaid: handlers.onPaid})
  service.report('paid', payment)
  const first = webhook()
  await flushRequests()
  const second = other.webhook()
  await clock.advance(1_000)
  assert.deepEqual(received, [])
  calls[0]?.fail()
  await clock.advance(1_000)
  assert.deepEqual([(await first).status, (await second).status], [500, 500])
  assert.deepEqual(received, [])
})

test('a webhook gets 503 with Retry-After when another instance delivers for longer than handlerTimeout', async () => {
  const {service, store, clock, webhook} = await opened({
    ...recordingHandlers().handlers,
    handlerTimeout: 60_000,
  })
  service.report('paid', payment)
  await store.append('c1', 4, claimOfDeadProcess(startOfTest))
  const response = webhook()
  await clock.advance(60_000)
  const {status, headers} = await response
  assert.deepEqual([status, headers.get('retry-after')], [503, '30'])
})

test('a webhook that names a charge which another instance is notifying, and one that fails, fails', async () => {
  const {open, service, store, clock, webhook, logged} = await opened({
    ...recordingHandlers().handlers,
    handlerTimeout: 60_000,
  })
  service.report('paid', payment)
  await store.append('c1', 4, claimOfDeadProcess(startOfTest))
  await open('c2')
  for (const operation of ['getCharge', 'getCryptoCharge'])
    service.next[operation] = Array.from({length: 2}, () => (request: TransportRequest) => {
      const isFailing = request.url.endsWith('c2')
      return isFailing ? status(400)(request) : ok(service.respond(operation, request))
    })
  const response = webhook([{chargeId: 'c1'}, {chargeId: 'c2'}])
  await clock.advance(60_000)
  assert.equal((await response).status, 500)
  assert.deepEqual(
    logged.filter(([message]) => message.includes('webhook')).map(([, fields]) => fields),
    [
      {chargeId: 'c2', error: 'ServiceError'},
      {chargeId: 'c1', error: 'BusyError'},
    ],
  )
})

test('a webhook calls the handler when the claim of a dead process ends before handlerTimeout', async () => {
  const {received, handlers} = recordingHandlers()
  const {service, store, clock, webhook} = await opened({...handlers, handlerTimeout: 60_000})
  service.report('paid', payment)
  await store.append('c1', 4, claimOfDeadProcess(startOfTest - 70_000))
  const response = webhook()
  await clock.advance(19_999)
  assert.deepEqual(received, all.slice(1))
  await clock.advance(1)
  assert.equal((await response).status, 200)
  assert.deepEqual(received, [...all.slice(1), all[0]])
})

// The other events

test('underpaid, expired and cancelled charges and alerts are notified once each', async () => {
  const received: string[] = []
  const note = (name: string) => () => void received.push(name)
  const options = {
    onPaid: note('paid'),
    onUnderpaid: note('underpaid'),
    onExpired: note('expired'),
    onCancelled: note('cancelled'),
    onAlert: ({kind, chargeId}: {kind: string; chargeId: string}) =>
      void received.push(`${kind} ${chargeId}`),
  }
  const underpaid = await opened(options)
  underpaid.service.report('underpaid', {...payment, local: 40})
  await underpaid.webhook()
  await underpaid.webhook()
  const expired = await opened(options)
  await expired.clock.jump(3_600_000)
  await expired.webhook()
  await expired.webhook()
  const cancelled = await opened(options)
  cancelled.service.cancelled = true
  await cancelled.webhook()
  const mismatch = await opened(options)
  await mismatch.quote()
  mismatch.service.address = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
  await mismatch.webhook()
  await mismatch.webhook()
  assert.deepEqual(received, ['underpaid', 'expired', 'cancelled', 'address_mismatch c1'])
})

test('onAlert gets the number of payments that cannot be read, the checkout and the charge', async () => {
  const received: unknown[] = []
  const {service, webhook} = await opened({
    onAlert: (alert, {checkout, charge}) => void received.push(alert, checkout?.payments.length, charge?._id),
  })
  service.report('unpaid', {transaction_id: '0xa', local: 40}, {transaction_id: '', local: 1})
  await webhook()
  assert.deepEqual(received, [{kind: 'payment_unreadable', chargeId: 'c1', items: 1}, 1, 'c1'])
})

test('clearAlert makes the charge payable again, unless the contradiction is still there', async () => {
  const {service, checkout, quote, webhook, poll, logged} = await opened()
  await quote()
  const {address} = service
  service.address = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
  await webhook()
  assert.deepEqual([(await poll()).alert, (await poll()).payable], ['address_mismatch', false])
  await checkout.clearAlert('c1')
  assert.equal((await poll()).alert, 'address_mismatch')
  service.address = address
  await checkout.clearAlert('c1')
  assert.deepEqual([(await poll()).alert, (await poll()).payable], [undefined, true])
  assert.deepEqual(
    logged.filter(([message]) => message === 'alert cleared').map(([, fields]) => fields),
    [{chargeId: 'c1'}, {chargeId: 'c1'}],
  )
})

test('clearAlert records nothing without an alert, and clears a new one beside an older one', async () => {
  const {service, checkout, quote, poll, kinds, logged} = await opened()
  const cleared = async () => {
    const lines = logged.filter(([message]) => message === 'alert cleared').length
    assert.equal((await kinds()).filter(kind => kind === 'alert_cleared').length, lines)
    return lines
  }
  await quote()
  await checkout.clearAlert('c1')
  assert.equal(await cleared(), 0)
  const {address} = service
  service.address = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
  await poll()
  service.address = address
  await checkout.clearAlert('c1')
  await checkout.clearAlert('c1')
  assert.equal(await cleared(), 1)
  service.localPrice = {amount: '101', currency: 'USD'}
  assert.equal((await poll()).alert, 'price_mismatch')
  service.localPrice = {amount: '100', currency: 'USD'}
  await checkout.clearAlert('c1')
  assert.equal(await cleared(), 2)
  assert.equal((await poll()).alert, undefined)
})

test('onAlert hears of a lost store, with a signal, and its failure is logged', async () => {
  const received: unknown[] = []
  const store = memoryStore()
  const {poll, logged} = await opened({
    store,
    onAlert: (alert, {signal, ...others}) => {
      received.push(alert, signal.aborted, others)
      throw new TypeError('canary')
    },
  })
  await store.delete('c1', (await store.read('c1')).length)
  await poll()
  await flushRequests()
  assert.deepEqual(received, [{kind: 'store_lost', chargeId: 'c1'}, false, {id: 'c1 store_lost'}])
  assert.deepEqual(logged.at(-1), ['a handler failed', {chargeId: 'c1', error: 'TypeError'}])
})
