/** The Redis store against a real redis-server, with each client that it is for. */
import assert from 'node:assert/strict'
import {once} from 'node:events'
import {connect, createServer, type AddressInfo, type Socket} from 'node:net'
import {after, before, describe, test} from 'node:test'
import {Redis as IoRedis} from 'ioredis'
import {Redis as IoValkey} from 'iovalkey'
import {createClient} from 'redis'
import {StoreError} from '../../../src/server/errors.js'
import {createLimiter} from '../../../src/server/api/rate-limiter.js'
import type {RedisClient} from '../../../src/server/stores/redis-client.js'
import {redisStore} from '../../../src/server/stores/redis-store.js'
import {flushPromises} from '../../fake-clock.js'
import {skipWithout} from '../../system/programs.js'
import {startRedis, type RedisServer} from '../../system/redis-server.js'
import {scripted} from '../scripted-service.js'
import {storeConformance} from './store-conformance.js'

describe('redisStore', {skip: skipWithout('redis-server')}, () => {
  let redis: RedisServer
  const ending: (() => unknown)[] = []
  /** A page that reads makes its proxy listen to Redis, until it is closed. */
  function instance(options: Parameters<typeof scripted>[0]) {
    const made = scripted(options)
    ending.unshift(() => made.checkout.close())
    return made
  }
  before(async () => {
    redis = await startRedis()
  })
  after(async () => {
    for (const end of ending) await end()
    await redis.stop()
  })

  const clients: Record<string, (port?: number) => Promise<RedisClient>> = {
    'node-redis': async (port = redis.port) => {
      const client = createClient({url: `redis://127.0.0.1:${port}`})
      client.on('error', () => undefined)
      await client.connect()
      ending.push(() => client.destroy())
      return client
    },
    ioredis: (port = redis.port) => {
      const client = new IoRedis(port, '127.0.0.1')
      client.on('error', () => undefined)
      ending.push(() => client.disconnect())
      return Promise.resolve(client)
    },
    iovalkey: (port = redis.port) => {
      const client = new IoValkey(port, '127.0.0.1')
      client.on('error', () => undefined)
      ending.push(() => client.disconnect())
      return Promise.resolve(client)
    },
  }

  for (const [name, connect] of Object.entries(clients)) {
    storeConformance(
      `redisStore over ${name}`,
      async data => redisStore(await connect(), {prefix: `${name}-${data}`}),
      {wakes: true},
    )

    test(`redisStore over ${name}: a lease is one process's until it runs out`, async () => {
      const [one, other] = [
        redisStore(await connect(), {prefix: name}),
        redisStore(await connect(), {prefix: name}),
      ]
      assert.equal(await one.lease?.('poll:c1', 60_000), true)
      assert.equal(await other.lease?.('poll:c1', 60_000), false)
      assert.equal(await other.lease?.('poll:c2', 60_000), true)
    })

    test(`redisStore over ${name}: a Redis that does not answer is one clear error after five seconds, and goes on`, async t => {
      const hung = await startRedis()
      const client = await connect(hung.port)
      const store = redisStore(client, {prefix: name})
      assert.equal(await store.append('c1', 1, 'x'), true)
      hung.pause()
      t.mock.timers.enable({apis: ['setTimeout']})
      const reading = assert.rejects(store.read('c1', 1), /the Redis command HMGET failed/)
      t.mock.timers.tick(5_000)
      await reading
      t.mock.timers.reset()
      hung.resume()
      assert.deepEqual(await store.read('c1'), ['x'])
      await hung.stop()
    })

    test(`over ${name}, requests that Redis does not count in time are counted here, and nothing is opened`, async t => {
      const hung = await startRedis()
      const limiter = createLimiter({perAddress: 1, redis: await connect(hung.port)})
      assert.equal(await limiter.consume('open', '192.0.2.1', 'c1'), undefined)
      hung.pause()
      t.mock.timers.enable({apis: ['setTimeout']})
      const first = limiter.consume('read', '192.0.2.2', 'c1')
      const second = limiter.consume('read', '192.0.2.2', 'c1')
      const open = limiter.consume('open', '192.0.2.3', 'c2')
      t.mock.timers.tick(5_000)
      assert.equal(await first, undefined)
      assert.ok(await second)
      assert.ok(await open)
      t.mock.timers.reset()
      await hung.stop()
    })

    test(`over ${name}, requests are counted for all instances together`, async () => {
      const limits = [
        createLimiter({perAddress: 3, redis: await connect()}),
        createLimiter({perAddress: 3, redis: await connect()}),
      ]
      const address = `2001:db8:${name.length}::1`
      const waits = []
      for (const limit of [...limits, ...limits]) waits.push(await limit.consume('read', address, undefined))
      assert.deepEqual(waits.slice(0, 3), [undefined, undefined, undefined])
      assert.ok((waits[3] ?? 0) > 0)
    })
  }

  test('a second instance is notified of a change through Redis', async () => {
    const store = async () => redisStore(await clients['ioredis']!(), {prefix: 'wake'})
    const one = instance({store: await store()})
    const other = instance({store: await store(), transport: one.service.transport, clock: one.clock})
    const {json} = await one.request('POST', '/charges/c1')
    const leaving = new AbortController()
    const reply = await other.checkout.fetch(
      new Request('https://shop.example/crypto-checkout/charges/c1/events', {signal: leaving.signal}),
    )
    const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
    assert.equal((await reader?.read())?.value, `data: {"rev":${json.rev}}\n\n`)
    const news = reader?.read()
    // The subscription may take a moment to stand: changes go on until one is heard.
    let isHeard = false
    void news?.then(() => (isHeard = true))
    while (!isHeard) {
      await one.request('POST', '/charges/c1/quote', {asset: '825', network: 'bsc'})
      await one.clock.advance(900_000)
      await flushPromises()
    }
    assert.match((await news)?.value ?? '', /^data: \{"rev":\d+\}\n\n$/)
    leaving.abort()
    // Ends the stream, and with it the subscription: its connection would outlive the test.
    await reader?.cancel()
  })

  const options = {maxRetriesPerRequest: 0, retryStrategy: () => 1}
  for (const [name, fragile] of Object.entries({
    ioredis: (port: number) => new IoRedis(port, '127.0.0.1', options),
    iovalkey: (port: number) => new IoValkey(port, '127.0.0.1', options),
  }))
    test(`over ${name}, a connection that is lost while it begins to listen again harms nobody, and the next one listens`, async () => {
      let subscriptions = 0
      const between = await fragileWay(
        redis.port,
        bytes => bytes.includes('subscribe') && ++subscriptions === 2,
      )
      const client = fragile(between.port)
      client.on('error', () => undefined)
      const store = redisStore(client, {prefix: `fragile-${name}`})
      let isHeard = false
      const unwatch = store.subscribe?.('c1', () => (isHeard = true))
      while (subscriptions === 0) await flushPromises()
      between.cut()
      const other = redisStore(await clients[name]!(), {prefix: `fragile-${name}`})
      for (let rev = 1; subscriptions < 3 || !isHeard; rev++) await other.append('c1', rev, 'x')
      unwatch?.()
      client.disconnect()
      between.close()
    })

  /** To a port, by way of one that breaks when it is cut, or when what comes by says so. */
  async function fragileWay(port: number, breaks: (bytes: Buffer) => boolean) {
    const sockets = new Set<Socket>()
    const cut = () => sockets.forEach(socket => socket.destroy())
    const server = createServer(near => {
      const far = connect(port, '127.0.0.1')
      for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined))
      near.on('data', bytes => (breaks(bytes) ? cut() : far.write(bytes)))
      far.on('data', bytes => near.write(bytes))
      near.on('close', () => far.destroy())
      far.on('close', () => near.destroy())
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return {
      port: (server.address() as AddressInfo).port,
      cut,
      close: () => {
        cut()
        server.close()
      },
    }
  }

  test('two instances share one poll of the service within a second', async () => {
    const store = async () => redisStore(await clients['node-redis']!(), {prefix: 'looks'})
    const one = instance({store: await store()})
    const other = instance({store: await store(), transport: one.service.transport, clock: one.clock})
    await one.request('POST', '/charges/c1')
    await one.clock.advance(1_500)
    for (const {request} of [one, other, one, other])
      assert.equal((await request('GET', '/charges/c1')).json.stale, false)
    assert.equal(one.service.calls['getCryptoCharge'], 1)
  })

  test('Redis being away gives one clear error, without its words', async () => {
    const away = await startRedis()
    const client = new IoRedis(away.port, '127.0.0.1', {retryStrategy: () => null, maxRetriesPerRequest: 0})
    client.on('error', () => undefined)
    const store = redisStore(client)
    assert.equal(await store.append('c1', 1, 'x'), true)
    await away.stop()
    await assert.rejects(store.read('c1'), (error: unknown) => {
      assert.ok(error instanceof StoreError)
      assert.match(error.message, /^the Redis command HLEN failed \(\w+\)$/)
      return true
    })
  })

  test('what was acknowledged survives a killed redis-server', async () => {
    const server = await startRedis()
    const client = new IoRedis(server.port, '127.0.0.1')
    client.on('error', () => undefined)
    const store = redisStore(client)
    for (let rev = 1; rev <= 20; rev++) await store.append('c1', rev, `entry ${rev}`)
    await server.restart()
    assert.equal((await store.read('c1')).length, 20)
    client.disconnect()
    await server.stop()
  })
})
