import assert from 'node:assert/strict'
import {test} from 'node:test'
import {ConfigurationError, type CheckoutError} from '../../../src/server/errors.js'
import {problemStatus} from '../../../src/contract/index.js'
import {flushPromises} from '../../fake-clock.js'
import {requester, scripted} from '../scripted-service.js'

test('every answer says no-store, nosniff and a request id of its own', async () => {
  const {ask} = scripted()
  const ids = new Set<string | null>()
  for (const [method, path] of [
    ['GET', '/health'],
    ['POST', '/charges/c1'],
    ['GET', '/charges/c1'],
    ['GET', '/charges/nobody'],
    ['GET', '/nothing'],
    ['PUT', '/charges/c1'],
    ['POST', '/webhook'],
  ] as const) {
    const {headers} = await ask(method, path)
    assert.equal(headers.get('cache-control'), 'no-store', path)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    ids.add(headers.get('x-request-id'))
  }
  assert.equal(ids.size, 7)
})

test('health answers without asking the service', async () => {
  const {ask, service} = scripted()
  assert.equal((await ask('GET', '/health')).text, '{"ok":true}')
  assert.deepEqual(service.calls, {})
})

test('problems are RFC 9457, with the id that the header carries', async () => {
  const {ask} = scripted()
  const {status, headers, text} = await ask('GET', '/charges/c1')
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

const hostileIds = [
  '..',
  '%2e%2e',
  '%2E%2E%2Fcharge',
  'a%2Fb',
  'a%5Cb',
  'a%252Fb',
  'a%00',
  'a%0d%0aapi-key:x',
  '%',
  '%zz',
  '%ff',
  'a b',
  'ü',
  'convert',
  'payment',
  'a'.repeat(65),
  'a'.repeat(10_000),
  '__proto__%20',
  'a;b',
  'a:b',
]

test('a hostile id never reaches the service', async () => {
  const {ask, service, checkout} = scripted()
  for (const id of hostileIds)
    for (const [method, rest] of [
      ['POST', ''],
      ['GET', ''],
      ['POST', '/quote'],
      ['GET', '/events'],
    ] as const) {
      // Straight to the handler: a URL parser on the way would tidy up.
      const reply = await checkout.handler({
        method,
        path: `/charges/${id}${rest}`,
        query: new URLSearchParams(),
        headers: {'content-type': 'application/json'},
        ip: '127.0.0.1',
        signal: new AbortController().signal,
        body: () => Promise.resolve('{}'),
      })
      assert.equal(reply?.status, 400, id)
      assert.match(String(reply.body), /"invalid_id"/)
    }
  for (const path of ['/charges/a/b', '/charges/a/quote/', '/charges', '/charges//', '//health'])
    assert.ok([400, 404].includes((await ask('GET', path)).status), path)
  assert.deepEqual(service.calls, {})
})

test('an id may be percent-encoded once', async () => {
  const {ask} = scripted()
  assert.equal((await ask('POST', '/charges/%63%31')).json.chargeId, 'c1')
})

test('what changes anything must be JSON, and small', async () => {
  const {ask} = scripted()
  assert.equal(
    (await ask('POST', '/charges/c1', '{}', {'content-type': 'text/plain'})).json.code,
    'unsupported_media_type',
  )
  assert.equal(
    (await ask('POST', '/charges/c1', '{}', {'content-type': 'application/json; charset=utf-8'})).status,
    200,
  )
  assert.equal((await ask('POST', '/charges/c1', '{')).json.code, 'bad_request')
  assert.equal((await ask('POST', '/charges/c1/quote', '[]')).json.code, 'bad_request')
  const large = JSON.stringify({asset: '825', network: 'bsc', padding: 'x'.repeat(17_000)})
  assert.equal((await ask('POST', '/charges/c1/quote', large)).json.code, 'payload_too_large')
  assert.equal((await ask('POST', '/webhook', large)).json.code, 'payload_too_large')
})

test('a wrong method says which are right', async () => {
  const {ask} = scripted()
  const {status, headers} = await ask('DELETE', '/charges/c1')
  assert.equal(status, 405)
  assert.equal(headers.get('allow'), 'GET, HEAD, POST')
  assert.equal((await ask('GET', '/webhook')).headers.get('allow'), 'POST')
})

test('HEAD answers as GET does, without a body, and opens no stream', async () => {
  const {ask, clock} = scripted()
  await ask('POST', '/charges/c1')
  for (const path of ['/charges/c1', '/charges/c1/events', '/health']) {
    const {status, text, headers} = await ask('HEAD', path)
    assert.equal(status, 200, path)
    assert.equal(text, '')
    assert.ok(headers.get('content-type'))
  }
  assert.equal((await ask('HEAD', '/charges/c9')).status, 404)
  assert.equal((await ask('HEAD', '/webhook')).status, 405)
  await flushPromises()
  assert.equal(clock.sleepers, 0)
})

const origins: [Record<string, string>, boolean][] = [
  [{}, true],
  [{'sec-fetch-site': 'same-origin'}, true],
  [{origin: 'https://shop.example', host: 'shop.example'}, true],
  [{origin: 'https://shop.example', host: 'shop.example', 'sec-fetch-site': 'same-origin'}, true],
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

test('only the same origin and the listed ones may ask; who is not a browser may', async () => {
  for (const [headers, isAllowed] of origins) {
    const {checkout, service} = scripted({allowedOrigins: ['https://listed.example']})
    const reply = await checkout.handler({
      method: 'POST',
      path: '/charges/c1',
      query: new URLSearchParams(),
      headers: {'content-type': 'application/json', ...headers},
      ip: '',
      signal: new AbortController().signal,
      body: () => Promise.resolve('{}'),
    })
    assert.equal(reply?.status, isAllowed ? 200 : 403, JSON.stringify(headers))
    assert.equal(service.minted, isAllowed ? 1 : 0)
    const isListed = headers['origin'] === 'https://listed.example'
    assert.equal(
      reply.headers['access-control-allow-origin'],
      isListed ? 'https://listed.example' : undefined,
    )
  }
})

test('OPTIONS answers listed origins only', async () => {
  const {ask} = scripted({allowedOrigins: ['https://listed.example']})
  const listed = await ask('OPTIONS', '/charges/c1', undefined, {origin: 'https://listed.example'})
  assert.equal(listed.status, 204)
  assert.equal(listed.headers.get('access-control-allow-origin'), 'https://listed.example')
  assert.equal(listed.headers.get('access-control-allow-headers'), 'content-type, x-checkout-token')
  for (const origin of ['https://evil.example', 'https://shop.example'])
    assert.equal((await ask('OPTIONS', '/charges/c1', undefined, {origin})).status, 403)
})

const tokenSecret = 'a secret of at least thirty-two characters'

test('with tokens on, only a genuine token for this charge, in time, opens anything', async () => {
  const {checkout, clock, ask, service} = scripted({tokenSecret})
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
      const {status, json} = await ask(
        method,
        path,
        {asset: '825', network: 'bsc'},
        {'x-checkout-token': bad},
      )
      assert.equal(status, 401)
      assert.equal(json.code, 'unauthorized')
    }
  assert.deepEqual(service.calls, {})
  assert.equal((await ask('POST', '/charges/c1', {}, {'x-checkout-token': token})).status, 200)
  await clock.advance(61_000)
  assert.equal(
    (await ask('GET', '/charges/c1', undefined, {'x-checkout-token': token})).json.code,
    'unauthorized',
  )
})

test('with tokens on, an unknown charge answers like a foreign one', async () => {
  const {checkout, ask, service} = scripted({tokenSecret})
  service.next['getCharge'] = [() => ({status: 404, headers: {}, body: ''})]
  const unknown = await ask('POST', '/charges/c9', {}, {'x-checkout-token': checkout.createToken('c9')})
  const foreign = await ask('POST', '/charges/c9', {}, {'x-checkout-token': checkout.createToken('c1')})
  for (const {json} of [unknown, foreign]) assert.equal(json.code, 'unauthorized')
  assert.equal(unknown.json.title, foreign.json.title)
})

test('options that cannot be right are refused in one clear line, without the secret', () => {
  const wrong: [object, RegExp][] = [
    [{apiKey: ''}, /apiKey/],
    [{apiKey: 'LIVE;PK;two words'}, /apiKey/],
    [{apiKey: 'LIVE;PK;line\nbreak'}, /apiKey/],
    [{baseUrl: 'http://service.example'}, /baseUrl must be https/],
    [{baseUrl: 'https://user:pass@service.example'}, /credentials/],
    [{baseUrl: 'ftp://service.example'}, /baseUrl/],
    [{baseUrl: 'service.example'}, /baseUrl/],
    [{baseUrl: 'http://127.0.0.1.evil.example'}, /baseUrl must be https/],
    [{basePath: 'checkout'}, /basePath/],
    [{allowedOrigins: ['https://shop.example/']}, /allowedOrigins/],
    [{allowedOrigins: ['*']}, /allowedOrigins/],
    [{tokenSecret: 'short'}, /tokenSecret/],
  ]
  for (const [options, message] of wrong)
    assert.throws(
      () => scripted(options),
      (error: unknown) => {
        assert.ok(error instanceof ConfigurationError)
        assert.match(error.message, message)
        assert.ok(!error.message.includes('two words') && !error.message.includes('pass@'))
        return true
      },
    )
  for (const baseUrl of [
    'http://localhost:4010',
    'http://127.0.0.1:1',
    'http://[::1]:4010/path/',
    'https://service.example/v',
  ])
    scripted({baseUrl})
})

test('only a LIVE key is not a test', async () => {
  assert.equal((await scripted().ask('POST', '/charges/c1')).json.test, true)
  assert.equal((await scripted({apiKey: 'LIVE;PK;key'}).ask('POST', '/charges/c1')).json.test, false)
})

test('the customer is sent on over https only, or http on this machine', async () => {
  for (const [url, expected] of [
    ['https://shop.example/thanks?order=1', 'https://shop.example/thanks?order=1'],
    ['http://localhost:3000/thanks', 'http://localhost:3000/thanks'],
    ['http://shop.example/thanks', undefined],
    ['javascript:alert(1)', undefined],
    ['JaVaScRiPt:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['//shop.example', undefined],
    ['https://user:secret@shop.example/', undefined],
    ['', undefined],
  ] as const) {
    const {ask, service} = scripted()
    const original = service.charge.bind(service)
    service.charge = id => ({...original(id), call_back_url: url})
    assert.equal((await ask('POST', '/charges/c1')).json.redirectUrl, expected, url)
  }
})

test('an event stream says the revision at once and after each growth, and comments every 20 s', async () => {
  const {checkout, clock, ask, service} = scripted()
  const {json} = await ask('POST', '/charges/c1')
  const leaving = new AbortController()
  const reply = await checkout.fetch(
    new Request('https://shop.example/crypto-checkout/charges/c1/events', {signal: leaving.signal}),
  )
  assert.equal(reply.headers.get('content-type'), 'text/event-stream')
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
  assert.equal((await reader?.read())?.value, `data: {"rev":${json.rev}}\n\n`)
  service.cancelled = true
  await ask('POST', '/webhook', {chargeId: 'c1'})
  assert.equal((await reader?.read())?.value, `data: {"rev":${json.rev + 1}}\n\n`)
  const comment = reader?.read()
  await clock.advance(20_000)
  assert.equal((await comment)?.value, ': still here\n\n')
  leaving.abort()
  await reader?.cancel()
  await flushPromises()
  assert.equal(clock.sleepers, 0)
})

test('a store that cannot be read gives internal, and not a word about it', async () => {
  const {ask} = scripted({
    store: {
      append: () => Promise.reject(new Error('redis://user:canary@host')),
      read: () => Promise.reject(new Error('redis://user:canary@host')),
      async *openCharges() {},
      closeCharge: () => Promise.resolve(),
    },
  })
  const {status, text} = await ask('POST', '/charges/c1')
  assert.equal(status, problemStatus.internal)
  assert.ok(!text.includes('canary'))
})

test('outside the mount point there is nothing', async () => {
  const {checkout} = scripted({basePath: '/pay'})
  const ask = requester(checkout.fetch)
  assert.equal((await ask('GET', '/health')).status, 404)
  assert.equal((await checkout.fetch(new Request('https://shop.example/pay/health'))).status, 200)
  assert.equal((await checkout.fetch(new Request('https://shop.example/payments/health'))).status, 404)
})

test('verify and journal refuse an id that is none', async () => {
  const {checkout} = scripted()
  await assert.rejects(checkout.verify('../x'), (error: CheckoutError) => error.code === 'invalid_id')
  await assert.rejects(checkout.journal(''), (error: CheckoutError) => error.code === 'invalid_id')
  assert.throws(() => checkout.createToken('c1'), ConfigurationError)
})

test('names that every object has are names like any other', async () => {
  const {ask, service} = scripted()
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
  service.extra = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
  for (const name of names) {
    assert.equal((await ask('GET', `/charges/${name}`)).json.code, 'not_open', name)
    const {json} = await ask('POST', `/charges/${name}`)
    assert.equal(json.chargeId, name)
    for (const [body, code] of [
      [{asset: name, network: 'bsc'}, 'asset_unavailable'],
      [{asset: '825', network: name}, 'network_unavailable'],
      [`{"__proto__":{"asset":"825","network":"bsc"}}`, 'bad_request'],
    ] as const)
      assert.equal((await ask('POST', `/charges/${name}/quote`, body)).json.code, code)
    assert.equal((await ask('GET', `/charges/c1/${name}`)).json.code, 'not_found')
    assert.equal((await ask('POST', '/webhook', `{"${name}":{"chargeId":"${name}"}}`)).status, 200)
  }
  assert.ok(!('polluted' in {}))
})
