/** The Redis store against a real Redis and Valkey, alone and as a cluster of three masters, with each supported client. */
import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {Cluster as IoRedisCluster, Redis as IoRedis} from 'ioredis'
import {createClient, createCluster} from 'redis'
import {openStore} from '../../src/cli/open-store.js'
import {missingSettings} from '../../src/stores/missing-settings.js'
import {redisStore} from '../../src/stores/redis-store.js'
import type {RedisClient} from '../../src/stores/redis/client.js'
import {breakableProxy} from '../system/breakable-proxy.js'
import {skipWithout} from '../system/programs.js'
import {startRedisCluster} from '../system/redis-cluster.js'
import {startRedis, type RedisServer} from '../system/redis-server.js'
import {storeConformance} from './conformance.js'
import {rowInTime} from './row-in-time.js'
import {EVER} from './stored-files.js'

const ending: (() => unknown)[] = []
after(async () => {
  for (const end of ending.reverse()) await end()
})

function endsWith<Client>(client: Client, end: (client: Client) => unknown): Client {
  ending.push(() => end(client))
  return client
}

/** Connects to a server, or to the cluster that it is a node of. */
type Connect = (port: number) => Promise<RedisClient>

/** With the settings of docs/stores.md, but short times. */
const clients = {
  'node-redis': async port => {
    const client = createClient({
      url: `redis://127.0.0.1:${port}`,
      pingInterval: 500,
      socket: {socketTimeout: 1_500, reconnectStrategy: () => 10},
    })
    client.on('error', () => undefined)
    await client.connect()
    return endsWith(client, each => each.destroy())
  },
  ioredis: port => Promise.resolve(ioRedis(port)),
} satisfies Record<string, Connect>

function ioRedis(port: number): IoRedis {
  const client = new IoRedis(port, '127.0.0.1', {socketTimeout: 1_500, retryStrategy: () => 10})
  client.on('error', () => undefined)
  return endsWith(client, each => each.disconnect())
}

const clusterClients: Record<string, Connect> = {
  'Cluster of ioredis': port =>
    Promise.resolve(endsWith(new IoRedisCluster([{port, host: '127.0.0.1'}]), each => each.disconnect())),
  'createCluster of node-redis': async port => {
    const client = createCluster({rootNodes: [{url: `redis://127.0.0.1:${port}`}]})
    client.on('error', () => undefined)
    await client.connect()
    return endsWith(client, each => each.destroy())
  },
}

for (const program of ['redis-server', 'valkey-server'] as const) {
  const skip = skipWithout(program)

  describe(`redisStore on ${program}`, {skip}, () => {
    let server: RedisServer
    before(async () => {
      server = await startRedis({program})
      ending.push(server.stop)
    })
    for (const [name, connect] of Object.entries(clients))
      storeConformance(`redisStore over ${name}`, async data =>
        redisStore(await connect(server.port), {prefix: `${name}-${data}`}),
      )
  })

  describe(`redisStore on a cluster of ${program}`, {skip}, () => {
    let ports: readonly number[] = []
    before(async () => {
      const cluster = await startRedisCluster(program)
      ending.push(cluster.stop)
      ports = cluster.ports
    })
    for (const [name, connect] of Object.entries(clusterClients)) {
      // Valkey's own client is a fork of ioredis.
      if (program === 'valkey-server' && name !== 'Cluster of ioredis') continue
      const connected = async (prefix: string) => redisStore(await connect(ports[0] ?? 0), {prefix})
      storeConformance(`redisStore over ${name}`, data => connected(`${name}-${data}`))

      test(`over ${name}, all keys of a shop are on one node, and any node leads to them`, async () => {
        const prefix = `slot-${name}`
        const store = await connected(prefix)
        const keys = Array.from({length: 20}, (_, index) => `charge/${10 + index}`)
        for (const key of keys) await store.put(key, 1, 'x', 1)
        // As the commands do, from another node.
        const opened = await openStore(`redis://127.0.0.1:${ports[1]}`, {prefix})
        assert.deepEqual(await opened.store.keys('charge/', 'charge0', 100), keys)
        assert.deepEqual(await opened.store.due(EVER, 100), keys)
        assert.deepEqual(await opened.store.get('charge/11'), {version: 1, value: 'x'})
        await opened.close()
        const counts = await Promise.all(ports.map(port => countKeys(port, `{${prefix}}:*`)))
        // The rows, and the two lists.
        assert.deepEqual(
          counts.sort((a, b) => a - b),
          [0, 0, keys.length + 2],
        )
      })
    }
  })
}

async function countKeys(port: number, pattern: string): Promise<number> {
  const client = await createClient({url: `redis://127.0.0.1:${port}`}).connect()
  const keys = await client.keys(pattern)
  client.destroy()
  return keys.length
}

describe('redisStore, when a server or its connection fails', {skip: skipWithout('redis-server')}, () => {
  let redis: RedisServer
  before(async () => {
    redis = await startRedis()
    ending.push(redis.stop)
  })

  for (const [name, connect] of Object.entries(clients)) {
    test(`over ${name}, a connection whose packets are dropped is replaced`, async () => {
      const proxy = await breakableProxy(redis.port, () => false)
      const store = redisStore(await connect(proxy.port), {prefix: `dropped-${name}`})
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

  test('a replica, a Redis without memory, and one that was killed lose nothing', async () => {
    const client = ioRedis(redis.port)
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
    await redis.restart()
    assert.deepEqual(await rowInTime(store, 'c1'), {version: 1, value: 'x'})
    assert.deepEqual([await store.due(2, 10), await store.keys('', '~', 10)], [['c1'], ['c1']])
    assert.equal(await store.put('c1', 2, 'y', 2), true)
  })
})
