/** Clients that read or write slowly: their cost is bounded, and others do not wait for them. */
import assert from 'node:assert/strict'
import {createServer} from 'node:http'
import {Duplex} from 'node:stream'
import {mock, test, type TestContext} from 'node:test'
import express from 'express'
import type {HttpHandler} from '../../../src/http/index.js'
import {toNode} from '../../../src/http/node.js'
import {memoryStore} from '../../../src/server/stores/memory-store.js'
import {
  closeServer,
  exchange,
  head,
  listen,
  nextTurn,
  openConnection,
  serve,
  statusOf,
  waitUntil,
} from '../../http/loopback.js'
import {opened} from '../scripted-service.js'
import {compression} from '../../http/tools.js'

const WAKE_UPS = 5_000
const PATH = '/crypto-checkout/charges/c1'

/** A connection whose other end reads nothing until `unblock`. */
class BlockedConnection extends Duplex {
  received = ''
  #isReading = false
  #write: (() => void) | undefined

  /** Node stops to parse requests when this much of the responses waits. Its default is 16 kB in Node 20, and 64 kB later. */
  constructor() {
    super({highWaterMark: 16_384})
  }

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
  const read = mock.fn(store.read)
  const {checkout} = await opened({store: {...store, read}})
  let rev = (await store.read('c1')).length
  return {
    checkout,
    rev: () => rev,
    /** How often the proxy has read the journal. */
    reads: () => read.mock.callCount(),
    /** Appends entries of an unknown kind, one at a time. */
    appendMany: async () => {
      for (const end = rev + WAKE_UPS; rev < end;) {
        await store.append('c1', ++rev, '{"kind":"of a newer version"}')
        await nextTurn()
      }
    },
  }
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
  const {checkout, appendMany, rev} = await fixture()
  const connection = blockedClient(t, checkout.handler, head(`GET ${PATH}/events HTTP/1.1`, 'host: a'))
  await appendMany()
  const waiting = connection.writableLength
  await appendMany()
  assert.equal(connection.writableLength, waiting)
  assert.ok(waiting < 2 * connection.writableHighWaterMark, `${waiting} bytes wait`)

  connection.unblock()
  await waitUntil(() => revsIn(connection.received).at(-1) === rev(), 'the latest wake-up')
  assert.ok(revsIn(connection.received).length < WAKE_UPS)
  await checkout.close()
})

test('the compression middleware buffers no more for a client that never reads', async t => {
  const {checkout, appendMany, reads} = await fixture()
  const request = head(`GET ${PATH}/events HTTP/1.1`, 'host: a', 'accept-encoding: gzip')
  const connection = blockedClient(t, checkout.handler, request, true)
  // The middleware has buffers of its own and compresses asynchronously.
  let before = -1
  for (let rounds = 0; rounds < 10 && reads() !== before; rounds++) {
    before = reads()
    await appendMany()
  }
  assert.equal(reads(), before, 'the stream still reads')
  assert.ok(connection.writableLength < 2 * connection.writableHighWaterMark)

  connection.unblock()
  await waitUntil(() => connection.received.includes('Content-Encoding: gzip'), 'the buffered response')
  await waitUntil(() => reads() > before, 'the next read')
  await checkout.close()
})

test('a Response whose stream is not read holds at most two wake-ups', async () => {
  const {checkout, appendMany, rev} = await fixture()
  const first = rev()
  const {body} = await checkout.fetch(new Request(`https://shop.example${PATH}/events`))
  assert.ok(body)
  await appendMany()
  await checkout.close()
  const revs = revsIn(await new Response(body).text())
  assert.ok(revs.length <= 2 && revs.at(0) === first, revs.join())
})

test('requests of a client that reads no response wait until it does', async t => {
  const {checkout} = await fixture()
  const handler = mock.fn(checkout.handler)
  const handled = () => handler.mock.callCount()
  const request = head(`GET ${PATH} HTTP/1.1`, 'host: a')
  const connection = blockedClient(t, handler, request)
  const [rounds, perRound] = [100, 50]
  for (let round = 0; round < rounds; round++) {
    connection.push(request.repeat(perRound))
    await nextTurn()
  }
  assert.ok(handled() <= 2 * perRound, `${handled()} requests were handled`)

  connection.unblock()
  await waitUntil(() => handled() === 1 + rounds * perRound, 'the remaining requests')
})

test('a client that sends its body slowly does not block the charge', async t => {
  const {checkout} = await fixture()
  const node = toNode(checkout.handler, {basePath: '/crypto-checkout'})
  const port = await serve(t, (req, res) => void node(req, res))
  const body = '{"asset":"825","network":"bsc"}'
  const post = (...more: string[]) =>
    head(
      `POST ${PATH}/quote HTTP/1.1`,
      'host: a',
      'content-type: application/json',
      `content-length: ${body.length}`,
      ...more,
    )
  const slow = await openConnection(port)
  slow.send(post(), body.slice(0, 1))
  assert.equal(statusOf(await exchange(port, post('connection: close'), body)), 200)
  slow.send(body.slice(1))
  assert.equal(statusOf(await slow.until('"rev"')), 200)
  slow.socket.destroy()
})

test('connections without complete headers are closed after headersTimeout, and others are served meanwhile', async t => {
  const {checkout} = await fixture()
  const node = toNode(checkout.handler, {basePath: '/crypto-checkout'})
  // Of docs/going-live.md, but shorter.
  const server = createServer(
    {headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 20},
    (req, res) => void node(req, res),
  )
  t.after(() => closeServer(server))
  const port = await listen(server)
  const slow = await Promise.all(Array.from({length: 50}, () => openConnection(port)))
  for (const connection of slow) connection.send(`GET ${PATH} HTTP/1.1\r\n`, 'host: a\r\n')
  const other = await exchange(port, head(`GET ${PATH} HTTP/1.1`, 'host: a', 'connection: close'))
  assert.equal(statusOf(other), 200)
  for (const connection of slow) assert.equal(statusOf(await connection.closed()), 408)
})
