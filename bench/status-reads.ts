/**
 * Compares cached status reads with bare `node:http` that sends the same bytes: `npm run bench status-reads`. Each round
 * measures both. Only the ratio of the medians matters.
 */
import {execFile} from 'node:child_process'
import {createServer, type RequestListener, type Server} from 'node:http'
import type {AddressInfo} from 'node:net'
import {promisify} from 'node:util'
import {createSandbox} from '../src/sandbox/index.js'
import {createCheckout, memoryStore} from '../src/server/index.js'
import {order} from '../test/server/order.js'
import type {Load} from './load-client.js'

const ROUNDS = Number(process.env['ROUNDS'] ?? 7)
const ROUND_MS = 2_000
const CONNECTIONS = 32

const sandbox = createSandbox()
const checkout = createCheckout({
  apiKey: sandbox.apiKey,
  baseUrl: 'http://127.0.0.1:4010',
  transport: sandbox.transport,
  store: memoryStore(),
  rateLimit: false,
})
const charge = await checkout.service.createCharge(order())
const path = `/crypto-checkout/charges/${charge._id}`
const opened = await checkout.fetch(
  new Request(`http://127.0.0.1${path}`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: '{}',
  }),
)
const bytes = await opened.text()
const headers = Object.fromEntries(opened.headers)

const proxy = await listen((req, res) => void checkout.node(req, res))
const framed = {...headers, 'content-length': Buffer.byteLength(bytes)}
const bare = await listen((_, res) => {
  res.writeHead(200, framed).end(bytes)
})

interface Round extends Load {
  /** CPU time of this process, which serves both, in microseconds per request. It depends less on other load than the rate. */
  readonly cpu: number
}

const rounds: {bare: Round; proxy: Round}[] = []
for (let round = 0; round < ROUNDS; round++)
  rounds.push({bare: await measure(bare, path), proxy: await measure(proxy, path)})

const bareRate = median(rounds.map(round => round.bare.requestsPerSecond))
const proxyRate = median(rounds.map(round => round.proxy.requestsPerSecond))
console.table({
  'bare node:http': summary(
    bareRate,
    rounds.map(round => round.bare),
  ),
  'status read': summary(
    proxyRate,
    rounds.map(round => round.proxy),
  ),
})
const cpu = median(rounds.map(round => round.bare.cpu / round.proxy.cpu))
console.log(
  `${bytes.length} bytes a reply; of bare node:http: ${(proxyRate / bareRate).toFixed(2)} by rate, ${cpu.toFixed(2)} by CPU time (target: at least 0.85)`,
)
for (const server of [proxy, bare]) server.close()
await checkout.close()

function listen(listener: RequestListener): Promise<Server> {
  return new Promise(resolve => {
    const server = createServer(listener).listen(0, '127.0.0.1', () => resolve(server))
  })
}

async function measure(server: Server, path: string): Promise<Round> {
  const {port} = server.address() as AddressInfo
  const options = JSON.stringify({
    port,
    paths: [path],
    connections: CONNECTIONS,
    duration: ROUND_MS,
    isConditional: false,
  })
  const before = process.cpuUsage()
  const {stdout} = await promisify(execFile)(process.execPath, [
    '--import',
    'tsx',
    'bench/load-client.ts',
    options,
  ])
  const load = JSON.parse(stdout) as Load
  const {user, system} = process.cpuUsage(before)
  return {...load, cpu: (user + system) / (load.requestsPerSecond * (ROUND_MS / 1000))}
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}

function summary(rate: number, loads: Round[]): Record<string, number> {
  return {
    'requests/s': Math.round(rate),
    'CPU µs': Number(median(loads.map(({cpu}) => cpu)).toFixed(1)),
    'p99 ms': Number(median(loads.map(({p99}) => p99)).toFixed(2)),
    failed: loads.reduce((sum, {failed}) => sum + failed, 0),
  }
}
