/**
 * Handles a webhook and kills itself with SIGKILL after effect number `dieAt`: an entry that was written, or the start of
 * a handler. Prints the handlers that were called, the webhook's status and the number of effects. Its clock is ahead by
 * `later` milliseconds.
 */
import {createClient} from 'redis'
import {systemClock} from '../../src/contract/index.js'
import {createCheckout, fileStore, redisStore} from '../../src/server/index.js'
import {requester} from '../server/scripted-service.js'

const [where = '', baseUrl = '', apiKey = '', chargeId = '', dieAt = '', later = '0'] = process.argv.slice(2)
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
  clock: {...systemClock, now: () => systemClock.now() + Number(later)},
  onPayment: () => onCall('onPayment'),
  onPaid: () => onCall('onPaid'),
})
const {status} = await requester(checkout.fetch)('POST', '/webhook', {chargeId})
process.stdout.write(`${status}\n${effects}\n`)
await checkout.close()
await client?.close()
