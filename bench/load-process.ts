/** One process of a load test: the sandbox or a proxy. It sends its figures when the parent requests them by IPC. */
import {createServer, type RequestListener, type Server} from 'node:http'
import {subscribe} from 'node:diagnostics_channel'
import {readFile} from 'node:fs/promises'
import type {AddressInfo} from 'node:net'
import {monitorEventLoopDelay, PerformanceObserver} from 'node:perf_hooks'
import {createClient} from 'redis'
import {createSandbox} from '../src/sandbox/index.js'
import {createCheckout, redisStore, type Store} from '../src/server/index.js'
import {openStore} from '../src/cli/open-store.js'
import {fastClock, withFastLeases} from './fast-clock.js'
import {serveTemplate, type Template} from './template.js'

export interface Figures {
  readonly rssMb: number
  /** With the garbage, unless it was collected. */
  readonly heapMb: number
  /** Milliseconds of CPU time since the start. Other load on the machine hardly changes it. */
  readonly cpuMs: number
  /** The 99th percentile of the delay of the event loop since the last figures, in milliseconds. */
  readonly loopP99Ms: number
  /** Garbage collection since the last figures, in milliseconds. */
  readonly gcMs: number
  /** GET requests to the service. */
  readonly upstreamReads: number
  readonly mints: number
  /** The starts of the passes over the open charges, and the CPU time until then, in milliseconds. */
  readonly passes: readonly {readonly at: number; readonly cpuMs: number}[]
}

const [role = '', apiKey = '', baseUrl = '', storeUrl = '', reconcileRate = '5', reconcileEvery = '300000'] =
  process.argv.slice(2)
let figures = () => ({upstreamReads: 0, mints: 0})
let listener: RequestListener | undefined
let reconcile = async () => {}
const passes: {at: number; cpuMs: number}[] = []
/** CPU time of the garbage collections that the parent requested. */
let forcedGcMs = 0
const cpuMs = () => {
  const {user, system} = process.cpuUsage()
  return (user + system) / 1000 - forcedGcMs
}
subscribe('tracing:crypto-checkout:store:start', message => {
  if (isPass(message)) passes.push({at: performance.now(), cpuMs: cpuMs()})
})

function isPass(message: unknown): boolean {
  return message instanceof Object && 'operation' in message && message.operation === 'openCharges'
}

if (role === 'sandbox') {
  const sandbox = createSandbox({apiKey, expiresIn: 86_400_000})
  // Responses are cached, because the service is not measured and its charges do not change here.
  const responses = new Map<string, Buffer>()
  const headers = {'content-type': 'application/json; charset=utf-8'}
  let upstreamReads = 0
  const cacheResponse = async (path: string) => {
    const {status, body} = await sandbox.transport({
      method: 'GET',
      url: `http://127.0.0.1${path}`,
      headers: {'api-key': apiKey},
      signal: new AbortController().signal,
      maxBytes: Infinity,
    })
    if (status === 200) responses.set(path, Buffer.from(body))
  }
  figures = () => ({upstreamReads, mints: sandbox.calls.createCryptoCharge})
  listener = (req, res) => {
    const {method, url = ''} = req
    if (method !== 'GET') return void sandbox.node(req, res)
    upstreamReads += 1
    const send = () => {
      const response = responses.get(url)
      if (response) res.writeHead(200, {...headers, 'content-length': response.length}).end(response)
      else void sandbox.node(req, res)
    }
    if (responses.has(url)) send()
    else void cacheResponse(url).then(send)
  }
} else if (role === 'template') {
  const template = JSON.parse(await readFile(apiKey, 'utf8')) as Template
  const {server, reads} = await serveTemplate(template)
  figures = () => ({upstreamReads: reads(), mints: 0})
  report(server)
} else {
  const store = await (storeUrl.startsWith('redis:') ? openRedis() : openSql())
  const checkout = createCheckout({
    apiKey,
    baseUrl,
    store: withFastLeases(store),
    clock: fastClock,
    rateLimit: false,
    trustProxy: 1,
    reconcileRate: Number(reconcileRate),
    reconcileEvery: Number(reconcileEvery),
    onPaid: ({chargeId}) => void process.send?.({paid: chargeId}),
  })
  listener = (req, res) => void checkout.node(req, res)
  reconcile = async () => {
    await checkout.reconcile()
  }
}

async function openRedis(): Promise<Store> {
  const client = createClient({url: storeUrl})
  // The client reconnects automatically, also while Redis is restarted.
  client.on('error', () => undefined)
  await client.connect()
  return redisStore(client)
}

async function openSql(): Promise<Store> {
  const {store} = await openStore(storeUrl)
  if ('migrate' in store) await store.migrate()
  return store
}

if (listener) {
  const server = createServer(listener)
  // Longer than nginx keeps a connection, so that nginx does not send a request over one that is closing.
  server.keepAliveTimeout = 75_000
  server.listen(0, '127.0.0.1', () => report(server))
}

function report(server: Server): void {
  process.send?.({port: (server.address() as AddressInfo).port})
}

// A finer resolution costs a noticeable share of the CPU time that is measured.
const delays = monitorEventLoopDelay({resolution: 20})
delays.enable()
let gcMs = 0
new PerformanceObserver(list => list.getEntries().forEach(({duration}) => (gcMs += duration))).observe({
  entryTypes: ['gc'],
})
process.on('message', message => {
  if (message === 'end') process.exit(0)
  if (message === 'reconcile') return void reconcile()
  const used = cpuMs()
  const loop = {loopP99Ms: delays.percentile(99) / 1e6, gcMs}
  if (message === 'figures after gc') globalThis.gc?.()
  forcedGcMs += cpuMs() - used
  const {rss, heapUsed} = process.memoryUsage()
  process.send?.({
    ...figures(),
    ...loop,
    rssMb: Math.round(rss / 1e6),
    heapMb: Number((heapUsed / 1e6).toFixed(2)),
    cpuMs: used,
    passes,
  })
  delays.reset()
  gcMs = 0
})
process.on('disconnect', () => process.exit(0))
