/** A client for the sandbox's six operations, and a charge to use it on. */
import * as z from 'zod/mini'
import {createSandbox, type Operation, type Sandbox, type SandboxOptions} from '../../src/sandbox/index.js'
import {
  chargeSchema,
  convertResponseSchema,
  cryptoChargeSchema,
  verificationSchema,
} from '../../src/contract/index.js'
import type {Transport, TransportReply} from '../../src/http/index.js'
import {FakeClock} from '../fake-clock.js'
import {sendRequest} from '../http/loopback.js'
import {order} from '../server/order.js'

export const usdtOnBsc = {asset: '825', symbol: 'USDT', network: 'bsc'}
export const usdtOnEthereum = {asset: '825', symbol: 'USDT', network: 'ethereum'}

export interface ConvertOptions {
  id: string
  asset: string
  symbol: string
  network: string
  amount?: string
  currency?: string
}

interface ClientRequest {
  method: 'GET' | 'POST'
  path: string
  body?: unknown
  headers?: Record<string, string>
}

export type Client = ReturnType<typeof createClient>

const neverAborted = new AbortController().signal

export function createClient(
  {apiKey}: {apiKey: string},
  transport: Transport,
  baseUrl = 'http://sandbox.test',
) {
  const send = ({method, path, body, headers = {}}: ClientRequest) =>
    transport({
      method,
      url: baseUrl + path,
      headers: {'api-key': apiKey, ...(body !== undefined && jsonType), ...headers},
      ...(body !== undefined && {body: typeof body === 'string' ? body : JSON.stringify(body)}),
      signal: neverAborted,
      maxBytes: 1_000_000,
    })
  return {
    send,
    createCharge: (billing?: Record<string, string>) =>
      send({method: 'POST', path: '/api/v1/pay/charge', body: chargeRequest(billing)}),
    getCharge: (id: string) => send({method: 'GET', path: `/api/v1/pay/charge/${id}`}),
    createCryptoCharge: (id: string) => send({method: 'POST', path: `/api/v1/pay/crypto/${id}`}),
    convert: (options: ConvertOptions, method: 'GET' | 'POST' = 'GET') =>
      send({method, path: '/api/v1/pay/crypto/convert', body: convertRequest(options)}),
    getCryptoCharge: (id: string) => send({method: 'GET', path: `/api/v1/pay/crypto/${id}`}),
    verifyPayment: (id: string) => send({method: 'POST', path: `/api/v1/pay/crypto/payment/${id}`}),
  }
}

const jsonType = {'content-type': 'application/json'}

export function chargeRequest(changes: Record<string, string> = {}) {
  const billing = {...order('49.99').billing, vat: '1.5', ...changes}
  return {...order(), billing, metadata: {order: 1, note: {gift: true}}}
}

export function convertRequest({id, asset, symbol, network, ...local}: ConvertOptions) {
  const {amount = '49.99', currency = 'USD'} = local
  return {wallet: {symbol, convert_id: asset, chart: 'cmc'}, local: {amount, currency}, _id: id, network}
}

export function json(reply: TransportReply): unknown {
  return JSON.parse(reply.body)
}

export function message(reply: TransportReply): string {
  return z.parse(z.object({message: z.string()}), json(reply)).message
}

export const parse = {
  charge: (reply: TransportReply) => z.parse(chargeSchema, json(reply)),
  cryptoCharge: (reply: TransportReply) => z.parse(cryptoChargeSchema, json(reply)),
  convert: (reply: TransportReply) => z.parse(convertResponseSchema, json(reply)),
  verification: (reply: TransportReply) => z.parse(verificationSchema, json(reply)),
}

export interface Fixture {
  clock: FakeClock
  sandbox: Sandbox
  client: Client
  chargeId: string
  cryptoChargeId: string
}

type FixtureOptions = SandboxOptions & {billing?: Record<string, string>}

/** A sandbox on a fake clock, with a charge and its crypto charge. */
export async function openFixture({billing, ...options}: FixtureOptions = {}): Promise<Fixture> {
  const clock = new FakeClock()
  const sandbox = createSandbox({clock, ...options})
  const client = createClient(sandbox, sandbox.transport)
  const {_id: chargeId} = parse.charge(await client.createCharge(billing))
  const {_id: cryptoChargeId} = parse.cryptoCharge(await client.createCryptoCharge(chargeId))
  return {clock, sandbox, client, chargeId, cryptoChargeId}
}

/** The same with USDT on bsc activated for the whole price. */
export async function activatedFixture(options: FixtureOptions = {}): Promise<Fixture> {
  const fixture = await openFixture(options)
  const {amount, currency} = chargeRequest(options.billing).billing
  await fixture.client.convert({id: fixture.cryptoChargeId, ...usdtOnBsc, amount, currency})
  return fixture
}

/** Calls any operation on a fixture. */
export const callOf: Record<Operation, (fixture: Fixture, paymentId: string) => Promise<TransportReply>> = {
  createCharge: ({client}) => client.createCharge(),
  getCharge: ({client, chargeId}) => client.getCharge(chargeId),
  createCryptoCharge: ({client, chargeId}) => client.createCryptoCharge(chargeId),
  convert: ({client, cryptoChargeId}) => client.convert({id: cryptoChargeId, ...usdtOnBsc}),
  getCryptoCharge: ({client, cryptoChargeId}) => client.getCryptoCharge(cryptoChargeId),
  verifyPayment: ({client}, paymentId) => client.verifyPayment(paymentId),
}

/** Over a real connection. */
export const overHttp: Transport = ({url, ...request}) => sendRequest(url, request)
