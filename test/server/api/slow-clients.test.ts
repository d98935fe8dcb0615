/** Clients that read or write slowly: their cost is bounded, and others do not wait for them. */
import assert from 'node:assert/strict'
import {createServer} from 'node:http'
import {Duplex} from 'node:stream'
import {mock, test, type TestContext} from 'node:test'
import type {HttpHandler} from '../../../src/http/index.js'
import {toNode} from '../../../src/http/node.js'
import {exchange, head, nextTurn, openConnection, serve, statusOf, waitUntil} from '../../http/loopback.js'
import {opened} from '../scripted-service.js'

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

/** A server with one client, whose connection reads nothing. */
function blockedClient(t: TestContext, handler: HttpHandler, request: string): BlockedConnection {
  const node = toNode(handler, {basePath: '/crypto-checkout'})
  const server = createServer((req, res) => void node(req, res))
  const connection = new BlockedConnection()
  t.after(() => connection.destroy())
  server.emit('connection', connection)
  connection.push(request)
  return connection
}

test('requests of a client that reads no response wait until it does', async t => {
  const {checkout} = await opened()
  const handler = mock.fn(checkout.handler)
  const handled = () => handler.mock.callCount()
  const request = head(`GET ${PATH} HTTP/1.1`, 'host: a')
  const connection = blockedClient(t, handler, request)
  const [rounds, perRound] = [100, 50]
  for (let round = 0; round < rounds; round++) {
    connection.push(request.repeat(perRound))
    await nextTurn()
  }
  assert.ok(handled() <= 4 * perRound, `${handled()} requests were handled`)

  connection.unblock()
  await waitUntil(() => handled() === 1 + rounds * perRound, 'the remaining requests')
})

test('a client that sends its body slowly does not block the charge', async t => {
  const {checkout, clock} = await opened()
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
  const reply = slow.until('"rev"')
  // Its read begins a second after the one before.
  await waitUntil(() => (clock.untilNext ?? Infinity) <= 1_000, 'the read')
  await clock.advance(1_000)
  assert.equal(statusOf(await reply), 200)
  slow.socket.destroy()
})
