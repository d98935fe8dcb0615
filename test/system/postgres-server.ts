/** A real Postgres on a free port of the loopback interface. Its data and its socket are in a temporary folder. */
import {execFileSync, spawn} from 'node:child_process'
import {once} from 'node:events'
import {chmod, chown, mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {exitWithParent} from './exit-with-parent.js'
import {freePort} from './free-port.js'
import {isRoot, requireProgram} from './programs.js'
import type {SqlServer} from './sql-server.js'

/** Postgres refuses to run as root, so there it runs as the user `postgres` of Debian. */
export async function startPostgres(): Promise<SqlServer> {
  const program = requireProgram('postgres')
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'))
  const port = await freePort()
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres']))
  const user = isRoot() ? {uid: id('-u'), gid: id('-g')} : {}
  if (user.uid !== undefined) await chown(folder, user.uid, user.gid)
  await chmod(folder, 0o700)
  const data = join(folder, 'data')
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
  execFileSync(join(program, '..', 'initdb'), initdb, {...user, cwd: folder, stdio: 'ignore'})
  let server = await run()

  async function run() {
    const args = [
      '-D',
      data,
      '-h',
      '127.0.0.1',
      '-p',
      String(port),
      '-k',
      folder,
      '-c',
      'max_connections=300',
    ]
    const child = spawn(program, args, {...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe']})
    exitWithParent(child)
    await new Promise<void>((resolve, reject) => {
      // Once the promise is resolved, this has no effect.
      child.once('exit', code => reject(new Error(`postgres ended with ${code}`)))
      child.stderr.on('data', chunk => {
        if (String(chunk).includes('ready to accept connections')) resolve()
      })
    })
    return child
  }

  /** Ends all of its processes at once, without writing what is in memory. */
  async function crash(): Promise<void> {
    const exited = once(server, 'exit')
    server.kill('SIGQUIT')
    await exited
  }

  return {
    port,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async restart() {
      await crash()
      server = await run()
    },
    async stop() {
      await crash()
      await rm(folder, {recursive: true})
    },
  }
}
