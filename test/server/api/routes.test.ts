import assert from 'node:assert/strict'
import {test} from 'node:test'
import {flushPromises} from '../../fake-clock.js'
import {scripted, usdt} from '../scripted-service.js'

type Fixture = ReturnType<typeof scripted>

/** Calls the handler itself: a URL parser in between would normalize the path. */
function handle({checkout}: Fixture, method: string, path: string, headers: Record<string, string> = {}) {
  return checkout.handler({
    method,
    path,
    query: new URLSearchParams(),
    headers: {'content-type': 'application/json', ...headers},
    ip: '127.0.0.1',
    signal: new AbortController().signal,
    body: () => Promise.resolve('{}'),
  })
}

test('every response has no-store, nosniff and a unique request id, and health makes no call to the service', async () => {
  const {request, service} = scripted()
  assert.equal((await request('GET', '/health')).text, '{"ok":true}')
  assert.deepEqual(service.calls, {})
  const ids = new Set<string | null>()
  for (const [method, path] of [
    ['GET', '/health'],
    ['POST', '/charges/c1'],
    ['GET', '/charges/c1'],
    ['GET', '/charges/c2'],
    ['GET', '/nothing'],
    ['PUT', '/charges/c1'],
    ['POST', '/webhook'],
  ] as const) {
    const {headers} = await request(method, path)
    assert.equal(headers.get('cache-control'), 'no-store', path)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    ids.add(headers.get('x-request-id'))
  }
  assert.equal(ids.size, 7)
})

test('a problem follows RFC 9457 and has the request id of the header', async () => {
  const {request} = scripted()
  const {status, headers, text} = await request('GET', '/charges/c1')
  assert.equal(status, 404)
  assert.equal(headers.get('content-type'), 'application/problem+json')
  assert.deepEqual(JSON.parse(text), {
    type: 'urn:crypto-checkout:problem:not_open',
    title: 'The charge has not been opened.',
    status: 404,
    code: 'not_open',
    requestId: headers.get('x-request-id'),
  })
})

test('an invalid id never reaches the service', async () => {
  const fixture = scripted()
  const encoded = ['%2e%2e', '%2E%2E%2Fcharge', 'a%2Fb', 'a%5Cb', 'a%252Fb', 'a%00', 'a%0d%0aapi-key:x']
  const malformed = ['%', '%zz', '%ff', 'a b', 'ü', '..', '__proto__%20', 'a;b', 'a:b']
  for (const id of [...encoded, ...malformed, 'convert', 'payment', 'a'.repeat(65), 'a'.repeat(10_000)])
    for (const [method, suffix] of [
      ['POST', ''],
      ['GET', ''],
      ['POST', '/quote'],
      ['GET', '/events'],
    ] as const) {
      const response = await handle(fixture, method, `/charges/${id}${suffix}`)
      assert.equal(response?.status, 400, id)
      assert.match(String(response.body), /"invalid_id"/)
    }
  for (const path of ['/charges/a/b', '/charges/a/quote/', '/charges', '/charges//', '//health'])
    assert.ok([400, 404].includes((await fixture.request('GET', path)).status), path)
  assert.deepEqual(fixture.service.calls, {})
})

test('an id may be percent-encoded once', async () => {
  const {request} = scripted()
  assert.equal((await request('POST', '/charges/%63%31')).json.chargeId, 'c1')
})

test('a request body must be JSON of at most 16 kB', async () => {
  const {request} = scripted()
  const large = JSON.stringify({...usdt, padding: 'x'.repeat(17_000)})
  for (const [path, body, type, code] of [
    ['/charges/c1', '{}', 'text/plain', 'unsupported_media_type'],
    ['/charges/c1', '{}', 'application/json; charset=utf-8', undefined],
    ['/charges/c1', '{', 'application/json', 'bad_request'],
    ['/charges/c1/quote', '[]', 'application/json', 'bad_request'],
    ['/charges/c1/quote', large, 'application/json', 'payload_too_large'],
    ['/webhook', large, 'application/json', 'payload_too_large'],
  ] as const)
    assert.equal((await request('POST', path, body, {'content-type': type})).json.code, code)
})

test('a wrong method is refused with the allowed ones', async () => {
  const {request} = scripted()
  const {status, headers} = await request('DELETE', '/charges/c1')
  assert.equal(status, 405)
  assert.equal(headers.get('allow'), 'GET, HEAD, POST')
  assert.equal((await request('GET', '/webhook')).headers.get('allow'), 'POST')
})

test('HEAD responds as GET without a body, and opens no stream', async () => {
  const {request, clock} = scripted()
  await request('POST', '/charges/c1')
  for (const path of ['/charges/c1', '/charges/c1/events', '/health']) {
    const {status, text, headers} = await request('HEAD', path)
    assert.equal(status, 200, path)
    assert.equal(text, '')
    assert.ok(headers.get('content-type'))
  }
  assert.equal((await request('HEAD', '/charges/c9')).status, 404)
  assert.equal((await request('HEAD', '/webhook')).status, 405)
  await flushPromises()
  assert.equal(clock.sleepers, 0)
})

const origins: [Record<string, string>, boolean][] = [
  [{}, true],
  [{'sec-fetch-site': 'same-origin'}, true],
  [{origin: 'https://shop.example', host: 'shop.example'}, true],
  [{origin: 'https://listed.example', host: 'shop.example', 'sec-fetch-site': 'cross-site'}, true],
  [{origin: 'https://evil.example', host: 'shop.example'}, false],
  [{origin: 'https://shop.example.evil.example', host: 'shop.example'}, false],
  [{origin: 'https://listed.example:8443', host: 'shop.example'}, false],
  [{origin: 'http://listed.example', host: 'shop.example'}, false],
  [{origin: 'null', host: 'shop.example'}, false],
  [{'sec-fetch-site': 'cross-site'}, false],
  [{'sec-fetch-site': 'same-site'}, false],
  [{'sec-fetch-site': 'none'}, false],
]

test('only the same origin, listed origins and clients that are no browsers are allowed', async () => {
  const listed = 'https://listed.example'
  for (const [headers, isAllowed] of origins) {
    const fixture = scripted({allowedOrigins: [listed]})
    const response = await handle(fixture, 'POST', '/charges/c1', headers)
    assert.equal(response?.status, isAllowed ? 200 : 403, JSON.stringify(headers))
    assert.equal(fixture.service.minted, isAllowed ? 1 : 0)
    const expected = headers['origin'] === listed ? listed : undefined
    assert.equal(response.headers['access-control-allow-origin'], expected)
  }
})

test('OPTIONS allows listed origins only', async () => {
  const {request} = scripted({allowedOrigins: ['https://listed.example']})
  const listed = await request('OPTIONS', '/charges/c1', undefined, {origin: 'https://listed.example'})
  assert.equal(listed.status, 204)
  assert.equal(listed.headers.get('access-control-allow-origin'), 'https://listed.example')
  assert.equal(listed.headers.get('access-control-allow-headers'), 'content-type, x-checkout-token')
  for (const origin of ['https://evil.example', 'https://shop.example'])
    assert.equal((await request('OPTIONS', '/charges/c1', undefined, {origin})).status, 403)
})

const tokenSecret = 'a secret of at least thirty-two characters'

test('with tokens, only a valid and unexpired token of this charge is accepted', async () => {
  const {checkout, clock, request, service} = scripted({tokenSecret})
  const token = checkout.createToken('c1', {expiresIn: 60})
  const wrong = [
    '',
    'x',
    token.replace(/.$/, last => (last === '0' ? '1' : '0')),
    token.replace(/^\d/, '9'),
    checkout.createToken('c2'),
    scripted({tokenSecret: `${tokenSecret}!`, clock}).checkout.createToken('c1'),
  ]
  for (const [method, path] of [
    ['POST', '/charges/c1'],
    ['GET', '/charges/c1'],
    ['POST', '/charges/c1/quote'],
    ['GET', '/charges/c1/events'],
  ] as const)
    for (const bad of wrong) {
      const {status, json} = await request(method, path, usdt, {'x-checkout-token': bad})
      assert.deepEqual([status, json.code], [401, 'unauthorized'])
    }
  assert.deepEqual(service.calls, {})
  assert.equal((await request('POST', '/charges/c1', {}, {'x-checkout-token': token})).status, 200)
  await clock.advance(61_000)
  const expired = await request('GET', '/charges/c1', undefined, {'x-checkout-token': token})
  assert.equal(expired.json.code, 'unauthorized')
})

test('with tokens, an unknown charge gets the same response as a charge with another token', async () => {
  const {checkout, request, service} = scripted({tokenSecret})
  service.next['getCharge'] = [() => ({status: 404, headers: {}, body: ''})]
  const unknown = await request('POST', '/charges/c9', {}, {'x-checkout-token': checkout.createToken('c9')})
  const other = await request('POST', '/charges/c9', {}, {'x-checkout-token': checkout.createToken('c1')})
  for (const {json} of [unknown, other]) assert.equal(json.code, 'unauthorized')
  assert.equal(unknown.json.title, other.json.title)
})

test('a store that fails is store_unavailable without its message', async () => {
  const {request} = scripted({
    store: {
      append: () => Promise.reject(new Error('redis://user:canary@host')),
      read: () => Promise.reject(new Error('redis://user:canary@host')),
      async *openCharges() {},
      closeCharge: () => Promise.resolve(),
      delete: () => Promise.resolve(),
    },
  })
  const {status, text, json, headers} = await request('POST', '/charges/c1')
  assert.deepEqual([status, json.code, headers.get('retry-after')], [503, 'store_unavailable', '1'])
  assert.ok(!text.includes('canary'))
})

test('names of Object.prototype are ordinary ids', async () => {
  const {request, service} = scripted()
  service.extra = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
  for (const name of ['__proto__', 'constructor', 'toString']) {
    assert.equal((await request('GET', `/charges/${name}`)).json.code, 'not_open', name)
    assert.equal((await request('POST', `/charges/${name}`)).json.chargeId, name)
    for (const [asset, network, code] of [
      [name, 'bsc', 'asset_unavailable'],
      ['825', name, 'network_unavailable'],
    ] as const)
      assert.equal((await request('POST', `/charges/${name}/quote`, {asset, network})).json.code, code)
    assert.equal((await request('POST', '/webhook', `{"${name}":{"chargeId":"${name}"}}`)).status, 200)
  }
  assert.ok(!('polluted' in {}))
})
