/**
 * Two proxies behind nginx under load, while the database and the service stop and restart and customers pay:
 * `npm run bench endurance`; `STORE=postgres`, `SECONDS=600 CHARGES=300 RATE=200`. It fails if a quote changed, a payment was
 * missed, or a merchant was not notified of a payment.
 */
import {setTimeout} from 'node:timers/promises'
import type {Checkout} from '../src/contract/index.js'
import {createSandbox} from '../src/sandbox/index.js'
import {createServiceClient} from '../src/node/index.js'
import {order} from '../test/server/order.js'
import {databaseNames, startCluster} from './cluster.js'
import {load} from './load-client.js'

const CHARGES = Number(process.env['CHARGES'] ?? 300)
const RATE = Number(process.env['RATE'] ?? 200)
const SECONDS = Math.min(Number(process.env['SECONDS'] ?? 600), 900)
const SLICES = 12
const SLICE_MS = (SECONDS * 1000) / SLICES
const OUTAGE_MS = 5_000
const pair = {asset: '825', network: 'bsc'}

const [store = 'redis'] = databaseNames(process.env['STORE'] ?? 'redis')
const sandbox = createSandbox({expiresIn: 86_400_000})
let service = await sandbox.listen()
const {apiKey, baseUrl} = sandbox
// A crash must lose nothing.
const cluster = await startCluster({store, fsync: 'always', apiKey, baseUrl})
const mount = `http://127.0.0.1:${cluster.port}/crypto-checkout`
sandbox.webhookUrl = `${mount}/webhook`
/** The number of notifications, by charge. */
const notified = new Map<string, number>()
for (const {child} of cluster.proxies)
  child.on('message', (message: {paid?: string}) => {
    if (message.paid !== undefined) notified.set(message.paid, (notified.get(message.paid) ?? 0) + 1)
  })
const faults: readonly (readonly [string, () => Promise<void>])[] = [
  ['', () => Promise.resolve()],
  ['database killed and restarted after five seconds', () => cluster.database.restart(OUTAGE_MS)],
  ['service stopped for five seconds', stopService],
]

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
  for (let slice = 1; slice <= SLICES; slice++) {
    const loaded = load({port: cluster.port, paths, connections: 32, duration: SLICE_MS, rate: RATE})
    const paying = pay(ids.slice(paid.length, Math.floor((CHARGES * slice) / (SLICES + 1))))
    const [fault = '', cause] = faults[slice % faults.length] ?? []
    await cause?.()
    paid.push(...(await paying))
    const {p50, p99, failed} = await loaded
    const memory = await cluster.figures(true)
    const row = {
      after: `${Math.round((SLICE_MS * slice) / 1000)} s`,
      fault,
      'p50 ms': p50,
      'p99 ms': p99,
      'not 200': failed,
      'memory MB': memory.map(({rssMb}) => rssMb).join(' + '),
      'heap MB': memory.map(({heapMb}) => heapMb).join(' + '),
    }
    console.log(JSON.stringify(row))
  }
  const changed = await countOf(ids, async id => {
    const {quote} = await request('POST', `/charges/${id}`, {})
    return !paid.includes(id) && JSON.stringify(quote) !== JSON.stringify(shown.get(id)?.quote)
  })
  const missed = await countOf(paid, async id => (await request('GET', `/charges/${id}`)).status !== 'paid')
  const notNotified = paid.filter(id => !notified.has(id)).length
  const end = {
    store,
    charges: CHARGES,
    payments: paid.length,
    'quotes changed': changed,
    'payments missed': missed,
    'payments not notified': notNotified,
    'payments notified twice': [...notified.values()].filter(times => times > 1).length,
  }
  console.log(JSON.stringify(end))
  process.exitCode = changed + missed + notNotified > 0 ? 1 : 0
} finally {
  await cluster.stop()
  await service.close()
}

async function stopService(): Promise<void> {
  const port = Number(new URL(service.url).port)
  await service.close()
  await setTimeout(OUTAGE_MS)
  service = await sandbox.listen({port})
}

/** Pays one charge after the other, spread over the slice. */
async function pay(ids: readonly string[]): Promise<readonly string[]> {
  for (const id of ids) {
    const {quote} = await request('POST', `/charges/${id}`, {})
    if (!quote) throw new Error(`${id} has no quote`)
    sandbox.pay(id, {...pair, amount: quote.amount, address: quote.address})
    await setTimeout(SLICE_MS / (ids.length + 2))
  }
  return ids
}

/** Retries until a request succeeds, as a customer would. */
async function request(method: string, path: string, body?: object): Promise<Checkout> {
  for (let attempt = 1; ; attempt++) {
    const reply = await fetch(mount + path, {
      method,
      headers: {'content-type': 'application/json'},
      ...(body && {body: JSON.stringify(body)}),
    })
    const text = await reply.text()
    if (reply.ok) return JSON.parse(text) as Checkout
    if (attempt === 60) throw new Error(`${path} returned ${reply.status}: ${text}`)
    await setTimeout(500)
  }
}

async function countOf(ids: readonly string[], is: (id: string) => Promise<boolean>): Promise<number> {
  return (await Promise.all(ids.map(is))).filter(Boolean).length
}
