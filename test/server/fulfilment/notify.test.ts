/** Notifying the merchant: once for each event, again when a handler failed or its process crashed. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {Charge, Checkout} from '../../../src/contract/index.js'
import {memoryStore} from '../../../src/server/stores/memory-store.js'
import type {Store} from '../../../src/server/stores/store.js'
import {flushRequests, opened} from '../scripted-service.js'
import {holdingHandler, openedWithHandlers, recordingHandlers} from './recording-handlers.js'

const payment = {transaction_id: '0xa'}
const all = ['payment 0xa 100.00', 'paid c1 paid']

async function notifications({entries}: Awaited<ReturnType<typeof opened>>): Promise<unknown[]> {
  return (await entries()).filter(({kind}) => kind === 'notified').map(({subject, done}) => [subject, done])
}

test('each notification is claimed before its handler is called, and recorded when the handler returned', async () => {
  const fixture = await openedWithHandlers()
  fixture.service.report('paid', payment)
  await fixture.webhook()
  assert.deepEqual(await notifications(fixture), [
    ['payment bsc:0xa:USDT', false],
    ['payment bsc:0xa:USDT', true],
    ['paid', false],
    ['paid', true],
  ])
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

test('a failed handler makes the webhook fail, is logged by the name of its error, and is called again', async () => {
  const {received, failNext, service, webhook, checkout, logged} = await openedWithHandlers()
  service.report('paid', payment)
  failNext(1)
  assert.equal((await webhook()).status, 500)
  assert.deepEqual(received, all.slice(1))
  assert.deepEqual(logged.find(([message]) => message.startsWith('a handler'))?.[1], {
    chargeId: 'c1',
    subject: 'payment bsc:0xa:USDT',
    error: 'TypeError',
  })
  assert.deepEqual(await checkout.reconcile(), {read: 1, delivered: 1})
  assert.deepEqual(received, [...all.slice(1), all[0]])
  assert.deepEqual(await checkout.reconcile(), {read: 1, delivered: 0})
})

test('a claim holds for one minute; then another process calls the handler that never returned', async () => {
  const {received, handlers} = recordingHandlers()
  const {calls, handler} = holdingHandler()
  const {service, clock, webhook, secondInstance} = await opened({...handlers, onPayment: handler})
  const {checkout} = secondInstance(handlers)
  service.report('paid', payment)
  void webhook()
  await flushRequests()
  assert.equal(calls.length, 1)
  assert.equal((await checkout.reconcile()).delivered, 1)
  await clock.advance(59_999)
  assert.equal((await checkout.reconcile()).delivered, 0)
  await clock.advance(1)
  assert.equal((await checkout.reconcile()).delivered, 1)
  assert.deepEqual(received, [...all.slice(1), all[0]])
})

test('a handler that failed after its claim expired releases no other claim', async () => {
  const {calls, handler} = holdingHandler()
  const first = await opened({onPayment: handler})
  const second = first.secondInstance({onPayment: handler})
  const third = first.secondInstance({onPayment: handler})
  first.service.report('paid', payment)
  const early = first.webhook()
  await flushRequests()
  await first.clock.advance(60_000)
  const late = second.webhook()
  await flushRequests()
  assert.equal(calls.length, 2)
  calls[0]?.fail()
  assert.equal((await early).status, 500)
  await third.webhook()
  assert.equal(calls.length, 2)
  calls[1]?.finish()
  assert.equal((await late).status, 200)
})

test('a second webhook waits for the handlers of the first, and calls them again when they failed', async () => {
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
  await first
  await flushRequests()
  assert.deepEqual([responses, calls.length], [['first 500'], 2])
  calls[1]?.finish()
  await second
  assert.deepEqual(responses, ['first 500', 'second 200'])
})

test('a read succeeds although notifying fails, and the failure is logged', async () => {
  const original = memoryStore()
  const store: Store = {
    ...original,
    append: (chargeId, rev, entry) =>
      entry.includes('"notified"')
        ? Promise.reject(new RangeError('canary'))
        : original.append(chargeId, rev, entry),
  }
  const {service, poll, logged} = await openedWithHandlers({store})
  service.report('paid', payment)
  assert.equal((await poll()).status, 'paid')
  await flushRequests()
  assert.deepEqual(logged.at(-1)?.[1], {chargeId: 'c1', error: 'RangeError'})
})
