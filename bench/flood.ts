/**
 * What a good customer notices of a flood: `npm run bench flood`, or `npm run bench flood webhooks` for one kind. What floods
 * the store is sent to files and Postgres too. A process with the proxy, one with the service, one that floods the proxy from
 * one address or from 200 (127.0.x.y, which Linux has); and here the customer, who reads over kept and over new connections.
 * Each flood is compared with the time before and after it, because other programs on the machine change the latency.
 */
import type {ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {Agent, get} from 'node:http'
import {setTimeout} from 'node:timers/promises'
import {databases} from '../test/stores/databases.js'
import {floods} from './flood/floods.js'
import {figuresOf, start, startService} from './processes.js'
import {idsOf} from './processes/template.js'

/** Limit of the ratio of p99. */
const LIMIT = 2
const SECONDS = Math.min(Number(process.env['SECONDS'] ?? 5), 20)
/** Requests per second of the customer: fewer than the default limit of an address. */
const RATE = 40

const requested = process.argv.slice(3)
const names = requested.length > 0 ? requested : Object.keys(floods)
const service = await startService()
const {baseUrl, template} = service
// Half are the customer's, because the limits of a charge count for everybody who has its id.
const charges = Array.from({length: 30}, (_, index) => idsOf(index).chargeId)
const filled = {template, charges: charges.length}
const rows: Record<string, object> = {}
try {
  await flood('memory', undefined, names)
  const ofStore = names.filter(name => name === 'candidates')
  for (const {name, skip, start: startDatabase} of databases) {
    if (skip || ofStore.length === 0 || !/^(files|Postgres)$/.test(name)) continue
    const {url, stop} = await startDatabase()
    try {
      await flood(name, url, ofStore)
    } finally {
      await stop()
    }
  }
} finally {
  service.child.kill()
}
console.table(rows)

/** Runs the floods against a proxy of its own. */
async function flood(
  storeName: string,
  storeUrl: string | undefined,
  names: readonly string[],
): Promise<void> {
  const proxy = await start('proxy', {apiKey: 'TEST;PK;flood', baseUrl, filled, storeUrl})
  const {port} = proxy.message
  const {child: attacker} = await start('flood-attacker', {port, charges: charges.slice(10)})
  const customer = () => readAsCustomer(port)
  try {
    // Until V8 has optimized the code of the customer and of the proxy.
    await customer()
    let before = await customer()
    for (const name of names)
      for (const addresses of [1, 200]) {
        const {upstreamReads: readsBefore} = await figuresOf(service.child)
        attacker.send({name, addresses})
        // The connections are open by then.
        await setTimeout(1_000)
        const during = await customer()
        const {responses, connections} = await attackerFigures(attacker)
        const {rssMb} = await figuresOf(proxy.child)
        const {upstreamReads} = await figuresOf(service.child)
        attacker.send('stop')
        await setTimeout(1_000)
        const after = await customer()
        const calm = (before.p99 + after.p99) / 2
        before = after
        const row = {
          'p99 calm': calm.toFixed(1),
          'p99 flood': during.p99.toFixed(1),
          ratio: (during.p99 / calm).toFixed(2),
          'p50 flood': during.p50.toFixed(1),
          failed: during.failed,
          connections,
          responses,
          'reads of the service': upstreamReads - readsBefore,
          'memory MB': rssMb,
        }
        rows[`${name}, ${addresses} address${addresses > 1 ? 'es' : ''}, ${storeName}`] = row
        if (during.p99 > LIMIT * calm || during.failed > 0) process.exitCode = 1
      }
  } finally {
    for (const child of [proxy.child, attacker]) child.kill()
  }
}

async function attackerFigures(child: ChildProcess): Promise<{responses: string; connections: number}> {
  child.send('figures')
  const [figures] = (await once(child, 'message')) as [{responses: string; connections: number}]
  return figures
}

/** Reads at a fixed rate; every second request has a connection of its own. */
async function readAsCustomer(port: number) {
  const kept = new Agent({keepAlive: true})
  const latencies: number[] = []
  let failed = 0
  const started = performance.now()
  const read = async (index: number) => {
    const dueAt = started + (index * 1000) / RATE
    await setTimeout(dueAt - performance.now())
    const path = `/crypto-checkout/charges/${charges[index % 10]}`
    const agent = index % 2 ? kept : false
    const isRead = await new Promise(resolve => {
      const request = get({host: '127.0.0.1', port, path, agent, timeout: 5_000}, response => {
        response.resume().on('close', () => resolve(response.statusCode === 200))
      })
      request.on('timeout', () => request.destroy()).on('error', () => resolve(false))
    })
    if (!isRead) failed += 1
    latencies.push(performance.now() - dueAt)
  }
  await Promise.all(Array.from({length: SECONDS * RATE}, (_, index) => read(index)))
  kept.destroy()
  latencies.sort((a, b) => a - b)
  const percentile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? NaN
  return {p50: percentile(0.5), p99: percentile(0.99), failed}
}
