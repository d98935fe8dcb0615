/**
 * Opens and quotes a charge, and kills itself with SIGKILL after effect number `dieAt`: an entry that was written or a
 * request that the service received. Nothing outside the process changes between two effects, so no other time needs a
 * test. Prints every response that a browser would receive.
 */
import {createCheckoutCore} from '../../src/server/create-checkout.js'
import {fileStore} from '../../src/stores/file-store.js'
import {createNetworkTransport} from '../../src/http/node-transport.js'
import {requester, usdt} from '../server/scripted-service.js'

const [folder = '', baseUrl = '', apiKey = '', chargeId = '', dieAt = '0'] = process.argv.slice(2)
let effects = 0

/** Kills the process after effect number `dieAt`, before the caller gets the result. */
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

const request = requester(checkout.fetch)
for (const path of ['', '/quote']) {
  const {text} = await request('POST', `/charges/${chargeId}${path}`, usdt)
  process.stdout.write(`${text}\n`)
}
process.stdout.write(`effects ${effects}\n`)
network.close()
