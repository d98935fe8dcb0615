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
    onPaid: (paid, {charge}) => orders.paid(paid, charge.ref_id),
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

  it('serves listed files only', async () => {
    const files = ['/../', '/crypto-checkout/../../', '/%2e%2e/', '/crypto-checkout/..%2f..%2f'].map(
      path => `${path}package.json`,
    )
    for (const path of [...files, '//etc/passwd', '/server.ts', '/constructor'])
      assert.equal((await send('GET', path)).status, 404, path)
  })

  it('accepts its own host names only, against DNS rebinding', async () => {
    assert.equal((await send('GET', '/', {host: 'shop.example'})).status, 421)
    assert.equal((await send('GET', '/', {host: `localhost:${port}`})).status, 200)
  })

  it('rejects orders and payments from other sites', async () => {
    for (const path of ['/orders', '/sandbox/clear-faults']) {
      assert.equal((await send('POST', path, {'sec-fetch-site': 'cross-site'})).status, 403, path)
      assert((await send('POST', path, {'sec-fetch-site': 'same-origin'})).status! < 300, path)
    }
  })

  it('invariant 7: the price comes from the shop, whatever the browser sends', async () => {
    const order = JSON.stringify({amount: '0.01', currency: 'JPY', total: '0.01'})
    const placed = await send('POST', '/orders', {'content-type': 'application/json'}, order)
    assert.equal(placed.status, 201)
    const {chargeId, total} = JSON.parse(placed.body) as {chargeId: string; total: string}
    const billing = sandbox.charge(chargeId)?.charge.billing
    assert.deepEqual([billing?.amount, billing?.currency], [total, 'USD'])
  })

  it('invariant 8: an order becomes paid by onPaid alone, and is shipped once', async () => {
    const {chargeId} = JSON.parse((await send('POST', '/orders')).body) as {chargeId: string}
    const isPaid = async () =>
      (JSON.parse((await send('GET', `/orders/${chargeId}`)).body) as {paid: boolean}).paid
    await checkout.service.createCryptoCharge(chargeId)
    const [cryptoCharge] = sandbox.charge(chargeId)!.cryptoCharges
    await checkout.service.convert({
      wallet: {symbol: 'USDT', convert_id: '825', chart: 'cmc'},
      local: {amount: '64.85', currency: 'USD'},
      _id: cryptoCharge!.id,
      network: 'bsc',
    })
    sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
    assert.equal(await isPaid(), false, 'the shop has not been notified')

    const {paid, charge} = await checkout.verify(chargeId)
    assert.equal(paid, true)
    for (let time = 1; time <= 2; time++)
      assert.equal(
        (await send('POST', '/crypto-checkout/webhook', {}, JSON.stringify({chargeId}))).status,
        200,
      )
    assert.equal(await isPaid(), true)
    const shipped = log.filter(line => line.endsWith('is paid: ship it'))
    assert.deepEqual(shipped, [`order ${charge.ref_id} is paid: ship it`])
  })

  it('reports a failed order, and logs the reason', async () => {
    sandbox.fault('createCharge', {kind: 'status', status: 401})
    const {status, body} = await send('POST', '/orders')
    sandbox.clearFaults()
    assert.equal(status, 502)
    assert.deepEqual(JSON.parse(body), {error: 'upstream_rejected'})
    assert(log.includes('an order could not be placed: upstream_rejected'))
  })

  it('responds 404 to an unknown order', async () => {
    assert.equal((await send('GET', '/orders/unknown')).status, 404)
    assert.equal((await send('GET', '/orders')).status, 405)
  })
})
