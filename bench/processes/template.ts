/**
 * One open charge of the sandbox, as the service responds and as the proxy records it. Copies of
 * it with other ids fill a store quickly, and make a service that costs little.
 */
import type {Transport} from '../../src/http/index.js'
import {createSandbox} from '../../src/sandbox/index.js'
import {createCheckout, memoryStore, type Store} from '../../src/node/index.js'
import {order} from '../../test/server/order.js'

/** Responses to GET. */
interface Bodies {
  readonly charge: string
  readonly cryptoCharge: string
}

export interface Template extends Bodies {
  readonly chargeId: string
  readonly cryptoChargeId: string
  readonly entries: readonly string[]
  /** The same after a payment. */
  readonly paid: Bodies
}

export const PATH = '/api/v1/pay/'

export async function recordTemplate(): Promise<Template> {
  const sandbox = createSandbox({expiresIn: 86_400_000})
  const bodies = new Map<string, string>()
  const transport: Transport = async request => {
    const reply = await sandbox.transport(request)
    if (request.method === 'GET') bodies.set(new URL(request.url).pathname, reply.body)
    return reply
  }
  const store = memoryStore()
  const checkout = createCheckout({
    apiKey: sandbox.apiKey,
    baseUrl: 'http://127.0.0.1:4010',
    transport,
    store,
    rateLimit: false,
  })
  const {_id: chargeId} = await checkout.service.createCharge(order())
  const url = `http://127.0.0.1/crypto-checkout/charges/${chargeId}`
  const headers = {'content-type': 'application/json'}
  const response = await checkout.fetch(new Request(url, {method: 'POST', headers, body: '{}'}))
  if (!response.ok) throw new Error(`opening returned ${response.status}`)
  const entries = await store.read(chargeId)
  const cryptoChargeId = /"cryptoChargeId":"(\w+)"/.exec(entries.join())?.[1] ?? ''
  const read = async (): Promise<Bodies> => {
    await checkout.verify(chargeId)
    const charge = bodies.get(`${PATH}charge/${chargeId}`)
    const cryptoCharge = bodies.get(`${PATH}crypto/${cryptoChargeId}`)
    if (charge === undefined || cryptoCharge === undefined) throw new Error('the service was not read')
    return {charge, cryptoCharge}
  }
  const open = await read()
  sandbox.payElsewhere(chargeId, {listed: true})
  const paid = await read()
  await checkout.close()
  return {chargeId, cryptoChargeId, entries, ...open, paid}
}

/** The ids of copy `index`. They have the length of the sandbox's. */
export function idsOf(index: number): {chargeId: string; cryptoChargeId: string} {
  const suffix = index.toString(16).padStart(23, '0')
  return {chargeId: `c${suffix}`, cryptoChargeId: `f${suffix}`}
}

/** Replaces the ids of the template. */
export function copyOf({chargeId, cryptoChargeId}: Template, text: string, index: number): string {
  const ids = idsOf(index)
  return text.replaceAll(chargeId, ids.chargeId).replaceAll(cryptoChargeId, ids.cryptoChargeId)
}

/** Fills a store with open charges as if a proxy had opened them, several at a time. */
export async function fillStore(store: Store, template: Template, charges: number): Promise<void> {
  let next = 0
  const work = async () => {
    for (let index = next++; index < charges; index = next++) {
      const {chargeId, cryptoChargeId} = idsOf(index)
      for (const [entry, text] of template.entries.entries())
        await store.append(chargeId, entry + 1, createdEarlier(copyOf(template, text, index), index))
      const alias = {kind: 'alias', chargeId, at: Date.now()}
      await store.append(cryptoChargeId, 1, JSON.stringify(alias))
      await store.closeCharge(cryptoChargeId)
    }
  }
  await Promise.all(Array.from({length: 128}, work))
}

/** Charges are not created at the same time, and tabs read at multiples of 30 s since then. */
function createdEarlier(entry: string, index: number): string {
  return entry.replace(/(?<="createdAt":")[^"]+/, createdAt =>
    new Date(Date.parse(createdAt) - ((index * 137) % 30_000)).toISOString(),
  )
}
