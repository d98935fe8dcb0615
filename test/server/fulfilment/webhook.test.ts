/** Webhooks and `verify`: whatever the trigger, only the service's response is believed. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {memoryStore} from '../../../src/stores/memory-store.js'
import {flushRequests, opened, scripted, status, type ScriptedService} from '../scripted-service.js'
import {openedWithHandlers, recordingHandlers} from './recording-handlers.js'

const all = ['payment 0xa 60.00', 'payment 0xb 40.00', 'paid c1 paid']

function pay(service: ScriptedService): void {
  service.report('paid', {transaction_id: '0xa', local: 60}, {transaction_id: '0xb', local: 40})
}

test('invariant 8: a forged webhook changes nothing', async () => {
  const {webhook, read, received} = await openedWithHandlers()
  const forged = {chargeId: 'c1', status: 'paid', wallet: {payments: [{transaction_id: '0xf'}]}}
  assert.equal((await webhook(forged)).status, 200)
  assert.deepEqual([received, (await read()).json.status], [[], 'open'])
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

test('a webhook that names two charges, one by its crypto charge, of which one cannot be read, tells of the other and fails until it is sent again', async () => {
  const {open, clock, service, webhook, received, logged} = await openedWithHandlers()
  await open('c2')
  pay(service)
  service.next['getCharge'] = [status(400)]
  const body = [{chargeId: 'c1'}, {id: 'k2-c2'}]
  assert.equal((await webhook(body)).status, 500)
  const chargeId = received.includes('paid c1 paid') ? 'c2' : 'c1'
  assert.deepEqual(
    logged.filter(([message]) => message.includes('webhook')).map(([, fields]) => fields),
    [{chargeId, error: 'ServiceError'}],
  )
  await clock.advance(1_000)
  assert.deepEqual([(await webhook(body)).status, received.length], [200, 6])
})

test('a webhook about a charge that waits is sent again later, also beside one whose handler fails, which is a failure', async () => {
  const {open, clock, service, webhook, failNext, logged} = await openedWithHandlers()
  await open('c2')
  service.report('paid', {transaction_id: '0xa'})
  failNext(1)
  assert.equal((await webhook()).status, 500)
  await clock.advance(10_000)
  assert.equal((await webhook()).status, 503)
  failNext(1)
  assert.equal((await webhook([{chargeId: 'c1'}, {chargeId: 'c2'}])).status, 500)
  const failures = logged.filter(([message]) => message.includes('webhook')).map(([, fields]) => fields)
  const expected = ['CheckoutError', 'BusyError'].map(error => ({chargeId: 'c1', error}))
  assert.deepEqual(failures.slice(0, 2), expected)
})

test('webhooks use at most four calls of the store at a time, and no customer waits behind them', async () => {
  const store = memoryStore()
  let [running, most] = [0, 0]
  let release = () => {}
  const isReleased = new Promise<void>(resolve => (release = resolve))
  const get: typeof store.get = async key => {
    if (!key.includes('unknown')) return store.get(key)
    most = Math.max(most, ++running)
    await isReleased
    running -= 1
    return undefined
  }
  const {request, poll, quote} = await opened({store: {...store, get}})
  const bodies = Array.from({length: 30}, (_, index) =>
    Array.from({length: 200}, (_, count) => `unknown-${index}-${count}`),
  )
  const responses = bodies.map(body => request('POST', '/webhook', body))
  await flushRequests()
  assert.equal((await poll()).status, 'open')
  assert.equal((await quote()).json.payable, true)
  assert.deepEqual([running, most], [4, 4])
  release()
  for (const response of responses) assert.equal((await response).status, 200)
  assert.equal(most, 4)
})

test('a webhook reads at most twenty known charges', async () => {
  const {open, clock, service, webhook} = await openedWithHandlers()
  const ids = Array.from({length: 25}, (_, index) => `c${index + 1}`)
  for (const id of ids) await open(id)
  await clock.advance(1_000)
  service.calls = {}
  assert.equal((await webhook(ids.map(chargeId => ({chargeId})))).status, 200)
  assert.equal(service.calls['getCharge'], 20)
})

test('a charge is paid and told when the service says so, although the crypto charge cannot be read', async () => {
  for (const failure of [status(400), () => ({status: 200, headers: {}, body: '{}'})]) {
    const {clock, poll, service, webhook, received} = await openedWithHandlers()
    pay(service)
    service.next['getCryptoCharge'] = [failure]
    assert.equal((await webhook()).status, 200)
    await clock.advance(1_000)
    assert.deepEqual(received.toSorted(), all.toSorted())
    const seen = await poll()
    assert.deepEqual([seen.status, seen.payable, seen.alert], ['paid', false, undefined])
  }
})

test('a webhook fails while the payment that would show that its charge is paid cannot be read', async () => {
  const {service, webhook, clock} = await openedWithHandlers()
  const payments = [{transaction_id: '0xa', status: 'PENDING'}, {transaction_id: ''}]
  for (const [value, expected] of [
    ['paid', 500],
    ['underpaid', 200],
    ['paid', 500],
  ] as const) {
    service.report(value, ...payments)
    assert.equal((await webhook()).status, expected)
    await clock.advance(1_000)
  }
  service.report('paid', {transaction_id: '0xa'}, {transaction_id: ''})
  assert.equal((await webhook()).status, 200)
})

test('verify is paid only when the service says so now, mints nothing, and rejects when the service is down or it is closed', async () => {
  const {checkout, clock, service} = scripted(recordingHandlers().handlers)
  const unpaid = await checkout.verify('c1')
  assert.deepEqual([unpaid.paid, unpaid.checkout.stale, unpaid.charge._id], [false, false, 'c1'])
  for (const value of ['paid', 'overpaid']) {
    service.report(value, {transaction_id: '0xa'})
    const {paid, checkout: seen} = await checkout.verify('c1')
    assert.deepEqual([paid, seen.paid.amount], [true, '100.00'])
  }
  assert.equal(service.minted, 0)
  service.failReads('getCharge', 500)
  const verifying = assert.rejects(checkout.verify('c1'), {code: 'upstream_unavailable'})
  await clock.advance(10_000)
  await verifying
  await checkout.close()
  await assert.rejects(checkout.verify('c1'), {code: 'upstream_unavailable'})
})
