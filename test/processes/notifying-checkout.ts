/**
 * Handles a webhook and kills itself with SIGKILL after effect number `dieAt`: an entry that was written, or the start of
 * a handler. Prints the handlers that were called.
 */
import {createCheckout} from '../../src/node/index.js'
import {openStore} from '../../src/cli/open-store.js'
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

const {store, close} = await openStore(where)
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
await close()
