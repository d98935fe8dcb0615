/**
 * One charge of the sandbox, as the service responds and as the proxy stores it, open and paid. Copies of it with other ids
 * fill a store quickly, and make a service that costs little.
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

interface Row {
  readonly value: string
  readonly due: number | null
}

export interface Template extends Bodies {
  readonly chargeId: string
  readonly cryptoChargeId: string
  /** The rows of the store, by key. */
  readonly rows: Readonly<Record<string, Row>>
  /** The same after a payment. */
  readonly paid: Bodies & Pick<Template, 'rows'>
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
  const memory = memoryStore()
  const rows: Record<string, Row> = {}
  const store: Store = {
    ...memory,
    put(key, version, value, due) {
      if (key.includes('/')) rows[key] = {value, due}
      return memory.put(key, version, value, due)
    },
  }
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
  const opened = {...rows}
  const {value = ''} = rows[`charge/${chargeId}`] ?? {}
  const cryptoChargeId = /"cryptoChargeId":"(\w+)"/.exec(value)?.[1] ?? ''
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
  return {chargeId, cryptoChargeId, rows: opened, ...open, paid: {...paid, rows}}
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

/** Fills a store with open charges, and with charges that were paid in the last 90 days, several at a time. */
export async function fillStore(store: Store, template: Template, open: number, paid = 0): Promise<void> {
  const [paidAt = 0] = Object.keys(template.paid.rows).flatMap(
    key => Date.parse(key.split('/')[1] ?? '') || [],
  )
  let next = 0
  const work = async () => {
    for (let index = next++; index < open + paid; index = next++) {
      const {rows} = index < open ? template : template.paid
      const earlier = index < open ? (index * 137) % 30_000 : (index * 7_919_000) % (90 * DAY_MS)
      const moved = (text: string) =>
        copyOf(
          template,
          index < open ? createdEarlier(text, earlier) : paidEarlier(text, paidAt, earlier),
          index,
        )
      for (const [key, {value, due}] of Object.entries(rows))
        await store.put(moved(key), 1, moved(value), due)
    }
  }
  await Promise.all(Array.from({length: 128}, work))
}

const DAY_MS = 86_400_000

/** Charges are not created at the same time, and tabs read at multiples of 30 s since then. */
function createdEarlier(value: string, earlierMs: number): string {
  return value.replace(/(?<="createdAt":")[^"]+/, createdAt =>
    new Date(Date.parse(createdAt) - earlierMs).toISOString(),
  )
}

function paidEarlier(text: string, paidAt: number, earlierMs: number): string {
  const at = paidAt - earlierMs
  return text
    .replaceAll(String(paidAt), String(at))
    .replaceAll(new Date(paidAt).toISOString(), new Date(at).toISOString())
}
