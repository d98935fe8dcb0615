/** The Redis store against a real redis-server, with each supported client. */
import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {Redis as IoRedis} from 'ioredis'
import {createClient} from 'redis'
import {missingSettings} from '../../src/stores/missing-settings.js'
import {redisStore} from '../../src/stores/redis-store.js'
import type {RedisClient} from '../../src/stores/redis/client.js'
import {rowInTime} from './row-in-time.js'
import {breakableProxy} from '../system/breakable-proxy.js'
import {skipWithout} from '../system/programs.js'
import {startRedis, type RedisServer} from '../system/redis-server.js'
import {storeConformance} from './conformance.js'
import {EVER} from './stored-files.js'

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

  /** With the settings of docs/stores.md, but short times. */
  const clients: Record<string, (port?: number) => Promise<RedisClient>> = {
    'node-redis': async (port = redis.port) => {
      const client = createClient({
        url: `redis://127.0.0.1:${port}`,
        pingInterval: 500,
        socket: {socketTimeout: 1_500, reconnectStrategy: () => 10},
      })
      client.on('error', () => undefined)
      await client.connect()
      ending.push(() => client.destroy())
      return client
    },
    ioredis: (port = redis.port) => {
      const client = new IoRedis(port, '127.0.0.1', {socketTimeout: 1_500, retryStrategy: () => 10})
      client.on('error', () => undefined)
      ending.push(() => client.disconnect())
      return Promise.resolve(client)
    },
  }

  for (const [name, connect] of Object.entries(clients)) {
    storeConformance(`redisStore over ${name}`, async data =>
      redisStore(await connect(), {prefix: `${name}-${data}`}),
    )

    test(`over ${name}, a connection whose packets are dropped is replaced`, async () => {
      const proxy = await breakableProxy(redis.port, () => false)
      const client = await connect(proxy.port)
      const store = redisStore(client, {prefix: `dropped-${name}`})
      assert.deepEqual(missingSettings(store), [])
      await store.put('c1', 1, 'x', null)
      void proxy.dropPackets()
      assert.deepEqual(await rowInTime(store, 'c1'), {version: 1, value: 'x'})
      proxy.close()
    })

    test(`over ${name}, a put whose response is lost rejects or is refused, and the row shows that it was stored`, async () => {
      let isSent = false
      let isBroken = false
      const proxy = await breakableProxy(redis.port, (bytes, from) => {
        isSent ||= from === 'client' && bytes.includes('the-lost-row')
        if (!isSent || isBroken || from === 'client') return false
        isBroken = true
        return true
      })
      const store = redisStore(await connect(proxy.port), {prefix: `lost-${name}`})
      // ioredis sends it again.
      const isStored = await store.put('c1', 1, 'the-lost-row', 1).catch(() => false)
      assert.deepEqual([isBroken, isStored], [true, false])
      assert.deepEqual(await rowInTime(store, 'c1'), {version: 1, value: 'the-lost-row'})
      assert.deepEqual(await store.due(EVER, 10), ['c1'])
      proxy.close()
    })
  }

  test('two shops in one database are apart', async () => {
    const client = await clients['ioredis']!()
    const [one, other] = [redisStore(client, {prefix: 'shop-1'}), redisStore(client, {prefix: 'shop-2'})]
    await one.put('c1', 1, 'x', 1)
    assert.equal(await other.get('c1'), undefined)
    assert.deepEqual([await other.keys('', '~', 10), await other.due(EVER, 10)], [[], []])
  })

  test('a replica, and a Redis without memory, fail writes but lose nothing', async () => {
    const server = await startRedis()
    const client = new IoRedis(server.port, '127.0.0.1')
    client.on('error', () => undefined)
    const store = redisStore(client)
    await store.put('c1', 1, 'x', 1)
    const refused = (code: string) => ({message: `the Redis command EVAL failed (${code})`})
    await client.call('CONFIG', 'SET', 'maxmemory', '1')
    await assert.rejects(store.put('c1', 2, 'y', 2), refused('OOM'))
    await assert.rejects(store.put('c2', 1, 'y', 2), refused('OOM'))
    await client.call('CONFIG', 'SET', 'maxmemory', '0')
    await client.call('REPLICAOF', '127.0.0.1', '1')
    await assert.rejects(store.put('c1', 2, 'y', 2), refused('READONLY'))
    await client.call('REPLICAOF', 'NO', 'ONE')
    assert.deepEqual(await store.get('c1'), {version: 1, value: 'x'})
    assert.deepEqual([await store.due(2, 10), await store.keys('', '~', 10)], [['c1'], ['c1']])
    assert.equal(await store.put('c1', 2, 'y', 2), true)
    client.disconnect()
    await server.stop()
  })

  test('a Redis that was killed has lost nothing, and the client connects to it again', async () => {
    const server = await startRedis()
    const client = new IoRedis(server.port, '127.0.0.1', {retryStrategy: () => 20})
    client.on('error', () => undefined)
    const store = redisStore(client)
    await store.put('c1', 1, 'x', 1)
    await server.restart()
    assert.deepEqual(await store.get('c1'), {version: 1, value: 'x'})
    assert.deepEqual([await store.due(2, 10), await store.keys('', '~', 10)], [['c1'], ['c1']])
    client.disconnect()
    await server.stop()
  })
})
