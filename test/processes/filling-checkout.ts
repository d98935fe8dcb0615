/**
 * A proxy over a file store, whose disk its parent fills and empties by this process's limit on the size of files: no
 * root and no disk is needed for it. Takes `<method> <path> <body>` over IPC, and tells what was answered and logged.
 */
import {createSandbox} from '../../src/sandbox/index.js'
import {createCheckout, fileStore} from '../../src/server/index.js'
import {order} from '../server/order.js'

// Else the limit ends the process, where a full disk only fails a write.
process.on('SIGXFSZ', () => undefined)

const [folder = ''] = process.argv.slice(2)
const sandbox = createSandbox()
const logged: string[] = []
const log = (message: string, fields: unknown) => logged.push(`${message} ${JSON.stringify(fields)}`)
const checkout = createCheckout({
  apiKey: sandbox.apiKey,
  baseUrl: 'http://127.0.0.1:4010',
  transport: sandbox.transport,
  store: fileStore(folder),
  rateLimit: false,
  logger: {info() {}, warn: log, error: log},
})
const charges = [
  (await checkout.service.createCharge(order()))._id,
  (await checkout.service.createCharge(order()))._id,
]
process.on('message', ([method, path, body]: [string, string, unknown]) => {
  const init = {method, headers: {'content-type': 'application/json'}}
  const request = new Request(`http://127.0.0.1/crypto-checkout${path}`, {
    ...init,
    ...(method === 'POST' && {body: JSON.stringify(body)}),
  })
  void checkout.fetch(request).then(async answer => {
    process.send?.({status: answer.status, json: await answer.json(), logged: logged.splice(0)})
  })
})
process.on('disconnect', () => process.exit(0))
process.send?.(charges)
