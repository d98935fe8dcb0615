/** A sandbox over the network, and processes that share a store and may be killed. */
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, before} from 'node:test'
import {createSandbox, type RunningSandbox} from '../../src/sandbox/index.js'
import {createCheckout, fileStore, type CheckoutOptions} from '../../src/node/index.js'
import {bundled} from '../processes/bundle.js'

/** @param script of `test/processes`; its first arguments are the folder, the service's URL and the api-key */
export function crashHarness(script: string) {
  const sandbox = createSandbox()
  let root = ''
  let path = ''
  let listening: RunningSandbox

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'crash-'))
    path = bundled(script)
    listening = await sandbox.listen()
  })
  after(async () => {
    await listening.close()
    await rm(root, {recursive: true})
    await rm(join(path, '..'), {recursive: true})
  })

  return {
    sandbox,
    folder: (name: string) => join(root, name),
    /** A proxy in this process. */
    checkout: (folder: string, options: Partial<CheckoutOptions> = {}) =>
      createCheckout({
        apiKey: sandbox.apiKey,
        baseUrl: listening.url,
        store: options.store ?? fileStore(folder),
        rateLimit: false,
        ...options,
      }),
    /** @returns what the process printed, and its signal or exit code */
    async run(store: string, ...args: readonly string[]) {
      const child = spawn(process.execPath, [path, store, listening.url, sandbox.apiKey, ...args], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let printed = ''
      child.stdout.on('data', chunk => (printed += String(chunk)))
      const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
      return {printed, end: signal ?? code}
    },
  }
}
