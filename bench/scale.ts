/**
 * What an open charge costs, by their number: `npm run bench scale`. For each store and number it fills the store, starts
 * two proxies, sweeps twice, lets tabs read (not for the largest number, whose tabs are asleep), and reconciles for some
 * seconds. `STORES=redis,postgres`, `CHARGES=1000,10000,100000`, `AWAKE=10000` for the largest number with tabs that read,
 * `RATE` for their requests a second.
 */
import type {ChildProcess} from 'node:child_process'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import pg from 'pg'
import {createClient} from 'redis'
import {openStore} from '../src/cli/open-store.js'
import {startNginx} from '../test/system/nginx-server.js'
import {startPostgres} from '../test/system/postgres-server.js'
import {startRedis} from '../test/system/redis-server.js'
import {figuresOf, start, type Started} from './load-children.js'
import {load} from './load-client.js'
import {fillStore, idsOf, recordTemplate} from './template.js'

const sizes = (process.env['CHARGES'] ?? '1000,10000,100000').split(',').map(Number)
const AWAKE = Number(process.env['AWAKE'] ?? 10_000)
const TABS = 3
const RATE = Number(process.env['RATE'] ?? 200)
const MEASURE_MS = 30_000
const RECONCILE_RATE = 1_000
const RECONCILE_MS = 15_000
/** From the end of a sweep to the next. */
const SWEEP_INTERVAL_MS = 30_000

const folder = await mkdtemp(join(tmpdir(), 'bench-scale-'))
const templateFile = join(folder, 'template.json')
const template = await recordTemplate()
await writeFile(templateFile, JSON.stringify(template))
const rows: Record<string, Record<string, number | string>> = {}
try {
  for (const charges of sizes)
    for (const name of (process.env['STORES'] ?? 'redis,postgres').split(','))
      rows[`${name} ${charges}`] = await run(name, charges)
} finally {
  await rm(folder, {recursive: true})
}
console.table(rows)

async function run(name: string, charges: number): Promise<Record<string, number | string>> {
  const database = await startDatabase(name)
  const children: ChildProcess[] = []
  const service = await start(children, 'template', templateFile)
  const startProxy = (reconcileRate = 5) =>
    start(
      children,
      'proxy',
      'TEST;PK;scale',
      `http://127.0.0.1:${service.port}`,
      database.url,
      String(reconcileRate),
      // Its passes would count as sweeps.
      '0',
    )
  try {
    const {store, close} = await openStore(database.url)
    if ('migrate' in store) await store.migrate()
    const bytesBefore = await database.bytes()
    await fillStore(store, template, charges)
    await close()
    const storeBytes = ((await database.bytes()) - bytesBefore) / charges

    const startedAt = performance.now()
    const proxies = [await startProxy(), await startProxy()]
    for (const {port} of proxies) await fetch(`http://127.0.0.1:${port}/crypto-checkout/ready`)
    const startMs = (performance.now() - startedAt) / 2
    const atStart = await figuresOfAll(proxies)
    const sweeps = await firstSweeps(proxies)
    const swept = await figuresOfAll(proxies)

    const row = {
      'store bytes a charge': Math.round(storeBytes),
      'start ms': Math.round(startMs),
      ...sweeps(charges),
      'heap bytes a charge, asleep': Math.round((swept.heapBytes - atStart.heapBytes) / charges / 2),
      ...(charges <= AWAKE && (await awake(charges, service, proxies, swept.heapBytes))),
      ...(await reconcile(service, startProxy)),
    }
    console.log(`${name} ${charges}: ${JSON.stringify(row)}`)
    return row
  } finally {
    for (const child of children) child.kill()
    await database.stop()
  }
}

/** Until the third sweep of each process begins: the first parses each journal, the second only compares. */
async function firstSweeps(proxies: readonly Started[]) {
  for (;;) {
    const all = await Promise.all(proxies.map(({child}) => figuresOf(child)))
    if (all.every(({passes}) => passes.length >= 3)) {
      const mean = (index: number, what: 'at' | 'cpuMs') => {
        const costs = all.map(
          ({passes}) => (passes[index + 1]?.[what] ?? NaN) - (passes[index]?.[what] ?? NaN),
        )
        return costs.reduce((sum, cost) => sum + cost, 0) / all.length
      }
      const seconds = (index: number) => Number(((mean(index, 'at') - SWEEP_INTERVAL_MS) / 1000).toFixed(1))
      return (charges: number) => ({
        'first sweep s': seconds(0),
        'first sweep, CPU µs a charge': Math.round((mean(0, 'cpuMs') * 1000) / charges),
        'next sweep s': seconds(1),
        'next sweep, CPU µs a charge': Math.round((mean(1, 'cpuMs') * 1000) / charges),
      })
    }
    await setTimeout(500)
  }
}

async function awake(charges: number, service: Started, proxies: readonly Started[], heapBefore: number) {
  const nginx = await startNginx(
    proxies.map(({port}) => port),
    'off',
  )
  try {
    const paths = Array.from({length: charges}, (_, index) =>
      Array.from({length: TABS}, () => `/crypto-checkout/charges/${idsOf(index).chargeId}`),
    ).flat()
    // Each proxy reads each charge once.
    for (const {port} of proxies)
      await load({port, paths: [...new Set(paths)], connections: 16, duration: 600_000, requests: charges})
    const read = await figuresOfAll(proxies)
    const readsBefore = (await figuresOf(service.child)).upstreamReads
    const measured = await load({port: nginx.port, paths, connections: 64, duration: MEASURE_MS, rate: RATE})
    const after = await figuresOfAll(proxies)
    const {requests} = measured
    const upstreamReads = (await figuresOf(service.child)).upstreamReads - readsBefore
    return {
      'heap bytes a charge, read': Math.round((read.heapBytes - heapBefore) / charges / 2),
      'requests/s': Math.round(measured.requestsPerSecond),
      'p99 ms': Number(measured.p99.toFixed(1)),
      'CPU µs a request': Math.round(((after.cpuMs - read.cpuMs) * 1000) / requests),
      'bytes a request': Math.round(measured.bytes / requests),
      '304': `${Math.round((100 * measured.notModified) / requests)} %`,
      'upstream reads a request': Number((upstreamReads / requests).toFixed(2)),
      failed: measured.failed,
    }
  } finally {
    await nginx.stop()
  }
}

/** A third process reconciles as fast as it can for some seconds. */
async function reconcile(service: Started, startProxy: (reconcileRate: number) => Promise<Started>) {
  const {child} = await startProxy(RECONCILE_RATE)
  const before = (await figuresOf(child)).cpuMs
  const readsBefore = (await figuresOf(service.child)).upstreamReads
  const startedAt = performance.now()
  child.send('reconcile')
  await setTimeout(RECONCILE_MS)
  const {cpuMs} = await figuresOf(child)
  const seconds = (performance.now() - startedAt) / 1000
  const reads = (await figuresOf(service.child)).upstreamReads - readsBefore
  child.kill()
  return {
    'reconciled/s, at most': Math.round(reads / 2 / seconds),
    'reconcile, CPU µs a charge': Math.round(((cpuMs - before) * 1000) / (reads / 2)),
  }
}

async function figuresOfAll(proxies: readonly Started[]): Promise<{cpuMs: number; heapBytes: number}> {
  const all = await Promise.all(proxies.map(({child}) => figuresOf(child, true)))
  return {
    cpuMs: all.reduce((sum, {cpuMs}) => sum + cpuMs, 0),
    heapBytes: all.reduce((sum, {heapMb}) => sum + heapMb * 1e6, 0),
  }
}

async function startDatabase(name: string) {
  if (name === 'redis') {
    const {port, stop} = await startRedis({fsync: 'everysec'})
    const url = `redis://127.0.0.1:${port}`
    const client = createClient({url})
    await client.connect()
    const bytes = async () => Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1])
    return {
      url,
      bytes,
      stop: async () => {
        client.destroy()
        await stop()
      },
    }
  }
  const {url, stop} = await startPostgres()
  const client = new pg.Client({connectionString: url})
  client.on('error', () => undefined)
  await client.connect()
  // Only to fill it sooner. The proxies' own sessions are measured without load, or with reads.
  await client.query('alter system set synchronous_commit = off')
  await client.query('select pg_reload_conf()')
  const bytes = async () => {
    const {rows} = await client.query<{bytes: string}>('select pg_database_size(current_database()) as bytes')
    return Number(rows[0]?.bytes)
  }
  return {
    url,
    bytes,
    stop: async () => {
      await client.end()
      await stop()
    },
  }
}
