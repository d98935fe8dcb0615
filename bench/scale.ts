/**
 * What charges cost with which nothing is left to do, by their number: `npm run bench scale`. For each store and number it fills
 * the store with paid charges and 1,000 open ones, starts two proxies, and waits for two rounds of their workers.
 * `STORES=files,postgres`, `CHARGES=1000,10000,100000`.
 */
import {setTimeout} from 'node:timers/promises'
import {openStore} from '../src/cli/open-store.js'
import {createCheckout} from '../src/node/index.js'
import {databaseNames, startCluster, type Cluster, type DatabaseName} from './cluster.js'
import {startService} from './processes.js'
import {fillStore, idsOf} from './processes/template.js'

const OPEN = 1_000
const DAY_MS = 86_400_000
const sizes = (process.env['CHARGES'] ?? '1000,10000,100000').split(',').map(Number)

const rows: Record<string, object> = {}
for (const charges of sizes)
  for (const name of databaseNames(process.env['STORES'] ?? 'files,redis,postgres'))
    rows[`${name} ${charges}`] = await run(name, charges)
console.table(rows)

async function run(store: DatabaseName, charges: number): Promise<object> {
  const service = await startService()
  const {baseUrl, template} = service
  let started = stopwatch()
  const cluster = await startCluster({
    store,
    baseUrl,
    async fill(to) {
      await fillStore(to, template, OPEN, charges)
      started = stopwatch()
    },
  })
  const startMs = started()
  try {
    const round = await secondRound(cluster)
    return {
      'start s': seconds(startMs),
      ...round,
      'read ms': Math.round(await timeOfRead(cluster)),
      'payments of a day s': seconds(await timeOfPayments(cluster, baseUrl)),
      'heap MB': Math.max(...(await cluster.figures(true)).map(({heapMb}) => heapMb)),
    }
  } finally {
    service.child.kill()
    await cluster.stop()
  }
}

/** The first call of the store is for the time, and the first round claims all open charges: both are part of the start. */
async function secondRound(cluster: Cluster): Promise<object> {
  for (;;) {
    await setTimeout(500)
    const [proxy] = await cluster.figures()
    const [, , second, third] = proxy?.rounds ?? []
    if (second && third)
      return {
        'round s': seconds(third.at - second.at - 5_000),
        'CPU ms of a round': Math.round(third.cpuMs - second.cpuMs),
      }
  }
}

async function timeOfRead({port}: Cluster): Promise<number> {
  const time = stopwatch()
  const response = await fetch(`http://127.0.0.1:${port}/crypto-checkout/charges/${idsOf(OPEN - 1).chargeId}`)
  await response.text()
  if (!response.ok) throw new Error(`the read returned ${response.status}`)
  return time()
}

async function timeOfPayments({database}: Cluster, baseUrl: string): Promise<number> {
  const {store, close} = await openStore(database.url)
  const checkout = createCheckout({apiKey: 'TEST;PK;bench', baseUrl, store, reconcileEvery: 0})
  const time = stopwatch()
  const until = new Date(Date.now() - 10 * DAY_MS)
  const since = new Date(until.getTime() - DAY_MS)
  let count = 0
  for await (const {chargeId} of checkout.payments({since, until})) count += Number(chargeId !== '')
  if (count === 0) throw new Error('the day has no payments')
  const ms = time()
  await checkout.close()
  await close()
  return ms
}

function stopwatch(): () => number {
  const startedAt = performance.now()
  return () => performance.now() - startedAt
}

function seconds(ms: number): number {
  return Number((ms / 1000).toFixed(2))
}
