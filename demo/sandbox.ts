/** The simulated payment service, on the shop's own port. Imported only if there is no real one. */
import {createSandbox, type SandboxOptions} from '../src/sandbox/index.js'
import {fileStore, memoryStore} from '../src/node/index.js'
import type {Backend} from './backend.js'
import {StartError} from './settings.js'

/** @param file of the sandbox's state; the store is beside it */
export function sandboxBackend(shopUrl: string, {file}: Pick<SandboxOptions, 'file'> = {}): Backend {
  const webhookUrl = `${shopUrl}/crypto-checkout/webhook`
  const sandbox = createDemoSandbox({baseUrl: shopUrl, webhookUrl, ...(file !== undefined && {file})})
  const {apiKey, clock, node} = sandbox
  const store = file === undefined ? memoryStore() : fileStore(file.replace(/\.json$/, ''))
  return {options: {apiKey, baseUrl: shopUrl, clock, store}, sandbox: node}
}

function createDemoSandbox(options: SandboxOptions) {
  try {
    return createSandbox(options)
  } catch (error) {
    throw error instanceof Error ? new StartError(error.message) : error
  }
}
