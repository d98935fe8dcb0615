/** A real Redis or Valkey Cluster on free ports of the loopback interface. */
import {setTimeout} from 'node:timers/promises'
import {createClient} from 'redis'
import {repeatUntil} from '../server/repeat-until.js'
import {freePort} from './free-port.js'
import {startRedis, type RedisProgram} from './redis-server.js'

export interface RedisCluster {
  readonly ports: readonly number[]
  stop(): Promise<void>
}

const MASTERS = 3
const SLOTS = 16_384

/** Three masters, each with a third of the slots. */
export async function startRedisCluster(program: RedisProgram): Promise<RedisCluster> {
  const nodes = await Promise.all(
    Array.from({length: MASTERS}, async () => {
      const busPort = String(await freePort())
      const settings = {
        'cluster-enabled': 'yes',
        'cluster-port': busPort,
        'cluster-announce-ip': '127.0.0.1',
      }
      const server = await startRedis({program, settings})
      const client = await createClient({url: `redis://127.0.0.1:${server.port}`}).connect()
      return {server, client, busPort}
    }),
  )
  // All of them before they meet: a node that knows others accepts no epoch.
  for (const [index, {client}] of nodes.entries()) {
    const [first, next] = [index, index + 1].map(each => Math.floor((each * SLOTS) / MASTERS))
    await client.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', String(first), String(Number(next) - 1)])
    await client.sendCommand(['CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1)])
  }
  for (const {server, busPort} of nodes.slice(1))
    await nodes[0]?.client.sendCommand(['CLUSTER', 'MEET', '127.0.0.1', String(server.port), busPort])
  const states = new Set(nodes.map(({client}) => client))
  await repeatUntil(
    () => states.size === 0,
    'the nodes of the cluster to know each other',
    async () => {
      await setTimeout(20)
      for (const client of states) {
        const info = String(await client.sendCommand(['CLUSTER', 'INFO']))
        if (info.includes('cluster_state:ok') && info.includes(`cluster_size:${MASTERS}`)) {
          states.delete(client)
          client.destroy()
        }
      }
    },
  )
  return {
    ports: nodes.map(({server}) => server.port),
    async stop() {
      await Promise.all(nodes.map(({server}) => server.stop()))
    },
  }
}
