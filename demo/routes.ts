/**
 * The HTTP routes of the shop: its page, its orders, the proxy below `/crypto-checkout`, and the sandbox if it replaces
 * the payment service.
 */
import type {IncomingMessage, ServerResponse} from 'node:http'
import type {NodeHandler} from '../src/http/node.js'
import {CheckoutError, type CheckoutServer} from '../src/node/index.js'
import type {Order, Orders} from './orders.js'
import {withOrder} from './page.js'
import type {StaticFile} from './static-files.js'

export interface ShopOptions {
  /** The origin of the shop, such as `http://127.0.0.1:4000`. */
  readonly url: string
  readonly checkout: CheckoutServer
  readonly orders: Orders
  readonly files: ReadonlyMap<string, StaticFile>
  /** The simulated service and its control API. */
  readonly sandbox: NodeHandler | undefined
  readonly log: (line: string) => void
  /** The metrics of this process. A real shop serves them on an internal port. */
  readonly metrics?: () => Promise<string>
  /** The client token of a charge. A real shop gives it only to the customer who is logged in. */
  readonly tokenOf?: (chargeId: string) => string
  /** The link of the hosted page. */
  readonly payUrl?: (chargeId: string) => string
}

/** @param trustedTypes the Trusted Types policies that the page may create; frameworks need their own */
export const contentPolicy = (trustedTypes = 'lit-html') =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${trustedTypes}`,
  ].join('; ')

const headers = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

export function createShop({url, checkout, orders, files, sandbox, metrics, log, ...links}: ShopOptions) {
  return (req: IncomingMessage, res: ServerResponse): void => {
    respond(req, res).catch((error: unknown) => {
      log(`a request failed: ${error instanceof Error ? error.message : typeof error}`)
      res.destroy()
    })
  }

  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
    res.setHeader('content-security-policy', contentPolicy())
    if (!isForThisMachine(req)) return json(res, 421, {error: 'this shop only serves this machine'})
    if (!isFromThisPage(req)) return json(res, 403, {error: 'requests from other sites are not allowed'})
    const [path = '/', query] = (req.url ?? '/').split('?')
    const file = files.get(path)
    const [, chargeId] = /^charge=([\w-]+)$/.exec(query ?? '') ?? []
    if (file && path === '/' && chargeId !== undefined) {
      const body = Buffer.from(withOrder(file.body.toString(), chargeId, links.tokenOf?.(chargeId)))
      return sendFile(req, res, {...file, body})
    }
    if (file) return sendFile(req, res, file)
    if (path === '/metrics' && metrics) {
      res.setHeader('content-type', 'text/plain; version=0.0.4')
      return void res.end(await metrics())
    }
    if (path === '/orders') return req.method === 'POST' ? place(res) : notAllowed(res, 'POST')
    const [, sentBack] = /^\/orders\/([\w-]+)\/sent-back$/.exec(path) ?? []
    if (sentBack !== undefined && req.method === 'POST') {
      orders.sentBack(sentBack)
      return show(res, sentBack)
    }
    if (path.startsWith('/orders/')) return show(res, path.slice('/orders/'.length))
    const notFound = () => json(res, 404, {error: 'not found'})
    await checkout.node(req, res, () => (sandbox ? void sandbox(req, res, notFound) : notFound()))
  }

  /** What a merchant's server does when the customer clicks "Pay with crypto". */
  async function place(res: ServerResponse): Promise<void> {
    try {
      json(res, 201, view(await orders.place(checkout, url)))
    } catch (error) {
      if (!(error instanceof CheckoutError)) throw error
      log(`an order could not be placed: ${error.code}`)
      json(res, 502, {error: error.code})
    }
  }

  function show(res: ServerResponse, chargeId: string): void {
    const order = orders.find(chargeId)
    if (order) json(res, 200, view(order))
    else json(res, 404, {error: 'no such order'})
  }

  function view({chargeId, paidAt, ...order}: Order) {
    const {tokenOf, payUrl} = links
    const urls = {token: tokenOf?.(chargeId), payUrl: payUrl?.(chargeId)}
    return {...order, chargeId, paid: paidAt !== null, paidAt, ...urls}
  }
}

/** Prevents DNS rebinding: a host name of another site that resolves to this machine. */
function isForThisMachine({headers: {host = ''}}: IncomingMessage): boolean {
  return /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(host)
}

/** Rejects requests of other sites that change anything. A request without this header is not from a browser. */
function isFromThisPage({method, headers: sent}: IncomingMessage): boolean {
  const site = sent['sec-fetch-site']
  return method === 'GET' || method === 'HEAD' || site === undefined || site === 'same-origin'
}

function sendFile(req: IncomingMessage, res: ServerResponse, {type, body}: StaticFile): void {
  if (req.method !== 'GET' && req.method !== 'HEAD') return notAllowed(res, 'GET, HEAD')
  res.writeHead(200, {'content-type': type, 'content-length': body.length, 'cache-control': 'no-cache'})
  res.end(req.method === 'HEAD' ? undefined : body)
}

function json(res: ServerResponse, status: number, value: unknown): void {
  res.writeHead(status, {'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store'})
  res.end(JSON.stringify(value))
}

function notAllowed(res: ServerResponse, allow: string): void {
  res.setHeader('allow', allow)
  json(res, 405, {error: 'method not allowed'})
}
