/** The events of `serve`, from the real proxy with the sandbox, on a fake clock. */
import assert from 'node:assert/strict'
import {createHmac} from 'node:crypto'
import {test} from 'node:test'
import * as z from 'zod'
import {eventHandlers} from '../../src/cli/serve/events.js'
import {eventSchema} from '../../src/cli/serve/schemas.js'
import {RequestNotSentError, type Transport, type TransportRequest} from '../../src/http/index.js'
import {FakeClock} from '../fake-clock.js'
import {mug, shop} from '../server/orders/shop.js'
import {startOfTest} from '../server/scripted-service.js'

const secret = `whsec_${Buffer.alloc(32, 'secret').toString('base64')}`
const url = 'https://shop.example/events'

/** A shop that receives events, or is down. */
function receiver() {
  const requests: TransportRequest[] = []
  const state = {isDown: false}
  const send: Transport = request => {
    requests.push(request)
    if (state.isDown) return Promise.reject(new Error('ECONNREFUSED'))
    return Promise.resolve({status: 204, headers: {}, body: ''})
  }
  const bodies = () => requests.map(({body = ''}) => z.parse(eventSchema, JSON.parse(body)))
  return {requests, state, send, bodies}
}

const tokenSecret = 'a secret of at least 32 characters'

function started(send: Transport) {
  const clock = new FakeClock(startOfTest)
  const handlers = eventHandlers({url, secret, send, clock})
  return shop({...handlers, tokenSecret, handlerTimeout: 15_000, reconcileEvery: 300_000})
}

test('a payment and the order are two events, signed, with what was paid and without customer data', async () => {
  const {requests, send, bodies} = receiver()
  const {checkout, pay} = started(send)
  const {chargeId} = await checkout.createOrder('order-7')
  await pay(chargeId)
  const [payment, paid, ...others] = bodies()
  assert.deepEqual([payment?.type, paid?.type, others], ['payment.confirmed', 'order.paid', []])
  const [price, due] = [mug, {...mug, amount: '0.00'}].map(({amount, currency}) => ({amount, currency}))
  const expected = {orderId: 'order-7', chargeId, status: 'paid', price, received: price, due}
  assert.deepEqual(paid?.data, {...expected, payments: [payment?.data.payment]})
  for (const {headers, body = '', url: target} of requests) {
    const id = headers['webhook-id'] ?? ''
    assert.match(id, /^msg_[\w-]{32}$/)
    const signed = `${id}.${headers['webhook-timestamp']}.${body}`
    const expected = createHmac('sha256', Buffer.alloc(32, 'secret')).update(signed).digest('base64')
    assert.equal(headers['webhook-signature'], `v1,${expected}`)
    assert.equal(target, url)
    assert.ok(!Object.values(mug.customer).some(value => body.includes(value)))
  }
  assert.equal(new Set(requests.map(({headers}) => headers['webhook-id'])).size, 2)
})

test('invariant 10: a shop that was down for an hour is told of each event, with one webhook-id', async () => {
  const {requests, state, send, bodies} = receiver()
  const {checkout, pay, clock} = started(send)
  state.isDown = true
  const {chargeId} = await checkout.createOrder('order-7')
  await pay(chargeId)
  for (let minute = 0; minute < 60; minute++) await clock.advance(60_000)
  const failed = requests.length
  assert.ok(failed > 6 && failed < 40, `${failed} attempts`)
  state.isDown = false
  for (let minute = 0; minute < 20; minute++) await clock.advance(60_000)
  const delivered = bodies().slice(failed)
  assert.deepEqual(delivered.map(({type}) => type).sort(), ['order.paid', 'payment.confirmed'])
  const told = bodies().map(({type}, index) => `${type} ${requests[index]?.headers['webhook-id']}`)
  assert.equal(new Set(told).size, 2)
})

test('the other events: underpaid, cancelled, expired, and an alert', async () => {
  const {send, bodies} = receiver()
  const {checkout, pay, quote, sandbox, clock, request, inTime} = started(send)
  const {chargeId: part} = await checkout.createOrder('part')
  await pay(part, {part: '20'})
  const {chargeId: much} = await checkout.createOrder('much')
  await pay(much, {part: '60'})
  const refund = {network: 'bsc', address: '0x52908400098527886E0F7030069857D2E4169EE7'}
  await inTime(request('POST', `/charges/${much}/refund-address`, refund))
  const notify = async (chargeId: string) => {
    await clock.advance(2_000)
    await inTime(request('POST', '/webhook', {chargeId}))
  }
  const {chargeId: cancelled} = await checkout.createOrder('cancelled')
  await quote(cancelled)
  sandbox.cancel(cancelled)
  await notify(cancelled)
  const {chargeId: withdrawn} = await checkout.createOrder('withdrawn')
  await quote(withdrawn)
  await checkout.cancelOrder('withdrawn')
  sandbox.pay(withdrawn, {asset: '825', network: 'bsc'})
  await notify(withdrawn)
  const {chargeId: expired} = await checkout.createOrder('expired')
  await quote(expired)
  for (let minute = 0; minute < 75; minute++) await clock.advance(60_000)
  const found = bodies().map(
    ({type, data}) => `${type} ${data.orderId}${data.alert ? ` ${data.alert.kind}` : ''}`,
  )
  for (const event of [
    'payment.confirmed part',
    'order.underpaid part',
    'order.cancelled cancelled',
    'payment.confirmed withdrawn',
    'refund.requested much',
    'alert withdrawn payment_after_cancel',
    'order.expired expired',
  ])
    assert.ok(found.includes(event), `${event} in ${found.join(', ')}`)
  const requested = bodies().find(({type}) => type === 'refund.requested')
  assert.deepEqual(requested?.data.refund, {...refund, amount: {amount: '10.11', currency: 'USD'}})
})

test('why an event was not delivered is one short line', async () => {
  const clock = new FakeClock()
  const failWith = (error: Error) => () => Promise.reject(error)
  const notSent = (code: string) =>
    failWith(new RequestNotSentError(Object.assign(new Error('canary'), {code})))
  const {signal} = new AbortController()
  for (const [send, reason] of [
    [notSent('ECONNREFUSED'), 'refused'],
    [notSent('ENOTFOUND'), 'dns'],
    [notSent('DEPTH_ZERO_SELF_SIGNED_CERT'), 'tls'],
    [failWith(new Error('canary')), 'connection'],
    [() => new Promise<never>(() => undefined), 'timeout'],
    [() => Promise.resolve({status: 401, headers: {}, body: 'canary'}), 'status 401'],
  ] as const) {
    const {onAlert} = eventHandlers({url, secret, send, clock})
    const delivered = Promise.resolve(onAlert?.({kind: 'store_lost', chargeId: 'c1'}, {id: 'c1', signal}))
    const failed = assert.rejects(delivered, (error: Error) => {
      assert.deepEqual([error.name, error.message], ['DeliveryError', `alert was not delivered: ${reason}`])
      return error.stack === undefined
    })
    await clock.advance(15_000)
    await failed
  }
})
