/** Text of the proxy over HTTP, in the encoding that the client accepts. */
import assert from 'node:assert/strict'
import {once} from 'node:events'
import {get, type IncomingMessage} from 'node:http'
import {test, type TestContext} from 'node:test'
import {gunzipSync} from 'node:zlib'
import {createCheckout, memoryStore} from '../../src/node/index.js'
import {createSandbox} from '../../src/sandbox/index.js'
import {order} from '../server/order.js'
import {serve} from './loopback.js'

test('JSON and HTML above a kilobyte are compressed for a client that accepts it', async t => {
  const {send, _id, path} = await startShop(t)
  const [plain, small] = [await send(path, 'identity'), await send(`${path}x`, 'gzip')]
  assert.deepEqual([plain.encoding, small.encoding], [null, null])
  for (const accepted of ['gzip, deflate, br, zstd', '*', 'GZIP;q=0.5'])
    assert.equal((await send(path, accepted)).encoding, 'gzip')
  assert.equal((await send(path, 'gzip;q=0, br')).encoding, null)
  const {vary, body} = await send(path, 'gzip')
  assert.match(vary ?? '', /Origin, Accept-Encoding/)
  const {length} = plain.body
  assert.ok(body.byteLength * 2 < length, `${body.byteLength} of ${length} bytes`)
  assert.equal(JSON.parse(gunzipSync(body).toString()).chargeId, _id)
})

async function startShop(t: TestContext) {
  const sandbox = createSandbox()
  const checkout = createCheckout({
    apiKey: sandbox.apiKey,
    baseUrl: sandbox.baseUrl,
    transport: sandbox.transport,
    clock: sandbox.clock,
    store: memoryStore(),
    allowedOrigins: ['https://shop.example'],
    reconcileEvery: 0,
  })
  const port = await serve(t, (req, res) => void checkout.node(req, res))
  t.after(() => checkout.close())
  const {_id} = await checkout.service.createCharge(order())
  const path = `/crypto-checkout/charges/${_id}`
  await checkout.fetch(
    new Request(`http://a${path}`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: '{}',
    }),
  )
  const send = (path: string, accepted: string) => sendRaw(`http://127.0.0.1:${port}${path}`, accepted)
  return {checkout, send, _id, path}
}

/** `fetch` decodes what it receives. */
async function sendRaw(url: string, accepted: string) {
  const [response] = (await once(get(url, {headers: {'accept-encoding': accepted}}), 'response')) as [
    IncomingMessage,
  ]
  const {'content-encoding': encoding = null, vary} = response.headers
  return {encoding, vary, body: Buffer.concat(await response.toArray())}
}
