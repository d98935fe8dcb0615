/** Shops on other runtimes: the code blocks of `docs/runtimes.md`, in a project that has the packed package. */
import {cpSync, mkdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {repeatUntil} from '../server/repeat-until.js'
import {freePort} from '../system/free-port.js'
import {startProcess} from '../system/start-process.js'
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
  stop(): Promise<unknown>
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
  const started = startProcess(program, args, {
    cwd,
    env: {...process.env, NO_COLOR: '1', PORT: port, ...env},
    group: true,
  })
  let hasEnded = false
  void started.exited.then(() => (hasEnded = true))
  const stop = () => started.end('SIGTERM')
  let isReady = false
  await repeatUntil(
    () => isReady || hasEnded,
    'the shop to start',
    async () => {
      // A runtime that has just started may accept a connection and never respond on it.
      const signal = AbortSignal.timeout(5_000)
      const response = await fetch(`${url}/crypto-checkout/ready`, {signal}).catch(() => undefined)
      isReady = response?.status === 200
      if (!isReady) await setTimeout(50)
    },
  ).catch(() => {})
  if (isReady) return {...started, stop, url}
  await stop()
  throw new Error(`${command.join(' ')} did not start\n${started.output()}`)
}
