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
  const started = await Promise.allSettled(Array.from({length: MASTERS}, () => startNode(program)))
  const nodes = started.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
  const stop = async () => {
    for (const {client, server} of nodes) {
      client.destroy()
      await server.stop()
    }
  }
  try {
    for (const result of started) if (result.status === 'rejected') throw result.reason
    await connect(nodes)
  } catch (error) {
    // A node or client that is left would keep the process of the tests, until it is ended after ten minutes.
    await stop()
    throw error
  }
  return {ports: nodes.map(({server}) => server.port), stop}
}

async function startNode(program: RedisProgram) {
  const busPort = String(await freePort())
  const settings = {
    'cluster-enabled': 'yes',
    'cluster-port': busPort,
    'cluster-announce-ip': '127.0.0.1',
  }
  const server = await startRedis({program, settings})
  const client = createClient({url: `redis://127.0.0.1:${server.port}`, socket: {reconnectStrategy: false}})
  client.on('error', () => undefined)
  await client.connect()
  return {server, client, busPort}
}

/** Gives each node its slots, and waits until they know each other. */
async function connect(nodes: readonly Awaited<ReturnType<typeof startNode>>[]): Promise<void> {
  // All of them before they meet: a node that knows others accepts no epoch.
  for (const [index, {client}] of nodes.entries()) {
    const [first, next] = [index, index + 1].map(each => Math.floor((each * SLOTS) / MASTERS))
    await client.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', String(first), String(Number(next) - 1)])
    await client.sendCommand(['CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1)])
  }
  for (const {server, busPort} of nodes.slice(1))
    await nodes[0]?.client.sendCommand(['CLUSTER', 'MEET', '127.0.0.1', String(server.port), busPort])
  const waiting = new Set(nodes.map(({client}) => client))
  await repeatUntil(
    () => waiting.size === 0,
    'the nodes of the cluster to know each other',
    async () => {
      await setTimeout(20)
      for (const client of waiting) {
        const info = String(await client.sendCommand(['CLUSTER', 'INFO']))
        if (info.includes('cluster_state:ok') && info.includes(`cluster_size:${MASTERS}`))
          waiting.delete(client)
      }
    },
  )
}
