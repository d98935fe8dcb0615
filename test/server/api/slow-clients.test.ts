/** Clients that read or write slowly: their cost is bounded, and others do not wait for them. */
import assert from 'node:assert/strict'
import {once} from 'node:events'
import {createServer} from 'node:http'
import {Duplex} from 'node:stream'
import {test, type TestContext} from 'node:test'
import compression from 'compression'
import express from 'express'
import type {HttpHandler} from '../../../src/http/index.js'
import {toNode} from '../../../src/http/node.js'
import {memoryStore} from '../../../src/server/stores/memory-store.js'
import type {Store} from '../../../src/server/stores/store.js'
import {
  openConnection,
  exchange,
  head,
  portOf,
  serve,
  closeServer,
  statusOf,
  waitUntil,
} from '../../http/loopback.js'
import {scripted} from '../scripted-service.js'

const WAKE_UPS = 5_000
const PATH = '/crypto-checkout/charges/c1'

/** A connection whose other end reads nothing until `unblock`. */
class BlockedConnection extends Duplex {
  received = ''
  #isReading = false
  #write: (() => void) | undefined

  override _read() {}

  override _write(chunk: Buffer, _encoding: string, done: () => void) {
    const write = () => {
      this.received += chunk.toString()
      done()
    }
    if (this.#isReading) write()
    else this.#write = write
  }

  unblock() {
    this.#isReading = true
    this.#write?.()
  }
}

/** An open charge, and a way to append entries to its journal. */
async function fixture() {
  const store = memoryStore()
  let reads = 0
  const read: Store['read'] = (...args) => {
    reads += 1
    return store.read(...args)
  }
  const {open, checkout} = scripted({store: {...store, read}})
  await open()
  const {length: opened} = await store.read('c1')
  let rev = opened
  return {
    checkout,
    rev: () => rev,
    /** How often the proxy has read the journal. */
    reads: () => reads,
    /** Appends entries of an unknown kind, one at a time. */
    grow: async () => {
      for (const end = rev + WAKE_UPS; rev < end;) {
        await store.append('c1', ++rev, '{"kind":"of a newer version"}')
        await turn()
      }
    },
  }
}

function turn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

/** A server with one client, whose connection reads nothing. */
function blockedClient(
  t: TestContext,
  handler: HttpHandler,
  request: string,
  isCompressed = false,
): BlockedConnection {
  const node = toNode(handler, {basePath: '/crypto-checkout'})
  const app = express()
  if (isCompressed) app.use(compression())
  const server = createServer(app.use((req, res) => void node(req, res)))
  const connection = new BlockedConnection()
  t.after(() => connection.destroy())
  server.emit('connection', connection)
  connection.push(request)
  return connection
}

function revsIn(text: string): number[] {
  return [...text.matchAll(/data: {"rev":(\d+)}/g)].map(([, rev]) => Number(rev))
}

test('a client that never reads its stream costs one buffer, and receives the latest revision when it reads again', async t => {
  const {checkout, grow, rev} = await fixture()
  const connection = blockedClient(t, checkout.handler, head(`GET ${PATH}/events HTTP/1.1`, 'host: a'))
  await grow()
  const waiting = connection.writableLength
  await grow()
  assert.equal(connection.writableLength, waiting)
  assert.ok(waiting < 2 * connection.writableHighWaterMark, `${waiting} bytes wait`)

  connection.unblock()
  await waitUntil(() => revsIn(connection.received).at(-1) === rev(), 'the latest wake-up')
  assert.ok(revsIn(connection.received).length < WAKE_UPS)
  await checkout.close()
})

test('the compression middleware buffers no more for a client that never reads', async t => {
  const {checkout, grow, reads} = await fixture()
  const request = head(`GET ${PATH}/events HTTP/1.1`, 'host: a', 'accept-encoding: gzip')
  const connection = blockedClient(t, checkout.handler, request, true)
  // The middleware has buffers of its own and compresses asynchronously.
  let before = -1
  for (let rounds = 0; rounds < 10 && reads() !== before; rounds++) {
    before = reads()
    await grow()
  }
  assert.equal(reads(), before, 'the stream still reads')
  assert.ok(connection.writableLength < 2 * connection.writableHighWaterMark)

  connection.unblock()
  await waitUntil(() => connection.received.includes('Content-Encoding: gzip'), 'the buffered response')
  await waitUntil(() => reads() > before, 'the next read')
  await checkout.close()
})

test('a Response whose stream is not read holds at most two wake-ups', async () => {
  const {checkout, grow, rev} = await fixture()
  const opened = rev()
  const {body} = await checkout.fetch(new Request(`https://shop.example${PATH}/events`))
  assert.ok(body)
  await grow()
  await checkout.close()
  const revs = revsIn(await new Response(body).text())
  assert.ok(revs.length <= 2 && revs.at(0) === opened, revs.join())
})

test('requests of a client that reads no response wait until it does', async t => {
  const {checkout} = await fixture()
  let handled = 0
  const handler: HttpHandler = request => {
    handled += 1
    return checkout.handler(request)
  }
  const request = head(`GET ${PATH} HTTP/1.1`, 'host: a')
  const connection = blockedClient(t, handler, request)
  const [rounds, perRound] = [100, 50]
  for (let round = 0; round < rounds; round++) {
    connection.push(request.repeat(perRound))
    await turn()
  }
  assert.ok(handled <= 2 * perRound, `${handled} requests were handled`)

  connection.unblock()
  await waitUntil(() => handled === 1 + rounds * perRound, 'the remaining requests')
})

test('a client that sends its headers slowly delays nobody, and is disconnected', async t => {
  const {checkout} = await fixture()
  const paths: string[] = []
  const node = toNode(request => {
    paths.push(request.path)
    return checkout.handler(request)
  })
  const server = createServer(
    {headersTimeout: 500, connectionsCheckingInterval: 50},
    (req, res) => void node(req, res),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => closeServer(server))
  const port = portOf(server)
  const slow = await openConnection(port)
  slow.send('GET /charges/c1 HTTP/1.1\r\nhost: a\r\nx-more: ')
  for (const letter of 'and on') {
    slow.send(letter)
    await turn()
  }
  assert.equal(
    statusOf(await exchange(port, head('GET /health HTTP/1.1', 'host: a', 'connection: close'))),
    200,
  )
  assert.equal(statusOf(await slow.closed()), 408)
  assert.deepEqual(paths, ['/health'])
})

test('a client that sends its body slowly does not block the charge', async t => {
  const {checkout} = await fixture()
  const node = toNode(checkout.handler, {basePath: '/crypto-checkout'})
  const port = await serve(t, (req, res) => void node(req, res))
  const post = (path: string, ...more: string[]) =>
    head(`POST ${path} HTTP/1.1`, 'host: a', 'content-type: application/json', ...more)
  const quoteBody = '{"asset":"825","network":"bsc"}'
  for (const [path, body] of [
    [PATH, '{}'],
    [`${PATH}/quote`, quoteBody],
  ] as const) {
    const slow = await openConnection(port)
    slow.send(post(path, 'content-length: 31'), '{')
    const others = await exchange(
      port,
      post(path, `content-length: ${body.length}`, 'connection: close'),
      body,
    )
    assert.equal(statusOf(others), 200)
    slow.send(quoteBody.slice(1))
    const response = await slow.until('"rev"')
    assert.equal(statusOf(response), 200)
    slow.socket.destroy()
  }
})
