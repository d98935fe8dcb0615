/** A real Redis or Valkey on a free port of the loopback interface. Its data is in a temporary folder. */
import {mkdtemp} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {freePort} from './free-port.js'
import {requireProgram} from './programs.js'
import {runServer, type PortServer} from './run-server.js'

export type RedisServer = PortServer

export type RedisProgram = 'redis-server' | 'valkey-server'

interface RedisServerOptions {
  readonly program?: RedisProgram
  /** `always` loses nothing in a crash, `everysec` is the usual setting. Default `always`. */
  readonly fsync?: 'always' | 'everysec'
  /** As in redis.conf. */
  readonly settings?: Readonly<Record<string, string>>
}

export async function startRedis({
  program = 'redis-server',
  fsync = 'always',
  settings = {},
}: RedisServerOptions = {}): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'redis-'))
  const port = await freePort()
  const options = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'yes',
    appendfsync: fsync,
    'maxmemory-policy': 'noeviction',
    ...settings,
  }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const ready = 'Ready to accept connections'
  return {...(await runServer({path: requireProgram(program), args, folder, ready})), port}
}
