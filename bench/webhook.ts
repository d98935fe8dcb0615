/**
 * Measures the time from a payment until the page has a response that contains it, on loopback: `npm run bench webhook`.
 * The service sends its webhook, the proxy reads the service and sends a wake-up, and the page reads. The target is 250 ms.
 */
import {createServer} from 'node:http'
import {mkdtemp, rm} from 'node:fs/promises'
import type {AddressInfo} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {Checkout} from '../src/contract/index.js'
import {createSandbox} from '../src/sandbox/index.js'
import {createCheckout, fileStore} from '../src/server/index.js'
import {order} from '../test/server/order.js'

const PAYMENTS = Number(process.env['PAYMENTS'] ?? 50)

const folder = await mkdtemp(join(tmpdir(), 'bench-webhook-'))
const sandbox = createSandbox()
const service = await sandbox.listen()
const checkout = createCheckout({
  apiKey: sandbox.apiKey,
  baseUrl: service.url,
  store: fileStore(folder),
  rateLimit: false,
})
const server = createServer((req, res) => void checkout.node(req, res))
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
const mount = `http://127.0.0.1:${(server.address() as AddressInfo).port}/crypto-checkout`
sandbox.webhookUrl = `${mount}/webhook`

const waits: number[] = []
for (let payment = 0; payment < PAYMENTS; payment++) waits.push(await payAndWait())
waits.sort((a, b) => a - b)
const at = (share: number) => (waits[Math.ceil(waits.length * share) - 1] ?? NaN).toFixed(1)
console.log(
  `${PAYMENTS} payments; from the payment to the paid status: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, maximum ${at(1)} ms (target: at most 250)`,
)

await checkout.close()
server.closeAllConnections()
server.close()
await service.close()
await rm(folder, {recursive: true})

async function payAndWait(): Promise<number> {
  const {_id} = await checkout.service.createCharge(order())
  await request('POST', `/charges/${_id}`, {})
  const {quote} = await request('POST', `/charges/${_id}/quote`, {asset: '825', network: 'bsc'})
  if (!quote) throw new Error('no quote')
  const stream = new AbortController()
  const {body} = await fetch(`${mount}/charges/${_id}/events`, {signal: stream.signal})
  const wakeUps = body?.getReader()
  await wakeUps?.read()
  const paidAt = performance.now()
  sandbox.pay(_id, {asset: '825', network: 'bsc', amount: quote.amount, address: quote.address})
  for (;;) {
    await wakeUps?.read()
    if ((await request('GET', `/charges/${_id}`)).status === 'paid') break
  }
  const wait = performance.now() - paidAt
  stream.abort()
  return wait
}

async function request(method: string, path: string, body?: object): Promise<Checkout> {
  const reply = await fetch(mount + path, {
    method,
    headers: {'content-type': 'application/json'},
    ...(body ? {body: JSON.stringify(body)} : {}),
  })
  return (await reply.json()) as Checkout
}
