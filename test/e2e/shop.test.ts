/** The routes of the demo shop. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {Orders} from '../../demo/orders.js'
import {createShop} from '../../demo/routes.js'
import {createSandbox} from '../../src/sandbox/index.js'
import {createCheckout, memoryStore} from '../../src/node/index.js'
import {sendRequest, serve} from '../http/loopback.js'

test('the demo shop serves listed files only, to its own host names, and takes nothing from other sites', async t => {
  const sandbox = createSandbox()
  const {apiKey, baseUrl, transport} = sandbox
  const checkout = createCheckout({apiKey, baseUrl, transport, store: memoryStore()})
  t.after(() => checkout.close())
  const shop = createShop({
    url: 'http://127.0.0.1:4000',
    checkout,
    orders: new Orders(() => undefined),
    files: new Map([['/', {type: 'text/html; charset=utf-8', body: Buffer.from('The shop')}]]),
    sandbox: sandbox.node,
    log: () => undefined,
  })
  const port = await serve(t, shop)
  const otherSite = {'sec-fetch-site': 'cross-site'}
  const requests: [method: string, path: string, status: number, headers?: Record<string, string>][] = [
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
  ]
  for (const [method, path, status, headers = {}] of requests) {
    const reply = await sendRequest(`http://127.0.0.1:${port}`, {method, path, headers})
    assert.equal(reply.status, status, path)
  }
})
