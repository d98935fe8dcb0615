/**
 * Goes one of the ways through the proxy, and kills itself with SIGKILL after effect number `dieAt`: a write, a response of the
 * service, or the start of a handler. Nothing outside the process changes between two effects, so no other time needs a test.
 * Prints every response that a browser or the shop would receive, and the handlers that are called.
 */
import {openStore} from '../../src/cli/open-store.js'
import {systemClock} from '../../src/contract/index.js'
import {createNetworkTransport} from '../../src/http/node-transport.js'
import {createCheckoutCore} from '../../src/server/create-checkout.js'
import {mug} from '../server/orders/shop.js'
import {requester, usdt} from '../server/scripted-service.js'

const [where = '', baseUrl = '', apiKey = '', flow = '', id = '', prefix = '', dieAt = '', laterMs = '0'] =
  process.argv.slice(2)
let effects = 0

/** Writing to a pipe is synchronous, so the line is written before the process is killed. */
function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function countEffect(): void {
  effects += 1
  if (effects === Number(dieAt)) process.kill(process.pid, 'SIGKILL')
}

/** Counts the effect before the caller gets the result. */
function fatal<Values extends unknown[], Result>(act: (...values: Values) => Promise<Result>) {
  return async (...values: Values): Promise<Result> => {
    const result = await act(...values)
    countEffect()
    return result
  }
}

function onCall(handler: string): void {
  print(handler)
  countEffect()
}

const {store, close} = await openStore(where, {prefix: prefix || undefined})
const network = createNetworkTransport()
const checkout = createCheckoutCore({
  apiKey,
  baseUrl,
  clock: {...systemClock, now: () => systemClock.now() + Number(laterMs)},
  store: {...store, put: fatal(store.put)},
  transport: fatal(network.send),
  reconcileEvery: 0,
  retention: 86_400_000,
  onPayment: () => onCall('onPayment'),
  onPaid: () => onCall('onPaid'),
  onArchive: () => onCall('onArchive'),
})
const request = requester(checkout.fetch)

const flows: Record<string, () => Promise<unknown>> = {
  async quote() {
    for (const path of ['', '/quote']) print((await request('POST', `/charges/${id}${path}`, usdt)).text)
  },
  webhook: () => request('POST', '/webhook', {chargeId: id}),
  async order() {
    for (const amount of ['10', '49.90']) print((await checkout.createOrder(id, {...mug, amount})).chargeId)
  },
  archive: () => checkout.reconcile(),
}
await flows[flow]?.()
await checkout.close()
print(`effects ${effects}`)
network.close()
await close()
