/** One of several processes that open and quote the same charges at the same time, over one store. */
import {createClient} from 'redis'
import {createCheckoutCore} from '../../src/server/create-checkout.js'
import {fileStore} from '../../src/server/stores/file-store.js'
import {redisStore} from '../../src/server/stores/redis-store.js'
import {createNetworkTransport} from '../../src/server/service/http-transport.js'

const [where = '', baseUrl = '', apiKey = '', ids = ''] = process.argv.slice(2)
const AT_ONCE = 16

const client = where.startsWith('redis:') ? createClient({url: where}) : undefined
await client?.connect()
const network = createNetworkTransport()
const checkout = createCheckoutCore({
  apiKey,
  baseUrl,
  store: client ? redisStore(client) : fileStore(where),
  transport: network.send,
})

async function post(path: string, body: object): Promise<string> {
  const reply = await checkout.fetch(
    new Request(`https://shop.example/crypto-checkout/charges/${path}`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify(body),
    }),
  )
  return reply.text()
}

const waiting = ids.split(',')
async function work(): Promise<void> {
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    await post(id, {})
    const text = await post(`${id}/quote`, {asset: '825', network: 'bsc'})
    process.stdout.write(`${id} ${/"address":"(\w+)"/.exec(text)?.[1] ?? text}\n`)
  }
}
await Promise.all(Array.from({length: AT_ONCE}, work))
await checkout.close()
network.close()
await client?.close()
