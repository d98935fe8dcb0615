/**
 * `npm start`: a small shop on one port of this machine. By default it uses the sandbox in this process. With
 * CHECKOUT_API_KEY and CHECKOUT_BASE_URL it uses the real payment service. STORE=postgres://… (or mysql://, sqlite:, redis://, a
 * folder) is where the documents are. STORE=memory: keeps nothing.
 */
import {once} from 'node:events'
import {createServer, type Server} from 'node:http'
import {Registry} from 'prom-client'
import {ConfigurationError, createCheckout, StoreError} from '../src/node/index.js'
import {renderer} from '../src/pages/render/index.js'
import {stateFile} from '../src/cli/create-sandbox.js'
import {openStore, type OpenedStore} from '../src/cli/open-store.js'
import {realBackend} from './backend.js'
import {collectMetrics} from '../examples/metrics.js'
import {Orders} from './orders.js'
import {readSettings, StartError, type Settings} from './settings.js'
import {createShop} from './routes.js'
import {readStaticFiles} from './static-files.js'

/** Known to everybody: the demo serves this machine only. A page that is open stays so when the demo starts again. */
const tokenSecret = 'not a secret, because the demo is for one machine'

try {
  await start(readSettings(process.env))
} catch (error) {
  console.error(`The demo cannot start: ${messageFor(error)}`)
  process.exit(1)
}

async function start({port, service, store}: Settings): Promise<void> {
  const opened = store === undefined ? undefined : await openMigrated(store)
  const server = createServer()
  const url = await listen(server, port)
  const {options, sandbox} = service
    ? realBackend(service)
    : (await import('./sandbox.js')).sandboxBackend(url, store === 'memory:' ? {} : stateFile(port))
  const orders = new Orders(log)
  const files = readStaticFiles(sandbox !== undefined)
  const checkout = createCheckout({
    ...options,
    ...(opened && {store: opened.store}),
    renderer,
    hostedPage: {
      name: 'Halm & Oak',
      logo: '/logo.svg',
      stylesheet: '/pay.css',
      supportUrl: `${url}/`,
      origin: url,
    },
    tokenSecret,
    onRefundAddress: refund => orders.refundRequested(refund),
    onPaid: (paid, {charge}) => orders.paid(paid, charge.ref_id),
  })
  const registry = new Registry()
  collectMetrics(registry)
  const metrics = () => registry.metrics()
  const payUrl = (chargeId: string) => checkout.payUrl(chargeId)
  const tokenOf = (chargeId: string) => checkout.createToken(chargeId)
  server.on('request', createShop({url, checkout, orders, files, sandbox, metrics, log, payUrl, tokenOf}))
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      server.close()
      server.closeAllConnections()
      // Exits without waiting for the webhooks that the sandbox has not sent.
      void checkout
        .close()
        .then(() => opened?.close())
        .then(() => process.exit(0))
    })
  log(
    `The demo shop of crypto-checkout, with ${sandbox ? 'the sandbox: no real money' : 'the real payment service'}.`,
  )
  log(`  ${url}/`)
  log(`  ${url}/metrics has metrics for Prometheus.`)
  log('Press Ctrl-C to stop.')
}

/** Creates the tables of a database. */
async function openMigrated(url: string): Promise<OpenedStore> {
  const opened = await openStore(url)
  if ('migrate' in opened.store) await opened.store.migrate()
  return opened
}

/** On 127.0.0.1 only, because the control API of the sandbox has no access control. */
async function listen(server: Server, port: number): Promise<string> {
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    const reason = code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${code})`
    throw new StartError(`port ${port} ${reason}; choose another with PORT=…`)
  }
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : port}`
}

/** One line for an error that the user can fix. Any other error is a bug and keeps its stack. */
function messageFor(error: unknown): string {
  if (error instanceof ConfigurationError)
    return error.message.replace('apiKey', 'CHECKOUT_API_KEY').replace('baseUrl', 'CHECKOUT_BASE_URL')
  if (error instanceof StoreError) return `STORE cannot be used: ${error.message}`
  if (error instanceof StartError) return error.message
  throw error
}

function log(line: string): void {
  console.log(line)
}
