/**
 * Handles a webhook and kills itself with SIGKILL after effect number `dieAt`: an entry that was written, or the start of
 * a handler. Prints the handlers that were called.
 */
import {createClient} from 'redis'
import {createCheckout, fileStore, redisStore} from '../../src/server/index.js'
import {requester} from '../server/scripted-service.js'

const [where = '', baseUrl = '', apiKey = '', chargeId = '', dieAt = ''] = process.argv.slice(2)
let effects = 0

function countEffect(): void {
  effects += 1
  if (effects === Number(dieAt)) process.kill(process.pid, 'SIGKILL')
}

function onCall(handler: string): void {
  // Writing to a pipe is synchronous, so the line is written before the process is killed.
  process.stdout.write(`${handler}\n`)
  countEffect()
}

const client = where.startsWith('redis:') ? createClient({url: where}) : undefined
await client?.connect()
const store = client ? redisStore(client) : fileStore(where)
const checkout = createCheckout({
  apiKey,
  baseUrl,
  store: {
    ...store,
    async append(...entry) {
      const isAppended = await store.append(...entry)
      countEffect()
      return isAppended
    },
  },
  onPayment: () => onCall('onPayment'),
  onPaid: () => onCall('onPaid'),
})
await requester(checkout.fetch)('POST', '/webhook', {chargeId})
await checkout.close()
await client?.close()
