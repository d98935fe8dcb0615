/** A real redis-server for a test: on a free port of loopback, its data in a folder that goes with it. */
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {freePort} from '../free-port.js'
import {exitWithParent} from '../processes/exit-with-parent.js'

export interface RedisServer {
  readonly port: number
  /** Kills it and starts it again on the same data, after so many milliseconds. */
  restart(away?: number): Promise<void>
  /** It keeps its connections and answers nothing, until it is told to go on. */
  pause(): void
  goOn(): void
  stop(): Promise<void>
}

/** @param fsync as in redis.conf: `always` for what a killed machine may not lose, `everysec` as most run it */
export async function startRedis(fsync: 'always' | 'everysec' = 'always'): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'redis-'))
  const port = await freePort()
  let server = await run()

  async function run() {
    const started = spawn(
      'redis-server',
      [
        '--port',
        String(port),
        '--bind',
        '127.0.0.1',
        '--dir',
        folder,
        '--save',
        '',
        '--appendonly',
        'yes',
        '--appendfsync',
        fsync,
        '--maxmemory-policy',
        'noeviction',
      ],
      {stdio: ['ignore', 'pipe', 'inherit']},
    )
    exitWithParent(started, 'nobody')
    await new Promise<void>((resolve, reject) => {
      started.once('error', () =>
        reject(new Error('redis-server is not installed: apt-get install redis-server')),
      )
      started.once('exit', code => reject(new Error(`redis-server ended with ${code}`)))
      started.stdout.on('data', chunk => {
        if (String(chunk).includes('Ready to accept connections')) resolve()
      })
    })
    return started
  }

  async function end(): Promise<void> {
    server.removeAllListeners('exit')
    const gone = once(server, 'exit')
    server.kill('SIGKILL')
    await gone
  }

  return {
    port,
    async restart(away = 0) {
      await end()
      if (away > 0) await new Promise(resolve => setTimeout(resolve, away))
      server = await run()
    },
    pause: () => void server.kill('SIGSTOP'),
    goOn: () => void server.kill('SIGCONT'),
    async stop() {
      await end()
      await rm(folder, {recursive: true})
    },
  }
}
