/** The merchant API: what the shop's server calls, with a bearer secret. */
import {createHash, timingSafeEqual} from 'node:crypto'
import * as z from 'zod/mini'
import type {HttpHandler, HttpReply, HttpRequest} from '../../http/index.js'
import {json, problemReply, readJson, toProblem} from '../../server/api/replies.js'
import {errorName} from '../../contract/errors.js'
import type {Logger} from '../../server/base/logger.js'
import {CheckoutError, InvalidRequestError} from '../../server/errors.js'
import type {CheckoutServer} from '../../node/index.js'
import type {LedgerPayment} from '../../server/ledger/ledger-payment.js'
import {invalidRequest} from '../../server/orders/order-input.js'
import {toCsv} from '../payments/csv.js'
import {placeOrderSchema} from './schemas.js'

export interface MerchantApiOptions {
  readonly secret: string
  /** The proxy requires client tokens. */
  readonly hasTokens: boolean
  readonly logger: Logger
  /** Prometheus text. */
  metrics(): Promise<string>
  /** The OpenAPI document. */
  openapi(): Promise<string>
}

interface Route {
  readonly method: 'GET' | 'POST'
  call(request: HttpRequest): Promise<HttpReply>
}

const PAGE = 500
/** `/orders/{orderId}`; the id is as it was sent. */
const ORDER = /^\/orders\/([^/]*)(\/cancel)?$/
const periodSchema = z.strictObject({
  since: z.optional(z.string()),
  until: z.optional(z.string()),
  cursor: z.optional(z.string()),
})
const cursorSchema = z.tuple([z.string(), z.number()])
const ISO_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/

export function createMerchantApi(checkout: CheckoutServer, options: MerchantApiOptions): HttpHandler {
  const {secret, hasTokens, logger} = options
  const expected = digest(secret)
  const processId = crypto.randomUUID().slice(0, 8)
  let requestCount = 0

  const routes: Readonly<Record<string, Route>> = {
    '/orders': {method: 'POST', call: placeOrder},
    '/payments': {method: 'GET', call: listPayments},
    '/metrics': {
      method: 'GET',
      call: async () => ({
        status: 200,
        headers: {'content-type': 'text/plain; version=0.0.4; charset=utf-8'},
        body: await options.metrics(),
      }),
    },
    '/openapi.json': {method: 'GET', call: async () => json(await options.openapi())},
  }

  return async request => {
    const requestId = `${processId}-${++requestCount}`
    const headers = {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
    }
    try {
      const reply = await respond(request)
      return {...reply, headers: {...headers, ...reply.headers}}
    } catch (error) {
      const problem = toProblem(error, requestId)
      if (problem.code === 'internal') logger.error('a request failed', {requestId, error: errorName(error)})
      const hasReason = error instanceof CheckoutError && /^(bad_request|invalid_id)$/.test(error.code)
      const detail = hasReason && error.message !== problem.title ? {detail: error.message} : {}
      return problemReply(Object.assign(problem, detail), {
        ...headers,
        ...(problem.code === 'unauthorized' && {'www-authenticate': 'Bearer'}),
        ...(problem.code === 'method_not_allowed' && {allow: routeOf(request.path)?.method ?? ''}),
      })
    }
  }

  async function respond(request: HttpRequest): Promise<HttpReply> {
    if (isFromBrowser(request)) throw new CheckoutError('forbidden_origin')
    if (request.path !== '/openapi.json') authorize(request)
    const route = routeOf(request.path)
    if (!route) throw new CheckoutError('not_found')
    if (request.method !== route.method) throw new CheckoutError('method_not_allowed')
    return route.call(request)
  }

  function routeOf(path: string): Route | undefined {
    const [, segment, cancel] = ORDER.exec(path) ?? []
    if (segment === undefined) return Object.hasOwn(routes, path) ? routes[path] : undefined
    if (cancel) return {method: 'POST', call: () => cancelOrder(decode(segment))}
    return {method: 'GET', call: () => readOrder(decode(segment))}
  }

  /** In constant time: digests have one length. */
  function authorize({headers}: HttpRequest): void {
    const [, token = ''] = /^Bearer +(\S+)$/i.exec(headers['authorization'] ?? '') ?? []
    if (!timingSafeEqual(digest(token), expected)) throw new CheckoutError('unauthorized')
  }

  async function placeOrder(request: HttpRequest): Promise<HttpReply> {
    const {success, data, error} = z.safeParse(placeOrderSchema, await readJson(request))
    if (!success) throw invalidRequest(error)
    const {orderId, ...input} = data
    const {chargeId, status, created} = await checkout.placeOrder(orderId, input)
    const token = hasTokens ? {token: checkout.createToken(chargeId)} : {}
    const placed = {orderId, chargeId, status, payUrl: checkout.payUrl(chargeId), ...token}
    return {...json(JSON.stringify(placed)), status: created ? 201 : 200}
  }

  async function readOrder(orderId: string): Promise<HttpReply> {
    const {paid, price, received, due, refunds, checkout: found} = await checkout.getOrder(orderId)
    const {chargeId, status, payments} = found
    const payUrl = checkout.payUrl(chargeId)
    const amounts = {price, received, due, payments}
    const asked = refunds.length > 0 ? {refunds} : {}
    return json(JSON.stringify({orderId, chargeId, status, paid, ...amounts, ...asked, payUrl}))
  }

  async function cancelOrder(orderId: string): Promise<HttpReply> {
    await checkout.cancelOrder(orderId)
    return json(JSON.stringify({orderId, status: 'cancelled'}))
  }

  async function listPayments({query, headers}: HttpRequest): Promise<HttpReply> {
    const {success, data, error} = z.safeParse(periodSchema, Object.fromEntries(query))
    if (!success) throw invalidRequest(error)
    const [after, skipped] = toPosition(data.cursor)
    const period = {since: toDate('since', after ?? data.since), until: toDate('until', data.until)}
    const payments = skip(checkout.payments(period), after, skipped)
    if (/\btext\/csv\b/.test(headers['accept'] ?? ''))
      return {status: 200, headers: {'content-type': 'text/csv; charset=utf-8'}, body: toCsv(payments)}
    const page: LedgerPayment[] = []
    for await (const payment of payments) if (page.push(payment) > PAGE) break
    const hasMore = page.length > PAGE
    const shown = page.slice(0, PAGE)
    const cursor = hasMore ? toCursor(shown, after, skipped) : undefined
    return json(JSON.stringify({payments: shown, ...(cursor && {cursor})}))
  }
}

/** The time of the last payment, and how many of that time were shown. */
function toCursor(shown: readonly LedgerPayment[], after: string | undefined, skipped: number): string {
  const time = shown.at(-1)?.time ?? ''
  const count = shown.filter(payment => payment.time === time).length + (time === after ? skipped : 0)
  return Buffer.from(JSON.stringify([time, count])).toString('base64url')
}

/** Browsers send `Origin`, or `Sec-Fetch-Site` other than `none`: another site must not use a merchant's session. */
function isFromBrowser({headers}: HttpRequest): boolean {
  return headers['origin'] !== undefined || (headers['sec-fetch-site'] ?? 'none') !== 'none'
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Once, as it was encoded. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new CheckoutError('invalid_id')
  }
}

function toDate(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  if (!ISO_TIME.test(text) || Number.isNaN(Date.parse(text))) throw new InvalidRequestError(name)
  return new Date(text)
}

function toPosition(cursor: string | undefined): readonly [string | undefined, number] {
  if (cursor === undefined) return [undefined, 0]
  try {
    return z.parse(cursorSchema, JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch {
    throw new InvalidRequestError('cursor')
  }
}

/** The payments without so many first ones of this time. */
async function* skip(
  payments: AsyncIterable<LedgerPayment>,
  time: string | undefined,
  count: number,
): AsyncGenerator<LedgerPayment> {
  let left = count
  for await (const payment of payments) if (payment.time !== time || left-- <= 0) yield payment
}
