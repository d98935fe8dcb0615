/**
 * Handles a webhook and kills itself with SIGKILL inside the handler named by `dieIn`. Prints the handlers that were
 * called and the webhook's status. Its clock is ahead by `later` milliseconds.
 */
import {systemClock} from '../../src/contract/index.js'
import {createCheckout, fileStore} from '../../src/server/index.js'
import {requester} from '../server/scripted-service.js'

const [folder = '', baseUrl = '', apiKey = '', chargeId = '', dieIn = '', later = '0'] = process.argv.slice(2)

function onCall(handler: 'onPayment' | 'onPaid'): void {
  // Writing to a pipe is synchronous, so the line is written before the process is killed.
  process.stdout.write(`${handler}\n`)
  if (handler === dieIn) process.kill(process.pid, 'SIGKILL')
}

const checkout = createCheckout({
  apiKey,
  baseUrl,
  store: fileStore(folder),
  clock: {...systemClock, now: () => systemClock.now() + Number(later)},
  onPayment: () => onCall('onPayment'),
  onPaid: () => onCall('onPaid'),
})
const {status} = await requester(checkout.fetch)('POST', '/webhook', {chargeId})
process.stdout.write(`${status}\n`)
await checkout.close()
