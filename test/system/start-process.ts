import {spawn, type ChildProcess} from 'node:child_process'
import {exitWithParent} from './exit-with-parent.js'

export interface StartedProcess {
  readonly child: ChildProcess
  /** What it has printed. */
  output(): string
  /** Resolves once it has printed this. Rejects when it has ended, or after the time. */
  printed(text: string | RegExp, timeoutMs?: number): Promise<void>
  /** Resolves to its exit code, or the signal that ended it, when all that it printed has been read. */
  readonly exited: Promise<number | string>
  /** Sends the signal, to its group if it leads one, and waits until it has exited. Others may keep its pipes. */
  end(signal: NodeJS.Signals): Promise<number | string>
}

interface ProcessOptions {
  readonly cwd?: string | undefined
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly user?: {readonly uid?: number; readonly gid?: number}
  /** Leads a process group, so that it ends with all that it starts. */
  readonly group?: boolean
}

/** A program in a process of its own, which ends with this one. */
export function startProcess(
  command: string,
  args: readonly string[],
  {cwd, env = process.env, user, group = false}: ProcessOptions = {},
): StartedProcess {
  const child = spawn(command, args, {
    ...user,
    cwd,
    env,
    detached: group,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  exitWithParent(child, {group})
  let output = ''
  let hasEnded = false
  let check = () => {}
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      output += String(text)
      check()
    })
  const ended = (event: 'exit' | 'close') =>
    new Promise<number | string>(resolve =>
      child.once(event, (code: number | null, signal: NodeJS.Signals | null) => resolve(signal ?? code ?? 0)),
    )
  const [exit, exited] = [ended('exit'), ended('close')]
  void exited.then(() => {
    hasEnded = true
    check()
  })
  return {
    child,
    output: () => output,
    exited,
    printed: (text, timeoutMs = 120_000) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => fail('has not'), timeoutMs)
        const fail = (what: string) => {
          clearTimeout(timer)
          reject(new Error(`${command} ${what} printed ${String(text)}:\n${output}`))
        }
        check = () => {
          if (typeof text === 'string' ? output.includes(text) : text.test(output)) {
            clearTimeout(timer)
            resolve()
          } else if (hasEnded) fail('has ended, and not')
        }
        check()
      }),
    end(signal) {
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
        process.kill(group ? -child.pid : child.pid, signal)
      return exit
    },
  }
}
