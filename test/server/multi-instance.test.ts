/** Two proxies behind a real nginx, over one real Redis, are one to everybody: customer, service and shop. */
import assert from 'node:assert/strict'
import {once} from 'node:events'
import {createServer, type Server} from 'node:http'
import type {AddressInfo} from 'node:net'
import {after, before, describe, test} from 'node:test'
import {createClient} from 'redis'
import type {Checkout} from '../../src/contract/index.js'
import {createSandbox, type RunningSandbox, type Sandbox} from '../../src/sandbox/index.js'
import {createCheckout, redisStore, type CheckoutServer} from '../../src/server/index.js'
import {startNginx, type NginxServer} from '../system/nginx-server.js'
import {skipWithout} from '../system/programs.js'
import {order} from './order.js'
import {startRedis, type RedisServer} from '../system/redis-server.js'

interface Instance {
  readonly checkout: CheckoutServer
  readonly server: Server
  requests: number
  stop(): Promise<void>
}

let redis: RedisServer
let sandbox: Sandbox
let listening: RunningSandbox
let nginx: NginxServer
let instances: readonly Instance[] = []
const told: string[] = []

async function start(): Promise<Instance> {
  const client = createClient({url: `redis://127.0.0.1:${redis.port}`})
  await client.connect()
  const checkout = createCheckout({
    apiKey: sandbox.apiKey,
    baseUrl: listening.url,
    store: redisStore(client),
    rateLimit: {redis: client, perCharge: 100},
    trustProxy: 1,
    onPaid: paid => told.push(paid.chargeId),
  })
  const server = createServer((req, res) => {
    instance.requests += 1
    void checkout.node(req, res)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const instance = {
    checkout,
    server,
    requests: 0,
    async stop() {
      await checkout.close()
      server.closeAllConnections()
      server.close()
      client.destroy()
    },
  }
  return instance
}

async function ask(method: string, path: string, body?: object) {
  const reply = await fetch(`http://127.0.0.1:${nginx.port}/crypto-checkout${path}`, {
    method,
    ...(body ? {headers: {'content-type': 'application/json'}, body: JSON.stringify(body)} : {}),
  })
  const text = await reply.text()
  const json: Checkout & {code?: string} = JSON.parse(text)
  return {status: reply.status, headers: reply.headers, json}
}

async function newCharge(): Promise<string> {
  const [first] = instances
  assert.ok(first)
  return (await first.checkout.service.createCharge(order()))._id
}

/** At once, as a rule; within a second, if a wake-up is slower than who asks. Else the test runs out of time. */
async function untilBothSay(id: string, isSo: (checkout: Checkout) => boolean): Promise<void> {
  for (;;) {
    const answers = await Promise.all(Array.from({length: 4}, () => ask('GET', `/charges/${id}`)))
    for (const {status} of answers) assert.equal(status, 200)
    if (answers.every(({json}) => isSo(json))) return
  }
}

const usdt = {asset: '825', network: 'bsc'}

const skip = skipWithout('nginx', 'redis-server')
describe('two instances behind nginx, with Redis', {skip}, () => {
  before(async () => {
    redis = await startRedis()
    sandbox = createSandbox()
    listening = await sandbox.listen()
    instances = [await start(), await start()]
    nginx = await startNginx(
      instances.map(({server}) => (server.address() as AddressInfo).port),
      // What a stream needs, its own header asks for.
      'on',
    )
  })
  after(async () => {
    await nginx.stop()
    for (const instance of instances) await instance.stop()
    await listening.close()
    await redis.stop()
  })

  test('one crypto charge, one convert, one address, one telling, whichever instance is asked', async () => {
    const id = await newCharge()
    const minted = sandbox.calls.createCryptoCharge
    const converted = sandbox.calls.convert
    const opened = await Promise.all(Array.from({length: 6}, () => ask('POST', `/charges/${id}`, {})))
    assert.equal(new Set(opened.map(({json}) => json.journal)).size, 1)
    const quoted = await Promise.all(Array.from({length: 6}, () => ask('POST', `/charges/${id}/quote`, usdt)))
    const shown = new Set(quoted.map(({json}) => `${json.quote?.amount} to ${json.quote?.address}`))
    assert.equal(shown.size, 1)
    assert.equal(sandbox.calls.createCryptoCharge - minted, 1)
    assert.equal(sandbox.calls.convert - converted, 1)

    const {quote} = quoted[0]?.json ?? assert.fail()
    assert.ok(quote)
    sandbox.pay(id, {...usdt, amount: quote.amount, address: quote.address})
    await Promise.all(Array.from({length: 4}, () => ask('POST', '/webhook', {chargeId: id})))
    assert.deepEqual(told, [id])
    await untilBothSay(id, ({status}) => status === 'paid')
    for (const {requests} of instances) assert.ok(requests > 5, `nginx asked both: ${requests}`)
  })

  test('limits count for all instances together', async () => {
    const id = await newCharge()
    const statuses = new Set<number>()
    for (let asked = 0; asked < 101; asked++) statuses.add((await ask('GET', `/charges/${id}`)).status)
    assert.deepEqual([...statuses], [404, 429])
  })

  test('an event stream comes through nginx as it happens, from whichever instance the change is made on', async () => {
    const id = await newCharge()
    const {json} = await ask('POST', `/charges/${id}`, {})
    const streams = await Promise.all(
      instances.map(() => fetch(`http://127.0.0.1:${nginx.port}/crypto-checkout/charges/${id}/events`)),
    )
    const readers = streams.map(({body}) => body?.pipeThrough(new TextDecoderStream()).getReader())
    // Nothing ends these streams, so an event that is read was not collected on the way.
    for (const reader of readers) assert.equal((await reader?.read())?.value, `data: {"rev":${json.rev}}\n\n`)
    const {json: quoted} = await ask('POST', `/charges/${id}/quote`, usdt)
    for (const reader of readers) {
      let rev = json.rev
      while (rev < quoted.rev) {
        const next = Number(/"rev":(\d+)/.exec((await reader?.read())?.value ?? '')?.[1])
        assert.ok(next > rev)
        rev = next
      }
      await reader?.cancel()
    }
    await untilBothSay(id, ({rev}) => rev === quoted.rev)
  })
})
