import assert from 'node:assert/strict'
import {type IncomingMessage} from 'node:http'
import {test, type TestContext} from 'node:test'
import {brotliCompressSync, deflateSync, gzipSync} from 'node:zlib'
import {toFetch} from '../../src/http/fetch.js'
import {BodyReadError, BodyTooLargeError, ConnectionDroppedError} from '../../src/http/message.js'
import type {HttpHandler, HttpReply} from '../../src/http/message.js'
import {toNode, type NodeOptions} from '../../src/http/node.js'
import {bodyOf, exchange, head, nextTurn, openConnection, serve, statusOf, waitUntil} from './loopback.js'

const LIMIT = 100

/** Replies with the request's body. */
const echo: HttpHandler = async request => {
  try {
    return text(200, await request.body(LIMIT))
  } catch (error) {
    if (error instanceof BodyTooLargeError) return text(413, 'too large')
    if (error instanceof BodyReadError) return text(400, 'not read')
    throw error
  }
}

function text(status: number, body: string): HttpReply {
  return {status, headers: {}, body}
}

function mount(t: TestContext, handler: HttpHandler, options?: NodeOptions): Promise<number> {
  const node = toNode(handler, options)
  return serve(t, (req, res) => void node(req, res))
}

/** Sends a GET, or a request with this method, on a new connection. */
function request(port: number, path = '/', method = 'GET', ...headers: string[]): Promise<string> {
  return exchange(port, head(`${method} ${path} HTTP/1.1`, 'host: a', 'connection: close', ...headers))
}

/** The head of a POST on a connection that stays open. */
function post(...headers: string[]): string {
  return head('POST / HTTP/1.1', 'host: a', ...headers)
}

/** Sends a POST on a new connection. */
function postBody(port: number, body: string): Promise<string> {
  return exchange(port, post('connection: close', `content-length: ${Buffer.byteLength(body)}`), body)
}

function chunk(body: string): string {
  return `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n`
}

function fetchRequest(init?: RequestInit): Request {
  return new Request('http://a/', init)
}

function streamOf(...pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
}

/** A request whose body begins with this and does not end. */
function endless(begin: string): Request {
  const body = new ReadableStream({start: controller => controller.enqueue(new TextEncoder().encode(begin))})
  const init: RequestInit & {duplex: 'half'} = {method: 'POST', body, duplex: 'half'}
  return fetchRequest(init)
}

async function respond(handler: HttpHandler, request: Request): Promise<string> {
  const response = await toFetch(handler)(request)
  return `${response.status} ${await response.text()}`
}

test('waitUntil of the context gets the response and the work that outlasts it', async () => {
  const steps: string[] = []
  const work: Promise<unknown>[] = []
  const context = new (class {
    waitUntil(promise: Promise<unknown>) {
      work.push(promise)
    }
  })()
  const settle = async () => {
    await nextTurn()
    steps.push('settled')
  }
  const handle = toFetch(() => Promise.resolve(text(200, 'ok')), {settle})
  for (const other of [undefined, null, {}, {waitUntil: 'soon'}]) await handle(fetchRequest(), other)
  assert.equal(work.length, 0)
  const response = handle(fetchRequest(), context)
  assert.equal(work.length, 1)
  assert.equal(await (await response).text(), 'ok')
  assert.deepEqual(steps, [])
  await Promise.all(work)
  assert.deepEqual(steps, ['settled'])

  // Without a response, there may be work too.
  const dropping = toFetch(() => Promise.reject(new ConnectionDroppedError()), {settle})
  await assert.rejects(dropping(fetchRequest(), context), ConnectionDroppedError)
  await Promise.all(work)
  assert.deepEqual(steps, ['settled', 'settled'])
})

test('the path below the mount point is found in the fields that frameworks set, and other paths go to next', async t => {
  const express = {url: '/a?x=1', originalUrl: '/pay/a?x=1', baseUrl: '/pay'}
  const router = {url: '/pay/a', originalUrl: '/shop/pay/a', baseUrl: '/shop'}
  for (const [fields, basePath, expected] of [
    [{url: '/pay/a?x=1'}, '/pay', '/a x=1'],
    [{url: '/a'}, '', '/a '],
    [express, '/pay', '/a x=1'],
    [express, '', '/a x=1'],
    // Connect has no `baseUrl`.
    [{url: '/a', originalUrl: '/pay/a'}, '/pay', '/a '],
    [router, '/pay', '/a '],
    [router, '/shop/pay', '/a '],
    [{url: '/a', originalUrl: '/shop/pay/a', baseUrl: '/shop/pay'}, '/pay', '/a '],
    [{url: '/webhook', originalUrl: '/api/webhook', baseUrl: '/api'}, '/pay', 'next'],
    [{url: '/health', originalUrl: '/autopay/health', baseUrl: '/autopay'}, '/pay', 'next'],
    [{url: '/pay'}, '/pay', '/ '],
    [{url: '/pay//x'}, '/pay', '//x '],
    [{url: '/payments'}, '/pay', 'next'],
    [{url: '/Pay/x'}, '/pay', 'next'],
    [{url: '/%70ay/x'}, '/pay', 'next'],
    [{url: '/x/pay/y'}, '/pay', 'next'],
    [{url: '/health'}, '/pay', 'next'],
    [{url: 'http://elsewhere.example/pay/health'}, '/pay', 'next'],
    [{url: '*'}, '/pay', 'next'],
  ] as const) {
    const node = toNode(({path, query}) => text(200, `${path} ${query.toString()}`), {basePath})
    const port = await serve(t, (req, res) => {
      void node(Object.assign(req, fields), res, () => void res.end('next'))
    })
    assert.equal(bodyOf(await request(port)), expected, JSON.stringify(fields))
  }
})

test('a request outside the mount point, or without a reply, goes to next or gets an empty 404', async t => {
  const outside = await request(await mount(t, echo, {basePath: '/pay'}), '/other')
  assert.equal(statusOf(outside), 404)
  assert.equal(bodyOf(outside), '')
  const node = toNode(() => undefined)
  const port = await serve(t, (req, res) => void node(req, res, () => void res.end('next')))
  assert.match(await request(port), /next/)
  assert.equal(await respond(() => undefined, fetchRequest()), '404 ')
})

test('repeated headers are joined, and names are in lower case', async t => {
  const port = await mount(t, ({headers}) => text(200, JSON.stringify(headers)))
  const cookies = ['Set-Cookie: a=1', 'Set-Cookie: b=2']
  const repeated = ['X-Forwarded-For: 1.1.1.1', 'x-forwarded-for: 2.2.2.2', ...cookies]
  assert.deepEqual(JSON.parse(bodyOf(await request(port, '/', 'GET', ...repeated))), {
    host: 'a',
    'x-forwarded-for': '1.1.1.1, 2.2.2.2',
    'set-cookie': 'a=1, b=2',
    connection: 'close',
  })
})

/** Posts to a server whose body parser has consumed the stream and set `req.body`. */
async function postToParser(t: TestContext, parsed: unknown, body = '{"a":1}'): Promise<string> {
  const node = toNode(echo)
  const port = await serve(t, (req: IncomingMessage & {body?: unknown}, res) => {
    req.resume().once('end', () => {
      if (parsed !== undefined) req.body = parsed
      void node(req, res)
    })
  })
  const reply = await postBody(port, body)
  return `${statusOf(reply)} ${bodyOf(reply)}`
}

test('the result of a body parser replaces a consumed stream', async t => {
  for (const [parsed, body, expected] of [
    [{a: 1}, '{"a":1}', '200 {"a":1}'],
    ['{"a":1}', '{"a":1}', '200 {"a":1}'],
    [Buffer.from('{"a":1}'), '{"a":1}', '200 {"a":1}'],
    [new TextEncoder().encode('{"a":1}'), '{"a":1}', '200 {"a":1}'],
    [{}, '{}', '200 {}'],
    [[1], '[1]', '200 [1]'],
    ['', ' ', '200 '],
    [null, 'null', '200 null'],
    [0, '0', '200 0'],
    [{a: 'x'.repeat(LIMIT)}, '{"a":1}', '413 too large'],
  ] as const)
    assert.equal(await postToParser(t, parsed, body), expected)
})

test('a consumed stream without a parsed body is an error, unless the body is empty', async t => {
  assert.equal(await postToParser(t, undefined), '400 not read')
  assert.equal(await postToParser(t, undefined, ''), '200 ')
  const consumed = fetchRequest({method: 'POST', body: '{"a":1}'})
  await consumed.text()
  assert.equal(await respond(echo, consumed), '400 not read')
})

test('a body is read, up to the limit, in browsers without Request.body', async t => {
  const body = Object.getOwnPropertyDescriptor(Request.prototype, 'body')
  assert(body && delete (Request.prototype as {body?: unknown}).body)
  t.after(() => Object.defineProperty(Request.prototype, 'body', body))
  assert.equal(await respond(echo, fetchRequest({method: 'POST', body: '{"€":1}'})), '200 {"€":1}')
  assert.equal(
    await respond(echo, fetchRequest({method: 'POST', body: 'x'.repeat(LIMIT + 1)})),
    '413 too large',
  )
  assert.equal(await respond(echo, fetchRequest()), '200 ')
})

const bytes = (...pieces: (string | Uint8Array)[]) => pieces.map(piece => new Uint8Array(Buffer.from(piece)))
const json = '{"€":1}'
/** The pieces of a body, its encoding, and the reply. */
const bodies: readonly (readonly [
  what: string,
  Uint8Array<ArrayBuffer>[],
  encoding: string,
  reply: string,
])[] = [
  ['a byte order mark', bytes('\uFEFF{}'), '', '200 {}'],
  ['a character in two pieces', bytes(Uint8Array.of(0xe2, 0x82), Uint8Array.of(0xac)), '', '200 €'],
  ['as large as the limit', bytes(...'x'.repeat(LIMIT)), '', `200 ${'x'.repeat(LIMIT)}`],
  ['larger', bytes(...'x'.repeat(LIMIT + 1)), '', '413 too large'],
  ['larger in bytes', bytes('€'.repeat(LIMIT / 2)), '', '413 too large'],
  ['gzip', bytes(gzipSync(json)), 'gzip', `200 ${json}`],
  ['deflate', bytes(deflateSync(json)), 'Deflate', `200 ${json}`],
  ['much in gzip', bytes(gzipSync('x'.repeat(10_000))), 'gzip', '413 too large'],
  ['no gzip', bytes(json), 'gzip', '400 not read'],
  ['half of gzip', bytes(gzipSync(json).subarray(0, 12)), 'gzip', '400 not read'],
  ['an unknown encoding', bytes(json), 'zstd', '400 not read'],
]

test('a body is read, whole or in pieces, up to the limit of what it holds', async t => {
  const url = `http://127.0.0.1:${await mount(t, echo)}/`
  for (const [what, pieces, encoding, expected] of bodies)
    for (const send of [toFetch(echo), fetch])
      for (const isStreamed of [false, true]) {
        const body = isStreamed ? streamOf(...pieces) : Buffer.concat(pieces)
        const headers = {...(encoding && {'content-encoding': encoding})}
        const init: RequestInit & {duplex: 'half'} = {method: 'POST', body, headers, duplex: 'half'}
        const response = await send(new Request(url, init))
        assert.equal(`${response.status} ${await response.text()}`, expected, what)
      }
  const headers = {'content-encoding': 'br'}
  const body = new Uint8Array(brotliCompressSync('{}'))
  assert.equal(await (await fetch(url, {method: 'POST', headers, body})).text(), '{}')
})

test('a request with a whole URL is one with its path', async t => {
  const port = await mount(t, ({path, query}) => text(200, `${path} ${query.get('a')}`), {basePath: '/pay'})
  for (const [target, expected] of [
    ['http://a/pay/webhook?a=1', '/webhook 1'],
    ['HTTPS://A/pay', '/ null'],
  ] as const)
    assert.equal(bodyOf(await request(port, target)), expected)
  for (const target of ['http://a', 'http://a?/pay/webhook', 'ftp://a/pay', 'http://b/pay/webhook'])
    assert.equal(statusOf(await request(port, target)), 404, target)
})

test('a body is rejected before it is sent if its content-length is too large', async t => {
  const connection = await openConnection(await mount(t, echo))
  connection.send(post('content-length: 1000000000000'))
  assert.equal(statusOf(await connection.closed()), 413)
  const declared = fetchRequest({method: 'POST', headers: {'content-length': `${LIMIT + 1}`}, body: '{}'})
  assert.equal((await toFetch(echo)(declared)).status, 413)
  assert.equal(declared.bodyUsed, false)
})

test('an endless body is rejected once it is too large', async t => {
  const connection = await openConnection(await mount(t, echo))
  connection.send(post('transfer-encoding: chunked'), chunk('x'.repeat(LIMIT + 1)))
  assert.equal(statusOf(await connection.closed()), 413)
  // The other copy of a cloned body is never cancelled, so nothing may wait for that.
  const cloned = endless('x'.repeat(LIMIT + 1)).clone()
  assert.equal((await toFetch(echo)(cloned)).status, 413)
})

test('the unread part of a rejected body is not parsed as the next request', async t => {
  let requests = 0
  const port = await mount(t, request => (requests++, echo(request)))
  const smuggled = head('GET /smuggled HTTP/1.1', 'host: a')
  for (const reply of [
    await exchange(port, post(`content-length: ${LIMIT + 1}`), smuggled),
    await exchange(port, post('transfer-encoding: chunked'), chunk('x'.repeat(LIMIT + 1)), smuggled),
  ]) {
    assert.match(reply, /^HTTP\/1\.1 413 [^]*connection: close/i)
    assert.equal(reply.match(/HTTP\/1\.1/g)?.length, 1)
  }
  assert.equal(requests, 2)
})

test('reading a body times out, and its connection is closed', async t => {
  t.mock.timers.enable({apis: ['setTimeout']})
  for (const [options, timeoutMs] of [
    [{}, 10_000],
    [{bodyTimeoutMs: 500}, 500],
  ] as const) {
    let isReading = false
    const handler: HttpHandler = request => {
      const reply = echo(request)
      isReading = true
      return reply
    }
    const port = await mount(t, handler, options)
    const connection = await openConnection(port)
    connection.send(post('content-length: 16'), 'x')
    await waitUntil(() => isReading, 'the body to be read')
    t.mock.timers.tick(timeoutMs)
    const reply = await connection.closed()
    assert.equal(statusOf(reply), 400)
    assert.equal(bodyOf(reply), 'not read')

    const response = toFetch(echo, options)(endless('x'))
    t.mock.timers.tick(timeoutMs)
    assert.equal((await response).status, 400)
  }
})

test('a client that resets the connection after its request is not served', async t => {
  const ips: string[] = []
  const port = await mount(t, ({ip}) => (ips.push(ip), text(200, '')))
  for (let count = 0; count < 5; count++) {
    const connection = await openConnection(port)
    connection.send(head('GET / HTTP/1.1', 'host: a'))
    connection.socket.resetAndDestroy()
  }
  await request(port)
  assert.deepEqual(ips, ['127.0.0.1'])
})

test('a handler can drop the connection, and any other error is a 500 without its message', async t => {
  const drop: HttpHandler = () => Promise.reject(new ConnectionDroppedError())
  assert.equal(await request(await mount(t, drop)), '')
  await assert.rejects(toFetch(drop)(fetchRequest()), ConnectionDroppedError)
  const fail: HttpHandler = () => Promise.reject(new Error('the secret'))
  const reply = await request(await mount(t, fail))
  assert.equal(statusOf(reply), 500)
  assert.doesNotMatch(reply, /secret/)
  assert.equal(await respond(fail, fetchRequest()), '500 ')
})

test('fetch: a response for Next.js, which removes content-encoding, is not compressed', async () => {
  const reply = toFetch(({headers}) => text(200, headers['accept-encoding'] ?? 'none'))
  const request = () => fetchRequest({headers: {'accept-encoding': 'br'}})
  assert.equal(await (await reply(request())).text(), 'br')
  const fromNext = Object.assign(request(), {nextUrl: new URL('http://a/')})
  assert.equal(await (await reply(fromNext)).text(), 'none')
})

test('fetch: a host may remove the first segments of basePath, as Next.js removes its own', async () => {
  const fetch = toFetch(({path}) => text(200, path), {basePath: '/shop/pay'})
  const paths = ['/shop/pay/ready', '/pay/ready', '/ready', '/shop/ready', '/other/pay/ready']
  const texts = await Promise.all(
    paths.map(async path => (await fetch(new Request(`http://a${path}`))).text()),
  )
  assert.deepEqual(texts, ['/ready', '/ready', '', '', ''])
})

/** A body with one part and no end. It has only `next` and `return`. */
class EndlessBody implements AsyncIterable<string>, AsyncIterator<string> {
  returned = 0
  #hasStarted = false
  #finish = (_: IteratorResult<string>) => {};

  [Symbol.asyncIterator]() {
    return this
  }

  next(): Promise<IteratorResult<string>> {
    if (this.#hasStarted) return new Promise(resolve => (this.#finish = resolve))
    this.#hasStarted = true
    return Promise.resolve({done: false, value: 'first'})
  }

  return(): Promise<IteratorResult<string>> {
    this.returned++
    this.#finish({done: true, value: undefined})
    return this.returned === 1
      ? Promise.resolve({done: true, value: undefined})
      : Promise.reject(new Error('returned twice'))
  }
}

test('a client that leaves a stream ends the body', async t => {
  for (const disconnect of ['destroy', 'resetAndDestroy'] as const) {
    const body = new EndlessBody()
    const port = await mount(t, () => ({status: 200, headers: {}, body}))
    const connection = await openConnection(port)
    connection.send(head('GET / HTTP/1.1', 'host: a'))
    await connection.until('first')
    assert.equal(body.returned, 0)
    connection.socket[disconnect]()
    await waitUntil(() => body.returned === 1, 'the end of the body')
  }
  const body = new EndlessBody()
  const reader = (await toFetch(() => ({status: 200, headers: {}, body}))(fetchRequest())).body?.getReader()
  assert.equal(new TextDecoder().decode((await reader?.read())?.value), 'first')
  await reader?.cancel()
  assert.equal(body.returned, 1)
})

test('a stream that fails closes the connection, so that the client sees that it is incomplete', async t => {
  async function* failing() {
    yield 'first'
    await nextTurn()
    throw new Error('the secret')
  }
  const handler: HttpHandler = () => ({status: 200, headers: {}, body: failing()})
  const reply = await exchange(await mount(t, handler), head('GET / HTTP/1.1', 'host: a'))
  assert.match(reply, /first/)
  // A complete body ends with an empty chunk (RFC 9112, 7.1).
  assert.doesNotMatch(reply, /\r\n0\r\n\r\n$/)
  assert.doesNotMatch(reply, /secret/)
  await assert.rejects((await toFetch(handler)(fetchRequest())).text())
})
