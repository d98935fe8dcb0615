/**
 * Handles a webhook and kills itself with SIGKILL inside the handler named by `dieIn`. Prints the handlers that were
 * called and the webhook's status. Its clock is ahead by `later` milliseconds.
 */
import {systemClock} from '../../src/contract/index.js'
import {createCheckoutCore} from '../../src/server/create-checkout.js'
import {fileStore} from '../../src/server/stores/file-store.js'
import {createNetworkTransport} from '../../src/server/service/http-transport.js'

const [folder = '', baseUrl = '', apiKey = '', chargeId = '', dieIn = '', later = '0'] = process.argv.slice(2)

function onCall(handler: 'onPayment' | 'onPaid'): void {
  // Writing to a pipe is synchronous: the line is out before the process is killed.
  process.stdout.write(`${handler}\n`)
  if (handler === dieIn) process.kill(process.pid, 'SIGKILL')
}

const network = createNetworkTransport()
const checkout = createCheckoutCore({
  apiKey,
  baseUrl,
  store: fileStore(folder),
  transport: network.send,
  clock: {...systemClock, now: () => systemClock.now() + Number(later)},
  onPayment: () => onCall('onPayment'),
  onPaid: () => onCall('onPaid'),
})
const response = await checkout.fetch(
  new Request('https://shop.example/crypto-checkout/webhook', {
    method: 'POST',
    body: JSON.stringify({chargeId}),
  }),
)
process.stdout.write(`${response.status}\n`)
await checkout.close()
network.close()
