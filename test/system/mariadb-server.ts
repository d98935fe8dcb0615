/** A real MariaDB on a free port of the loopback interface. Its data and its socket are in a temporary folder. */
import {execFileSync, spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {exitWithParent} from './exit-with-parent.js'
import {freePort} from './free-port.js'
import {isRoot, requireProgram} from './programs.js'
import type {SqlServer} from './sql-server.js'

export async function startMariadb(): Promise<SqlServer> {
  const program = requireProgram('mariadbd')
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
  let server = await run()

  async function run() {
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
    const child = spawn(program, args, {stdio: ['ignore', 'ignore', 'pipe']})
    exitWithParent(child)
    await new Promise<void>((resolve, reject) => {
      // Once the promise is resolved, this has no effect.
      child.once('exit', code => reject(new Error(`mariadbd ended with ${code}`)))
      child.stderr.on('data', chunk => {
        if (String(chunk).includes('ready for connections')) resolve()
      })
    })
    return child
  }

  async function crash(): Promise<void> {
    const exited = once(server, 'exit')
    server.kill('SIGKILL')
    await exited
  }

  return {
    port,
    url: `mysql://shop:shop@127.0.0.1:${port}/shop`,
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
