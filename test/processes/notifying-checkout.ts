/**
 * Gets a webhook and tells the shop; kills itself with SIGKILL inside the handler named by `dieIn`. Prints what the shop
 * was told, at once, and what the webhook was answered. `later` is how far its clock is ahead, in milliseconds.
 */
import {systemClock} from '../../src/contract/index.js'
import {createCheckoutCore} from '../../src/server/create-checkout.js'
import {fileStore} from '../../src/server/stores/file-store.js'
import {createNetworkTransport} from '../../src/server/service/http-transport.js'

const [folder = '', baseUrl = '', apiKey = '', chargeId = '', dieIn = '', later = '0'] = process.argv.slice(2)

function told(handler: 'onPayment' | 'onPaid'): void {
  // A pipe is written at once: it is out before the process is dead.
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
  onPayment: () => told('onPayment'),
  onPaid: () => told('onPaid'),
})
const reply = await checkout.fetch(
  new Request('https://shop.example/crypto-checkout/webhook', {
    method: 'POST',
    body: JSON.stringify({chargeId}),
  }),
)
process.stdout.write(`${reply.status}\n`)
await checkout.close()
network.close()
