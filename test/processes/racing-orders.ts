/** One of several processes that create the same orders at the same time, over one store. */
import {createCheckout} from '../../src/node/index.js'
import {openStore} from '../../src/cli/open-store.js'
import {mug} from '../server/orders/shop.js'

const [where = '', baseUrl = '', apiKey = '', orders = ''] = process.argv.slice(2)
const CONCURRENCY = 8

const {store, close} = await openStore(where)
const checkout = createCheckout({apiKey, baseUrl, store})
const waiting = Array.from({length: Number(orders)}, (_, index) => `order ${index}`)

async function work(): Promise<void> {
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    const {chargeId} = await checkout.createOrder(id, mug)
    process.stdout.write(`${id} ${chargeId}\n`)
  }
}
await Promise.all(Array.from({length: CONCURRENCY}, work))
await checkout.close()
await close()
