/**
 * What an open charge that nobody reads costs, by their number: `npm run bench scale`. For each store and number it fills
 * the store, starts two proxies, and sweeps twice. `STORES=redis,postgres`, `CHARGES=1000,10000,100000`.
 */
import {setTimeout} from 'node:timers/promises'
import pg from 'pg'
import {createClient} from 'redis'
import {type Cluster, type DatabaseName, databaseNames, startCluster} from './cluster.js'
import {heapBytesOf, startService, type Figures} from './processes.js'
import {fillStore} from './processes/template.js'

const sizes = (process.env['CHARGES'] ?? '1000,10000,100000').split(',').map(Number)
/** From the end of a sweep to the next. */
const SWEEP_INTERVAL_MS = 30_000

const rows: Record<string, object> = {}
for (const charges of sizes)
  for (const name of databaseNames(process.env['STORES']))
    rows[`${name} ${charges}`] = await run(name, charges)
console.table(rows)

async function run(store: DatabaseName, charges: number): Promise<object> {
  const service = await startService()
  let storeBytes = NaN
  const cluster = await startCluster({
    store,
    baseUrl: service.baseUrl,
    async fill(to, {url}) {
      const before = await bytesOf(store, url)
      await fillStore(to, service.template, charges)
      storeBytes = (await bytesOf(store, url)) - before
    },
    // Its passes would count as sweeps.
    proxy: {reconcileEvery: 0},
  })
  try {
    const heapOf = async () => heapBytesOf(await cluster.figures(true))
    const heapBefore = await heapOf()
    const sweeps = await firstSweeps(cluster, charges)
    return {
      'store bytes a charge': Math.round(storeBytes / charges),
      ...sweeps,
      'heap bytes a charge': Math.round(((await heapOf()) - heapBefore) / charges / 2),
    }
  } finally {
    service.child.kill()
    await cluster.stop()
  }
}

/** Until the third sweep of each process begins: the first parses each journal, the second only compares. */
async function firstSweeps(cluster: Cluster, charges: number): Promise<object> {
  let all: readonly Figures[]
  do {
    await setTimeout(500)
    all = await cluster.figures()
  } while (all.some(({passes}) => passes.length < 3))
  const mean = (index: number, what: 'at' | 'cpuMs') => {
    const costs = all.map(({passes}) => (passes[index + 1]?.[what] ?? NaN) - (passes[index]?.[what] ?? NaN))
    return costs.reduce((sum, cost) => sum + cost, 0) / all.length
  }
  const seconds = (index: number) => Number(((mean(index, 'at') - SWEEP_INTERVAL_MS) / 1000).toFixed(1))
  return {
    'first sweep s': seconds(0),
    'first sweep, CPU µs a charge': Math.round((mean(0, 'cpuMs') * 1000) / charges),
    'next sweep s': seconds(1),
    'next sweep, CPU µs a charge': Math.round((mean(1, 'cpuMs') * 1000) / charges),
  }
}

async function bytesOf(store: DatabaseName, url: string): Promise<number> {
  if (store === 'redis') {
    const client = await createClient({url}).connect()
    const memory = await client.info('memory')
    await client.close()
    return Number(/used_memory:(\d+)/.exec(memory)?.[1])
  }
  const client = new pg.Client({connectionString: url})
  await client.connect()
  const {rows} = await client.query<{bytes: string}>('select pg_database_size(current_database()) as bytes')
  await client.end()
  return Number(rows[0]?.bytes)
}
