/**
 * Opens a charge and quotes it, and kills itself with SIGKILL at step number `dieAt`: before or after one of its
 * writes, reads or calls to the service. Prints every answer that a page would have got.
 */
import {createCheckoutCore} from '../../src/server/create-checkout.js'
import {fileStore} from '../../src/server/stores/file-store.js'
import {createNetworkTransport} from '../../src/server/service/http-transport.js'

const [folder = '', baseUrl = '', apiKey = '', chargeId = '', dieAt = '0'] = process.argv.slice(2)
let step = 0

function mayDie(): void {
  step += 1
  if (step === Number(dieAt)) process.kill(process.pid, 'SIGKILL')
}

/** A step before the act, and one after it has happened but before anybody knows. */
function deadly<Values extends unknown[], Result>(act: (...values: Values) => Promise<Result>) {
  return async (...values: Values): Promise<Result> => {
    mayDie()
    const result = await act(...values)
    mayDie()
    return result
  }
}

const store = fileStore(folder)
const network = createNetworkTransport()
const checkout = createCheckoutCore({
  apiKey,
  baseUrl,
  store: {...store, append: deadly(store.append), read: deadly(store.read)},
  transport: deadly(network.send),
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
process.stdout.write(`steps ${step}\n`)
network.close()
