/** `serve --sandbox`: the same server over a simulated service, with test settings and a sample order. */
import type {Logger} from '../../server/base/logger.js'
import type {Print} from '../command.js'
import {createOwnSandbox, listen, stateFile} from '../create-sandbox.js'
import {publishedSecrets, readConfiguration} from './configuration.js'
import {startServer, type RunningServer} from './server.js'

/** Known to everybody, so that the examples work as they are. No money is behind them. */
const testSettings = {
  CHECKOUT_SECRET: publishedSecrets.CHECKOUT_SECRET,
  CHECKOUT_NAME: 'Sandbox shop',
}
const MEMORY = 'memory:'
const TEST_KEY = 'TEST;PK;sandbox'
const MAX_PORT = 65_535

export async function startSandboxServer(
  environment: NodeJS.ProcessEnv,
  config: string | undefined,
  logger: Logger,
  print: Print,
): Promise<RunningServer> {
  let serviceUrl = 'http://127.0.0.1'
  let ownStore = MEMORY
  const read = (url: string) => {
    const own = {...environment, CHECKOUT_API_KEY: TEST_KEY, CHECKOUT_BASE_URL: serviceUrl}
    const hasWebhook = environment['CHECKOUT_WEBHOOK_URL'] !== undefined
    return readConfiguration(own, config, {
      ...testSettings,
      CHECKOUT_STORE: ownStore,
      CHECKOUT_PUBLIC_URL: url,
      ...(hasWebhook && {CHECKOUT_WEBHOOK_SECRET: publishedSecrets.CHECKOUT_WEBHOOK_SECRET}),
    })
  }
  const {HOST: host, PORT} = read('http://127.0.0.1')
  const port = Number(PORT)
  const state = stateFile(port)
  // Beside what the service remembers, because neither is of use without the other.
  if (state.file !== undefined) ownStore = state.file.replace(/\.json$/, '')
  const kept = read('http://127.0.0.1').CHECKOUT_STORE === MEMORY ? {} : state
  const sandbox = createOwnSandbox({apiKey: TEST_KEY, ...kept})
  const service = await listen(sandbox, sandboxPort(port), `choose another PORT than ${port}`)
  serviceUrl = service.url
  let server: RunningServer | undefined
  try {
    server = await startServer({host, port}, read, logger)
    sandbox.webhookUrl = `${server.url}/crypto-checkout/webhook`
    const {chargeId} = await server.checkout.createOrder('sample-1', sample)
    print(instructions(server, service.url, chargeId, kept.file))
  } catch (error) {
    await server?.close()
    await service.close()
    throw error
  }
  const {close} = server
  return {
    ...server,
    async close() {
      await close()
      await service.close()
    },
  }
}

/** The next one: the same at each start, because a store belongs to one address of the service. */
function sandboxPort(port: number): number {
  return port === 0 || port === MAX_PORT ? 0 : port + 1
}

const sample = {
  amount: '49.90',
  currency: 'USD',
  country: 'GB',
  description: 'A sample order',
  customer: {name: 'Ada', phone: '', email: 'ada@shop.example'},
}

function instructions(
  {url, checkout, configuration}: RunningServer,
  sandboxUrl: string,
  chargeId: string,
  file = 'memory',
): string {
  const {CHECKOUT_SECRET: secret, CHECKOUT_WEBHOOK_URL: webhookUrl} = configuration
  const events = webhookUrl
    ? `events           to ${webhookUrl}, signed with ${configuration.CHECKOUT_WEBHOOK_SECRET ?? ''}`
    : `events           none; set CHECKOUT_WEBHOOK_URL, such as http://127.0.0.1:8000/events`
  return `A shop with a simulated payment service: no real money, its data in ${file}. Ctrl-C stops it.

  merchant API     ${url}, described by ${url}/openapi.json
  secret           ${secret}
  ${events}
  sandbox          ${sandboxUrl}/sandbox/ lists what it can simulate

A sample order. Open its link; unless it is paid, choose USDT on BNB Smart Chain, and then pay:

  ${checkout.payUrl(chargeId)}
  curl -s ${sandboxUrl}/sandbox/pay -d '{"id": "${chargeId}", "asset": "USDT", "network": "bsc"}'

Place your own:

  curl -s ${url}/orders -H 'authorization: Bearer ${secret}' -H 'content-type: application/json' -d '{
    "orderId": "order-1", "amount": "20.00", "currency": "USD", "country": "GB",
    "customer": {"name": "Ada", "phone": "", "email": "ada@shop.example"}}'
  curl -s ${url}/orders/order-1 -H 'authorization: Bearer ${secret}'
  curl -s ${url}/payments -H 'authorization: Bearer ${secret}'
`
}
