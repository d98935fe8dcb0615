/** Clients that write slowly: others do not wait for them. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {toNode} from '../../../src/http/node.js'
import {exchange, head, openConnection, serve, statusOf, waitUntil} from '../../http/loopback.js'
import {opened} from '../scripted-service.js'

const PATH = '/crypto-checkout/charges/c1'

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
