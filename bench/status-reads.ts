/**
 * Compares cached status reads with bare `node:http` that sends the same bytes: `npm run bench status-reads`. Each round
 * measures both. Only the ratio of the medians matters.
 */
import {execFile} from 'node:child_process'
import {createServer, type RequestListener} from 'node:http'
import type {AddressInfo} from 'node:net'
import {promisify} from 'node:util'
import {createSandbox} from '../src/sandbox/index.js'
import {createCheckout, memoryStore} from '../src/node/index.js'
import {order} from '../test/server/order.js'
import type {Load, LoadOptions} from './load-client.js'
import {median} from './median.js'

const ROUNDS = Number(process.env['ROUNDS'] ?? 7)
const ROUND_MS = 2_000

const sandbox = createSandbox()
const checkout = createCheckout({
  apiKey: sandbox.apiKey,
  baseUrl: 'http://127.0.0.1:4010',
  transport: sandbox.transport,
  store: memoryStore(),
  rateLimit: false,
})
const {_id: chargeId} = await checkout.service.createCharge(order())
const path = `/crypto-checkout/charges/${chargeId}`
const opened = await checkout.fetch(
  new Request(`http://127.0.0.1${path}`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: '{}',
  }),
)
const bytes = await opened.text()
const headers = {...Object.fromEntries(opened.headers), 'content-length': Buffer.byteLength(bytes)}

interface Round extends Load {
  /** CPU time of this process, which serves both, in microseconds per request. It depends less on other load than the rate. */
  readonly cpu: number
}

const proxy = await listen((req, res) => void checkout.node(req, res))
const bare = await listen((_, res) => void res.writeHead(200, headers).end(bytes))
const rounds: {bare: Round; proxy: Round}[] = []
for (let round = 0; round < ROUNDS; round++)
  rounds.push({bare: await measure(bare), proxy: await measure(proxy)})

const summaryOf = (name: 'bare' | 'proxy') => {
  const all = rounds.map(round => round[name])
  return {
    'requests/s': Math.round(median(all.map(({requestsPerSecond}) => requestsPerSecond))),
    'CPU µs': Number(median(all.map(({cpu}) => cpu)).toFixed(1)),
    'p99 ms': median(all.map(({p99}) => p99)),
    failed: all.reduce((sum, {failed}) => sum + failed, 0),
  }
}
const summary = {'bare node:http': summaryOf('bare'), 'status read': summaryOf('proxy')}
console.table(summary)
const rate = summary['status read']['requests/s'] / summary['bare node:http']['requests/s']
const cpu = median(rounds.map(round => round.bare.cpu / round.proxy.cpu))
console.log(
  `${bytes.length} bytes a reply; of bare node:http: ${rate.toFixed(2)} by rate, ${cpu.toFixed(2)} by CPU time (target: at least 0.6)`,
)
process.exit()

function listen(listener: RequestListener): Promise<number> {
  return new Promise(resolve => {
    const server = createServer(listener).listen(0, '127.0.0.1', () =>
      resolve((server.address() as AddressInfo).port),
    )
  })
}

async function measure(port: number): Promise<Round> {
  const options: LoadOptions = {
    port,
    paths: [path],
    connections: 32,
    duration: ROUND_MS,
    isConditional: false,
  }
  const args = ['--import', 'tsx', 'bench/load-client.ts', JSON.stringify(options)]
  const before = process.cpuUsage()
  const {stdout} = await promisify(execFile)(process.execPath, args)
  const {user, system} = process.cpuUsage(before)
  const load = JSON.parse(stdout) as Load
  return {...load, cpu: (user + system) / load.requests}
}
