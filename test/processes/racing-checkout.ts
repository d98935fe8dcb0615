/** One of several processes that open and quote the same charges at the same time, over one store. */
import {createCheckout} from '../../src/server/index.js'
import {openStore} from '../../src/server/open-store.js'
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
    await request('POST', `/charges/${id}`)
    const {text} = await request('POST', `/charges/${id}/quote`, usdt)
    process.stdout.write(`${id} ${/"address":"(\w+)"/.exec(text)?.[1] ?? text}\n`)
  }
}
await Promise.all(Array.from({length: CONCURRENCY}, work))
await checkout.close()
await close()
