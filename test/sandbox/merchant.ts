/** A merchant's backend, as far as the sandbox's tests need one: it calls the six operations and reads the answers. */
import {request} from 'node:http'
import {createSandbox, type Operation, type Sandbox, type SandboxOptions} from '../../src/sandbox/index.js'
import {
  chargeSchema,
  convertResponseSchema,
  cryptoChargeSchema,
  verificationSchema,
} from '../../src/contract/index.js'
import type {Transport, TransportReply} from '../../src/http/index.js'
import {FakeClock} from '../fake-clock.js'
import * as z from 'zod/mini'

export interface Sent {
  method: 'GET' | 'POST'
  path: string
  body?: unknown
  headers?: Record<string, string>
}

export interface Merchant {
  send(sent: Sent): Promise<TransportReply>
  createCharge(billing?: Record<string, string>): Promise<TransportReply>
  getCharge(id: string): Promise<TransportReply>
  createCryptoCharge(id: string): Promise<TransportReply>
  convert(order: ConvertOrder): Promise<TransportReply>
  getCryptoCharge(id: string): Promise<TransportReply>
  verifyPayment(id: string): Promise<TransportReply>
}

export interface ConvertOrder {
  id: string
  asset: string
  symbol: string
  network: string
  amount?: string
  currency?: string
  method?: 'GET' | 'POST'
}

const unending = new AbortController().signal

export function createMerchant(
  sandbox: {apiKey: string},
  transport: Transport,
  baseUrl = 'http://sandbox.test',
): Merchant {
  const send = ({method, path, body, headers = {}}: Sent) =>
    transport({
      method,
      url: baseUrl + path,
      headers: {
        'api-key': sandbox.apiKey,
        ...(body === undefined ? {} : {'content-type': 'application/json'}),
        ...headers,
      },
      ...(body === undefined ? {} : {body: typeof body === 'string' ? body : JSON.stringify(body)}),
      signal: unending,
      maxBytes: 1_000_000,
    })
  return {
    send,
    createCharge: billing => send({method: 'POST', path: '/api/v1/pay/charge', body: chargeRequest(billing)}),
    getCharge: id => send({method: 'GET', path: `/api/v1/pay/charge/${id}`}),
    createCryptoCharge: id => send({method: 'POST', path: `/api/v1/pay/crypto/${id}`}),
    convert: ({id, asset, symbol, network, amount = '49.99', currency = 'USD', method = 'GET'}) =>
      send({
        method,
        path: '/api/v1/pay/crypto/convert',
        body: {
          wallet: {symbol, convert_id: asset, chart: 'cmc'},
          local: {amount, currency},
          _id: id,
          network,
        },
      }),
    getCryptoCharge: id => send({method: 'GET', path: `/api/v1/pay/crypto/${id}`}),
    verifyPayment: id => send({method: 'POST', path: `/api/v1/pay/crypto/payment/${id}`}),
  }
}

export function chargeRequest(billing: Record<string, string> = {}) {
  return {
    ref_id: 'order-1',
    customer: {user_id: 'customer-1', name: 'Ada', phone: '+44 1', email: 'ada@example.com'},
    billing: {
      currency: 'USD',
      amount: '49.99',
      vat: '1.5',
      pricing_type: 'fixed_price',
      description: 'A book',
      country: 'GB',
      ...billing,
    },
    metadata: {order: 1, note: {gift: true}},
    call_back_url: 'https://shop.example/thanks',
    userId: 'user-1',
    charge_source: 'api',
  }
}

export function json(reply: TransportReply): unknown {
  return JSON.parse(reply.body)
}

export function message(reply: TransportReply): string {
  return z.parse(z.object({message: z.string()}), json(reply)).message
}

export const read = {
  charge: (reply: TransportReply) => z.parse(chargeSchema, json(reply)),
  cryptoCharge: (reply: TransportReply) => z.parse(cryptoChargeSchema, json(reply)),
  convert: (reply: TransportReply) => z.parse(convertResponseSchema, json(reply)),
  verification: (reply: TransportReply) => z.parse(verificationSchema, json(reply)),
}

/** A charge with a crypto charge, in a sandbox whose clock stands still. */
export async function openShop(
  options: SandboxOptions & {billing?: Record<string, string>} = {},
): Promise<Shop> {
  const {billing, ...sandboxOptions} = options
  const clock = new FakeClock()
  const sandbox = createSandbox({clock, ...sandboxOptions})
  const merchant = createMerchant(sandbox, sandbox.transport)
  const charge = read.charge(await merchant.createCharge(billing))
  const cryptoCharge = read.cryptoCharge(await merchant.createCryptoCharge(charge._id))
  return {clock, sandbox, merchant, chargeId: charge._id, cryptoChargeId: cryptoCharge._id}
}

export interface Shop {
  clock: FakeClock
  sandbox: Sandbox
  merchant: Merchant
  chargeId: string
  cryptoChargeId: string
}

/** The same call for every operation, on a shop whose USDT on bsc was paid. */
export const callOf: Record<Operation, (shop: Shop, paymentId: string) => Promise<TransportReply>> = {
  createCharge: ({merchant}) => merchant.createCharge(),
  getCharge: ({merchant, chargeId}) => merchant.getCharge(chargeId),
  createCryptoCharge: ({merchant, chargeId}) => merchant.createCryptoCharge(chargeId),
  convert: ({merchant, cryptoChargeId}) => merchant.convert({id: cryptoChargeId, ...usdtOnBsc}),
  getCryptoCharge: ({merchant, cryptoChargeId}) => merchant.getCryptoCharge(cryptoChargeId),
  verifyPayment: ({merchant}, paymentId) => merchant.verifyPayment(paymentId),
}

export const usdtOnBsc = {asset: '825', symbol: 'USDT', network: 'bsc'}
export const usdtOnEthereum = {asset: '825', symbol: 'USDT', network: 'ethereum'}

/** Over a real connection. The body goes framed, also with GET, which fetch would refuse. */
export const overHttp: Transport = ({method, url, headers, body}) =>
  new Promise((resolve, reject) => {
    const framed = body === undefined ? {} : {'content-length': String(Buffer.byteLength(body))}
    const call = request(url, {method, headers: {...headers, ...framed}, agent: false}, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
          ),
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      )
    })
    call.on('error', reject)
    call.end(body)
  })
