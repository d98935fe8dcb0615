/**
 * The proxy behind a real server, with clients that write raw bytes. Each gets a response or a closed connection, and no
 * private value. Every response has the headers and a body of the checkout API. The proxy continues to serve.
 */
import assert from 'node:assert/strict'
import {test, type TestContext} from 'node:test'
import {gzipSync} from 'node:zlib'
import fc from 'fast-check'
import * as z from 'zod/mini'
import {checkoutSchema, problemSchema} from '../../src/contract/index.js'
import {toNode} from '../../src/http/node.js'
import {head, openConnection, serve, statusOf} from '../http/loopback.js'
import type {CheckoutCoreOptions} from '../../src/server/options.js'
import {scripted} from '../server/scripted-service.js'
import {arbitraryJson, runs, toText, weighted} from './inputs.js'

const canary = 'CANARY'

const encoded = fc.constantFrom(
  ...'c1 %63%31 c1%00 .. % %ff c1%2fquote c1%5c.. c1?x=1 convert %63onvert __proto__'.split(' '),
  ...[0, 64, 65, 9_000].map(length => 'a'.repeat(length)),
)

const characters = [...Array.from('abc019-_%/\\.;:?#&=+~ \t"<>{}|^`@!$\'()*,\u0080é'), '%2', '%u0041']
const letters = fc.string({unit: fc.constantFrom(...characters), maxLength: 20})

const invalidTarget = fc
  .tuple(
    fc.constantFrom('/crypto-checkout', '//crypto-checkout', '/x/../crypto-checkout', '/CRYPTO-CHECKOUT', ''),
    fc.constantFrom('/charges/', '/charges', '/webhook', '/'),
    fc.oneof(encoded, letters),
    fc.constantFrom(
      '',
      '/quote',
      '/events',
      '?known=CANARY',
      '/QUOTE',
      '/%71uote',
      '/../../webhook',
      '?token=CANARY',
    ),
  )
  .map(parts => parts.join('') || '/')

/** Half of the targets are valid, so that requests reach the later checks. */
const target = fc.oneof(
  fc.constantFrom('', '', '/quote').map(suffix => `/crypto-checkout/charges/c1${suffix}`),
  fc.constantFrom('/crypto-checkout/webhook', '/crypto-checkout/health'),
  weighted(2, invalidTarget),
)

const header = fc.oneof(
  fc.constantFrom(
    ...['json', 'json; charset=utf-16', 'x-www-form-urlencoded'].map(
      type => `content-type: application/${type}`,
    ),
    ...['content-type: text/plain', 'content-encoding: gzip'],
    ...['https://evil.example', 'null', 'https://listed.example'].map(origin => `origin: ${origin}`),
    ...['cross-site', 'same-origin'].map(site => `sec-fetch-site: ${site}`),
    'x-forwarded-for: 1.2.3.4, CANARY',
    ...['x-checkout-token', 'authorization', 'api-key', '__proto__'].map(name => `${name}: CANARY`),
    ...['expect: 100-continue', 'upgrade: websocket', 'transfer-encoding: gzip'],
    ...['content-length: -1', 'no colon'],
    ...[5_000, 20_000].map(length => `x-long: ${'y'.repeat(length)}`),
  ),
  letters.map(value => `x-any: ${value}`),
)

const pair = '{"asset":"825","network":"bsc"}'
const textBody = fc.oneof(
  weighted(4, fc.constantFrom(pair, '{}', '', '[]', 'null', '{"chargeId":"c1"}')),
  weighted(2, arbitraryJson.map(toText)),
  weighted(
    2,
    arbitraryJson.map(value => `{"asset":${toText(value)},"network":"bsc","amount":0.01}`),
  ),
  weighted(
    3,
    fc.constantFrom(
      `{"asset":"825","network":"bsc","pad":"${'x'.repeat(17_000)}"}`,
      '['.repeat(17_000),
      '{"__proto__":{"asset":"825"},"constructor":{"prototype":{"polluted":1}}}',
      `{"chargeId":"${'../'.repeat(20)}","charge_id":"CANARY","_id":["c1"]}`,
    ),
  ),
)

const body = fc.oneof(
  weighted(
    4,
    textBody.map(text => Buffer.from(text)),
  ),
  fc.uint8Array({maxLength: 200}).map(bytes => Buffer.from(bytes)),
  // Compressed, UTF-16, and invalid UTF-8.
  fc.constantFrom(
    gzipSync(pair),
    Buffer.from('{}', 'utf16le'),
    Buffer.from('"\xc0\xaf\xed\xa0\x80"', 'latin1'),
  ),
)

const framings = ['chunked', 'too long', 'too short', 'none', 'both', 'broken chunk', 'twice'] as const

const sent = fc.record({
  method: fc.oneof(
    weighted(3, fc.constantFrom('GET', 'POST', 'POST')),
    weighted(2, fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'TRACE', 'CONNECT', 'get', 'PO ST')),
  ),
  target,
  headers: fc.oneof(fc.constant([]), fc.array(header, {maxLength: 4})),
  body,
  framing: fc.oneof(fc.constant('length' as const), fc.constantFrom(...framings)),
})
type Sent = typeof sent extends fc.Arbitrary<infer Value> ? Value : never

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
  const firstLine = `${method} ${target} HTTP/1.1`
  const lines = [firstLine, 'host: 127.0.0.1', 'connection: close', ...type, ...headers, ...framed]
  const content = isChunked ? [Buffer.from(`${size}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')] : [body]
  return Buffer.concat([Buffer.from(head(...lines), 'latin1'), ...content])
}

/** Returns everything received. An incomplete body is followed by the end of the connection. */
async function send(port: number, request: Sent): Promise<string> {
  const {socket, closed} = await openConnection(port)
  socket.write(bytesOf(request))
  if (request.framing === 'too long' || request.framing === 'none') socket.end()
  try {
    return await closed()
  } finally {
    socket.destroy()
  }
}

/** @returns the status; 0 if the connection was closed without a response */
function checkResponse(received: string): number {
  // Node sends the first one before it calls the handler (RFC 9110, 15.2.1).
  const text = received.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
  if (text === '') return 0
  const status = statusOf(text)
  // Without an id, the response is Node's, to invalid HTTP, or to a path outside the mount point.
  if (!/^x-request-id: /im.test(text)) assert.ok([400, 404, 408, 413, 417, 431].includes(status), text)
  else {
    assert.ok(status < 500, text)
    checkContent(text)
  }
  return status
}

const bodies = [checkoutSchema, problemSchema, z.strictObject({ok: z.literal(true)})]

function checkContent(text: string): void {
  const [headers = '', body = ''] = text.split(/\r\n\r\n(.*)/s)
  for (const line of ['cache-control: no-store', 'x-content-type-options: nosniff'])
    assert.ok(headers.toLowerCase().includes(line), text)
  if (/^content-type: application\/(problem\+)?json/im.test(headers) && body !== '')
    assert.ok(
      bodies.some(schema => z.safeParse(schema, JSON.parse(body)).success),
      text,
    )
}

/** The id is one segment, and no other operation of the service. */
const serviceUrl =
  /^https:\/\/service\.example\/api\/v1\/pay\/(charge|crypto)\/(k\d+-)?(?!convert$)[\w-]{1,64}$/
const convert = 'https://service.example/api/v1/pay/crypto/convert'

type Options = Partial<Omit<CheckoutCoreOptions, 'clock'>>

async function startProxy(t: TestContext, options: Options) {
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

for (const [name, options, reached] of [
  ['a proxy for its own origin', {}, [200, 400, 403, 404, 405, 413]],
  [
    'a proxy with tokens and an allowed origin',
    {
      tokenSecret: `${canary} a secret of at least 32 characters`,
      allowedOrigins: ['https://listed.example'],
      trustProxy: 1,
    },
    [200, 400, 401, 403, 404, 405],
  ],
] satisfies [string, Options, number[]][])
  test(`${name} responds correctly, with a problem, or closes the connection`, async t => {
    const {service, request, logged, port} = await startProxy(t, options)
    const met = new Set<number>()
    await fc.assert(
      fc.asyncProperty(sent, async request => {
        const before = service.requests.length
        const received = await send(port, request)
        met.add(checkResponse(received))
        assert.ok(!received.includes(canary), received)
        for (const {url} of service.requests.slice(before))
          assert.ok(url === convert || serviceUrl.test(url), url)
        assert.ok(!logged.splice(0).join('\n').includes(canary))
      }),
      runs(150),
    )
    // The inputs reached all of these.
    for (const status of reached) assert.ok(met.has(status), `${status} in ${[...met].join(' ')}`)
    assert.equal(Object.keys(Object.prototype).length, 0)
    assert.equal((await request('POST', '/charges/c1')).status, options.tokenSecret ? 401 : 200)
  })
