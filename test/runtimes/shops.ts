/** Shops on other runtimes: the code blocks of `docs/runtimes.md`, in a project that has the packed package. */
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {cpSync, mkdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {repeatUntil} from '../server/repeat-until.js'
import {exitWithParent} from '../system/exit-with-parent.js'
import {freePort} from '../system/free-port.js'
import type {Shop} from './flow.js'

/** The code block below a heading of a page, with the first line of its file's name. */
export function snippet(page: string, heading: string, file: string): string {
  const text = readFileSync(page, 'utf8')
  const section = text.split(/^##+ /m).find(each => each.startsWith(`${heading}\n`)) ?? text
  const block = [...section.matchAll(/^```[jt]s\n([^]*?)^```$/gm)].find(([, code]) =>
    code?.startsWith(`// ${file}\n`),
  )
  if (!block?.[1]) throw new Error(`${page} has no block ${file} below ${heading}`)
  return block[1]
}

/** Copies the shop's `checkout.js`. Its store is in the folder too. */
export function copyCheckout(folder: string): void {
  mkdirSync(folder, {recursive: true})
  cpSync('examples/html/checkout.js', join(folder, 'checkout.js'))
}

export interface RunningShop extends Shop {
  output(): string
  stop(): Promise<void>
}

/**
 * Resolves when its store is ready. It listens on the port, which is also `PORT` unless `env` has another. Its site begins
 * at the path.
 */
export async function startShop(
  command: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  {port, path = ''}: {port?: string; path?: string | undefined} = {},
): Promise<RunningShop> {
  const [program = '', ...args] = command
  port ??= String(await freePort())
  const url = `http://127.0.0.1:${port}${path}`
  const child = spawn(program, args, {
    cwd,
    env: {...process.env, NO_COLOR: '1', PORT: port, ...env},
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group, so that it can be ended with all that it starts.
    detached: true,
  })
  exitWithParent(child, {group: true})
  let output = ''
  let check = () => {}
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      check()
    })
  child.once('exit', () => check())
  const stop = async () => {
    if (child.exitCode !== null || child.pid === undefined) return
    process.kill(-child.pid)
    await once(child, 'exit')
  }
  let isReady = false
  await repeatUntil(
    () => isReady || child.exitCode !== null,
    'the shop to start',
    async () => {
      // A runtime that has just started may accept a connection and never respond on it.
      const signal = AbortSignal.timeout(5_000)
      const response = await fetch(`${url}/crypto-checkout/ready`, {signal}).catch(() => undefined)
      isReady = response?.status === 200
      if (!isReady) await setTimeout(50)
    },
  ).catch(() => {})
  if (!isReady) {
    await stop()
    throw new Error(`${command.join(' ')} did not start\n${output}`)
  }

  return {
    stop,
    url,
    output: () => output,
    printed: text =>
      new Promise((resolve, reject) => {
        const giveUp = () => reject(new Error(`waited for “${text}”; the shop printed:\n${output}`))
        const deadline = AbortSignal.timeout(120_000)
        deadline.addEventListener('abort', giveUp)
        check = () => {
          if (output.includes(text)) resolve()
          else if (child.exitCode !== null) giveUp()
        }
        check()
      }),
  }
}
