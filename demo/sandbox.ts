/** The simulated payment service, on the shop's own port. Imported only if there is no real one. */
import {createSandbox} from '../src/sandbox/index.js'
import {memoryStore} from '../src/node/index.js'
import type {Backend} from './backend.js'
import {StartError} from './settings.js'

export function sandboxBackend(shopUrl: string): Backend {
  const sandbox = createDemoSandbox(shopUrl)
  const {apiKey, clock, node} = sandbox
  return {options: {apiKey, baseUrl: shopUrl, clock, store: memoryStore()}, sandbox: node}
}

function createDemoSandbox(shopUrl: string) {
  try {
    return createSandbox({baseUrl: shopUrl, webhookUrl: `${shopUrl}/crypto-checkout/webhook`})
  } catch (error) {
    throw error instanceof Error ? new StartError(error.message) : error
  }
}
