/** The shop's own door: what it serves, and to whom. */
import assert from 'node:assert/strict'
import {once} from 'node:events'
import {createServer, request, type IncomingMessage, type OutgoingHttpHeaders} from 'node:http'
import {after, before, describe, it} from 'node:test'
import {Orders} from '../../demo/orders.js'
import {createShop} from '../../demo/routes.js'
import {createSandbox} from '../../src/sandbox/index.js'
import {createCheckout, memoryStore} from '../../src/server/index.js'

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
  const files = new Map([['/', {type: 'text/html; charset=utf-8', body: Buffer.from('<!doctype html>')}]])
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
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    port = typeof address === 'object' && address ? address.port : 0
  })

  after(async () => {
    server.close()
    server.closeAllConnections()
    await checkout.close()
  })

  /** Sent as it stands: `fetch` would put a path in order, and choose its own `Host`. */
  async function ask(method: string, path: string, headers: OutgoingHttpHeaders = {}, sends = '') {
    const sent = request({port, method, path, headers: {host: `127.0.0.1:${port}`, ...headers}})
    sent.end(sends)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    answer.setEncoding('utf8')
    let body = ''
    for await (const chunk of answer) body += String(chunk)
    return {status: answer.statusCode, headers: answer.headers, body}
  }

  it('serves its page under a policy that lets in no script but its own', async () => {
    const {status, headers} = await ask('GET', '/')
    assert.equal(status, 200)
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/)
    assert.match(policy, /require-trusted-types-for 'script'/)
    assert.doesNotMatch(policy, /unsafe/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
  })

  it('serves what is on its list, and no other file', async () => {
    for (const path of [
      '/../package.json',
      '/cdn/../../package.json',
      '/%2e%2e/package.json',
      '/cdn/..%2f..%2fpackage.json',
      '//etc/passwd',
      '/server.ts',
      '/constructor',
    ])
      assert.equal((await ask('GET', path)).status, 404, path)
  })

  it('answers to its own name only, so that no other site can be pointed at it', async () => {
    assert.equal((await ask('GET', '/', {host: 'shop.example'})).status, 421)
    assert.equal((await ask('GET', '/', {host: `localhost:${port}`})).status, 200)
  })

  it('lets no other site order or pay', async () => {
    for (const path of ['/orders', '/sandbox/clear-faults']) {
      assert.equal((await ask('POST', path, {'sec-fetch-site': 'cross-site'})).status, 403, path)
      assert((await ask('POST', path, {'sec-fetch-site': 'same-origin'})).status! < 300, path)
    }
  })

  it('invariant 7: the price comes from the shop, whatever the browser sends', async () => {
    const wish = JSON.stringify({amount: '0.01', currency: 'JPY', total: '0.01'})
    const placed = await ask('POST', '/orders', {'content-type': 'application/json'}, wish)
    assert.equal(placed.status, 201)
    const {chargeId, total} = JSON.parse(placed.body) as {chargeId: string; total: string}
    const billing = sandbox.charge(chargeId)?.charge.billing
    assert.deepEqual([billing?.amount, billing?.currency], [total, 'USD'])
  })

  it('invariant 8: an order becomes paid by onPaid alone, and is shipped once', async () => {
    const {chargeId} = JSON.parse((await ask('POST', '/orders')).body) as {chargeId: string}
    const isPaid = async () =>
      (JSON.parse((await ask('GET', `/orders/${chargeId}`)).body) as {paid: boolean}).paid
    await checkout.service.createCryptoCharge(chargeId)
    const [cryptoCharge] = sandbox.charge(chargeId)!.cryptoCharges
    await checkout.service.convert({
      wallet: {symbol: 'USDT', convert_id: '825', chart: 'cmc'},
      local: {amount: '64.85', currency: 'USD'},
      _id: cryptoCharge!.id,
      network: 'bsc',
    })
    sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
    assert.equal(await isPaid(), false, 'the service has the money, and nobody told the shop')

    const {paid, charge} = await checkout.verify(chargeId)
    assert.equal(paid, true)
    for (let time = 1; time <= 2; time++)
      assert.equal(
        (await ask('POST', '/crypto-checkout/webhook', {}, JSON.stringify({chargeId}))).status,
        200,
      )
    assert.equal(await isPaid(), true)
    assert.deepEqual(
      log.filter(line => line.endsWith('is paid: ship it')),
      [`order ${charge.ref_id} is paid: ship it`],
    )
  })

  it('says when an order cannot be placed, and why in its log', async () => {
    sandbox.fault('createCharge', {kind: 'status', status: 401})
    const {status, body} = await ask('POST', '/orders')
    sandbox.clearFaults()
    assert.equal(status, 502)
    assert.deepEqual(JSON.parse(body), {error: 'upstream_rejected'})
    assert(log.includes('an order could not be placed: upstream_rejected (401)'))
  })

  it('knows nothing of an order that is not its own', async () => {
    assert.equal((await ask('GET', '/orders/nobody')).status, 404)
    assert.equal((await ask('GET', '/orders')).status, 405)
  })
})
