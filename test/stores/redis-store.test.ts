/** The Redis store against a real redis-server, with each supported client. */
import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {Redis as IoRedis} from 'ioredis'
import {createClient} from 'redis'
import {createLimiter} from '../../src/node/rate-limiter.js'
import type {RedisClient} from '../../src/stores/redis-client.js'
import {redisStore} from '../../src/stores/redis-store.js'
import {breakableProxy} from '../system/breakable-proxy.js'
import {skipWithout} from '../system/programs.js'
import {startRedis, type RedisServer} from '../system/redis-server.js'
import {repeatUntil} from '../server/repeat-until.js'
import {opened} from '../server/scripted-service.js'
import {storeConformance} from './store-conformance.js'

describe('redisStore', {skip: skipWithout('redis-server')}, () => {
  let redis: RedisServer
  const ending: (() => unknown)[] = []
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
  }

  for (const [name, connect] of Object.entries(clients)) {
    storeConformance(`redisStore over ${name}`, async data =>
      redisStore(await connect(), {prefix: `${name}-${data}`}),
    )

    test(`redisStore over ${name}: only the first process gets a lease`, async () => {
      const [one, other] = [
        redisStore(await connect(), {prefix: name}),
        redisStore(await connect(), {prefix: name}),
      ]
      assert.equal(await one.lease?.('poll:c1', 60_000), true)
      assert.equal(await other.lease?.('poll:c1', 60_000), false)
      assert.equal(await other.lease?.('poll:c2', 60_000), true)
    })

    test(`redisStore over ${name}: a command without a response fails after five seconds, and later ones succeed`, async t => {
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

    test(`over ${name}, requests that Redis does not count in time are counted locally, and opening is refused`, async t => {
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
  }

  const unwilling: Record<string, (port: number) => Promise<RedisClient>> = {
    'ioredis that never connects again': async port => {
      const client = new IoRedis(port, '127.0.0.1', {retryStrategy: () => null})
      ending.push(() => client.disconnect())
      return client.on('error', () => undefined)
    },
    'node-redis that never connects again': async port => {
      const client = createClient({url: `redis://127.0.0.1:${port}`, socket: {reconnectStrategy: false}})
      ending.push(() => client.isOpen && client.destroy())
      return client.on('error', () => undefined).connect()
    },
  }
  for (const [name, connect] of Object.entries({...clients, ...unwilling}))
    test(`over ${name}, a connection whose packets are dropped is replaced`, async t => {
      const proxy = await breakableProxy(redis.port, () => false)
      const prefix = `dropped-${name}`
      const store = redisStore(await connect(proxy.port), {prefix})
      await store.append('c1', 1, 'x')
      const isDropped = proxy.dropPackets()
      t.mock.timers.enable({apis: ['setTimeout']})
      const reading = assert.rejects(store.read('c1'), /the Redis command HKEYS failed/)
      await isDropped
      t.mock.timers.tick(5_000)
      await reading
      t.mock.timers.reset()
      // While it connects, a client may refuse.
      let entries: string[] = []
      await repeatUntil(
        () => entries.length === 1,
        'the entries',
        async () => (entries = await store.read('c1').catch(() => [])),
      )
      proxy.close()
    })

  test('an append whose response is lost is sent again by ioredis, and is not taken for another’s', async () => {
    let isSent = false
    let isBroken = false
    const proxy = await breakableProxy(redis.port, (bytes, from) => {
      isSent ||= from === 'client' && bytes.includes('the-lost-entry')
      if (!isSent || isBroken || from === 'client') return false
      isBroken = true
      return true
    })
    const client = new IoRedis(proxy.port, '127.0.0.1', {retryStrategy: () => 1})
    client.on('error', () => undefined)
    const store = redisStore(client, {prefix: 'lost'})
    assert.equal(await store.append('c1', 1, 'the-lost-entry'), true)
    assert.deepEqual([isBroken, await store.read('c1')], [true, ['the-lost-entry']])
    assert.equal(await store.append('c1', 1, 'the-lost-entry'), false)
    client.disconnect()
    proxy.close()
  })

  test('while Redis is stopped, a command fails with a StoreError without the message of the client', async () => {
    const stopped = await startRedis()
    const client = new IoRedis(stopped.port, '127.0.0.1', {
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
    })
    client.on('error', () => undefined)
    const store = redisStore(client)
    assert.equal(await store.append('c1', 1, 'x'), true)
    await stopped.stop()
    await assert.rejects(store.read('c1'), {
      name: 'StoreError',
      message: /^the Redis command HKEYS failed \(\w+\)$/,
    })
  })

  /** A proxy with a quoted charge, over a Redis of its own. */
  async function quoted() {
    const server = await startRedis()
    const client = new IoRedis(server.port, '127.0.0.1', {maxRetriesPerRequest: 0, retryStrategy: () => 20})
    client.on('error', () => undefined)
    const fixture = await opened({store: redisStore(client)})
    const {json} = await fixture.quote()
    assert.ok(json.quote)
    const close = async () => {
      await fixture.checkout.close()
      client.disconnect()
      await server.stop()
    }
    return {...fixture, server, client, shown: json.quote, close}
  }

  test('Redis without memory fails writes but loses nothing, and nothing is minted that cannot be recorded', async () => {
    const {open, clock, service, client, shown, close} = await quoted()
    await client.call('CONFIG', 'SET', 'maxmemory', '1')
    for (let times = 0; times < 3; times++) {
      await clock.advance(1_500)
      const {status, json} = await open('c2')
      assert.deepEqual([status, json.code], [503, 'store_unavailable'])
    }
    assert.equal(service.minted, 1)
    await client.call('CONFIG', 'SET', 'maxmemory', '0')
    assert.deepEqual((await open()).json.quote, shown)
    assert.equal((await open('c2')).status, 200)
    await close()
  })

  test('a Redis that was killed has lost nothing, and the proxy connects to it again', async () => {
    const {open, server, client, shown, close} = await quoted()
    // Not by `once` of node:events, which rejects on the errors before it is ready.
    const isReady = new Promise(resolve => client.once('ready', resolve))
    await server.restart()
    await isReady
    const {status, json} = await open()
    assert.deepEqual([status, json.quote], [200, shown])
    await close()
  })
})
