/** One process of the load rig: the sandbox, or a proxy. Its parent asks for figures and tells it to end by IPC. */
import {createServer, type RequestListener} from 'node:http'
import type {AddressInfo} from 'node:net'
import {createClient} from 'redis'
import {createSandbox} from '../src/sandbox/index.js'
import {createCheckout, redisStore} from '../src/server/index.js'

export interface Figures {
  readonly rssMb: number
  /** After collecting garbage. */
  readonly heapMb: number
  /** Milliseconds of CPU so far. Another's load on the machine makes them wait, and hardly more. */
  readonly cpuMs: number
  /** Reads of crypto charges and charges that the service was asked for. */
  readonly upstreamReads: number
  readonly mints: number
}

const [role = '', apiKey = '', baseUrl = '', redisUrl = ''] = process.argv.slice(2)
let figures = () => ({upstreamReads: 0, mints: 0})
let listener: RequestListener

if (role === 'sandbox') {
  const sandbox = createSandbox({apiKey, expiresIn: 86_400_000})
  // The service is not what is measured, and nothing happens to a charge here: what it says of one is kept.
  const answers = new Map<string, Buffer>()
  const headers = {'content-type': 'application/json; charset=utf-8'}
  let upstreamReads = 0
  const answerTo = async (path: string) => {
    const {body} = await sandbox.transport({
      method: 'GET',
      url: `http://127.0.0.1${path}`,
      headers: {'api-key': apiKey},
      signal: new AbortController().signal,
      maxBytes: Infinity,
    })
    const answer = Buffer.from(body)
    answers.set(path, answer)
    return answer
  }
  figures = () => ({upstreamReads, mints: sandbox.calls.createCryptoCharge})
  listener = (req, res) => {
    const {method, url = ''} = req
    if (method !== 'GET') return void sandbox.node(req, res)
    upstreamReads += 1
    const send = (answer: Buffer) =>
      res.writeHead(200, {...headers, 'content-length': answer.length}).end(answer)
    const kept = answers.get(url)
    if (kept) send(kept)
    else void answerTo(url).then(send)
  }
} else {
  const client = createClient({url: redisUrl})
  // It connects again by itself.
  client.on('error', () => undefined)
  await client.connect()
  const checkout = createCheckout({
    apiKey,
    baseUrl,
    store: redisStore(client),
    rateLimit: false,
    trustProxy: 1,
    onPaid: ({chargeId}) => void process.send?.({paid: chargeId}),
  })
  listener = (req, res) => void checkout.node(req, res)
}

const server = createServer(listener).listen(0, '127.0.0.1', () => {
  process.send?.({port: (server.address() as AddressInfo).port})
})
// Longer than nginx keeps a connection: else it may send a request into one that is just being closed.
server.keepAliveTimeout = 75_000
process.on('message', message => {
  if (message === 'end') process.exit(0)
  const {user, system} = process.cpuUsage()
  globalThis.gc?.()
  const {rss, heapUsed} = process.memoryUsage()
  process.send?.({
    ...figures(),
    rssMb: Math.round(rss / 1e6),
    heapMb: Math.round(heapUsed / 1e6),
    cpuMs: (user + system) / 1000,
  })
})
process.on('disconnect', () => process.exit(0))
