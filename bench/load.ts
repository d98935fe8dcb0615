/**
 * Load test: several tabs per charge read through nginx and two proxies, which share a redis-server, and then the same
 * with a Postgres. The sandbox is the service. `npm run bench load`; `CHARGES=10000 TABS=3 RATE=2000 SECONDS=600`, `WARM_UP`
 * for the seconds before that, and `STORES=redis` for one of them.
 */
import type {ChildProcess} from 'node:child_process'
import {loadavg} from 'node:os'
import {monitorEventLoopDelay} from 'node:perf_hooks'
import {createServiceClient} from '../src/server/index.js'
import {startNginx, type NginxServer} from '../test/system/nginx-server.js'
import {order} from '../test/server/order.js'
import {startDatabase} from './database.js'
import {load} from './load-client.js'
import {figuresOf, start, type Started} from './load-children.js'

const CHARGES = Number(process.env['CHARGES'] ?? 1_000)
const TABS = Number(process.env['TABS'] ?? 3)
const RATE = Number(process.env['RATE'] ?? 500)
const SECONDS = Math.min(Number(process.env['SECONDS'] ?? 20), 900)
/** One row per minute, but at least four. */
const SLICES = Math.max(4, Math.round(SECONDS / 60))
/** Seconds before the measurement, in which V8 optimizes the code. */
const WARM_UP = Number(process.env['WARM_UP'] ?? 10)
const apiKey = 'TEST;PK;load'

const rows: Record<string, Row> = {}
for (const name of (process.env['STORES'] ?? 'redis,postgres').split(',')) await run(name)
console.table(rows)

async function run(name: string) {
  const store = await startDatabase(name)
  const children: ChildProcess[] = []
  let nginx: NginxServer | undefined
  try {
    const sandbox = await start(children, 'sandbox', apiKey)
    const baseUrl = `http://127.0.0.1:${sandbox.port}`
    const proxies = [
      await start(children, 'proxy', apiKey, baseUrl, store.url),
      await start(children, 'proxy', apiKey, baseUrl, store.url),
    ]
    nginx = await startNginx(
      proxies.map(proxy => proxy.port),
      'off',
    )
    await measure(name, nginx.port, baseUrl, sandbox, proxies)
  } finally {
    await nginx?.stop()
    for (const child of children) child.kill()
    await store.stop()
  }
}

async function measure(
  name: string,
  port: number,
  baseUrl: string,
  sandbox: Started,
  proxies: readonly Started[],
): Promise<void> {
  const service = createServiceClient({apiKey, baseUrl})

  const ids = await eachOf(CHARGES, async () => (await service.createCharge(order()))._id)
  await eachOf(CHARGES, async index => {
    const reply = await fetch(`http://127.0.0.1:${port}/crypto-checkout/charges/${ids[index]}`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: '{}',
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`opening returned ${reply.status}: ${text}`)
  })
  const {mints} = await figuresOf(sandbox.child)
  console.log(
    `${name}: ${CHARGES} charges opened, ${mints} minted; ${TABS} tabs each, ${RATE} requests/s, ${WARM_UP} s to warm up, then ${SECONDS} s`,
  )

  // The tabs of a charge read shortly after each other.
  const paths = ids.flatMap(id => Array.from({length: TABS}, () => `/crypto-checkout/charges/${id}`))
  await load({port, paths, connections: 64, duration: WARM_UP * 1000, rate: RATE})
  const delays = monitorEventLoopDelay({resolution: 20})
  delays.enable()
  await figuresOf(sandbox.child)
  for (let slice = 1; slice <= SLICES; slice++) {
    const before = await figuresOf(sandbox.child)
    const cpuBefore = await cpuOf(proxies)
    const duration = (SECONDS * 1000) / SLICES
    const measured = await load({port, paths, connections: 64, duration, rate: RATE})
    const after = await figuresOf(sandbox.child)
    const memory = await Promise.all(proxies.map(({child}) => figuresOf(child)))
    const cpu = memory.reduce((sum, {cpuMs}) => sum + cpuMs, 0) - cpuBefore
    const clientLoopMs = delays.percentile(99) / 1e6
    delays.reset()
    const {requests} = measured
    const row = {
      'requests/s': Math.round(measured.requestsPerSecond),
      'p50 ms': Number(measured.p50.toFixed(1)),
      'p97.5 ms': measured.p97_5,
      'p99 ms': Number(measured.p99.toFixed(1)),
      failed: measured.failed,
      'upstream reads/s': Math.round((after.upstreamReads - before.upstreamReads) / (duration / 1000)),
      'per charge and s': Number(
        ((after.upstreamReads - before.upstreamReads) / (duration / 1000) / CHARGES).toFixed(3),
      ),
      'memory MB': memory.map(({rssMb}) => rssMb).join(' + '),
      'CPU µs a request': Math.round((cpu * 1000) / requests),
      'bytes a request': Math.round(measured.bytes / requests),
      '304': `${Math.round((100 * measured.notModified) / requests)} %`,
      'loop p99 ms': [...memory, after, {loopP99Ms: clientLoopMs}]
        .map(({loopP99Ms}) => loopP99Ms.toFixed(1))
        .join(' + '),
      'GC ms': memory.map(({gcMs}) => Math.round(gcMs)).join(' + '),
      load: Number((loadavg()[0] ?? NaN).toFixed(1)),
    }
    rows[`${name}, after ${Math.round((duration * slice) / 1000)} s`] = row
    console.log(JSON.stringify(row))
  }
  const collected = await Promise.all(proxies.map(({child}) => figuresOf(child, true)))
  console.log(`heap without garbage: ${collected.map(({heapMb}) => heapMb).join(' + ')} MB`)
}

type Row = Readonly<Record<string, string | number>>

/** The sum over the proxies. */
async function cpuOf(proxies: readonly Started[]): Promise<number> {
  const figures = await Promise.all(proxies.map(({child}) => figuresOf(child)))
  return figures.reduce((sum, {cpuMs}) => sum + cpuMs, 0)
}

/** Runs sixteen at a time. */
async function eachOf<Result>(count: number, act: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const work = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await act(index)
  }
  await Promise.all(Array.from({length: 16}, work))
  return results
}
