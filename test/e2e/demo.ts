/** Runs the demo in a process of its own, on any free port. It prints its URL. */
import {fileURLToPath} from 'node:url'
import {startProcess, type StartedProcess} from '../system/start-process.js'

export interface Demo extends StartedProcess {
  readonly url: string
}

type Environment = Readonly<Record<string, string | undefined>>

const root = fileURLToPath(new URL('../../', import.meta.url))
const STARTED = /^ +(http:\/\/127\.0\.0\.1:\d+)\/$/m

/** `npm start`, build included. */
export function npmStart(environment: Environment = {}): Promise<Demo> {
  return waitForUrl(run('npm', ['start'], environment))
}

/** What `npm start` runs after the build. */
export function startDemo(environment: Environment, folder = root): Promise<Demo> {
  return waitForUrl(runDemo(environment, folder))
}

/** For a demo that cannot start. Resolves to its exit code and what it printed. */
export async function failToStart(environment: Environment) {
  const {exited, output} = runDemo(environment, root)
  return {code: await exited, output: output()}
}

function runDemo(environment: Environment, folder: string): StartedProcess {
  return run('node', ['--import', import.meta.resolve('tsx'), `${root}demo/server.ts`], environment, folder)
}

/** A group of its own gets a signal as from Ctrl-C in a terminal. */
function run(command: string, args: readonly string[], environment: Environment, cwd = root): StartedProcess {
  const own = {PORT: '0', CHECKOUT_API_KEY: undefined, CHECKOUT_BASE_URL: undefined, NODE_ENV: undefined}
  return startProcess(command, args, {cwd, env: {...process.env, ...own, ...environment}, group: true})
}

async function waitForUrl(demo: StartedProcess): Promise<Demo> {
  await demo.printed(STARTED)
  return {...demo, url: STARTED.exec(demo.output())?.[1] ?? ''}
}
