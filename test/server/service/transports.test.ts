/** The transports over real sockets: what they write, what they read, and when they say that nothing was sent. */
import assert from 'node:assert/strict'
import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {createServer, type RequestListener} from 'node:http'
import {createServer as createTcpServer, type Server, type Socket} from 'node:net'
import {createServer as createTlsServer} from 'node:tls'
import {describe, test, type TestContext} from 'node:test'
import {
  RequestNotSentError,
  type Transport,
  type TransportReply,
  type TransportRequest,
} from '../../../src/http/index.js'
import {fetchTransport} from '../../../src/http/fetch-transport.js'
import {socketTransport} from '../../../src/workers/socket-transport.js'
import {createNetworkTransport} from '../../../src/http/node-transport.js'
import {portOf} from '../../http/loopback.js'
import {connectOnNode} from '../../workers/worker-socket.js'

const convert = {method: 'GET', body: '{"unit":"€"}'} as const

type Send = (url: string, request?: Partial<TransportRequest>) => Promise<TransportReply>

function sender(transport: Transport): Send {
  const {signal} = new AbortController()
  return (url, request) =>
    transport({method: 'GET', url, headers: {'api-key': 'k'}, signal, maxBytes: 1_000, ...request})
}

function nodeTransport(t: TestContext): Send {
  const network = createNetworkTransport()
  t.after(() => network.close())
  return sender(network.send)
}

const workerTransport = () => sender(socketTransport(() => Promise.resolve(connectOnNode)))

const transports = {
  'node:http': nodeTransport,
  fetch: () => sender(fetchTransport),
  'cloudflare:sockets': workerTransport,
}
/** Those that can send a GET with a body, and tell what was not sent. */
const ofConvert = {'node:http': nodeTransport, 'cloudflare:sockets': workerTransport}

async function listen(t: TestContext, server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `http://127.0.0.1:${portOf(server)}/path?a=1`
}

const serve = (t: TestContext, listener: RequestListener) => listen(t, createServer(listener))

/** Sends the response to each chunk of bytes that arrives. */
function serveBytes(t: TestContext, respond: (socket: Socket, bytes: string) => void): Promise<string> {
  const onConnection = (socket: Socket) => socket.on('data', data => respond(socket, data.toString()))
  return listen(t, createTcpServer(onConnection))
}

for (const [name, transport] of Object.entries(transports))
  describe(name, () => {
    test('sends the method, the headers and the body', async t => {
      const received: unknown[] = []
      const url = await serve(t, (request, response) => {
        const {method, headers} = request
        request.setEncoding('utf8').on('data', (body: string) => {
          received.push(method, headers['api-key'], headers['content-length'], body)
          response.end()
        })
      })
      assert.equal((await transport(t)(url, {method: 'POST', body: '{"unit":"€"}'})).body, '')
      assert.deepEqual(received, ['POST', 'k', '14', '{"unit":"€"}'])
    })

    test('returns the status, the headers in lower case and the body as UTF-8, however it is divided', async t => {
      const url = await serveBytes(t, socket => {
        const bytes = Buffer.from(
          'HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nX-A: 1\r\nX-A: 2\r\ncontent-length: 3\r\n\r\n€',
        )
        socket.write('HTTP/1.1 103 Early Hints\r\n\r\n')
        socket.write(bytes.subarray(0, -2), () => setImmediate(() => socket.write(bytes.subarray(-2))))
      })
      const {status, headers, body} = await transport(t)(url)
      assert.deepEqual([status, headers['retry-after'], headers['x-a'], body], [503, '7', '1, 2', '€'])
    })

    test('returns a redirect and does not follow it, because that would send the api-key', async t => {
      let isFollowed = false
      const target = await serve(t, (_, response) => {
        isFollowed = true
        response.end()
      })
      const url = await serve(t, (_, response) => response.writeHead(302, {location: target}).end())
      assert.equal((await transport(t)(url)).status, 302)
      assert.equal(isFollowed, false)
    })

    test('stops at the abort, also in the middle of the body', async t => {
      const controller = new AbortController()
      let closed = () => {}
      const isClosed = new Promise<void>(resolve => (closed = resolve))
      const url = await serve(t, (_, response) => {
        response.on('close', closed).write('{', () => setImmediate(() => controller.abort('overdue')))
      })
      await assert.rejects(transport(t)(url, {signal: controller.signal}), error => error === 'overdue')
      await isClosed
    })

    test('sends nothing after the abort', async t => {
      const url = await serve(t, (_, response) => response.end())
      await assert.rejects(transport(t)(url, {signal: AbortSignal.abort('overdue')}), RequestNotSentError)
    })

    test('rejects a response above the limit, and closes its connection', async t => {
      let closed = () => {}
      const isClosed = new Promise<void>(resolve => (closed = resolve))
      const url = await serve(t, (_, response) => {
        const write = () => {
          while (!response.destroyed && response.write('x'.repeat(500)));
        }
        response.on('drain', write).on('close', closed)
        write()
      })
      await assert.rejects(transport(t)(url), /too large/)
      await isClosed
    })
  })

const faults = [
  ['is shorter than its length', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}'],
  ['ends in the middle of a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\n{}'],
  ['changes the protocol', 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
  ['is not HTTP', 'hello\r\n\r\n'],
  ['has two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'],
  ['has a length that is no number', 'HTTP/1.1 200 OK\r\ncontent-length: 0x2\r\n\r\n{}'],
  ['has a chunk without a size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nx\r\n{}\r\n0\r\n\r\n'],
  [
    'has a chunk longer than its size',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n',
  ],
  ['has no last chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n'],
  ['ends in its headers', 'HTTP/1.1 200 OK\r\ncontent-le'],
  ['has 100 kB of headers', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n{}`],
  ['is only interim', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['is empty', ''],
] as const

const forms = [
  ['with a length', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}', [200, '{}']],
  [
    'with another one behind it',
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}HTTP/1.1 500 X\r\n\r\n',
    [200, '{}'],
  ],
  ['without a length, until the end', 'HTTP/1.1 200 OK\r\n\r\n{}', [200, '{}']],
  [
    'in chunks with extensions and trailers',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n1;a=b\r\n{\r\n00001\r\n}\r\n0\r\nx: y\r\n\r\n',
    [200, '{}'],
  ],
  [
    'after interim responses',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}',
    [200, '{}'],
  ],
  ['without content', 'HTTP/1.1 204 No Content\r\n\r\n', [204, '']],
  ['without a reason, of HTTP/1.0', 'HTTP/1.0 429 \r\ncontent-length: 0\r\n\r\n', [429, '']],
] as const

for (const [name, transport] of Object.entries(ofConvert))
  describe(`convert over ${name}`, () => {
    test('frames the body of a GET with its length in bytes, on a connection that serves no second request', async t => {
      const received: string[] = []
      const url = await serveBytes(t, (socket, bytes) => {
        received.push(bytes)
        if (received.join('').endsWith(convert.body))
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')
      })
      assert.equal((await transport(t)(url, convert)).body, '{}')
      const [head = '', body, ...others] = received.join('').split('\r\n\r\n')
      assert.match(head, /^GET \/path\?a=1 HTTP\/1\.1\r\n/)
      assert.match(head, /\r\ncontent-length: 14(\r\n|$)/i)
      assert.match(head, /\r\nconnection: close(\r\n|$)/i)
      assert.doesNotMatch(head, /transfer-encoding/i)
      assert.deepEqual([body, others], [convert.body, []])
    })

    test('reports a refused connection, an unknown host and a failed TLS handshake as not sent', async t => {
      const send = transport(t)
      const server = createTcpServer()
      const refused = await listen(t, server)
      await once(server.close(), 'close')
      const plain = await serveBytes(t, socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
      for (const url of [refused, 'http://unknown.invalid/', plain.replace('http:', 'https:')])
        await assert.rejects(send(url, {method: 'POST', body: '{}'}), RequestNotSentError)
    })

    test('does not report a TLS connection that was lost after the request as not sent', async t => {
      const pem = readFileSync('test/fixtures/loopback.pem', 'utf8')
      const server = createTlsServer({key: pem, cert: pem}, socket => {
        socket.on('error', () => undefined).once('data', () => socket.destroy())
      })
      const url = await listen(t, server)
      const previous = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
      t.after(() => {
        if (previous === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
        else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = previous
      })
      const send = transport(t)
      const secure = url.replace('http:', 'https:')
      await assert.rejects(send(secure), RequestNotSentError)
      // No authority has signed the certificate.
      process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
      await assert.rejects(send(secure), error => !(error instanceof RequestNotSentError))
    })

    for (const [fault, bytes] of faults)
      test(`rejects a response that ${fault}`, async t => {
        const url = await serveBytes(t, socket => socket.end(bytes))
        await assert.rejects(transport(t)(url), error => !(error instanceof RequestNotSentError))
      })

    for (const [form, bytes, expected] of forms)
      test(`reads a response ${form}, also byte by byte`, async t => {
        const pieces: readonly (readonly string[])[] = [[bytes], bytes.split('')]
        for (const chunks of pieces) {
          const url = await serveBytes(t, socket => {
            socket.setNoDelay()
            for (const chunk of chunks) socket.write(chunk)
            socket.end()
          })
          const {status, body} = await transport(t)(url)
          assert.deepEqual([status, body], expected)
        }
      })
  })

test('sends no body and no length with a plain GET, and uses its connection again, but not for a POST', async t => {
  const ports: (number | undefined)[] = []
  const url = await serve(t, (request, response) => {
    ports.push(request.socket.remotePort)
    response.end(String(request.headers['content-length']))
  })
  const send = nodeTransport(t)
  assert.equal((await send(url)).body, 'undefined')
  assert.equal((await send(url, convert)).body, '14')
  assert.equal((await send(url)).body, 'undefined')
  assert.equal((await send(url, {method: 'POST', body: '{}'})).body, '2')
  assert.equal(ports[0], ports[2])
  assert.equal(new Set(ports).size, 3)
})

test('does not report a connection that was lost after the request as not sent', async t => {
  const send = nodeTransport(t)
  let responses = 0
  const url = await serveBytes(t, socket => {
    if (++responses === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')
    else socket.resetAndDestroy()
  })
  await send(url)
  // On the connection of the first request, then on a new one.
  for (const method of ['POST', 'POST', 'GET'] as const)
    await assert.rejects(send(url, {method}), error => !(error instanceof RequestNotSentError))
})
