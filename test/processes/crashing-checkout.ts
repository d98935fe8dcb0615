/**
 * Opens and quotes a charge, and kills itself with SIGKILL after effect number `dieAt`: an entry that was written or a
 * request that the service received, before the result is known. Between two effects nothing outside the process
 * changes, so that no other moment needs a test. Prints every response that a browser would receive.
 */
import {createCheckoutCore} from '../../src/server/create-checkout.js'
import {fileStore} from '../../src/server/stores/file-store.js'
import {createNetworkTransport} from '../../src/server/service/http-transport.js'

const [folder = '', baseUrl = '', apiKey = '', chargeId = '', dieAt = '0'] = process.argv.slice(2)
let effects = 0

/** May kill the process after the effect, before its caller knows. */
function fatal<Values extends unknown[], Result>(act: (...values: Values) => Promise<Result>) {
  return async (...values: Values): Promise<Result> => {
    const result = await act(...values)
    effects += 1
    if (effects === Number(dieAt)) process.kill(process.pid, 'SIGKILL')
    return result
  }
}

const store = fileStore(folder)
const network = createNetworkTransport()
const checkout = createCheckoutCore({
  apiKey,
  baseUrl,
  store: {...store, append: fatal(store.append)},
  transport: fatal(network.send),
})

for (const [path, body] of [
  ['', {}],
  ['/quote', {asset: '825', network: 'bsc'}],
] as const) {
  const reply = await checkout.fetch(
    new Request(`https://shop.example/crypto-checkout/charges/${chargeId}${path}`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify(body),
    }),
  )
  process.stdout.write(`${await reply.text()}\n`)
}
process.stdout.write(`effects ${effects}\n`)
network.close()
