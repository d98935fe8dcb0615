/** A server program that a test may crash and start again on the same data. */
import {rm} from 'node:fs/promises'
import {startProcess} from './start-process.js'

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

export interface PortServer extends RunningServer {
  readonly port: number
}

/** A database server of a test. */
export interface SqlServer extends PortServer {
  /** With the user. */
  readonly url: string
}

export async function runServer(program: ServerProgram): Promise<RunningServer> {
  const {path, args, folder, ready, user = {}, crashSignal = 'SIGKILL'} = program
  const start = async () => {
    const started = startProcess(path, args, {cwd: folder, user})
    await started.printed(ready)
    return started
  }
  let server = await start()
  const crash = () => server.end(crashSignal)

  return {
    async restart(delayMs = 0) {
      await crash()
      if (delayMs > 0) await new Promise(resolve => setTimeout(resolve, delayMs))
      server = await start()
    },
    pause: () => void server.child.kill('SIGSTOP'),
    resume: () => void server.child.kill('SIGCONT'),
    async stop() {
      await crash()
      await rm(folder, {recursive: true})
    },
  }
}
