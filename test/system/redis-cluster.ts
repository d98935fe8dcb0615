/** A real Redis or Valkey Cluster of three masters on free ports of the loopback interface. */
import {execFile} from 'node:child_process'
import {promisify} from 'node:util'
import {repeatUntil} from '../server/repeat-until.js'
import {freePort} from './free-port.js'
import {requireProgram} from './programs.js'
import {startRedis, type RedisProgram} from './redis-server.js'

const MASTERS = 3

export async function startRedisCluster(program: RedisProgram) {
  const started = await Promise.allSettled(Array.from({length: MASTERS}, () => startNode(program)))
  const nodes = started.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
  const stop = async () => {
    for (const node of nodes) await node.stop()
  }
  try {
    for (const result of started) if (result.status === 'rejected') throw result.reason
    const ports = nodes.map(({port}) => port)
    const addresses = ports.map(port => `127.0.0.1:${port}`)
    const client = (...args: string[]) =>
      promisify(execFile)(requireProgram(program).replace(/server$/, 'cli'), args)
    await client('--cluster', 'create', ...addresses, '--cluster-yes')
    // It knows all slots, but a node that has just started may still refuse commands.
    for (const port of ports) {
      let info = ''
      await repeatUntil(
        () => info.includes('cluster_state:ok'),
        'the cluster',
        async () => ({stdout: info} = await client('-p', String(port), 'cluster', 'info')),
      )
    }
    return {ports, stop}
  } catch (error) {
    // A node that is left would keep the process of the tests, until it is ended after ten minutes.
    await stop()
    throw error
  }
}

async function startNode(program: RedisProgram) {
  const settings = {
    'cluster-enabled': 'yes',
    'cluster-port': String(await freePort()),
    'cluster-announce-ip': '127.0.0.1',
  }
  return startRedis({program, settings})
}
