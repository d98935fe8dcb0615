/**
 * What a good customer notices of a flood: `npm run bench flood`, or `npm run bench flood streams` for one kind. A process
 * with the proxy, its default limits and the timeouts of docs/going-live.md; one with the service; a process that floods the
 * proxy from one address or from 200 (127.0.x.y, which Linux has); and here the customer, who reads over kept and over new
 * connections. Each flood is compared with the time before and after it, because other programs on the machine change the
 * latency.
 */
import {fork, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {Agent, get} from 'node:http'
import {setTimeout} from 'node:timers/promises'
import {floods} from './flood/floods.js'
import * as load from './load-children.js'

/** Limit of the ratio of p99. */
const LIMIT = 2
const SECONDS = Math.min(Number(process.env['SECONDS'] ?? 5), 20)
/** Requests per second of the customer: fewer than the default limit of an address. */
const RATE = 40
const ADDRESSES = 200

const requested = process.argv.slice(3)
const rows: Record<string, object> = {}
const children: ChildProcess[] = []
try {
  const apiKey = 'TEST;PK;flood'
  const service = await load.start(children, 'sandbox', apiKey)
  const {child: proxy, message} = await start('proxy', `http://127.0.0.1:${service.port}`, apiKey)
  const {port} = message
  const charges = message.charges.slice(0, 10)
  const {child: attacker} = await start('attacker', String(port), ...message.charges.slice(10))
  // Until V8 has optimized the code of the customer and of the proxy.
  await customer(port, charges)
  let before = await customer(port, charges)
  let readsBefore = 0
  for (const name of requested.length > 0 ? requested : Object.keys(floods))
    for (const addresses of [1, ADDRESSES]) {
      attacker.send({name, addresses})
      // The connections are open by then.
      await setTimeout(1_000)
      const during = await customer(port, charges)
      const {responses, connections} = await figuresOf(attacker)
      const {rssMb} = await figuresOf(proxy)
      const {upstreamReads: reads} = await load.figuresOf(service.child)
      attacker.send('stop')
      await setTimeout(1_000)
      const after = await customer(port, charges)
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
        'reads of the service': reads - readsBefore,
        'memory MB': rssMb,
      }
      readsBefore = reads
      rows[`${name}, ${addresses} address${addresses > 1 ? 'es' : ''}`] = row
      console.log(name, addresses, JSON.stringify(row))
      if (during.p99 > LIMIT * calm || during.failed > 0) process.exitCode = 1
    }
} finally {
  for (const child of children) child.kill()
}
console.table(rows)

interface Started {
  readonly child: ChildProcess
  readonly message: {readonly port: number; readonly charges: readonly string[]}
}

async function start(role: string, ...args: string[]): Promise<Started> {
  const child = fork(`bench/flood/${role}.ts`, args, {execArgv: ['--import', 'tsx']})
  children.push(child)
  const [message] = (await once(child, 'message')) as [Started['message']]
  return {child, message}
}

interface Figures {
  readonly responses: string
  readonly connections: number
  readonly rssMb: number
}

async function figuresOf(child: ChildProcess): Promise<Figures> {
  child.send('figures')
  const [figures] = (await once(child, 'message')) as [Figures]
  return figures
}

/** Reads at a fixed rate; every second request has a connection of its own. */
async function customer(port: number, charges: readonly string[]) {
  const kept = new Agent({keepAlive: true})
  const latencies: number[] = []
  let failed = 0
  const count = SECONDS * RATE
  const started = performance.now()
  const read = async (index: number) => {
    const dueAt = started + (index * 1000) / RATE
    await setTimeout(dueAt - performance.now())
    const options = {
      port,
      path: `/crypto-checkout/charges/${charges[index % charges.length]}`,
      timeout: 5_000,
    }
    const agent = index % 2 ? kept : false
    const isRead = await new Promise(resolve => {
      const request = get({host: '127.0.0.1', ...options, agent}, response => {
        response.resume().on('close', () => resolve(response.statusCode === 200))
      })
      request.on('timeout', () => request.destroy()).on('error', () => resolve(false))
    })
    if (!isRead) failed += 1
    latencies.push(performance.now() - dueAt)
  }
  await Promise.all(Array.from({length: count}, (_, index) => read(index)))
  kept.destroy()
  latencies.sort((a, b) => a - b)
  const percentile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? NaN
  return {p50: percentile(0.5), p99: percentile(0.99), failed}
}
