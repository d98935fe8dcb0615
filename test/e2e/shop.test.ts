/** The routes of the demo shop. */
import assert from 'node:assert/strict'
import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {createServer, request, type IncomingMessage, type OutgoingHttpHeaders} from 'node:http'
import {text} from 'node:stream/consumers'
import {after, before, describe, it} from 'node:test'
import {basket, Orders} from '../../demo/orders.js'
import {fillPage} from '../../demo/page.js'
import {createShop} from '../../demo/routes.js'
import {createSandbox} from '../../src/sandbox/index.js'
import {createCheckout, memoryStore} from '../../src/node/index.js'
import {closeServer, listen} from '../http/loopback.js'

describe("the demo's shop", () => {
  const sandbox = createSandbox()
  const log: string[] = []
  const orders = new Orders(line => log.push(line))
  const checkout = createCheckout({
    apiKey: sandbox.apiKey,
    baseUrl: 'http://127.0.0.1:4010',
    transport: sandbox.transport,
    store: memoryStore(),
  })
  const page = fillPage(readFileSync('demo/index.html', 'utf8'), basket, false)
  const files = new Map([['/', {type: 'text/html; charset=utf-8', body: Buffer.from(page)}]])
  const shop = createShop({
    url: 'http://127.0.0.1:4000',
    checkout,
    orders,
    files,
    sandbox: sandbox.node,
    log: line => log.push(line),
  })
  const server = createServer(shop)
  let port: number

  before(async () => {
    port = await listen(server)
  })

  after(async () => {
    await closeServer(server)
    await checkout.close()
  })

  /** Not `fetch`, which normalizes the path and sets `Host`. */
  async function send(method: string, path: string, headers: OutgoingHttpHeaders = {}, payload = '') {
    const sent = request({port, method, path, headers: {host: `127.0.0.1:${port}`, ...headers}})
    sent.end(payload)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return {status: response.statusCode, headers: response.headers, body: await text(response)}
  }

  it('serves its page under a policy that allows only its own scripts', async () => {
    const {status, headers} = await send('GET', '/')
    assert.equal(status, 200)
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/)
    assert.match(policy, /require-trusted-types-for 'script'/)
    assert.doesNotMatch(policy, /unsafe/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
  })

  it('writes the order of the URL into its page, but nothing else of the URL', async () => {
    assert.match(
      (await send('GET', '/?charge=c1')).body,
      /data-stage="order"[^]*<crypto-checkout charge-id="c1" /,
    )
    for (const path of ['/', '/?charge=%22%3E', '/?charge="><script>'])
      assert.doesNotMatch((await send('GET', path)).body, /charge-id|"order"/, path)
  })

  it('serves listed files only, to its own host names, and takes nothing from other sites', async () => {
    const otherSite = {'sec-fetch-site': 'cross-site'}
    for (const [method, path, status, headers] of [
      ['GET', '/../package.json', 404],
      ['GET', '/crypto-checkout/../../package.json', 404],
      ['GET', '/%2e%2e/package.json', 404],
      ['GET', '/crypto-checkout/..%2f..%2fpackage.json', 404],
      ['GET', '//etc/passwd', 404],
      ['GET', '/server.ts', 404],
      ['GET', '/constructor', 404],
      ['GET', '/orders/unknown', 404],
      ['GET', '/orders', 405],
      // Against DNS rebinding.
      ['GET', '/', 421, {host: 'shop.example'}],
      ['GET', '/', 200, {host: `localhost:${port}`}],
      ['POST', '/orders', 403, otherSite],
      ['POST', '/sandbox/clear-faults', 403, otherSite],
      ['POST', '/orders', 201, {'sec-fetch-site': 'same-origin'}],
    ] as const)
      assert.equal((await send(method, path, headers)).status, status, path)
  })

  it('invariant 7: the price comes from the shop, whatever the browser sends', async () => {
    const order = JSON.stringify({amount: '0.01', currency: 'JPY', total: '0.01'})
    const placed = await send('POST', '/orders', {'content-type': 'application/json'}, order)
    assert.equal(placed.status, 201)
    const {chargeId, total} = JSON.parse(placed.body) as {chargeId: string; total: string}
    const billing = sandbox.charge(chargeId)?.charge.billing
    assert.deepEqual([billing?.amount, billing?.currency], [total, 'USD'])
  })

  it('reports a failed order, and logs the reason', async () => {
    sandbox.fault('createCharge', {kind: 'status', status: 401})
    const {status, body} = await send('POST', '/orders')
    sandbox.clearFaults()
    assert.equal(status, 502)
    assert.deepEqual(JSON.parse(body), {error: 'upstream_rejected'})
    assert(log.includes('an order could not be placed: upstream_rejected'))
  })
})
