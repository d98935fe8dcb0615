/** The sandbox of a command. A file keeps what happened, so that a store that refers to it is of use on the next day. */
import {join} from 'node:path'
import {createSandbox, type RunningSandbox, type Sandbox, type SandboxOptions} from '../sandbox/index.js'
import {CommandError} from './command.js'

/** Each port has its own, because two sandboxes must not share one. A port that is new each time needs none. */
export function stateFile(port: number): Pick<SandboxOptions, 'file'> {
  return port === 0 ? {} : {file: join('.crypto-checkout-sandbox', `${port}.json`)}
}

/** Throws `CommandError` in production, or if the file cannot be used. */
export function createOwnSandbox(options: SandboxOptions): Sandbox {
  try {
    return createSandbox(options)
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error))
  }
}

/** Throws `CommandError` if the port is in use. */
export async function listen(sandbox: Sandbox, port: number, advice: string): Promise<RunningSandbox> {
  try {
    return await sandbox.listen({port})
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const isTaken = 'code' in error && error.code === 'EADDRINUSE'
    throw new CommandError(isTaken ? `port ${port} is in use; ${advice}` : error.message)
  }
}
