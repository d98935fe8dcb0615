import assert from 'node:assert/strict'
import {once} from 'node:events'
import {get, type IncomingMessage} from 'node:http'
import {test, type TestContext} from 'node:test'
import {createGunzip} from 'node:zlib'
import compression from 'compression'
import express from 'express'
import {toFetch} from '../../src/http/fetch.js'
import {
  BodyReadError,
  BodyTooLargeError,
  ConnectionDroppedError,
  type HttpHandler,
  type HttpReply,
  type HttpRequest,
} from '../../src/http/message.js'
import {toNode, type NodeOptions} from '../../src/http/node.js'
import {relativePath} from '../../src/http/path.js'
import {bodyOf, dial, exchange, head, serve, signpost, statusOf, until} from './loopback.js'

const LIMIT = 16

/** Answers with the body that it got, as a handler should. */
const echo: HttpHandler = async request => {
  try {
    return text(200, await request.body(LIMIT))
  } catch (error) {
    if (error instanceof BodyTooLargeError) return text(413, 'too large')
    if (error instanceof BodyReadError) return text(400, 'lost')
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

/** What the handler was asked, when a request arrives as some framework would leave it. */
async function asked(
  t: TestContext,
  left: {url: string; originalUrl?: string; baseUrl?: string},
  basePath: string,
): Promise<string> {
  const node = toNode(({path, query}) => Promise.resolve(text(200, `${path} ${query.toString()}`)), {
    basePath,
  })
  const port = await serve(
    t,
    (req, res) => void node(Object.assign(req, left), res, () => void res.end('next')),
  )
  return bodyOf(await exchange(port, head('GET / HTTP/1.1', 'host: a', 'connection: close')))
}

function post(...headers: string[]): string {
  return head('POST / HTTP/1.1', 'host: a', ...headers)
}

test('a path lies below its mount point only behind a slash', () => {
  for (const [path, basePath, below] of [
    ['/pay/charges/1', '/pay', '/charges/1'],
    ['/pay', '/pay', '/'],
    ['/pay/', '/pay', '/'],
    ['/pay//x', '/pay', '//x'],
    ['/payments/x', '/pay', undefined],
    ['/Pay/x', '/pay', undefined],
    ['/%70ay/x', '/pay', undefined],
    ['/x/pay/y', '/pay', undefined],
    ['', '/pay', undefined],
    ['/x', '', '/x'],
    ['/x', '/', '/x'],
  ] as const)
    assert.equal(relativePath(path, basePath), below, `${path} below ${basePath}`)
})

test('the mount point is found wherever a framework leaves it', async t => {
  // Not mounted below anything.
  assert.equal(await asked(t, {url: '/pay/a?x=1'}, '/pay'), '/a x=1')
  assert.equal(await asked(t, {url: '/a'}, ''), '/a ')
  // Express, below the same path; Connect, which has no `baseUrl`.
  const express = {url: '/a?x=1', originalUrl: '/pay/a?x=1', baseUrl: '/pay'}
  assert.equal(await asked(t, express, '/pay'), '/a x=1')
  assert.equal(await asked(t, express, ''), '/a x=1')
  assert.equal(await asked(t, {url: '/a', originalUrl: '/pay/a'}, '/pay'), '/a ')
  // An Express router, itself below another path, that has it below its own or takes `basePath` off.
  const router = {url: '/pay/a', originalUrl: '/shop/pay/a', baseUrl: '/shop'}
  assert.equal(await asked(t, router, '/pay'), '/a ')
  assert.equal(await asked(t, router, '/shop/pay'), '/a ')
  const inner = {url: '/a', originalUrl: '/shop/pay/a', baseUrl: '/shop/pay'}
  assert.equal(await asked(t, inner, '/pay'), '/a ')
})

test("a merchant's own routes are never taken, however the merchant's router is mounted", async t => {
  for (const left of [
    {url: '/webhook', originalUrl: '/api/webhook', baseUrl: '/api'},
    {url: '/health', originalUrl: '/autopay/health', baseUrl: '/autopay'},
    {url: '/payments'},
    {url: '/health'},
    {url: 'http://elsewhere.example/pay/health'},
    {url: '*'},
  ])
    assert.equal(await asked(t, left, '/pay'), 'next', left.url)
})

test('outside the mount point is a bare 404 when there is no next', async t => {
  const port = await mount(t, echo, {basePath: '/pay'})
  const reply = await exchange(port, head('GET /other HTTP/1.1', 'host: a', 'connection: close'))
  assert.equal(statusOf(reply), 404)
  assert.equal(bodyOf(reply), '')
})

test('a handler that answers nothing leaves the request to next', async t => {
  const node = toNode(() => Promise.resolve(undefined))
  const port = await serve(t, (req, res) => void node(req, res, () => void res.end('next')))
  assert.match(await exchange(port, head('GET / HTTP/1.1', 'host: a', 'connection: close')), /next/)
  const response = await toFetch(() => Promise.resolve(undefined))(new Request('http://a/'))
  assert.equal(response.status, 404)
})

test('the path arrives as it was sent, undecoded', async t => {
  const seen: string[] = []
  const port = await mount(
    t,
    ({path}) => {
      seen.push(path)
      return Promise.resolve(text(200, ''))
    },
    {basePath: '/pay'},
  )
  const paths = [
    '/charges/%2e%2e/x',
    '/charges/../x',
    '/a%2Fb',
    '/a%252Fb',
    '/a%00',
    '/a\\b',
    '//evil.example',
    '/%',
  ]
  for (const path of paths)
    await exchange(port, head(`GET /pay${path}?q=/y HTTP/1.1`, 'host: a', 'connection: close'))
  assert.deepEqual(seen, paths)
})

test('repeated headers are joined, and names are in lower case', async t => {
  const port = await mount(t, ({headers}) => Promise.resolve(text(200, JSON.stringify(headers))))
  const reply = await exchange(
    port,
    head(
      'GET / HTTP/1.1',
      'Host: a',
      'X-Forwarded-For: 1.1.1.1',
      'x-forwarded-for: 2.2.2.2',
      'Set-Cookie: a=1',
      'Set-Cookie: b=2',
      'connection: close',
    ),
  )
  assert.deepEqual(JSON.parse(bodyOf(reply)), {
    host: 'a',
    'x-forwarded-for': '1.1.1.1, 2.2.2.2',
    'set-cookie': 'a=1, b=2',
    connection: 'close',
  })
})

/** A body parser ran before, and left this. */
async function spent(t: TestContext, left: unknown, sent = '{"a":1}'): Promise<string> {
  const node = toNode(echo)
  const port = await serve(t, (req: IncomingMessage & {body?: unknown}, res) => {
    req.resume().once('end', () => {
      if (left !== undefined) req.body = left
      void node(req, res)
    })
  })
  const reply = await exchange(
    port,
    post('connection: close', `content-length: ${Buffer.byteLength(sent)}`),
    sent,
  )
  return `${statusOf(reply)} ${bodyOf(reply)}`
}

test('what a parser made of a spent stream stands in for it', async t => {
  assert.equal(await spent(t, {a: 1}), '200 {"a":1}')
  assert.equal(await spent(t, '{"a":1}'), '200 {"a":1}')
  assert.equal(await spent(t, Buffer.from('{"a":1}')), '200 {"a":1}')
  assert.equal(await spent(t, new TextEncoder().encode('{"a":1}')), '200 {"a":1}')
  assert.equal(await spent(t, {}, '{}'), '200 {}')
  assert.equal(await spent(t, [1], '[1]'), '200 [1]')
  assert.equal(await spent(t, '', ' '), '200 ')
  assert.equal(await spent(t, null, 'null'), '200 null')
  assert.equal(await spent(t, 0, '0'), '200 0')
})

test('a spent stream of which nothing was left is an error, not an empty body', async t => {
  assert.equal(await spent(t, undefined), '400 lost')
  assert.equal(await spent(t, undefined, ''), '200 ')
  const request = new Request('http://a/', {method: 'POST', body: '{"a":1}'})
  await request.text()
  assert.equal((await toFetch(echo)(request)).status, 400)
})

test('a stream that the parser before did not read is read, whatever it left', async t => {
  const node = toNode(echo)
  // Express 4 leaves an object also for a content type that is not its own.
  const port = await serve(t, (req, res) => void node(Object.assign(req, {body: {}}), res))
  const reply = await exchange(port, post('connection: close', 'content-length: 7'), '{"a":1}')
  assert.equal(bodyOf(reply), '{"a":1}')
})

test('a byte order mark is not part of the text', async t => {
  const bytes = Buffer.from('\uFEFF{}')
  const port = await mount(t, echo)
  const reply = await exchange(port, post('connection: close', `content-length: ${bytes.length}`), '\uFEFF{}')
  assert.equal(bodyOf(reply), '{}')
  const request = new Request('http://a/', {method: 'POST', body: bytes})
  assert.equal(await (await toFetch(echo)(request)).text(), '{}')
})

test('a character that two chunks share is one character', async t => {
  const [first, second] = [Uint8Array.of(0xe2, 0x82), Uint8Array.of(0xac)]
  const port = await mount(t, echo)
  const line = await dial(port)
  line.send(post('connection: close', 'content-length: 3'))
  line.socket.write(first)
  await new Promise(resolve => setImmediate(resolve))
  line.socket.write(second)
  assert.equal(bodyOf(await line.closed()), '€')
  const request = streamed(controller => {
    controller.enqueue(first)
    controller.enqueue(second)
    controller.close()
  })
  assert.equal(await (await toFetch(echo)(request)).text(), '€')
})

function streamed(start: (controller: ReadableStreamDefaultController<Uint8Array>) => void): Request {
  const init: RequestInit & {duplex: 'half'} = {
    method: 'POST',
    body: new ReadableStream({start}),
    duplex: 'half',
  }
  return new Request('http://a/', init)
}

test('a body is read, and held to the limit, where requests have no stream, as in Firefox', async t => {
  const body = Object.getOwnPropertyDescriptor(Request.prototype, 'body')
  assert(body && delete (Request.prototype as {body?: unknown}).body)
  t.after(() => Object.defineProperty(Request.prototype, 'body', body))
  const answer = async (init: RequestInit) => toFetch(echo)(new Request('http://a/', init))
  assert.equal(await (await answer({method: 'POST', body: '{"€":1}'})).text(), '{"€":1}')
  assert.equal((await answer({method: 'POST', body: 'x'.repeat(LIMIT + 1)})).status, 413)
  assert.equal(await (await answer({method: 'GET'})).text(), '')
})

test('a body may be as large as the limit, and not a byte larger', async t => {
  const port = await mount(t, echo)
  const fetched = toFetch(echo)
  const largest = 'x'.repeat(LIMIT)
  for (const [body, status] of [
    [largest, 200],
    [`${largest}x`, 413],
    // Counted in bytes.
    ['€'.repeat(6), 413],
  ] as const) {
    const length = Buffer.byteLength(body)
    const declared = await exchange(port, post('connection: close', `content-length: ${length}`), body)
    assert.equal(statusOf(declared), status)
    const chunk = `${length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    const sent = await exchange(port, post('connection: close', 'transfer-encoding: chunked'), chunk)
    assert.equal(statusOf(sent), status)
    assert.match(await spent(t, body, body), new RegExp(`^${status} `))
    assert.equal((await fetched(new Request('http://a/', {method: 'POST', body}))).status, status)
    const request = streamed(controller => {
      for (const byte of new TextEncoder().encode(body)) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    })
    assert.equal((await fetched(request)).status, status)
  }
})

test('what a parser made of a body is held to the limit too', async t => {
  const node = toNode(echo)
  const port = await serve(
    t,
    (req, res) =>
      void req.resume().once('end', () => void node(Object.assign(req, {body: {a: 'x'.repeat(9)}}), res)),
  )
  const sent = '1\r\nx\r\n0\r\n\r\n'
  assert.equal(
    statusOf(await exchange(port, post('connection: close', 'transfer-encoding: chunked'), sent)),
    413,
  )
})

test('a body that says it is too large is refused before it is sent', async t => {
  const port = await mount(t, echo)
  const line = await dial(port)
  line.send(post('content-length: 1000000000000'))
  const reply = await line.closed()
  assert.equal(statusOf(reply), 413)
  const headers = {'content-length': '17'}
  const request = new Request('http://a/', {method: 'POST', headers, body: '{}'})
  assert.equal((await toFetch(echo)(request)).status, 413)
  assert.equal(request.bodyUsed, false)
})

test('a body without an end is refused once it is too large', async t => {
  const port = await mount(t, echo)
  const line = await dial(port)
  line.send(post('transfer-encoding: chunked'), `11\r\n${'x'.repeat(17)}\r\n`)
  assert.equal(statusOf(await line.closed()), 413)
  // The twin of a cloned body is never cancelled: nothing may wait for it.
  const endless = streamed(controller => controller.enqueue(new Uint8Array(17)))
  assert.equal((await toFetch(echo)(endless.clone())).status, 413)
})

test('the rest of a refused body is not read as the next request', async t => {
  let requests = 0
  const port = await mount(t, request => {
    requests++
    return echo(request)
  })
  const smuggled = [head('GET /smuggled HTTP/1.1', 'host: a')].join('\r\n')
  const declared = await exchange(port, post('content-length: 17'), smuggled)
  const chunked = await exchange(
    port,
    post('transfer-encoding: chunked'),
    `11\r\n${'x'.repeat(17)}\r\n${smuggled}`,
  )
  for (const reply of [declared, chunked]) {
    assert.match(reply, /^HTTP\/1\.1 413 [^]*connection: close/i)
    assert.equal(reply.match(/HTTP\/1\.1/g)?.length, 1)
  }
  assert.equal(requests, 2)
})

test('a connection is kept after a body that was read', async t => {
  const line = await dial(await mount(t, echo))
  line.send(post('content-length: 2'), 'aa')
  await line.until('aa')
  line.send(post('content-length: 2'), 'bb')
  const replies = await line.until('bb')
  assert.equal(replies.match(/HTTP\/1\.1 200/g)?.length, 2)
  line.socket.destroy()
})

test('a body that takes too long is given up, and its connection closed', async t => {
  t.mock.timers.enable({apis: ['setTimeout']})
  for (const options of [{}, {bodyTimeoutMs: 500}]) {
    const reading = signpost()
    const slowly: HttpHandler = request => {
      const reply = echo(request)
      reading.reach()
      return reply
    }
    const port = await mount(t, slowly, options)
    const line = await dial(port)
    line.send(post('content-length: 16'), 'x')
    await reading.reached
    t.mock.timers.tick(options.bodyTimeoutMs ?? 10_000)
    const reply = await line.closed()
    assert.equal(statusOf(reply), 400)
    assert.equal(bodyOf(reply), 'lost')

    const response = toFetch(echo, options)(streamed(controller => controller.enqueue(Uint8Array.of(120))))
    t.mock.timers.tick(options.bodyTimeoutMs ?? 10_000)
    assert.equal((await response).status, 400)
  }
})

test('a client that leaves in the middle of its body harms nobody', async t => {
  const outcomes: unknown[] = []
  const port = await mount(t, async request => {
    const body = await request.body(LIMIT).catch((error: unknown) => error)
    outcomes.push(body)
    return text(200, '')
  })
  const timers = timersRunning()
  for (const leave of ['end', 'destroy', 'resetAndDestroy'] as const) {
    const line = await dial(port)
    line.send(post('content-length: 16'), 'x')
    await until(() => timersRunning() > timers, 'the body to be read')
    line.socket[leave]()
    await until(() => timersRunning() === timers, 'the body to be given up')
    line.socket.destroy()
  }
  const broken = await toFetch(echo)(streamed(controller => controller.error(new Error('gone'))))
  assert.equal(broken.status, 400)
  const whole = await exchange(port, post('connection: close', 'content-length: 1'), 'x')
  assert.equal(statusOf(whole), 200)
  assert.deepEqual(
    outcomes.map(outcome => (outcome instanceof BodyReadError ? 'lost' : outcome)),
    ['lost', 'lost', 'lost', 'x'],
  )
  assert.equal(timersRunning(), timers)
})

function timersRunning(): number {
  return process.getActiveResourcesInfo().filter(resource => resource === 'Timeout').length
}

test('a client that resets the connection behind its request gets no work done', async t => {
  const ips: string[] = []
  const port = await mount(t, ({ip}) => {
    ips.push(ip)
    return Promise.resolve(text(200, ''))
  })
  for (let i = 0; i < 5; i++) {
    const line = await dial(port)
    line.send(head('GET / HTTP/1.1', 'host: a'))
    line.socket.resetAndDestroy()
  }
  await exchange(port, head('GET / HTTP/1.1', 'host: a', 'connection: close'))
  assert.deepEqual(ips, ['127.0.0.1'])
})

test('a dropped connection dies without a word', async t => {
  const drop: HttpHandler = () => Promise.reject(new ConnectionDroppedError())
  const port = await mount(t, drop)
  assert.equal(await exchange(port, head('GET / HTTP/1.1', 'host: a')), '')
  await assert.rejects(toFetch(drop)(new Request('http://a/')), ConnectionDroppedError)
})

test('a handler that throws is a 500 without its text', async t => {
  const fail: HttpHandler = () => Promise.reject(new Error('the secret'))
  const port = await mount(t, fail)
  const reply = await exchange(port, head('GET / HTTP/1.1', 'host: a', 'connection: close'))
  assert.equal(statusOf(reply), 500)
  assert.doesNotMatch(reply, /secret/)
  const response = await toFetch(fail)(new Request('http://a/'))
  assert.equal(response.status, 500)
  assert.equal(await response.text(), '')
})

test('204 has no length, and HEAD has no body', async t => {
  const port = await mount(t, ({method}) => Promise.resolve(text(method === 'HEAD' ? 200 : 204, 'x')))
  const none = await exchange(port, head('OPTIONS / HTTP/1.1', 'host: a', 'connection: close'))
  assert.doesNotMatch(none, /content-length/i)
  const headed = await exchange(port, head('HEAD / HTTP/1.1', 'host: a', 'connection: close'))
  assert.match(headed, /content-length: 1/i)
  assert.equal(bodyOf(headed), '')
  const response = await toFetch(() => Promise.resolve(text(204, '')))(new Request('http://a/'))
  assert.equal(response.body, null)
})

/** A body that says one thing and then waits, as an event stream does; it knows only of `return`. */
class Waiting implements AsyncIterable<string>, AsyncIterator<string> {
  returned = 0
  #said = 0
  #finish = (_: IteratorResult<string>) => {};

  [Symbol.asyncIterator]() {
    return this
  }

  next(): Promise<IteratorResult<string>> {
    if (this.#said++ === 0) return Promise.resolve({done: false, value: 'first'})
    return new Promise(resolve => (this.#finish = resolve))
  }

  return(): Promise<IteratorResult<string>> {
    this.returned++
    this.#finish({done: true, value: undefined})
    return this.returned === 1
      ? Promise.resolve({done: true, value: undefined})
      : Promise.reject(new Error('again'))
  }
}

test('a stream comes at once also through the compression middleware', async t => {
  const node = toNode(() => ({
    status: 200,
    headers: {'content-type': 'text/event-stream'},
    body: new Waiting(),
  }))
  const app = express().use(compression()).use(node)
  const port = await serve(t, (req, res) => app(req, res))
  const asked = get({port, host: '127.0.0.1', headers: {'accept-encoding': 'gzip'}})
  t.after(() => asked.destroy())
  const signal = AbortSignal.timeout(5_000)
  const [reply] = (await once(asked, 'response', {signal})) as [IncomingMessage]
  assert.equal(reply.headers['content-encoding'], 'gzip')
  // What comes last when the test ends is cut off, and says so.
  const said = reply.pipe(createGunzip()).on('error', () => {})
  assert.equal(String(await once(said, 'data', {signal})), 'first')
})

test('a client that leaves a stream aborts the signal and ends the body', async t => {
  const bodies: Waiting[] = []
  const signals: AbortSignal[] = []
  const handler = ({signal}: HttpRequest): Promise<HttpReply> => {
    const body = new Waiting()
    bodies.push(body)
    signals.push(signal)
    return Promise.resolve({status: 200, headers: {}, body})
  }
  const port = await mount(t, handler)
  for (const leave of ['destroy', 'resetAndDestroy'] as const) {
    const line = await dial(port)
    line.send(head('GET / HTTP/1.1', 'host: a'))
    await line.until('first')
    assert.equal(signals.at(-1)?.aborted, false)
    assert.equal(bodies.at(-1)?.returned, 0)
    line.socket[leave]()
    await until(
      () => bodies.at(-1)?.returned === 1 && signals.at(-1)?.aborted === true,
      'the end of the body',
    )
  }
})

test('a response whose body is cancelled aborts the signal and ends the body', async () => {
  for (const way of ['cancel', 'abort'] as const) {
    const body = new Waiting()
    let signal: AbortSignal | undefined
    const client = new AbortController()
    const respond = toFetch(request => {
      signal = request.signal
      return Promise.resolve({status: 200, headers: {}, body})
    })
    const reader = (await respond(new Request('http://a/', {signal: client.signal}))).body?.getReader()
    assert.equal(new TextDecoder().decode((await reader?.read())?.value), 'first')
    assert.equal(signal?.aborted, false)
    if (way === 'abort') client.abort()
    else await reader?.cancel()
    assert.equal(signal.aborted, true)
    if (way === 'cancel') assert.equal(body.returned, 1)
  }
})

test('a stream for a client that has left is ended before it begins', async t => {
  const body = new Waiting()
  let isAborted = false
  const port = await mount(t, async ({signal}) => {
    await new Promise(resolve => signal.addEventListener('abort', resolve))
    isAborted = signal.aborted
    return {status: 200, headers: {}, body}
  })
  const line = await dial(port)
  line.send(head('GET / HTTP/1.1', 'host: a'))
  await new Promise(resolve => setImmediate(resolve))
  line.socket.destroy()
  await until(() => body.returned === 1, 'the end of the body')
  assert.equal(isAborted, true)
})

test('a stream that breaks cuts the connection, so that nobody takes it for whole', async t => {
  async function* broken() {
    yield 'first'
    await new Promise(resolve => setImmediate(resolve))
    throw new Error('the secret')
  }
  const handler: HttpHandler = () => Promise.resolve({status: 200, headers: {}, body: broken()})
  const port = await mount(t, handler)
  const reply = await exchange(port, head('GET / HTTP/1.1', 'host: a'))
  assert.match(reply, /first/)
  // The last chunk of a whole body is an empty one (RFC 9112, 7.1).
  assert.doesNotMatch(reply, /\r\n0\r\n\r\n$/)
  assert.doesNotMatch(reply, /secret/)
  await assert.rejects((await toFetch(handler)(new Request('http://a/'))).text())
})

test('a stream is not read faster than its client reads', async t => {
  const chunk = 'x'.repeat(64 * 1024)
  const most = 4_000
  let made = 0
  let isOver = false
  async function* plenty() {
    try {
      for (; made < most; made++) yield chunk
    } finally {
      isOver = true
    }
  }
  const port = await mount(t, () => Promise.resolve({status: 200, headers: {}, body: plenty()}))
  const line = await dial(port)
  line.socket.pause()
  line.send(head('GET / HTTP/1.1', 'host: a'))
  await standstill(() => made)
  const before = made
  assert.ok(before > 0 && before < most, `${before} chunks`)
  line.socket.resume()
  await until(() => made > before + 10, 'the stream to go on')
  line.socket.destroy()
  await until(() => isOver, 'the end of the body')

  made = 0
  const response = await toFetch(() => Promise.resolve({status: 200, headers: {}, body: plenty()}))(
    new Request('http://a/'),
  )
  await standstill(() => made)
  assert.ok(made <= 2)
  await response.body?.cancel()
})

/** Until a number has kept its value for a while. */
async function standstill(number: () => number): Promise<void> {
  let last = -1
  for (let turns = 0; turns < 200; turns++) {
    if (number() !== last) turns = 0
    last = number()
    await new Promise(resolve => setImmediate(resolve))
  }
}

test("an answer that comes after a framework's own timeout is dropped without harm", async t => {
  const body = new Waiting()
  const replies: HttpReply[] = [text(200, 'late'), {status: 200, headers: {}, body}]
  const answered = signpost()
  const node = toNode(async () => {
    await answered.reached
    return replies.shift()
  })
  let handled: Promise<void> = Promise.resolve()
  const port = await serve(t, (req, res) => {
    handled = node(req, res)
    res.writeHead(503).end('timeout')
  })
  while (replies.length > 0) {
    const reply = await exchange(port, head('GET / HTTP/1.1', 'host: a', 'connection: close'))
    assert.equal(statusOf(reply), 503)
    answered.reach()
    await handled
  }
  assert.equal(body.returned, 1)
})
