/** One of several processes that open and quote the same charges at the same time, over one store. */
import {createCheckout} from '../../src/node/index.js'
import {openStore} from '../../src/cli/open-store.js'
import {requester, usdt} from '../server/scripted-service.js'

const [where = '', baseUrl = '', apiKey = '', ids = ''] = process.argv.slice(2)
const CONCURRENCY = 16

const {store, close} = await openStore(where)
const checkout = createCheckout({
  apiKey,
  baseUrl,
  store,
  rateLimit: false,
})
const request = requester(checkout.fetch)

const waiting = ids.split(',')
async function work(): Promise<void> {
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    await repeated(`/charges/${id}`)
    const {text} = await repeated(`/charges/${id}/quote`, usdt)
    process.stdout.write(`${id} ${/"address":"(\w+)"/.exec(text)?.[1] ?? text}\n`)
  }
}

/** On a busy machine the store may take too long; then a page sends the request again. */
async function repeated(path: string, body?: unknown) {
  for (;;) {
    const response = await request('POST', path, body)
    if (response.status !== 503) return response
  }
}
await Promise.all(Array.from({length: CONCURRENCY}, work))
await checkout.close()
await close()
