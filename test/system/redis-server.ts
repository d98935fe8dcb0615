/** A real redis-server on a free port of the loopback interface. Its data is in a temporary folder. */
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {exitWithParent} from './exit-with-parent.js'
import {freePort} from './free-port.js'
import {requireProgram} from './programs.js'

export interface RedisServer {
  readonly port: number
  /** Kills it and starts it again on the same data, after `delayMs` milliseconds. */
  restart(delayMs?: number): Promise<void>
  /** Connections stay open, but get no response until `resume`. */
  pause(): void
  resume(): void
  stop(): Promise<void>
}

/** @param fsync as in redis.conf: `always` loses nothing in a crash, `everysec` is the usual setting */
export async function startRedis(fsync: 'always' | 'everysec' = 'always'): Promise<RedisServer> {
  const program = requireProgram('redis-server')
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
  }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  let server = await run()

  async function run() {
    const child = spawn(program, args, {stdio: ['ignore', 'pipe', 'inherit']})
    exitWithParent(child)
    await new Promise<void>((resolve, reject) => {
      // Once the promise is resolved, this has no effect.
      child.once('exit', code => reject(new Error(`redis-server ended with ${code}`)))
      child.stdout.on('data', chunk => {
        if (String(chunk).includes('Ready to accept connections')) resolve()
      })
    })
    return child
  }

  async function kill(): Promise<void> {
    const exited = once(server, 'exit')
    server.kill('SIGKILL')
    await exited
  }

  return {
    port,
    async restart(delayMs = 0) {
      await kill()
      if (delayMs > 0) await new Promise(resolve => setTimeout(resolve, delayMs))
      server = await run()
    },
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    async stop() {
      await kill()
      await rm(folder, {recursive: true})
    },
  }
}
