/** Runs the demo in a process of its own, on any free port. It prints its URL. */
import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {fileURLToPath} from 'node:url'
import {exitWithParent} from '../system/exit-with-parent.js'

export interface Demo {
  readonly url: string
  readonly output: () => string
  readonly errors: () => string
  /** Signals the process group as Ctrl-C does, and waits until it has exited. */
  interrupt(): Promise<void>
}

export interface ExitResult {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

type Environment = Readonly<Record<string, string | undefined>>

const root = fileURLToPath(new URL('../../', import.meta.url))
const STARTED = /^ +(http:\/\/127\.0\.0\.1:\d+)\/$/m
/** Includes the build. */
const START_TIMEOUT_MS = 60_000

/** `npm start`, build included. */
export function npmStart(environment: Environment = {}): Promise<Demo> {
  return waitForUrl(run('npm', ['start'], environment))
}

/** What `npm start` runs after the build. */
export function startDemo(environment: Environment, folder = root): Promise<Demo> {
  return waitForUrl(runDemo(environment, folder))
}

/** For a demo that cannot start. */
export async function failToStart(environment: Environment): Promise<ExitResult> {
  const {child, output, errors} = runDemo(environment, root)
  const [code] = (await once(child, 'close')) as [number | null]
  return {code, output: output(), errors: errors()}
}

function runDemo(environment: Environment, folder: string) {
  return run('node', ['--import', import.meta.resolve('tsx'), `${root}demo/server.ts`], environment, folder)
}

function run(command: string, args: readonly string[], environment: Environment, cwd = root) {
  const own = {PORT: '0', CHECKOUT_API_KEY: undefined, CHECKOUT_BASE_URL: undefined, NODE_ENV: undefined}
  const env = {...process.env, ...own, ...environment}
  // A process group of its own, so that a signal reaches only its processes, as from a terminal.
  const child = spawn(command, args, {cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe']})
  exitWithParent(child, {group: true})
  const [output, errors] = [collect(child.stdout), collect(child.stderr)]
  return {child, output, errors}
}

async function waitForUrl({child, output, errors}: ReturnType<typeof run>): Promise<Demo> {
  const exited = once(child, 'close')
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not started:\n${errors()}`)), START_TIMEOUT_MS)
    child.stdout.on('data', () => {
      const link = STARTED.exec(output())?.[1]
      if (link === undefined) return
      clearTimeout(timer)
      resolve(link)
    })
    void exited.then(() => reject(new Error(`exited:\n${errors()}`)))
  })
  return {
    url,
    output,
    errors,
    async interrupt() {
      assert(child.pid !== undefined)
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGINT')
      await exited
    },
  }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', chunk => (text += String(chunk)))
  return () => text
}
