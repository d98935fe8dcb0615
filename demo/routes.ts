/**
 * The shop over HTTP: its page, its orders, the proxy below `/crypto-checkout`, and beside them the sandbox when that
 * stands in for the payment service.
 */
import type {IncomingMessage, ServerResponse} from 'node:http'
import type {NodeHandler} from '../src/http/node.js'
import {CheckoutError, ServiceError, type CheckoutServer} from '../src/server/index.js'
import {basket, type Order, type Orders} from './orders.js'
import type {StaticFile} from './static-files.js'

export interface ShopOptions {
  /** Where the shop is, such as `http://127.0.0.1:4000`. */
  readonly url: string
  readonly checkout: CheckoutServer
  readonly orders: Orders
  readonly files: ReadonlyMap<string, StaticFile>
  /** The pretended service: its API and its control surface. */
  readonly sandbox: NodeHandler | undefined
  readonly log: (line: string) => void
  /** The policy for Trusted Types; frameworks bring more than ours. */
  readonly trustedTypes?: string
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The service's logos come from elsewhere.
  "img-src 'self' data: https:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
]

const headers = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

export function createShop({url, checkout, orders, files, sandbox, log, ...options}: ShopOptions) {
  const {trustedTypes = 'lit-html'} = options
  const contentPolicy = [...policy, `trusted-types ${trustedTypes}`].join('; ')
  return (req: IncomingMessage, res: ServerResponse): void => {
    answer(req, res).catch((error: unknown) => {
      log(`a request failed: ${error instanceof Error ? error.message : typeof error}`)
      res.destroy()
    })
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
    res.setHeader('content-security-policy', contentPolicy)
    if (!isForThisMachine(req)) return json(res, 421, {error: 'this shop serves its own machine only'})
    if (!isFromThisPage(req)) return json(res, 403, {error: 'another site may not do this'})
    const [path = '/'] = (req.url ?? '/').split('?')
    const file = files.get(path)
    if (file) return sendFile(req, res, file)
    if (path === '/setup') return json(res, 200, {basket, sandbox: sandbox !== undefined})
    if (path === '/orders') return req.method === 'POST' ? place(res) : notAllowed(res, 'POST')
    if (path.startsWith('/orders/')) return show(res, path.slice('/orders/'.length))
    const missing = () => json(res, 404, {error: 'there is nothing here'})
    await checkout.node(req, res, () => (sandbox ? void sandbox(req, res, missing) : missing()))
  }

  /** What a "Pay with crypto" button's handler does on a merchant's server. */
  async function place(res: ServerResponse): Promise<void> {
    try {
      json(res, 201, view(await orders.place(checkout.service, url)))
    } catch (error) {
      if (!(error instanceof CheckoutError)) throw error
      const status = error instanceof ServiceError ? error.upstreamStatus : undefined
      log(`an order could not be placed: ${error.code}${status === undefined ? '' : ` (${status})`}`)
      json(res, 502, {error: error.code})
    }
  }

  function show(res: ServerResponse, chargeId: string): void {
    const order = orders.find(chargeId)
    if (order) json(res, 200, view(order))
    else json(res, 404, {error: 'no such order'})
  }
}

function view({number, chargeId, total, paidAt}: Order) {
  return {number, chargeId, total, paid: paidAt !== null, paidAt}
}

/** Another site's name may be made to point here (DNS rebinding); its pages would then count as this origin's. */
function isForThisMachine({headers: {host = ''}}: IncomingMessage): boolean {
  return /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(host)
}

/** A page of another site may not order, pay, or break anything. Without this header it is no browser. */
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
