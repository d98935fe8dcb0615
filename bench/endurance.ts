/**
 * Two proxies behind nginx under load, while the database and the service stop and restart and customers pay:
 * `npm run bench endurance`; `STORE=postgres`, `SECONDS=600 CHARGES=300 RATE=200`. It fails if a quote changed, a payment was missed, or a
 * merchant was not notified of a payment.
 */
import {createSandbox} from '../src/sandbox/index.js'
import type {Checkout} from '../src/contract/index.js'
import {createServiceClient} from '../src/server/index.js'
import {startNginx} from '../test/system/nginx-server.js'
import {order} from '../test/server/order.js'
import {startDatabase} from './database.js'
import {figuresOf, start, type Started} from './load-children.js'
import {load} from './load-client.js'

const CHARGES = Number(process.env['CHARGES'] ?? 300)
const RATE = Number(process.env['RATE'] ?? 200)
const SECONDS = Math.min(Number(process.env['SECONDS'] ?? 600), 900)
const SLICES = 12
const OUTAGE_MS = 5_000
const pair = {asset: '825', network: 'bsc'}

const STORE = process.env['STORE'] ?? 'redis'
// A crash must lose nothing.
const database = await startDatabase(STORE, 'always')
const sandbox = createSandbox({expiresIn: 86_400_000})
let service = await sandbox.listen()
const {apiKey, baseUrl} = sandbox
/** The number of notifications, by charge. */
const notified = new Map<string, number>()
const proxies = [await startProxy(), await startProxy()]
const nginx = await startNginx(
  proxies.map(({port}) => port),
  'off',
)
const mount = `http://127.0.0.1:${nginx.port}/crypto-checkout`
sandbox.webhookUrl = `${mount}/webhook`

try {
  const client = createServiceClient({apiKey, baseUrl})
  const shown = new Map<string, Checkout>()
  for (let created = 0; created < CHARGES; created++) {
    const {_id} = await client.createCharge(order())
    await request('POST', `/charges/${_id}`, {})
    shown.set(_id, await request('POST', `/charges/${_id}/quote`, pair))
  }
  const ids = [...shown.keys()]
  const paths = ids.map(id => `/crypto-checkout/charges/${id}`)
  const paid: string[] = []
  const rows: Record<string, Record<string, string | number>> = {}
  const duration = (SECONDS * 1000) / SLICES
  for (let slice = 1; slice <= SLICES; slice++) {
    const loaded = load({port: nginx.port, paths, connections: 32, duration, rate: RATE})
    const paying = pay(ids.slice(paid.length, Math.floor((CHARGES * slice) / (SLICES + 1))))
    const fault = await [noFault, killDatabase, stopService][slice % 3]?.()
    paid.push(...(await paying))
    const {p50, p99, failed} = await loaded
    const memory = await Promise.all(proxies.map(({child}) => figuresOf(child, true)))
    const row = {
      fault: fault ?? '',
      'p50 ms': Math.round(p50),
      'p99 ms': Math.round(p99),
      'not 200': failed,
      'memory MB': memory.map(({rssMb}) => rssMb).join(' + '),
      'heap MB': memory.map(({heapMb}) => heapMb).join(' + '),
    }
    rows[`after ${Math.round((duration * slice) / 1000)} s`] = row
    console.log(JSON.stringify(row))
  }
  const changed = await countOf(ids, async id => {
    const [before, now] = [shown.get(id)?.quote, (await request('POST', `/charges/${id}`, {})).quote]
    return !paid.includes(id) && JSON.stringify(now) !== JSON.stringify(before)
  })
  const missed = await countOf(paid, async id => (await request('GET', `/charges/${id}`)).status !== 'paid')
  const notNotified = paid.filter(id => !notified.has(id)).length
  const notifiedTwice = [...notified.values()].filter(times => times > 1).length
  const end = {
    store: STORE,
    charges: CHARGES,
    'requests/s': RATE,
    seconds: SECONDS,
    payments: paid.length,
    'quotes changed': changed,
    'payments missed': missed,
    'payments not notified': notNotified,
    'payments notified twice': notifiedTwice,
  }
  console.table(rows)
  console.log(JSON.stringify(end))
  process.exitCode = changed + missed + notNotified > 0 ? 1 : 0
} finally {
  await nginx.stop()
  for (const {child} of proxies) child.kill()
  await database.stop()
  await service.close()
}

function noFault(): Promise<string> {
  return Promise.resolve('')
}

async function killDatabase(): Promise<string> {
  await database.restart(OUTAGE_MS)
  return 'database killed and restarted after five seconds'
}

async function stopService(): Promise<string> {
  const port = Number(new URL(service.url).port)
  await service.close()
  await pause(OUTAGE_MS)
  service = await sandbox.listen({port})
  return 'service stopped for five seconds'
}

/** Pays one charge after the other, spread over the slice. */
async function pay(ids: readonly string[]): Promise<readonly string[]> {
  for (const id of ids) {
    const {quote} = await request('POST', `/charges/${id}`, {})
    if (!quote) throw new Error(`${id} has no quote`)
    sandbox.pay(id, {...pair, amount: quote.amount, address: quote.address})
    await pause((SECONDS * 1000) / SLICES / (ids.length + 2))
  }
  return ids
}

/** Retries until a request succeeds, as a customer would. */
async function request(method: string, path: string, body?: object): Promise<Checkout> {
  for (let attempt = 1; ; attempt++) {
    const reply = await fetch(mount + path, {
      method,
      headers: {'content-type': 'application/json'},
      ...(body ? {body: JSON.stringify(body)} : {}),
    })
    const text = await reply.text()
    if (reply.ok) return JSON.parse(text) as Checkout
    if (attempt === 60) throw new Error(`${path} returned ${reply.status}: ${text}`)
    await pause(500)
  }
}

async function countOf(ids: readonly string[], is: (id: string) => Promise<boolean>): Promise<number> {
  let count = 0
  for (const id of ids) if (await is(id)) count++
  return count
}

async function startProxy(): Promise<Started> {
  const proxy = await start([], 'proxy', apiKey, baseUrl, database.url)
  proxy.child.on('message', (message: {paid?: string}) => {
    if (message.paid !== undefined) notified.set(message.paid, (notified.get(message.paid) ?? 0) + 1)
  })
  return proxy
}

function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}
