/** A sandbox over the network, and processes that share a store and may be killed. */
import {rm} from 'node:fs/promises'
import {join} from 'node:path'
import {after, before} from 'node:test'
import {createSandbox, type RunningSandbox} from '../../src/sandbox/index.js'
import {createCheckout, type CheckoutOptions, type Store} from '../../src/node/index.js'
import {silentLogger} from '../../src/server/base/logger.js'
import {bundled} from '../processes/bundle.js'
import {runProcess} from '../stores/run-process.js'

/** @param script of `test/processes`; its first arguments are the store, the service's URL and the api-key */
export function crashHarness(script: string) {
  const sandbox = createSandbox()
  let path = ''
  let listening: RunningSandbox

  before(async () => {
    path = bundled(script)
    listening = await sandbox.listen()
  })
  after(async () => {
    await listening.close()
    await rm(join(path, '..'), {recursive: true})
  })

  return {
    sandbox,
    /** A proxy in this process. */
    checkout: (options: Partial<CheckoutOptions> & {store: Store}) =>
      createCheckout({
        apiKey: sandbox.apiKey,
        baseUrl: listening.url,
        rateLimit: false,
        logger: silentLogger,
        ...options,
      }),
    /** @returns what the process printed, and its signal or exit code */
    run: (store: string, ...args: readonly string[]) =>
      runProcess(path, store, listening.url, sandbox.apiKey, ...args),
  }
}
