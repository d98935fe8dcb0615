/** The proxy with the plain page, over the sandbox, on a port of its own. */
import {createServer} from 'node:http'
import {createSandbox} from '../../src/sandbox/index.js'
import {createCheckout, memoryStore, type CheckoutOptions} from '../../src/server/index.js'
import {closeServer, listen} from '../http/loopback.js'
import {order} from '../server/order.js'

export type PlainShop = Awaited<ReturnType<typeof startPlainShop>>

export async function startPlainShop(options: Partial<CheckoutOptions> = {}) {
  const sandbox = createSandbox()
  const checkout = createCheckout({
    apiKey: sandbox.apiKey,
    baseUrl: 'http://127.0.0.1:4010',
    transport: sandbox.transport,
    clock: sandbox.clock,
    store: memoryStore(),
    logger: {info() {}, warn() {}, error() {}},
    reconcileEvery: 0,
    files: {'crypto-checkout.js': ''},
    hostedPage: {name: 'Halm & Oak', supportUrl: 'mailto:help@halm.example'},
    ...options,
  })
  const server = createServer((req, res) => void checkout.node(req, res))
  const url = `http://127.0.0.1:${await listen(server)}`
  return {
    url,
    sandbox,
    checkout,
    /** Resolves to the id of a new charge. */
    async order(amount?: string) {
      return (await checkout.service.createCharge(order(amount)))._id
    },
    async close() {
      await checkout.close()
      await closeServer(server)
    },
  }
}
