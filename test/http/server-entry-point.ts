/**
 * What the snippets of `docs/mounting.md` get for `crypto-checkout/server` and `./orders.js`: the real proxy, on a clock
 * that stands still, with what it logged and what it told for the test to see. Its journals are kept in memory: files
 * have tests of their own, and would make these ones slow.
 */
import {
  createCheckout as create,
  memoryStore,
  type CheckoutOptions,
  type Store,
} from '../../src/server/index.js'
import {FakeClock} from '../fake-clock.js'

export * from '../../src/server/index.js'

export const clock = new FakeClock()
export const logged: string[] = []
export const paid: string[] = []

export const listedOrigin = 'https://listed.example'

export function createCheckout(options: CheckoutOptions) {
  const log = (message: string) => void logged.push(message)
  return create({
    ...options,
    clock,
    allowedOrigins: [listedOrigin],
    logger: {info() {}, warn: log, error: log},
  })
}

export function fileStore(_folder: string): Store {
  return memoryStore()
}

export function markPaid(reference: string): void {
  paid.push(reference)
}
