/** A merchant's server with its own store. */
import {createServer} from 'node:http'
import {
  createCheckout,
  createServiceClient,
  fileStore,
  memoryStore,
  type CheckoutOptions,
  type CheckoutServer,
  type Store,
} from 'crypto-checkout/server'

const options: CheckoutOptions = {
  apiKey: 'TEST;PK;1',
  baseUrl: 'https://pay.example',
  store: fileStore('orders'),
  async onPaid({chargeId}, {charge}) {
    console.log(chargeId, charge.ref_id)
  },
  onPayment(payment) {
    console.log(payment.transactionId)
  },
}
const checkout: CheckoutServer = createCheckout(options)

createServer((req, res) => void checkout.node(req, res, () => res.end('The shop'))).listen(3000)

export const GET = (request: Request): Promise<Response> => checkout.fetch(request)
export const isPaid = async (chargeId: string): Promise<boolean> => (await checkout.verify(chargeId)).paid
export const service = createServiceClient({apiKey: 'TEST;PK;1', baseUrl: 'https://pay.example'})

const memory = memoryStore()
export const loggingStore: Store = {
  ...memory,
  async put(key, version, value, due) {
    console.log(key, version, value.length, due === null ? 'never' : new Date(due))
    return memory.put(key, version, value, due)
  },
}

// @ts-expect-error: the key is required
createCheckout({baseUrl: 'https://pay.example'})
// @ts-expect-error: amounts are text, never floats
void checkout.service.convert({local: {amount: 49.9, currency: 'USD'}})
// @ts-expect-error: methods are missing
export const incomplete: Store = {get: async () => undefined}
