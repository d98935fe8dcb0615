/** The payment service, pretended, on the shop's own port. Imported only when there is no real one. */
import {createSandbox} from '../src/sandbox/index.js'
import {memoryStore} from '../src/server/index.js'
import type {Backing} from './backing.js'
import {StartError} from './settings.js'

export function pretendedService(shopUrl: string): Backing {
  const sandbox = createdSandbox(shopUrl)
  const {apiKey, clock, node} = sandbox
  return {options: {apiKey, baseUrl: shopUrl, clock, store: memoryStore()}, sandbox: node}
}

function createdSandbox(shopUrl: string) {
  try {
    return createSandbox({baseUrl: shopUrl, webhookUrl: `${shopUrl}/crypto-checkout/webhook`})
  } catch (error) {
    throw error instanceof Error ? new StartError(error.message) : error
  }
}
