/**
 * `proxy <address of the service> <its api-key>`: the proxy of a flood, with charges that are open: ten of the customer's,
 * 20 of the attacker's, because the limits of a charge count for everybody who has its id.
 */
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {createCheckout, memoryStore} from '../../src/server/index.js'
import {order} from '../../test/server/order.js'

const [, , baseUrl = '', apiKey = ''] = process.argv
const checkout = createCheckout({
  apiKey,
  baseUrl,
  store: memoryStore(),
  logger: {info() {}, warn() {}, error() {}},
})
const server = createServer({connectionsCheckingInterval: 1_000}, (req, res) => void checkout.node(req, res))
server.headersTimeout = 10_000
server.requestTimeout = 20_000

const charges = await Promise.all(
  Array.from({length: 30}, async () => {
    const {_id: id} = await checkout.service.createCharge(order())
    const headers = {'content-type': 'application/json'}
    const url = `http://127.0.0.1/crypto-checkout/charges/${id}`
    await checkout.fetch(new Request(url, {method: 'POST', headers, body: '{}'}))
    return id
  }),
)
server.listen(0, '127.0.0.1', () => process.send?.({port: (server.address() as AddressInfo).port, charges}))
process.on('disconnect', () => process.exit(0))
process.on('message', () => {
  process.send?.({rssMb: Math.round(process.memoryUsage().rss / 1e6)})
})
