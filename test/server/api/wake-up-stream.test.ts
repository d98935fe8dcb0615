/** The stream of wake-ups: what it sends, and 3,000 of them over real sockets. */
import assert from 'node:assert/strict'
import {once} from 'node:events'
import {createServer} from 'node:http'
import {test} from 'node:test'
import {toNode} from '../../../src/http/node.js'
import {memoryStore} from '../../../src/server/stores/memory-store.js'
import type {Store} from '../../../src/server/stores/store.js'
import {flushPromises} from '../../fake-clock.js'
import {closeServer, openConnection, portOf, requestOf, waitUntil} from '../../http/loopback.js'
import {skipUnlessCi} from '../../system/programs.js'
import {opened} from '../scripted-service.js'

test('an event stream sends the revision at once and after each change, and a comment every 20 s', async () => {
  const {checkout, clock, read, webhook, service} = await opened()
  const {rev} = (await read()).json
  const before = clock.sleepers
  const controller = new AbortController()
  const response = await checkout.fetch(
    new Request('https://shop.example/crypto-checkout/charges/c1/events', {signal: controller.signal}),
  )
  assert.equal(response.headers.get('content-type'), 'text/event-stream')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  assert.equal((await reader?.read())?.value, `data: {"rev":${rev}}\n\n`)
  service.cancelled = true
  await webhook()
  assert.equal((await reader?.read())?.value, `data: {"rev":${rev + 1}}\n\n`)
  const comment = reader?.read()
  await clock.advance(20_000)
  assert.equal((await comment)?.value, ': keep-alive\n\n')
  controller.abort()
  await reader?.cancel()
  await flushPromises()
  assert.equal(clock.sleepers, before)
})

test('an idle event stream does not read the store', async () => {
  const journal = memoryStore()
  let reads = 0
  const store: Store = {
    ...journal,
    read(chargeId, after) {
      reads += 1
      return journal.read(chargeId, after)
    },
  }
  const {checkout, clock} = await opened({store})
  const response = await checkout.fetch(new Request('https://shop.example/crypto-checkout/charges/c1/events'))
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  await reader?.read()
  reads = 0
  const comment = reader?.read()
  await clock.advance(20_000)
  assert.equal((await comment)?.value, ': keep-alive\n\n')
  assert.equal(reads, 0)
  await reader?.cancel()
})

const STREAMS = 3_000

// Both ends of a connection are files of this process. Node raises its own limit to the hard limit of the system.
const report = process.report.getReport() as {userLimits: {open_files: {soft: number | 'unlimited'}}}
const skip =
  Number(report.userLimits.open_files.soft) < 2 * STREAMS + 200 &&
  skipUnlessCi(`raise the limit of "ulimit -n" to ${2 * STREAMS + 200} to run this test`)

test('3,000 idle streams delay no reader and leave nothing behind', {skip}, async () => {
  const {checkout, clock} = await opened({trustProxy: 1})
  const warnings: Error[] = []
  const onWarning = (warning: Error) => warnings.push(warning)
  process.on('warning', onWarning)
  const handle = toNode(checkout.handler, {basePath: checkout.basePath})
  const server = createServer((req, res) => void handle(req, res)).listen({
    port: 0,
    host: '127.0.0.1',
    backlog: STREAMS,
  })
  await once(server, 'listening')
  const port = portOf(server)
  const before = clock.sleepers

  const streams = await Promise.all(
    Array.from({length: STREAMS}, async (_, index) => {
      const connection = await openConnection(port)
      const address = `10.0.${index >> 8}.${index & 255}`
      connection.send(
        `GET /crypto-checkout/charges/c1/events HTTP/1.1\r\nhost: 127.0.0.1\r\nx-forwarded-for: ${address}\r\n\r\n`,
      )
      await connection.until('data: {"rev":')
      return connection.socket
    }),
  )
  await waitUntil(() => clock.sleepers === before + STREAMS, 'every stream to wait for its next event')
  const response = await fetch(`http://127.0.0.1:${port}/crypto-checkout/charges/c1`)
  assert.equal(response.status, 200)
  await response.text()

  const [closed, open] = [streams.slice(0, STREAMS / 2), streams.slice(STREAMS / 2)]
  for (const socket of closed) socket.destroy()
  await waitUntil(() => clock.sleepers === before + open.length, 'the closed streams to end')
  await checkout.close()
  await waitUntil(() => clock.sleepers === before, 'all streams to end')
  for (const socket of open) socket.destroy()
  await closeServer(server)
  process.off('warning', onWarning)
  assert.deepEqual(warnings, [])
})

test('an address has at most 20 streams, a process 10,000, and ended ones are not counted', async () => {
  const {checkout} = await opened()
  const openStream = async (ip: string) => {
    const controller = new AbortController()
    const {signal} = controller
    const reply = await checkout.handler(requestOf('GET', '/charges/c1/events', {ip, signal}))
    assert.ok(reply)
    const body = typeof reply.body === 'string' ? [reply.body] : reply.body
    return {
      reply,
      controller,
      iterator: Symbol.asyncIterator in body ? body[Symbol.asyncIterator]() : undefined,
    }
  }
  const streams = []
  for (let count = 0; count < 20; count++) streams.push(await openStream('10.0.0.1'))
  for (const {reply} of streams) assert.equal(reply.status, 200)
  const {reply} = await openStream('10.0.0.1')
  assert.equal(reply.status, 503)
  assert.equal(reply.headers['retry-after'], '60')
  assert.match(String(reply.body), /"upstream_unavailable"/)
  assert.equal((await openStream('10.0.0.2')).reply.status, 200)

  const [unread, read, left] = streams
  // Before its first event, after it, and by the end of the reader.
  unread?.controller.abort()
  await read?.iterator?.next()
  read?.controller.abort()
  await left?.iterator?.next()
  await left?.iterator?.return?.()
  left?.controller.abort()
  for (let count = 0; count < 3; count++) assert.equal((await openStream('10.0.0.1')).reply.status, 200)
  assert.equal((await openStream('10.0.0.1')).reply.status, 503)

  // Without a known address, only the process is limited. 21 streams are open.
  for (let count = 21; count < 10_000; count++) assert.equal((await openStream('')).reply.status, 200)
  for (const ip of ['', '10.0.0.3']) assert.equal((await openStream(ip)).reply.status, 503)
  await checkout.close()
})
