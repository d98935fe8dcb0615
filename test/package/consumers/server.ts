/** A merchant's server, and a store of its own. */
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

createServer((req, res) => void checkout.node(req, res, () => res.end('the shop'))).listen(3000)

export const GET = (request: Request): Promise<Response> => checkout.fetch(request)
export const isPaid = async (chargeId: string): Promise<boolean> => (await checkout.verify(chargeId)).paid
export const service = createServiceClient({apiKey: 'TEST;PK;1', baseUrl: 'https://pay.example'})

export const noisy: Store = {
  ...memoryStore(),
  async append(chargeId, rev, entry) {
    console.log(chargeId, rev, entry)
    return memoryStore().append(chargeId, rev, entry)
  },
}

// @ts-expect-error: a key there must be
createCheckout({baseUrl: 'https://pay.example'})
// @ts-expect-error: amounts are text, never floats
void checkout.service.convert({local: {amount: 49.9, currency: 'USD'}})
// @ts-expect-error: a store that is only half of one
export const half: Store = {read: async () => []}
