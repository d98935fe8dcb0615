/**
 * Reconciles 10,000 open charges for a few seconds at a rate, and sends webhooks meanwhile: `npm run bench reconcile`.
 * Prints the reads of the service and the time that a webhook waits. The service is the sandbox, over the network.
 */
import {createSandbox} from '../src/sandbox/index.js'
import {createCheckout, memoryStore} from '../src/server/index.js'
import {order} from '../test/server/order.js'

const CHARGES = Number(process.env['CHARGES'] ?? 10_000)
const SECONDS = 10
const PAUSE_MS = 100

const sandbox = createSandbox()
const service = await sandbox.listen()
const store = memoryStore()
const options = {
  apiKey: sandbox.apiKey,
  baseUrl: service.url,
  store,
  rateLimit: false,
  reconcileEvery: 0,
} as const
const headers = {'content-type': 'application/json'}

const opening = createCheckout({...options, transport: sandbox.transport})
const chargeIds: string[] = []
for (let count = 0; count < CHARGES; count++) {
  const {_id} = await opening.service.createCharge(order())
  await send(opening, `/charges/${_id}`, {})
  chargeIds.push(_id)
}
await opening.close()

for (const reconcileRate of [5, 100]) {
  const checkout = createCheckout({...options, reconcileRate})
  const before = sandbox.calls.getCryptoCharge
  const startedAt = performance.now()
  const pass = checkout.reconcile()
  const waits: number[] = []
  while (performance.now() - startedAt < SECONDS * 1000) {
    const sentAt = performance.now()
    await send(checkout, '/webhook', {chargeId: chargeIds[waits.length]})
    waits.push(performance.now() - sentAt)
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
  }
  const reads = sandbox.calls.getCryptoCharge - before - waits.length
  await checkout.close()
  await pass
  waits.sort((a, b) => a - b)
  const at = (share: number) => (waits[Math.ceil(waits.length * share) - 1] ?? NaN).toFixed(1)
  console.log(
    `reconcileRate ${reconcileRate}, ${CHARGES} open charges: ${(reads / SECONDS).toFixed(1)} charges read a second; ` +
      `a webhook waits ${at(0.5)} ms (median), ${at(1)} ms at most`,
  )
}
await service.close()

async function send(checkout: typeof opening, path: string, body: unknown): Promise<void> {
  const url = `http://127.0.0.1/crypto-checkout${path}`
  const {status} = await checkout.fetch(
    new Request(url, {method: 'POST', headers, body: JSON.stringify(body)}),
  )
  if (status !== 200) throw new Error(`${path}: ${status}`)
}
