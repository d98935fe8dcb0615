/** Two proxies behind a real nginx, over one real Redis, act as one. */
import assert from 'node:assert/strict'
import {createServer, type Server} from 'node:http'
import {after, before, describe, test} from 'node:test'
import {createClient} from 'redis'
import {createSandbox, type RunningSandbox} from '../../src/sandbox/index.js'
import {createCheckout, redisStore, type CheckoutServer} from '../../src/node/index.js'
import {closeServer, listen, portOf} from '../http/loopback.js'
import {startNginx, type NginxServer} from '../system/nginx-server.js'
import {skipWithout} from '../system/programs.js'
import {startRedis, type RedisServer} from '../system/redis-server.js'
import {order} from './order.js'
import {repeatUntil} from './repeat-until.js'
import {requester, usdt} from './scripted-service.js'

interface Instance {
  readonly checkout: CheckoutServer
  readonly server: Server
  requests: number
  stop(): Promise<void>
}

const sandbox = createSandbox()
const paid: string[] = []
let redis: RedisServer
let listening: RunningSandbox
let nginx: NginxServer
let instances: readonly [Instance, Instance]
/** Sends a request through nginx, which chooses the instance. */
let request: ReturnType<typeof requester>

async function start(): Promise<Instance> {
  const client = createClient({url: `redis://127.0.0.1:${redis.port}`})
  await client.connect()
  const checkout = createCheckout({
    apiKey: sandbox.apiKey,
    baseUrl: listening.url,
    store: redisStore(client),
    rateLimit: false,
    trustProxy: 1,
    onPaid: ({chargeId}) => paid.push(chargeId),
  })
  const server = createServer((req, res) => {
    instance.requests += 1
    void checkout.node(req, res)
  })
  await listen(server)
  const instance = {
    checkout,
    server,
    requests: 0,
    async stop() {
      await checkout.close()
      await closeServer(server)
      client.destroy()
    },
  }
  return instance
}

async function newCharge(): Promise<string> {
  return (await instances[0].checkout.service.createCharge(order()))._id
}

const times = <Result>(count: number, act: () => Promise<Result>) =>
  Promise.all(Array.from({length: count}, act))

/** Both instances cache a charge for at most a second. */
async function untilBothAgree(
  id: string,
  isDone: (checkout: Awaited<ReturnType<typeof request>>['json']) => boolean,
): Promise<void> {
  let areDone = false
  await repeatUntil(
    () => areDone,
    `both instances to show the change of ${id}`,
    async () => {
      const responses = await times(4, () => request('GET', `/charges/${id}`))
      for (const {status} of responses) assert.equal(status, 200)
      areDone = responses.every(({json}) => isDone(json))
    },
  )
}

describe('two instances behind nginx, with Redis', {skip: skipWithout('nginx', 'redis-server')}, () => {
  before(async () => {
    redis = await startRedis()
    listening = await sandbox.listen()
    instances = [await start(), await start()]
    nginx = await startNginx(
      instances.map(({server}) => portOf(server)),
      'on',
    )
    request = requester(fetch, `http://127.0.0.1:${nginx.port}`)
  })
  after(async () => {
    await nginx.stop()
    for (const instance of instances) await instance.stop()
    await listening.close()
    await redis.stop()
  })

  test('a charge has one crypto charge, one convert, one address and one notification', async () => {
    const id = await newCharge()
    const before = {...sandbox.calls}
    const opened = await times(6, () => request('POST', `/charges/${id}`))
    assert.equal(new Set(opened.map(({json}) => json.journal)).size, 1)
    const quoted = await times(6, () => request('POST', `/charges/${id}/quote`, usdt))
    assert.equal(new Set(quoted.map(({json: {quote}}) => `${quote.amount} ${quote.address}`)).size, 1)
    assert.equal(sandbox.calls.createCryptoCharge - before.createCryptoCharge, 1)
    assert.equal(sandbox.calls.convert - before.convert, 1)

    const {amount, address} = quoted[0]?.json.quote ?? assert.fail()
    sandbox.pay(id, {...usdt, amount, address})
    await times(4, () => request('POST', '/webhook', {chargeId: id}))
    assert.deepEqual(paid, [id])
    await untilBothAgree(id, ({status}) => status === 'paid')
    for (const {requests} of instances) assert.ok(requests > 5, `nginx chose each instance: ${requests}`)
  })
})
