/** Clients that take their time, or all of it: what they cost is bounded, and others do not wait for them. */
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

/** An end of a connection whose other end takes nothing, until it is told to. */
class Stuck extends Duplex {
  taken = ''
  #isTaking = false
  #goOn: (() => void) | undefined

  override _read() {}

  override _write(chunk: Buffer, _encoding: string, done: () => void) {
    const take = () => {
      this.taken += chunk.toString()
      done()
    }
    if (this.#isTaking) take()
    else this.#goOn = take
  }

  letGo() {
    this.#isTaking = true
    this.#goOn?.()
  }
}

/** An open charge whose journal a test can let grow, and the Node server in front of it. */
async function shop() {
  const store = memoryStore()
  let looks = 0
  const read: Store['read'] = (...args) => {
    looks += 1
    return store.read(...args)
  }
  const {ask, checkout} = scripted({store: {...store, read}})
  await ask('POST', '/charges/c1')
  const {length: opened} = await store.read('c1')
  let rev = opened
  return {
    checkout,
    rev: () => rev,
    /** How often the proxy has looked at the journal. */
    looks: () => looks,
    /** Of entries that say nothing, one by one, with time for each to be told. */
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

/** A server that is asked by one client, over a connection that takes nothing. */
function stuckOn(t: TestContext, handler: HttpHandler, request: string, isCompressed = false): Stuck {
  const node = toNode(handler, {basePath: '/crypto-checkout'})
  const app = express()
  if (isCompressed) app.use(compression())
  const server = createServer(app.use((req, res) => void node(req, res)))
  const line = new Stuck()
  t.after(() => line.destroy())
  server.emit('connection', line)
  line.push(request)
  return line
}

function revsIn(text: string): number[] {
  return [...text.matchAll(/data: {"rev":(\d+)}/g)].map(([, rev]) => Number(rev))
}

test('a page that never reads its stream costs one buffer, however often its charge changes, and hears the latest when it reads again', async t => {
  const {checkout, grow, rev} = await shop()
  const line = stuckOn(t, checkout.handler, head(`GET ${PATH}/events HTTP/1.1`, 'host: a'))
  await grow()
  const waiting = line.writableLength
  await grow()
  assert.equal(line.writableLength, waiting)
  assert.ok(waiting < 2 * line.writableHighWaterMark, `${waiting} bytes wait`)

  line.letGo()
  await waitUntil(() => revsIn(line.taken).at(-1) === rev(), 'the latest wake-up')
  assert.ok(revsIn(line.taken).length < WAKE_UPS)
  await checkout.close()
})

test('nor does the compression middleware collect what such a page leaves', async t => {
  const {checkout, grow, looks} = await shop()
  const request = head(`GET ${PATH}/events HTTP/1.1`, 'host: a', 'accept-encoding: gzip')
  const line = stuckOn(t, checkout.handler, request, true)
  // Its own buffers take some, and it compresses in its own time.
  let before = -1
  for (let rounds = 0; rounds < 10 && looks() !== before; rounds++) {
    before = looks()
    await grow()
  }
  assert.equal(looks(), before, 'the stream goes on')
  assert.ok(line.writableLength < 2 * line.writableHighWaterMark)

  line.letGo()
  await waitUntil(() => line.taken.includes('Content-Encoding: gzip'), 'what was collected')
  await waitUntil(() => looks() > before, 'the stream to go on')
  await checkout.close()
})

test('a Response whose stream nobody reads costs no more than two wake-ups', async () => {
  const {checkout, grow, rev} = await shop()
  const opened = rev()
  const {body} = await checkout.fetch(new Request(`https://shop.example${PATH}/events`))
  assert.ok(body)
  await grow()
  await checkout.close()
  const heard = revsIn(await new Response(body).text())
  assert.ok(heard.length <= 2 && heard.at(0) === opened, heard.join())
})

test('a client that asks on and on and reads no answer is asked no further until it does', async t => {
  const {checkout} = await shop()
  let asked = 0
  const handler: HttpHandler = request => {
    asked += 1
    return checkout.handler(request)
  }
  const request = head(`GET ${PATH} HTTP/1.1`, 'host: a')
  const line = stuckOn(t, handler, request)
  const [rounds, atOnce] = [100, 50]
  for (let round = 0; round < rounds; round++) {
    line.push(request.repeat(atOnce))
    await turn()
  }
  assert.ok(asked <= 2 * atOnce, `${asked} were answered`)

  line.letGo()
  await waitUntil(() => asked === 1 + rounds * atOnce, 'the rest')
})

test('a client that dribbles its headers is heard by nobody, keeps nobody waiting, and is cut off', async t => {
  const {checkout} = await shop()
  const asked: string[] = []
  const node = toNode(request => {
    asked.push(request.path)
    return checkout.handler(request)
  })
  const server = createServer(
    {headersTimeout: 500, connectionsCheckingInterval: 50},
    (req, res) => void node(req, res),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => closeServer(server))
  const port = portOf(server)
  const dribbling = await openConnection(port)
  dribbling.send('GET /charges/c1 HTTP/1.1\r\nhost: a\r\nx-more: ')
  for (const letter of 'and on') {
    dribbling.send(letter)
    await turn()
  }
  assert.equal(
    statusOf(await exchange(port, head('GET /health HTTP/1.1', 'host: a', 'connection: close'))),
    200,
  )
  assert.equal(statusOf(await dribbling.closed()), 408)
  assert.deepEqual(asked, ['/health'])
})

test('a client that dribbles what it asks keeps nobody from opening or quoting the same charge', async t => {
  const {checkout} = await shop()
  const node = toNode(checkout.handler, {basePath: '/crypto-checkout'})
  const port = await serve(t, (req, res) => void node(req, res))
  const post = (path: string, ...more: string[]) =>
    head(`POST ${path} HTTP/1.1`, 'host: a', 'content-type: application/json', ...more)
  const wanted = '{"asset":"825","network":"bsc"}'
  for (const [path, body] of [
    [PATH, '{}'],
    [`${PATH}/quote`, wanted],
  ] as const) {
    const dribbling = await openConnection(port)
    dribbling.send(post(path, 'content-length: 31'), '{')
    const others = await exchange(
      port,
      post(path, `content-length: ${body.length}`, 'connection: close'),
      body,
    )
    assert.equal(statusOf(others), 200)
    dribbling.send(wanted.slice(1))
    const answer = await dribbling.until('"rev"')
    assert.equal(statusOf(answer), 200)
    dribbling.socket.destroy()
  }
})
