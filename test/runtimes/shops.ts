/** Shops on other runtimes: the code blocks of `docs/runtimes.md`, in a project that has the packed package. */
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
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

/** Writes the shop's `checkout.js` of `docs/mounting.md`, with its store in the folder. */
export function writeCheckout(folder: string): void {
  mkdirSync(folder, {recursive: true})
  const code = snippet('docs/mounting.md', 'Mounting the proxy', 'checkout.js')
  writeFileSync(join(folder, 'checkout.js'), code.replace('/var/lib/shop/', `${folder}/`))
  writeFileSync(
    join(folder, 'orders.js'),
    'export const markPaid = reference => console.log(`${reference} is paid: ship it`)',
  )
}

export interface RunningShop extends Shop {
  stop(): Promise<void>
}

/** @param port where it listens; resolves when its store is ready */
export async function startShop(
  command: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<RunningShop> {
  const [program = '', ...args] = command
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(program, args, {
    cwd,
    env: {...process.env, NO_COLOR: '1', ...env, PORT: String(port)},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  exitWithParent(child)
  let output = ''
  let check = () => {}
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      check()
    })
  child.once('exit', () => check())
  let isReady = false
  await repeatUntil(
    () => isReady || child.exitCode !== null,
    'the shop to start',
    async () => {
      // A runtime that has just started may accept a connection and never respond on it.
      const signal = AbortSignal.timeout(5_000)
      const response = await fetch(`${url}/crypto-checkout/ready`, {signal}).catch(() => undefined)
      isReady = response?.status === 200
    },
  )
  if (!isReady) throw new Error(`${command.join(' ')}\n${output}`)

  return {
    url,
    printed: text =>
      new Promise((resolve, reject) => {
        const giveUp = () => reject(new Error(`waited for “${text}”; the shop printed:\n${output}`))
        const deadline = AbortSignal.timeout(30_000)
        deadline.addEventListener('abort', giveUp)
        check = () => {
          if (output.includes(text)) resolve()
          else if (child.exitCode !== null) giveUp()
        }
        check()
      }),
    async stop() {
      if (child.exitCode !== null) return
      child.kill()
      await once(child, 'exit')
    },
  }
}
