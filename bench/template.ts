/**
 * One charge of the sandbox, before and after its payment, as the service responds and as the proxy records it. Copies of
 * it with other ids fill a store quickly, and make a service that costs little.
 */
import {createServer, type RequestListener, type Server} from 'node:http'
import type {AddressInfo} from 'node:net'
import type {Transport} from '../src/http/index.js'
import {createSandbox} from '../src/sandbox/index.js'
import {createCheckout, memoryStore, type Store} from '../src/server/index.js'
import {order} from '../test/server/order.js'
import {fastClock} from './fast-clock.js'

export interface Template {
  readonly chargeId: string
  readonly cryptoChargeId: string
  readonly entries: readonly string[]
  /** Responses to GET. */
  readonly unpaid: {readonly charge: string; readonly cryptoCharge: string}
  readonly paid: {readonly charge: string; readonly cryptoCharge: string}
}

const PATH = '/api/v1/pay/'

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
  const post = async (path: string, body: object) => {
    const response = await checkout.fetch(
      new Request(url + path, {method: 'POST', headers, body: JSON.stringify(body)}),
    )
    if (!response.ok) throw new Error(`${path} returned ${response.status}`)
  }
  await post('', {})
  const entries = await store.read(chargeId)
  const cryptoChargeId = /"cryptoChargeId":"(\w+)"/.exec(entries.join())?.[1] ?? ''
  const read = async () => {
    await checkout.verify(chargeId)
    const charge = bodies.get(`${PATH}charge/${chargeId}`)
    const cryptoCharge = bodies.get(`${PATH}crypto/${cryptoChargeId}`)
    if (charge === undefined || cryptoCharge === undefined) throw new Error('the service was not read')
    return {charge, cryptoCharge}
  }
  const unpaid = await read()
  await post('/quote', {asset: '825', network: 'bsc'})
  const {recorded} = sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
  if (!recorded) throw new Error('the sandbox accepted no payment')
  const paid = await read()
  await checkout.close()
  return {chargeId, cryptoChargeId, entries, unpaid, paid}
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

/** A service with every copy, which only answers GET. `POST /pay/{index}` pays a charge and sends no webhook. */
export async function serveTemplate(template: Template): Promise<{server: Server; reads: () => number}> {
  const paid = new Set<string>()
  let reads = 0
  const listener: RequestListener = ({method, url = ''}, res) => {
    const id = url.slice(url.lastIndexOf('/') + 1)
    const suffix = id.slice(1)
    if (method === 'POST') {
      paid.add(idsOf(Number(id)).chargeId.slice(1))
      return void res.end()
    }
    reads += 1
    const {charge, cryptoCharge} = paid.has(suffix) ? template.paid : template.unpaid
    const text = url.startsWith(`${PATH}charge/`) ? charge : cryptoCharge
    const body = copyOf(template, text, parseInt(suffix, 16))
    res
      .writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        date: new Date(fastClock.now()).toUTCString(),
      })
      .end(body)
  }
  const server = createServer(listener)
  // Longer than the proxy keeps its connections.
  server.keepAliveTimeout = 75_000
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {server, reads: () => reads}
}

export function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen')
  return address.port
}
