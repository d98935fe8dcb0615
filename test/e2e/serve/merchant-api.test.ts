/** The merchant API over the network, and attacks on it. */
import assert from 'node:assert/strict'
import {after, before, test} from 'node:test'
import {sendRequest} from '../../http/loopback.js'
import {eventually, order, pay, SECRET, startReceiver, startServe} from './started.js'

let serve: Awaited<ReturnType<typeof startServe>>
let receiver: Awaited<ReturnType<typeof startReceiver>>
before(async () => {
  receiver = await startReceiver()
  serve = await startServe(
    {CHECKOUT_WEBHOOK_URL: receiver.url, CHECKOUT_TOKEN_SECRET: 't0ken-secret-'.repeat(3)},
    '--sandbox',
  )
})
after(async () => {
  await serve.end('SIGKILL')
  receiver.close()
})

/** A path as it is, which fetch would normalise. */
const send = async (method: string, path: string, headers: Record<string, string>, body?: string) =>
  (await sendRequest(serve.url, {method, path, headers, body})).status

const authorization = `Bearer ${SECRET}`

test('an order is placed once, read, and cancelled; its id is percent-encoded', async () => {
  const id = 'Bestellung 7/ü?#%2F'
  const path = `/orders/${encodeURIComponent(id)}`
  const first = await serve.call('POST', '/orders', order(id))
  const second = await serve.call('POST', '/orders', order(id))
  assert.equal(first.status, 201)
  assert.equal(second.status, 200)
  const {orderId, chargeId, status, payUrl, token} = second.json
  assert.deepEqual([orderId, chargeId, status], [id, first.json.chargeId, 'open'])
  assert.match(payUrl, new RegExp(`^${serve.url}/crypto-checkout/pay/${chargeId}#token=`))
  assert.ok(token)
  const read = await serve.call('GET', path)
  assert.deepEqual(Object.keys(read.json), [
    ...['orderId', 'chargeId', 'status', 'paid', 'price', 'received', 'due', 'payments', 'payUrl'],
  ])
  assert.deepEqual([read.json.paid, read.json.due], [false, {amount: '49.90', currency: 'USD'}])
  assert.deepEqual((await serve.call('POST', `${path}/cancel`)).json, {orderId: id, status: 'cancelled'})
  assert.equal((await serve.call('GET', path)).json.status, 'cancelled')
})

test('a paid order, its events, and the ledger as JSON and CSV', async () => {
  const {json} = await serve.call('POST', '/orders', order('=paid'))
  const call: typeof serve.call = (method, path, body) =>
    serve.call(method, path, body, {'x-checkout-token': json.token})
  await pay(call, serve.sandboxUrl, json.chargeId)
  await eventually(() => receiver.events.length === 2, 'two events')
  assert.equal((await serve.call('GET', '/orders/%3Dpaid')).json.paid, true)
  assert.equal((await serve.call('POST', '/orders/%3Dpaid/cancel')).json.code, 'already_paid')
  const {payments, cursor} = (await serve.call('GET', '/payments')).json
  assert.equal(payments.length, 1)
  assert.equal(cursor, undefined)
  const [{time}] = payments
  const later = new Date(Date.parse(time) + 1).toISOString()
  assert.deepEqual((await serve.call('GET', `/payments?since=${later}`)).json, {payments: []})
  assert.deepEqual((await serve.call('GET', `/payments?until=${time}`)).json, {payments: []})
  const csv = await serve.call('GET', '/payments', undefined, {accept: 'text/csv'})
  assert.match(csv.text, /^"time","order".*\r\n"[^"]+","'=paid","\w+","confirmed","bsc".*\r\n$/)
  for (const query of ['since=yesterday', 'cursor=x', 'sinse=2026-01-01'])
    assert.equal((await serve.call('GET', `/payments?${query}`)).json.code, 'bad_request', query)
  assert.match((await serve.call('GET', '/metrics')).text, /^crypto_checkout_statuses_total\{status="paid"/m)
})

test('a wrong order is a problem that names the fields, and never their values', async () => {
  const {amount: _, ...incomplete} = order('incomplete')
  const wrong = await serve.call('POST', '/orders', {...incomplete, surprise: 'secret value'})
  assert.equal(wrong.status, 400)
  assert.equal(wrong.headers.get('content-type'), 'application/problem+json')
  assert.match(wrong.json.detail, /amount.*surprise/)
  assert.doesNotMatch(wrong.text, /secret value/)
  const {code, detail} = (await serve.call('POST', '/orders', order(' '))).json
  assert.deepEqual([code, detail], ['invalid_id', 'The order id must have no white space at either end.'])
  assert.equal((await serve.call('GET', '/orders/unknown')).json.code, 'order_not_found')
})

test('without the secret, or with another one, nothing is served; only health and ready need none', async () => {
  const paths = ['/orders/a', '/payments', '/metrics', '/nothing', '/orders']
  for (const path of paths)
    for (const value of [
      '',
      'Bearer',
      `Bearer ${SECRET}x`,
      `Bearer ${SECRET.slice(1)}`,
      `Basic ${SECRET}`,
      SECRET,
    ]) {
      const {status, headers, json} = await serve.call('GET', path, undefined, {authorization: value})
      assert.deepEqual([status, json.code, headers.get('www-authenticate')], [401, 'unauthorized', 'Bearer'])
    }
  for (const path of ['/health', '/ready'])
    assert.equal((await serve.call('GET', path, undefined, {authorization: ''})).status, 200)
})

test('browsers are refused, even with the secret', async () => {
  for (const headers of [
    {origin: serve.url},
    {origin: 'null'},
    {'sec-fetch-site': 'same-origin'},
    {'sec-fetch-site': 'cross-site'},
  ] as Record<string, string>[])
    for (const path of ['/payments', '/orders/a', '/openapi.json'])
      assert.equal(await send('GET', path, {authorization, ...headers}), 403)
  assert.equal(await send('OPTIONS', '/orders', {origin: 'https://evil.example'}), 403)
})

test('a path means one thing: tricks lead nowhere', async () => {
  for (const [path, status] of [
    ['/orders/%', 400],
    ['/orders/%ff', 400],
    ['/orders/', 400],
    ['/orders/%00', 400],
    ['/orders/a/b', 404],
    ['/orders/a/cancel/', 404],
    ['//payments', 404],
    ['/payments/', 404],
    ['/Payments', 404],
    ['/%70ayments', 404],
    ['/orders/../payments', 404],
    ['/orders/..%2Fpayments', 404],
    ['/orders/%252e%252e%252fpayments', 404],
    ['/orders%2F..%2Fpayments', 404],
    ['/crypto-checkout/..%2fpayments', 404],
    ['/crypto-checkout/%2e%2e/payments', 404],
    ['/health/../payments', 404],
    ['http://shop.example/payments', 404],
    ['/crypto-checkout/../payments', 404],
    ['/__proto__', 404],
    ['/constructor', 404],
  ] as const) {
    assert.equal(await send('GET', path, {authorization}), status, path)
    assert.match(String(await send('GET', path, {})), /^40[14]$/, path)
  }
  // Outside the merchant API the secret opens nothing.
  assert.equal(await send('GET', '/crypto-checkout/payments', {authorization}), 404)
  assert.equal(await send('DELETE', '/orders/a', {authorization}), 405)
  assert.equal(await send('POST', '/orders/a', {authorization}), 405)
})

test('a large, slow or wrong body is refused, and the server goes on', async () => {
  const json = {authorization, 'content-type': 'application/json'}
  const large = JSON.stringify({...order('large'), description: 'x'.repeat(1_000_000)})
  // A stream is sent in chunks. The server may close the connection before all is sent.
  for (const body of [large, new Blob([large]).stream()]) {
    const init = {method: 'POST', headers: json, body, duplex: 'half'} as const
    const {status} = await fetch(`${serve.url}/orders`, init).catch(() => ({status: 413}))
    assert.equal(status, 413)
  }
  assert.equal(await send('POST', '/orders', {authorization}, '{}'), 415)
  assert.equal(await send('POST', '/orders', json, '{'), 400)
  assert.equal(await send('POST', '/orders', json, '[]'), 400)
  assert.equal(await send('GET', '/health', {}), 200)
})
