/** The Redis store against a real Redis Cluster of three masters, and against Valkey, alone and as a cluster. */
import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {Cluster as IoRedisCluster, Redis as IoRedis} from 'ioredis'
import {createClient, createCluster} from 'redis'
import {openStore} from '../../src/cli/open-store.js'
import type {RedisClient} from '../../src/stores/redis/client.js'
import {redisStore} from '../../src/stores/redis-store.js'
import {skipWithout} from '../system/programs.js'
import {startRedisCluster, type RedisCluster} from '../system/redis-cluster.js'
import {startRedis, type RedisServer} from '../system/redis-server.js'
import {storeConformance} from './conformance.js'
import {EVER} from './stored-files.js'

/** Connects to a server, or to the cluster that it is a node of. */
type Connect = (port: number) => Promise<RedisClient>

const ending: (() => unknown)[] = []

function endsWith<Client>(client: Client, end: (client: Client) => unknown): Client {
  ending.push(() => end(client))
  return client
}

const clusterClients: Record<string, Connect> = {
  'createCluster of node-redis': async port => {
    const client = createCluster({rootNodes: [{url: `redis://127.0.0.1:${port}`}]})
    client.on('error', () => undefined)
    await client.connect()
    return endsWith(client, each => each.destroy())
  },
  'Cluster of ioredis': port =>
    Promise.resolve(endsWith(new IoRedisCluster([{port, host: '127.0.0.1'}]), each => each.disconnect())),
}

const clients: Record<string, Connect> = {
  'node-redis': async port => {
    const client = createClient({url: `redis://127.0.0.1:${port}`})
    await client.connect()
    return endsWith(client, each => each.destroy())
  },
  ioredis: port => Promise.resolve(endsWith(new IoRedis(port, '127.0.0.1'), each => each.disconnect())),
}

const programs = {
  'redis-server': Object.keys(clusterClients),
  'valkey-server': ['Cluster of ioredis'],
}

for (const program of ['redis-server', 'valkey-server'] as const)
  describe(`a cluster of ${program}`, {skip: skipWithout(program)}, () => {
    let cluster: RedisCluster
    before(async () => {
      cluster = await startRedisCluster(program)
    })
    after(async () => {
      for (const end of ending.splice(0)) await end()
      await cluster.stop()
    })

    for (const [name, connect] of Object.entries(clusterClients)) {
      if (!programs[program].includes(name)) continue
      const connected = () => connect(cluster.ports[0] ?? 0)
      storeConformance(`redisStore over ${name}`, async data =>
        redisStore(await connected(), {prefix: `${name}-${data}`}),
      )

      test(`${name}: all keys of a shop are on one node, and any node leads to them`, async () => {
        const prefix = `slot-${name}`
        const store = redisStore(await connected(), {prefix})
        const keys = Array.from({length: 20}, (_, index) => `charge/${10 + index}`)
        for (const key of keys) await store.put(key, 1, 'x', 1)
        // As the commands do, from another node.
        const opened = await openStore(`redis://127.0.0.1:${cluster.ports[1]}`, {prefix})
        assert.deepEqual(await opened.store.keys('charge/', 'charge0', 100), keys)
        assert.deepEqual(await opened.store.due(EVER, 100), keys)
        assert.deepEqual(await opened.store.get('charge/11'), {version: 1, value: 'x'})
        await opened.close()
        const counts = await Promise.all(cluster.ports.map(port => countKeys(port, `{${prefix}}:*`)))
        // The rows, and the two lists.
        assert.deepEqual(
          counts.sort((a, b) => a - b),
          [0, 0, keys.length + 2],
        )
      })
    }
  })

describe('Valkey', {skip: skipWithout('valkey-server')}, () => {
  let valkey: RedisServer
  before(async () => {
    valkey = await startRedis({program: 'valkey-server'})
  })
  after(async () => {
    for (const end of ending.splice(0)) await end()
    await valkey.stop()
  })
  for (const [name, connect] of Object.entries(clients))
    storeConformance(`redisStore over ${name}`, async data =>
      redisStore(await connect(valkey.port), {prefix: `${name}-${data}`}),
    )
})

async function countKeys(port: number, pattern: string): Promise<number> {
  const client = await createClient({url: `redis://127.0.0.1:${port}`}).connect()
  const keys = await client.keys(pattern)
  client.destroy()
  return keys.length
}
