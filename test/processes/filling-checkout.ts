/**
 * A proxy over a file store whose writes fail while the limit on the size of files is low, like on a full disk. Takes
 * `[method, path, body]` over IPC, and replies with the response and the log.
 */
import {createSandbox} from '../../src/sandbox/index.js'
import {createCheckout, fileStore} from '../../src/node/index.js'
import {order} from '../server/order.js'
import {requester} from '../server/scripted-service.js'

// Otherwise the limit ends the process instead of failing a write.
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
const request = requester(checkout.fetch)
process.on('message', ([method, path, body]: [string, string, object?]) => {
  void request(method, path, body).then(({status, json}) =>
    process.send?.({status, json, logged: logged.splice(0)}),
  )
})
process.on('disconnect', () => process.exit(0))
process.send?.(charges)
