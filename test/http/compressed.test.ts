/** Text of the proxy over HTTP, in the encoding that the client accepts. */
import assert from 'node:assert/strict'
import {once} from 'node:events'
import {get, type IncomingMessage} from 'node:http'
import {test} from 'node:test'
import {gunzipSync} from 'node:zlib'
import {startPageShop} from '../e2e/page-shop.js'

test('JSON and HTML above a kilobyte are compressed for a client that accepts it', async t => {
  const {order, url, close} = await startPageShop({allowedOrigins: ['https://shop.example']})
  t.after(close)
  const id = await order()
  const path = `${url}/crypto-checkout/charges/${id}`
  await fetch(path, {method: 'POST', headers: {'content-type': 'application/json'}, body: '{}'})
  const [plain, small] = [await send(path, 'identity'), await send(`${path}x`, 'gzip')]
  assert.deepEqual([plain.encoding, small.encoding], [null, null])
  for (const accepted of ['gzip, deflate, br, zstd', '*', 'GZIP;q=0.5'])
    assert.equal((await send(path, accepted)).encoding, 'gzip')
  assert.equal((await send(path, 'gzip;q=0, br')).encoding, null)
  const {vary, body} = await send(path, 'gzip')
  assert.match(vary ?? '', /Origin, Accept-Encoding/)
  const {length} = plain.body
  assert.ok(body.byteLength * 2 < length, `${body.byteLength} of ${length} bytes`)
  assert.equal(JSON.parse(gunzipSync(body).toString()).chargeId, id)
})

/** `fetch` decodes what it receives. */
async function send(url: string, accepted: string) {
  const [response] = (await once(get(url, {headers: {'accept-encoding': accepted}}), 'response')) as [
    IncomingMessage,
  ]
  const {'content-encoding': encoding = null, vary} = response.headers
  return {encoding, vary, body: Buffer.concat(await response.toArray())}
}
