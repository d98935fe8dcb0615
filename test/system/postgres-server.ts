/** A real Postgres on a free port of the loopback interface. Its data and its socket are in a temporary folder. */
import {execFileSync} from 'node:child_process'
import {chmod, chown, mkdtemp} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {freePort} from './free-port.js'
import {isRoot, requireProgram} from './programs.js'
import {runServer, type SqlServer} from './run-server.js'

/** Postgres refuses to run as root, so there it runs as the user `postgres` of Debian. */
export async function startPostgres(): Promise<SqlServer> {
  const path = requireProgram('postgres')
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'))
  const port = await freePort()
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres']))
  const user = isRoot() ? {uid: id('-u'), gid: id('-g')} : {}
  if (user.uid !== undefined) await chown(folder, user.uid, user.gid)
  await chmod(folder, 0o700)
  const data = join(folder, 'data')
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
  execFileSync(join(path, '..', 'initdb'), initdb, {...user, cwd: folder, stdio: 'ignore'})
  const args = ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', folder, '-c', 'max_connections=300']
  const ready = 'ready to accept connections'
  const server = await runServer({path, args, folder, ready, user, crashSignal: 'SIGQUIT'})
  return {...server, port, url: `postgres://postgres@127.0.0.1:${port}/postgres`}
}
