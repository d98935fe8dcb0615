/**
 * Replaces `crypto-checkout/server` in the servers of examples/: the proxy on a fake clock, with its log and the paid orders
 * exposed. It stores journals in memory, because files would be slow.
 */
import {createCheckout as create, memoryStore} from '../../src/node/index.js'
import type {CheckoutOptions} from '../../src/node/index.js'
import {FakeClock} from '../fake-clock.js'

export * from '../../src/node/index.js'

/** Waits of up to a second, such as between two reads of a charge, end at once. */
class EagerClock extends FakeClock {
  override sleep(
    milliseconds: number,
    ...more: [signal?: AbortSignal, isBackground?: boolean]
  ): Promise<void> {
    const sleeping = super.sleep(milliseconds, ...more)
    if (milliseconds <= 1_000) void this.advance(milliseconds)
    return sleeping
  }
}

export const clock = new EagerClock()
export const logged: string[] = []
export const paid: string[] = []

export function createCheckout(options: CheckoutOptions) {
  const log = (message: string) => void logged.push(message)
  return create({
    ...options,
    store: memoryStore(),
    onPaid: (_checkout, {order}) => void paid.push(order?.id ?? ''),
    clock,
    logger: {info() {}, warn: log, error: log},
  })
}
