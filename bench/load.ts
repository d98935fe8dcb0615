/**
 * Load test: several tabs per charge read through nginx and two proxies, which share a Redis, and then the same with a
 * Postgres. `npm run bench load`; `CHARGES=10000 TABS=3 RATE=2000 SECONDS=600`, and `STORES=redis` for one of them.
 */
import {type DatabaseName, databaseNames, startCluster} from './cluster.js'
import {load} from './load-client.js'
import {cpuMsOf, figuresOf, heapBytesOf, startService} from './processes.js'
import {fillStore, idsOf} from './processes/template.js'

const CHARGES = Number(process.env['CHARGES'] ?? 1_000)
const TABS = Number(process.env['TABS'] ?? 3)
const RATE = Number(process.env['RATE'] ?? 500)
const SECONDS = Math.min(Number(process.env['SECONDS'] ?? 20), 900)
/** One row per minute, but at least four. */
const SLICES = Math.max(4, Math.round(SECONDS / 60))
/** V8 optimizes the code meanwhile. */
const WARM_UP_MS = 10_000

const rows: Record<string, object> = {}
console.log(`${CHARGES} charges, ${TABS} tabs each, ${RATE} requests/s`)
for (const name of databaseNames(process.env['STORES'])) await run(name)
console.table(rows)

async function run(store: DatabaseName) {
  const service = await startService()
  const {baseUrl, template} = service
  const cluster = await startCluster({store, baseUrl, fill: to => fillStore(to, template, CHARGES)})
  // The tabs of a charge read shortly after each other.
  const paths = Array.from(
    {length: CHARGES * TABS},
    (_, index) => `/crypto-checkout/charges/${idsOf(Math.floor(index / TABS)).chargeId}`,
  )
  const options = {port: cluster.port, paths, connections: 64, rate: RATE}
  const heapOf = async () => heapBytesOf(await cluster.figures(true))
  try {
    const heapBefore = await heapOf()
    await load({...options, duration: WARM_UP_MS})
    for (let slice = 1; slice <= SLICES; slice++) {
      const readsBefore = (await figuresOf(service.child)).upstreamReads
      const cpuBefore = cpuMsOf(await cluster.figures())
      const duration = (SECONDS * 1000) / SLICES
      const measured = await load({...options, duration})
      const after = await cluster.figures()
      const reads = (await figuresOf(service.child)).upstreamReads - readsBefore
      const {requests, p50, p99, failed, bytes, notModified} = measured
      const row = {
        'requests/s': Math.round(measured.requestsPerSecond),
        'p50 ms': p50,
        'p99 ms': p99,
        failed,
        'upstream reads/s': Math.round(reads / (duration / 1000)),
        'memory MB': after.map(({rssMb}) => rssMb).join(' + '),
        'CPU µs a request': Math.round(((cpuMsOf(after) - cpuBefore) * 1000) / requests),
        'bytes a request': Math.round(bytes / requests),
        '304': `${Math.round((100 * notModified) / requests)} %`,
        'loop p99 ms': after.map(({loopP99Ms}) => loopP99Ms.toFixed(1)).join(' + '),
      }
      rows[`${store}, after ${Math.round((duration * slice) / 1000)} s`] = row
      console.log(JSON.stringify(row))
    }
    const bytes = ((await heapOf()) - heapBefore) / CHARGES / 2
    console.log(`${store}: ${Math.round(bytes)} bytes of heap a charge`)
  } finally {
    service.child.kill()
    await cluster.stop()
  }
}
