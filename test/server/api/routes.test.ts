import assert from 'node:assert/strict'
import {test} from 'node:test'
import {gzipSync} from 'node:zlib'
import {memoryStore} from '../../../src/stores/memory-store.js'
import {requestOf} from '../../http/loopback.js'
import {opened, scripted, usdt} from '../scripted-service.js'

type Fixture = ReturnType<typeof scripted>

/** Calls the handler itself: a URL parser in between would normalize the path. */
function handle({checkout}: Fixture, method: string, path: string, more: Record<string, string> = {}) {
  return checkout.handler(requestOf(method, path, {headers: {'content-type': 'application/json', ...more}}))
}

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
    ] as const) {
      const response = await handle(fixture, method, `/charges/${id}${suffix}`)
      assert.equal(response?.status, 400, id)
      assert.match(String(response.body), /"invalid_id"/)
    }
  for (const path of ['/charges/a/b', '/charges/a/quote//', '/charges', '/charges//', '//health'])
    assert.ok([400, 404].includes((await fixture.request('GET', path)).status), path)
  assert.deepEqual(fixture.service.calls, {})
})

test('a request body must be JSON of at most 16 kB, and a webhook may have 64 kB', async () => {
  const {request} = scripted()
  const large = JSON.stringify({...usdt, padding: 'x'.repeat(17_000)})
  const webhook = (length: number) => JSON.stringify({chargeId: 'c9'}).padEnd(length)
  for (const [path, body, type, code] of [
    ['/charges/c1', '{}', 'text/plain', 'unsupported_media_type'],
    ['/charges/c1', '{}', 'application/json; charset=utf-8', undefined],
    ['/charges/c1', '{', 'application/json', 'bad_request'],
    ['/charges/c1/quote', '[]', 'application/json', 'bad_request'],
    ['/charges/c1/quote', large, 'application/json', 'payload_too_large'],
    ['/webhook', webhook(65_536), 'text/plain', undefined],
    ['/webhook', webhook(65_537), 'application/json', 'payload_too_large'],
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

test('HEAD responds as GET without a body', async () => {
  const {request} = scripted()
  await request('POST', '/charges/c1')
  for (const path of ['/charges/c1', '/health']) {
    const {status, text, headers} = await request('HEAD', path)
    assert.equal(status, 200, path)
    assert.equal(text, '')
    assert.ok(headers.get('content-type'))
  }
  assert.equal((await request('HEAD', '/charges/c9')).status, 404)
  assert.equal((await request('HEAD', '/webhook')).status, 405)
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
  // Nobody sees the page yet.
  ...['prefetch', 'prefetch;prerender', 'prefetch;anonymous-client-ip'].map(
    (purpose): [Record<string, string>, boolean] => [{'sec-purpose': purpose}, false],
  ),
]

test('only the same origin, listed origins and clients that are no browsers may open a charge', async () => {
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

test('the log says once a minute why requests fail, what to do, and the id of a request', async () => {
  const {open, request, service, clock, logged} = scripted({
    tokenSecret: 'a secret of at least 32 characters',
  })
  const forbidden = {origin: 'https://other.example', 'sec-fetch-site': 'cross-site'}
  for (let times = 0; times < 3; times++) {
    await open()
    await request('GET', '/charges/c1', undefined, forbidden)
    await request('GET', '/elsewhere')
  }
  assert.deepEqual(
    logged.map(([message, fields]) => [message, fields && Reflect.get(fields, 'code')]),
    ['unauthorized', 'forbidden_origin', 'not_found'].map(code => ['a request failed', code]),
  )
  await clock.advance(60_000)
  const response = await open()
  assert.deepEqual(logged.slice(3), [
    [
      'a request failed',
      {
        code: 'unauthorized',
        hint: 'give the element a token of createToken() for this charge, with the same tokenSecret',
        requestId: response.headers.get('x-request-id'),
      },
    ],
  ])
  assert.deepEqual(service.calls, {})
  const other = scripted()
  other.service.next['getCharge'] = [() => ({status: 401, headers: {}, body: ''})]
  const rejected = await other.open()
  assert.deepEqual(other.logged.at(-1)?.[1], {
    code: 'upstream_rejected',
    operation: 'getCharge',
    upstreamStatus: 401,
    hint: 'check apiKey, and that baseUrl is that of the payment service',
    requestId: rejected.headers.get('x-request-id'),
  })
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

test('every path may end with one slash, as on hosts that add one', async () => {
  const fixture = scripted()
  for (const [method, path] of [
    ['POST', '/charges/c1/'],
    ['GET', '/charges/c1/'],
    ['POST', '/webhook/'],
    ['GET', '/health/'],
    ['GET', '/ready/'],
  ] as const)
    assert.equal((await handle(fixture, method, path))?.status, 200, path)
  assert.equal((await handle(fixture, 'GET', '/charges/c1//'))?.status, 404)
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
  // An unknown charge is not told apart from a wrong token.
  service.next['getCharge'] = [() => ({status: 404, headers: {}, body: ''})]
  const unknown = await request('POST', '/charges/c9', {}, {'x-checkout-token': checkout.createToken('c9')})
  assert.deepEqual([unknown.json.code, unknown.json.title], ['unauthorized', expired.json.title])
})

test('names of Object.prototype are ordinary ids', async () => {
  const {request, inTime, service} = scripted()
  service.extra = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
  for (const name of ['__proto__', 'constructor', 'toString']) {
    assert.equal((await request('GET', `/charges/${name}`)).json.code, 'not_open', name)
    assert.equal((await request('POST', `/charges/${name}`)).json.chargeId, name)
    for (const [asset, network, code] of [
      [name, 'bsc', 'asset_unavailable'],
      ['825', name, 'network_unavailable'],
    ] as const)
      assert.equal(
        (await inTime(request('POST', `/charges/${name}/quote`, {asset, network}))).json.code,
        code,
      )
    assert.equal(
      (await inTime(request('POST', '/webhook', `{"${name}":{"chargeId":"${name}"}}`))).status,
      200,
    )
  }
  assert.ok(!('polluted' in {}))
})

test('ready responds 503 while the store fails, does not respond or cannot be written, and writes at most once in five seconds', async () => {
  const rows = memoryStore()
  let fault: 'get' | 'put' | 'hangs' | undefined
  let writes = 0
  const failing = <Result>(operation: 'get' | 'put', act: () => Promise<Result>): Promise<Result> => {
    if (fault === operation) return Promise.reject(new Error('redis://user:canary@host'))
    return fault === 'hangs' ? new Promise(() => {}) : act()
  }
  const store = {
    ...rows,
    get: (key: string) => failing('get', () => rows.get(key)),
    put: (...row: Parameters<typeof rows.put>) => failing('put', () => ((writes += 1), rows.put(...row))),
  }
  const {open, request, service, clock} = scripted({store})
  const ready = async (method = 'GET') => {
    const reply = request(method, '/ready')
    await clock.advance(fault === 'hangs' ? 5_000 : 0)
    const {status, text} = await reply
    assert.ok(!text.includes('canary'))
    return status
  }
  for (const method of ['GET', 'HEAD', 'GET']) assert.equal(await ready(method), 200)
  assert.equal((await request('GET', '/ready')).text, '{"ok":true}')
  assert.equal(writes, 1)
  await clock.advance(5_000)
  for (const each of ['get', 'put', 'hangs'] as const) {
    fault = each
    assert.deepEqual([await ready(), await ready('HEAD')], [503, 503], each)
  }
  const opening = open()
  await clock.advance(5_000)
  const {status, json, headers} = await opening
  assert.deepEqual([status, json.code, headers.get('retry-after')], [503, 'store_unavailable', '1'])
  fault = undefined
  assert.equal(await ready(), 200)
  assert.deepEqual(service.calls, {})
})

test('health and ready may be opened from an address bar', async () => {
  const {request} = scripted()
  for (const site of ['none', 'cross-site', 'same-site'])
    for (const path of ['/health', '/ready'])
      for (const method of ['GET', 'HEAD'])
        assert.equal((await request(method, path, undefined, {'sec-fetch-site': site})).status, 200, path)
})

test('a read without changes is 304, or 204 since the known tag, with the time', async () => {
  const origin = 'https://listed.example'
  const {open, read, request, clock} = scripted({allowedOrigins: [origin]})
  const opened = await open()
  const etag = (await read()).headers.get('etag') ?? ''
  assert.match(etag, /^W\/"3-\w+"$/)
  assert.equal(opened.headers.get('etag'), etag)
  await clock.advance(1_500)
  const known = (tag: string) => `/charges/c1?known=${encodeURIComponent(tag)}`
  const get = (path: string, match = '"x"', method = 'GET') =>
    request(method, path, undefined, {'if-none-match': match, origin})
  for (const [path, match, status] of [
    ...[etag, etag.slice(2), `"other", ${etag}`, '*'].map(each => ['/charges/c1', each, 304] as const),
    ...[etag, etag.slice(2), etag.slice(3, -1)].map(tag => [known(tag), etag, 204] as const),
  ])
    for (const method of ['GET', 'HEAD']) {
      const {headers, ...response} = await get(path, match, method)
      assert.deepEqual([response.status, response.text], [status, ''], path + match)
      assert.deepEqual([...headers.keys()].sort(), [
        ...['access-control-allow-origin', 'access-control-expose-headers', 'cache-control'],
        ...(status === 304 ? ['etag', 'vary'] : []),
        ...['x-checkout-time', 'x-content-type-options', 'x-request-id'],
      ])
      assert.equal(headers.get('x-checkout-time'), '2026-11-21T01:00:01.500Z')
      assert.match(headers.get('access-control-expose-headers') ?? '', /x-checkout-time/)
    }
  const long = 'x'.repeat(5_000)
  for (const other of ['', '*', '"', 'W/', 'W/"3-0"', `${etag}, "x"`, `${etag}x`, '\0', '%', long]) {
    const {status, json, headers} = await get(known(other))
    assert.deepEqual([status, json.chargeId, headers.get('etag')], [200, 'c1', etag], other)
  }
  assert.equal((await get('/charges/c1?known=%')).status, 200)
  assert.equal((await get(known('"x"'), etag)).status, 304)
  assert.equal((await request('POST', known(etag), {}, {'if-none-match': etag})).status, 200)
  assert.equal((await get(known(etag).replace('c1', 'c9'), etag)).status, 404)
})

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

test('a webhook may be compressed, and one that is refused is logged once a minute', async () => {
  const {request, logged, service, checkout} = await opened()
  service.calls = {}
  const body = gzipSync(JSON.stringify({chargeId: 'c1'}))
  const headers = {'content-encoding': 'gzip'}
  const url = 'https://shop.example/crypto-checkout/webhook'
  assert.equal((await checkout.fetch(new Request(url, {method: 'POST', headers, body}))).status, 200)
  assert.equal(service.calls['getCharge'], 1)
  logged.length = 0
  for (let times = 0; times < 2; times++) {
    assert.equal((await request('POST', '/webhook', 'x'.repeat(65_537))).status, 413)
    assert.equal((await request('POST', '/webhook', 'no gzip', headers)).status, 400)
  }
  const refused = logged.filter(([message]) => message === 'a request failed')
  assert.deepEqual(
    refused.map(([, fields]) => [Reflect.get(fields ?? {}, 'code'), Reflect.get(fields ?? {}, 'path')]),
    [
      ['payload_too_large', 'webhook'],
      ['bad_request', 'webhook'],
    ],
  )
})

test('a client that sends its body slowly does not block the charge', async () => {
  const {checkout, clock, request, inTime} = await opened()
  let send = (_body: string) => {}
  const body = new Promise<string>(resolve => (send = resolve))
  const headers = {'content-type': 'application/json'}
  const slow = checkout.handler(requestOf('POST', '/charges/c1/quote', {headers, body: () => body}))
  assert.equal((await inTime(request('POST', '/charges/c1/quote', usdt))).status, 200)
  send(JSON.stringify(usdt))
  await clock.advance(1_000)
  assert.equal((await slow)?.status, 200)
})
