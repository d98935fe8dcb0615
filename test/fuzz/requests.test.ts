/**
 * The proxy behind a real server, with clients that write raw bytes. Each gets the right response, a problem, or a closed
 * connection, and no private value. The proxy continues to serve.
 */
import assert from 'node:assert/strict'
import {connect} from 'node:net'
import {test, type TestContext} from 'node:test'
import {gzipSync} from 'node:zlib'
import fc from 'fast-check'
import {checkoutSchema, problemSchema, problemStatus} from '../../src/contract/index.js'
import {toNode} from '../../src/http/node.js'
import {createSandbox} from '../../src/sandbox/index.js'
import type {CheckoutCoreOptions} from '../../src/server/create-checkout.js'
import {serve} from '../http/loopback.js'
import {scripted} from '../server/scripted-service.js'
import {arbitraryJson, runs, toText} from './inputs.js'

const canary = 'CANARY'

interface Sent {
  readonly method: string
  readonly target: string
  readonly headers: readonly string[]
  readonly body: Buffer
  readonly framing:
    'length' | 'chunked' | 'too long' | 'too short' | 'none' | 'both' | 'broken chunk' | 'twice'
}

const encoded = fc.constantFrom(
  'c1',
  '%63%31',
  '%2563%2531',
  'c1%00',
  'c1%0d%0aapi-key:%20x',
  '%2e%2e',
  '..',
  '.',
  '%c0%ae%c0%ae',
  '%',
  '%e',
  '%zz',
  '%ff',
  'c1%2fquote',
  'c1%5c..',
  'c1;a=b',
  'c1?x=1',
  'c1#x',
  'convert',
  'payment',
  '%63onvert',
  '__proto__',
  'constructor',
  '%5f%5fproto%5f%5f',
  'a'.repeat(64),
  'a'.repeat(65),
  'a'.repeat(9_000),
  '',
)

const letters = fc.string({
  unit: fc.constantFrom(
    ...Array.from('abc019-_%/\\.;:?#&=+~ \t"<>{}|^`@!$\'()*,'),
    '\u0080',
    'é',
    '%2',
    '%u0041',
  ),
  maxLength: 20,
})

const strange = fc
  .tuple(
    fc.constantFrom(
      '/crypto-checkout',
      '/crypto-checkout',
      '/crypto-checkout',
      '//crypto-checkout',
      '/x/../crypto-checkout',
      '/CRYPTO-CHECKOUT',
      '/crypto-checkout%2f',
      'http://evil.example/crypto-checkout',
      '',
    ),
    fc.constantFrom('/charges/', '/charges/', '/charges/', '/charges', '/webhook', '/health', '/', ''),
    fc.oneof(encoded, letters),
    fc.constantFrom(
      '',
      '',
      '/quote',
      '/quote',
      '/events',
      '/',
      '/quote/',
      '/QUOTE',
      '/%71uote',
      '/..',
      '/../../webhook',
      '?token=CANARY',
    ),
  )
  .map(parts => parts.join('') || '/')

/** Half of the targets are valid, so that requests reach the later checks. */
const target = fc.oneof(
  fc.constantFrom('', '', '/quote', '/events').map(rest => `/crypto-checkout/charges/c1${rest}`),
  fc.constantFrom('/crypto-checkout/webhook', '/crypto-checkout/health'),
  strange,
  strange,
)

const header = fc.oneof(
  fc.constantFrom(
    'content-type: application/json',
    'content-type: application/json; charset=utf-16',
    'content-type: APPLICATION/JSON;',
    'content-type: text/plain',
    'content-type: application/x-www-form-urlencoded',
    'content-type:',
    'content-encoding: gzip',
    'origin: https://evil.example',
    'origin: null',
    'origin: http://127.0.0.1',
    'origin: https://listed.example',
    'sec-fetch-site: cross-site',
    'sec-fetch-site: same-origin',
    'sec-fetch-site: none, same-origin',
    'x-forwarded-for: 1.2.3.4, CANARY',
    'x-checkout-token: CANARY',
    'authorization: CANARY',
    'cookie: a=CANARY',
    'api-key: CANARY',
    '__proto__: CANARY',
    'constructor: CANARY',
    'expect: 100-continue',
    'expect: something',
    'upgrade: websocket',
    'transfer-encoding: gzip',
    'content-length: -1',
    'content-length: 99999999999999999999',
    'accept: text/html',
    'range: bytes=0-1',
    'x-http-method-override: DELETE',
    'no colon',
    ' folded: yes',
    'set-cookie: CANARY',
    `x-long: ${'y'.repeat(5_000)}`,
    `x-too-long: ${'y'.repeat(20_000)}`,
  ),
  letters.map(value => `x-any: ${value}`),
)

const body = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom('{"asset":"825","network":"bsc"}', '{}', '', '[]', 'null', '{"chargeId":"c1"}')
      .map(text => Buffer.from(text)),
  },
  {weight: 3, arbitrary: arbitraryJson.map(value => Buffer.from(toText(value)))},
  {
    weight: 2,
    arbitrary: arbitraryJson.map(value =>
      Buffer.from(`{"asset":${toText(value)},"network":"bsc","amount":0.01}`),
    ),
  },
  {weight: 1, arbitrary: fc.uint8Array({maxLength: 200}).map(bytes => Buffer.from(bytes))},
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      gzipSync('{"asset":"825","network":"bsc"}'),
      Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
      Buffer.from('\ufeff{"asset":"825","network":"bsc"}'),
      Buffer.from([0x22, 0xc0, 0xaf, 0xed, 0xa0, 0x80, 0x22]),
      Buffer.from(`{"asset":"825","network":"bsc","pad":"${'x'.repeat(17_000)}"}`),
      Buffer.from('['.repeat(16_000)),
      Buffer.from('{"__proto__":{"asset":"825"},"constructor":{"prototype":{"polluted":1}}}'),
      Buffer.from(`{"chargeId":"${'../'.repeat(20)}","charge_id":"CANARY","_id":["c1"]}`),
    ),
  },
)

const sent: fc.Arbitrary<Sent> = fc.record({
  method: fc.constantFrom(
    'GET',
    'GET',
    'POST',
    'POST',
    'POST',
    'HEAD',
    'OPTIONS',
    'PUT',
    'DELETE',
    'PATCH',
    'TRACE',
    'CONNECT',
    'get',
    'BREW',
    'PO ST',
  ),
  target,
  headers: fc.oneof(fc.constant([]), fc.array(header, {maxLength: 4})),
  body,
  framing: fc.constantFrom(
    'length',
    'length',
    'length',
    'chunked',
    'too long',
    'too short',
    'none',
    'both',
    'broken chunk',
    'twice',
  ),
})

function bytesOf({method, target, headers, body, framing}: Sent): Buffer {
  const length = `content-length: ${body.length}`
  const chunked = 'transfer-encoding: chunked'
  const framed = {
    length: [length],
    chunked: [chunked],
    'too long': [`content-length: ${body.length + 10}`],
    'too short': [`content-length: ${Math.max(0, body.length - 3)}`],
    none: [],
    both: [length, chunked],
    'broken chunk': [chunked],
    twice: [length, length],
  }[framing]
  const size = framing === 'broken chunk' ? 'zz' : body.length.toString(16)
  const isChunked = ['chunked', 'both', 'broken chunk'].includes(framing)
  // Most have a JSON content type, so that the body is read.
  const type = headers.length < 3 ? ['content-type: application/json'] : []
  const head = [
    `${method} ${target} HTTP/1.1`,
    'host: 127.0.0.1',
    'connection: close',
    ...type,
    ...headers,
    ...framed,
    '',
    '',
  ]
  const content = isChunked ? [Buffer.from(`${size}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')] : [body]
  return Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), ...content])
}

/** Returns everything received. `hangUp` ends the connection after an incomplete body. */
function sendBytes(port: number, bytes: Buffer, hangUp: boolean): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    const deadline = setTimeout(() => {
      socket.destroy()
      reject(new Error(`the response did not end: ${JSON.stringify(bytes.toString('latin1').slice(0, 600))}`))
    }, 30_000)
    const done = () => {
      clearTimeout(deadline)
      socket.destroy()
      resolve(Buffer.concat(chunks))
    }
    socket.on('data', chunk => {
      chunks.push(chunk)
      // An event stream has no end of its own.
      if (chunk.includes('data: {"rev"')) done()
    })
    // After a reset, `close` follows.
    socket.on('error', () => undefined)
    socket.on('close', done)
    socket.on('connect', () => {
      socket.write(bytes)
      if (hangUp) socket.end()
    })
  })
}

interface RawResponse {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Undefined if the connection was closed without a response. */
function parseResponse(bytes: Buffer): RawResponse | undefined {
  // Sent by Node before it calls the handler (RFC 9110, 15.2.1).
  const text = bytes.toString('utf8').replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
  if (text === '') return undefined
  const end = text.indexOf('\r\n\r\n')
  assert.ok(end > 0, text)
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1] ?? assert.fail(first))
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(': ')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)]
  })
  return {status, headers: new Map(headers), body: text.slice(end + 4)}
}

function checkResponse({method}: Sent, {status, headers, body}: RawResponse): void {
  assert.notEqual(status, 500, body)
  if (!headers.has('x-request-id')) {
    // Sent by Node for invalid HTTP, or for a path outside the mount point.
    assert.ok([400, 404, 408, 413, 417, 431].includes(status), `${status} ${body}`)
    assert.ok(body === '' || body === '0\r\n\r\n', body)
    return
  }
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  if (method !== 'HEAD' && headers.has('content-length'))
    assert.equal(Buffer.byteLength(body), Number(headers.get('content-length')))
  if (status === 204) return assert.equal(body, '')
  if (status >= 400) {
    assert.equal(headers.get('content-type'), 'application/problem+json')
    if (method === 'HEAD') return
    const problem = problemSchema.parse(JSON.parse(body))
    assert.equal(problem.status, status)
    assert.equal(problem.requestId, headers.get('x-request-id'))
    assert.equal(Object.entries(problemStatus).find(([code]) => code === problem.code)?.[1], status)
    return
  }
  assert.equal(status, 200)
  if (method === 'HEAD' || headers.get('content-type') === 'text/event-stream') return
  const json = JSON.parse(body)
  if (!('ok' in json)) checkoutSchema.parse(json)
}

const serviceUrl =
  /^https:\/\/service\.example\/api\/v1\/pay\/(charge|crypto)\/(k\d+-)?(c1|a{64}|__proto__|constructor|CANARY)$/
const convert = 'https://service.example/api/v1/pay/crypto/convert'

async function startProxy(t: TestContext, options: Partial<Omit<CheckoutCoreOptions, 'clock'>>) {
  const logged: string[] = []
  const log = (message: string, fields?: object) => void logged.push(JSON.stringify([message, fields]))
  const {service, checkout, request} = scripted({
    apiKey: `TEST;PK;${canary}`,
    logger: {info: log, warn: log, error: log},
    ...options,
  })
  service.extra = {metadata: {note: canary}, customer: {email: canary}, key: canary}
  const handle = toNode(checkout.handler, {basePath: '/crypto-checkout', bodyTimeoutMs: 2_000})
  const port = await serve(t, (req, res) => void handle(req, res))
  return {service, request, logged, port}
}

const configurations: readonly [
  name: string,
  options: Partial<Omit<CheckoutCoreOptions, 'clock'>>,
  reached: readonly number[],
][] = [
  ['a proxy for its own origin', {}, [200, 400, 403, 404, 405, 413]],
  [
    'a proxy with tokens and an allowed origin',
    {tokenSecret: `${canary}-`.repeat(5), allowedOrigins: ['https://listed.example'], trustProxy: 1},
    [200, 400, 401, 403, 404, 405],
  ],
]

for (const [name, options, reached] of configurations)
  test(`${name} responds correctly, with a problem, or closes the connection`, async t => {
    const {service, request, logged, port} = await startProxy(t, options)
    const met = new Set<number>()
    await fc.assert(
      fc.asyncProperty(sent, async request => {
        const before = service.requests.length
        const bytes = await sendBytes(
          port,
          bytesOf(request),
          request.framing === 'too long' || request.framing === 'none',
        )
        const response = parseResponse(bytes)
        met.add(response?.status ?? 0)
        if (response) checkResponse(request, response)
        assert.ok(!bytes.includes(canary), bytes.toString())
        for (const {url} of service.requests.slice(before))
          assert.ok(url === convert || serviceUrl.test(url), url)
        assert.ok(!logged.splice(0).join('\n').includes(canary))
      }),
      runs(300),
    )
    // The inputs reached all of these.
    for (const status of reached) assert.ok(met.has(status), `${status} in ${[...met].join(' ')}`)
    assert.equal(Object.keys(Object.prototype).length, 0)
    const health = await sendBytes(
      port,
      Buffer.from('GET /crypto-checkout/health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'),
      false,
    )
    assert.match(health.toString(), /^HTTP\/1\.1 200 [^]*\{"ok":true\}$/)
    assert.equal((await request('POST', '/charges/c1')).status, options.tokenSecret ? 401 : 200)
  })

test('the sandbox responds to malformed requests and continues to serve', async t => {
  const sandbox = createSandbox({random: () => 0.5})
  const {url, close} = await sandbox.listen()
  t.after(close)
  const port = Number(new URL(url).port)
  const path = fc
    .tuple(
      fc.constantFrom(
        '/api/v1/pay/charge',
        '/api/v1/pay/crypto',
        '/api/v1/pay/crypto/convert',
        '/api/v1/pay/crypto/payment',
        '/sandbox/pay',
        '/sandbox/charges',
        '/sandbox/clock',
        '/sandbox/price',
        '/sandbox/disable',
        '/sandbox/confirm',
        '/sandbox',
      ),
      fc.constantFrom('', '/'),
      fc.oneof(fc.constant(''), encoded, letters),
    )
    .map(parts => parts.join(''))
  await fc.assert(
    fc.asyncProperty(sent, path, async (request, target) => {
      const key = `api-key: ${sandbox.apiKey}`
      const asked = {...request, target, headers: [key, ...request.headers]}
      const response = parseResponse(
        await sendBytes(port, bytesOf(asked), request.framing === 'too long' || request.framing === 'none'),
      )
      assert.notEqual(response?.status, 500)
      if (response?.headers.get('content-type')?.includes('json') && request.method !== 'HEAD')
        JSON.parse(response.body)
    }),
    runs(200),
  )
  assert.equal((await fetch(`${url}/sandbox/charges`)).status, 200)
})
