/** A shop over a store, and the commands that read the store. */
import {createSandbox} from '../../src/sandbox/index.js'
import {createCheckout, type CheckoutOptions, type Store} from '../../src/node/index.js'
import {order} from '../server/order.js'
import {requester, usdt} from '../server/scripted-service.js'

export function startShop(store: Store, options: Partial<CheckoutOptions> = {}) {
  const sandbox = createSandbox()
  const checkout = createCheckout({
    apiKey: sandbox.apiKey,
    baseUrl: 'http://127.0.0.1:4010',
    transport: sandbox.transport,
    store,
    logger: {info() {}, warn() {}, error() {}},
    ...options,
  })
  const request = requester(checkout.fetch)
  return {
    checkout,
    request,
    /** Resolves to the id of a quoted charge and its quote. */
    async place({pays}: {pays: boolean}) {
      const {_id} = await checkout.service.createCharge(order())
      await request('POST', `/charges/${_id}`)
      const {json} = await request('POST', `/charges/${_id}/quote`, usdt)
      if (pays) {
        sandbox.pay(_id, {...usdt, amount: json.quote.amount})
        await request('POST', '/webhook', {chargeId: _id})
      }
      return {chargeId: _id, quote: json.quote}
    },
  }
}

/** Resolves to the lines that a command prints. */
export async function linesOf(
  command: (args: readonly string[], print: (line: string) => void) => Promise<void>,
  ...args: readonly string[]
): Promise<string[]> {
  const lines: string[] = []
  await command(args, line => lines.push(line))
  return lines
}
