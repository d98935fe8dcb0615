/** A proxy without rate limits. It sends `{paid}` to its parent for each payment, and reconciles when the parent asks for it. */
import {subscribe} from 'node:diagnostics_channel'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {createClient} from 'redis'
import {openStore} from '../../src/cli/open-store.js'
import {createCheckout, redisStore, type CheckoutOptions, type Store} from '../../src/server/index.js'
import {cpuMs, sendFigures} from './figures.js'

interface ProxyOptions extends Pick<
  CheckoutOptions,
  'apiKey' | 'baseUrl' | 'reconcileRate' | 'reconcileEvery'
> {
  readonly storeUrl: string
}

const {storeUrl, ...options} = JSON.parse(process.argv[2] ?? '{}') as ProxyOptions
const passes: {at: number; cpuMs: number}[] = []
subscribe('tracing:crypto-checkout:store:start', message => {
  if (message instanceof Object && 'operation' in message && message.operation === 'openCharges')
    passes.push({at: performance.now(), cpuMs: cpuMs()})
})
const checkout = createCheckout({
  ...options,
  store: storeUrl.startsWith('redis:') ? await openRedis() : (await openStore(storeUrl)).store,
  rateLimit: false,
  trustProxy: 1,
  onPaid: ({chargeId}) => void process.send?.({paid: chargeId}),
})
sendFigures(() => ({passes}))
process.on('message', message => {
  if (message === 'reconcile') void checkout.reconcile()
})
const server = createServer((req, res) => void checkout.node(req, res))
// Longer than nginx keeps a connection, so that nginx does not send a request over one that is closing.
server.keepAliveTimeout = 75_000
server.listen(0, '127.0.0.1', () => process.send?.({port: (server.address() as AddressInfo).port}))

/** The commands' client gives up when Redis stops. This one connects again. */
async function openRedis(): Promise<Store> {
  const client = createClient({url: storeUrl})
  client.on('error', () => undefined)
  await client.connect()
  return redisStore(client)
}
