/** A server program that a test may crash and start again on the same data. */
import {spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {rm} from 'node:fs/promises'
import {exitWithParent} from './exit-with-parent.js'

interface ServerProgram {
  readonly path: string
  readonly args: readonly string[]
  /** Its data, and its working directory. */
  readonly folder: string
  /** What it prints when it accepts connections. */
  readonly ready: string
  readonly user?: {readonly uid?: number; readonly gid?: number}
  /** Ends it at once, without writing what is in memory. Default SIGKILL. */
  readonly crashSignal?: NodeJS.Signals
}

export interface RunningServer {
  /** Ends it as a crash does, and starts it again on the same data, after `delayMs` milliseconds. */
  restart(delayMs?: number): Promise<void>
  /** Connections stay open, but get no response until `resume`. */
  pause(): void
  resume(): void
  /** Deletes its data. */
  stop(): Promise<void>
}

export async function runServer(program: ServerProgram): Promise<RunningServer> {
  const {folder, crashSignal = 'SIGKILL'} = program
  let child = await start(program)

  async function crash(): Promise<void> {
    const exited = once(child, 'exit')
    child.kill(crashSignal)
    await exited
  }

  return {
    async restart(delayMs = 0) {
      await crash()
      if (delayMs > 0) await new Promise(resolve => setTimeout(resolve, delayMs))
      child = await start(program)
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async stop() {
      await crash()
      await rm(folder, {recursive: true})
    },
  }
}

async function start({path, args, folder, ready, user}: ServerProgram): Promise<ChildProcess> {
  const child = spawn(path, args, {...user, cwd: folder, stdio: ['ignore', 'pipe', 'pipe']})
  exitWithParent(child)
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    // Once the promise is resolved, this has no effect.
    child.once('exit', code => reject(new Error(`${path} ended with ${code}\n${printed}`)))
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        printed = (printed + String(chunk)).slice(-10_000)
        if (printed.includes(ready)) resolve()
      })
  })
  return child
}
