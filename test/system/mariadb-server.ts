/** A real MariaDB on a free port of the loopback interface. Its data and its socket are in a temporary folder. */
import {execFileSync} from 'node:child_process'
import {mkdtemp, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {freePort} from './free-port.js'
import {isRoot, requireProgram} from './programs.js'
import {runServer, type SqlServer} from './run-server.js'

export async function startMariadb(): Promise<SqlServer> {
  const path = requireProgram('mariadbd')
  const folder = await mkdtemp(join(tmpdir(), 'mariadb-'))
  const port = await freePort()
  const data = join(folder, 'data')
  const user = isRoot() ? ['--user=root'] : []
  const install = ['--no-defaults', `--datadir=${data}`, '--skip-test-db', ...user]
  execFileSync(requireProgram('mariadb-install-db'), install, {stdio: 'ignore'})
  const initFile = join(folder, 'init.sql')
  // One statement a line.
  await writeFile(
    initFile,
    "create database if not exists shop;\ngrant all on *.* to shop@'%' identified by 'shop';\n",
  )
  const args = [
    '--no-defaults',
    `--datadir=${data}`,
    `--socket=${folder}/socket`,
    `--pid-file=${folder}/pid`,
    `--init-file=${initFile}`,
    '--bind-address=127.0.0.1',
    `--port=${port}`,
    '--max-connections=300',
    '--skip-name-resolve',
    ...user,
  ]
  const server = await runServer({path, args, folder, ready: 'ready for connections'})
  return {...server, port, url: `mysql://shop:shop@127.0.0.1:${port}/shop`}
}
