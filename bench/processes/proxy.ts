/**
 * A proxy with the timeouts of docs/going-live.md. With open charges it has the default limits; without them it is one of a
 * cluster, which has none. Its store is in memory without a URL. It sends `{paid}` to its parent for each payment.
 */
import {subscribe} from 'node:diagnostics_channel'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {createClient} from 'redis'
import {openStore} from '../../src/cli/open-store.js'
import {
  createCheckout,
  memoryStore,
  redisStore,
  type CheckoutOptions,
  type Store,
} from '../../src/node/index.js'
import {cpuMs, sendFigures} from './figures.js'
import {fillStore, type Template} from './template.js'

interface ProxyOptions extends Pick<CheckoutOptions, 'apiKey' | 'baseUrl' | 'reconcileEvery' | 'rateLimit'> {
  readonly storeUrl?: string
  readonly filled?: {readonly template: Template; readonly charges: number}
}

const {storeUrl, filled, ...options} = JSON.parse(process.argv[2] ?? '{}') as ProxyOptions
const rounds: {at: number; cpuMs: number}[] = []
subscribe('crypto-checkout', message => {
  if (message instanceof Object && 'operation' in message && message.operation === 'due')
    rounds.push({at: performance.now(), cpuMs: cpuMs()})
})
const checkout = createCheckout({
  ...options,
  store: await openFilledStore(),
  ...(!filled && {rateLimit: false, trustProxy: 1}),
  logger: {info() {}, warn() {}, error() {}},
  onPaid: ({chargeId}) => void process.send?.({paid: chargeId}),
})
sendFigures(() => ({rounds}))
const server = createServer({connectionsCheckingInterval: 1_000}, (req, res) => void checkout.node(req, res))
server.headersTimeout = 10_000
server.requestTimeout = 20_000
// Longer than nginx keeps a connection, so that nginx does not send a request over one that is closing.
server.keepAliveTimeout = 75_000
server.listen(0, '127.0.0.1', () => process.send?.({port: (server.address() as AddressInfo).port}))

async function openFilledStore(): Promise<Store> {
  const store = await openProxyStore()
  if (filled) await fillStore(store, filled.template, filled.charges)
  return store
}

async function openProxyStore(): Promise<Store> {
  if (storeUrl === undefined) return memoryStore()
  if (!storeUrl.startsWith('redis:')) return (await openStore(storeUrl)).store
  // The commands' client gives up when Redis stops. This one connects again.
  const client = createClient({url: storeUrl})
  client.on('error', () => undefined)
  await client.connect()
  return redisStore(client)
}
