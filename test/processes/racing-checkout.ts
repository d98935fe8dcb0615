/** One of several processes that use the same charges at the same time, over one store: open and quote, or tell of webhooks. */
import {createCheckout} from '../../src/node/index.js'
import {openStore} from '../../src/cli/open-store.js'
import {requester, usdt} from '../server/scripted-service.js'

const [where = '', baseUrl = '', apiKey = '', ids = '', what = ''] = process.argv.slice(2)
const CONCURRENCY = 16

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

const {store, close} = await openStore(where)
const checkout = createCheckout({
  apiKey,
  baseUrl,
  store,
  rateLimit: false,
  onPayment: (_, {charge}) => print(`onPayment ${charge._id}`),
  onPaid: ({chargeId}) => print(`onPaid ${chargeId}`),
})
const request = requester(checkout.fetch)

const waiting = ids.split(',')
async function work(): Promise<void> {
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift())
    if (what === 'webhook') await repeated('/webhook', {chargeId: id})
    else {
      await repeated(`/charges/${id}`)
      const {json, text} = await repeated(`/charges/${id}/quote`, usdt)
      print(`${id} ${json.quote ? `${json.quote.amount} ${json.quote.address}` : text}`)
    }
}

/** On a busy machine the store may take too long; then a page or the service sends the request again. */
async function repeated(path: string, body?: unknown) {
  for (;;) {
    const response = await request('POST', path, body)
    if (response.status !== 503) return response
  }
}
await Promise.all(Array.from({length: CONCURRENCY}, work))
await checkout.close()
await close()
