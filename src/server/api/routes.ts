/** The checkout API, version 1: which request does what. */
import * as z from 'zod/mini'
import {quoteRequestSchema, type QuoteRequest} from '../../contract/index.js'
import type {HttpHandler, HttpReply, HttpRequest} from '../../http/index.js'
import {chargeIdFrom} from '../../contract/charge-id.js'
import {errorName} from '../../contract/errors.js'
import type {CheckoutJson} from '../checkout/checkout-json.js'
import type {ServerContext} from '../context.js'
import {CheckoutError, StoreError} from '../errors.js'
import {Access, type AccessOptions} from './access.js'
import {DOCTOR_HEADER, doctorReport} from './doctor-report.js'
import type {PageCharges, PageRoute} from './page-route.js'
import {createProblemLog} from './problem-log.js'
import {createReadiness} from './readiness.js'
import {
  checkoutReply,
  json,
  MAX_WEBHOOK_BYTES,
  problemReply,
  readJson,
  readReply,
  toProblem,
} from './replies.js'

export interface RoutesOptions extends AccessOptions {
  readonly apiKey: string
  readonly baseUrl: string
  readonly missingSettings: readonly string[]
  open(chargeId: string): Promise<CheckoutJson>
  read(chargeId: string): Promise<CheckoutJson>
  readStored(chargeId: string): Promise<CheckoutJson>
  quote(chargeId: string, request: QuoteRequest): Promise<CheckoutJson>
  /** Resolves when no notification is pending. Rejects with `CheckoutError`, so that the webhook is repeated. */
  webhook(body: string): Promise<void>
  readonly pages: readonly PageRoute[]
  /** After it, every request fails. */
  readonly closing: AbortSignal
}

interface Route {
  readonly kind: 'health' | 'ready' | 'webhook' | 'charge' | 'quote' | 'page'
  readonly methods: readonly string[]
  /** The id of the charge as it is in the path. */
  readonly name: string
  readonly page?: {readonly route: PageRoute; readonly parameters: readonly string[]}
}

const OK = '{"ok":true}'
const READ = ['GET', 'HEAD']
const CHARGES = '/charges/'
const fixedRoutes: ReadonlyMap<string, Route> = new Map([
  ['/health', {kind: 'health', methods: READ, name: ''}],
  ['/ready', {kind: 'ready', methods: READ, name: ''}],
  ['/webhook', {kind: 'webhook', methods: ['POST'], name: ''}],
])
/** By the part of the path after the id. */
const chargeRoutes: ReadonlyMap<string, Omit<Route, 'name'>> = new Map([
  ['', {kind: 'charge', methods: [...READ, 'POST']}],
  ['/quote', {kind: 'quote', methods: ['POST']}],
])

export function createRoutes(context: ServerContext, options: RoutesOptions): HttpHandler {
  const {logger, diagnostics, clock} = context
  const {closing} = options
  const pageRouteOf = findPages(options.pages)
  const access = new Access(context, options)
  const checkStore = createReadiness(context)
  const logProblem = createProblemLog(context, options.loggedAt)
  // Short, because every response has it.
  const processId = crypto.randomUUID().slice(0, 8)
  let requestCount = 0

  return async request => {
    const requestId = `${processId}-${++requestCount}`
    const headers = {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
    }
    const route = routeOf(request.path)
    try {
      const {status, headers: own, body} = await respond(request, route, requestId)
      return {status, headers: {...headers, ...access.corsHeaders(request, status), ...own}, body}
    } catch (error) {
      const problem = report(error, requestId, route)
      const own = {
        ...headers,
        ...access.corsHeaders(request),
        ...(closing.aborted && {connection: 'close'}),
        ...(problem.code === 'method_not_allowed' && route && {allow: route.methods.join(', ')}),
      }
      return route?.page?.route.problem?.(request, problem, own) ?? problemReply(problem, own)
    }
  }

  /** Logs and publishes an error, and returns the problem that the client may know. */
  function report(error: unknown, requestId: string, route: Route | undefined): ReturnType<typeof toProblem> {
    logProblem(error, requestId)
    const problem = toProblem(access.hideUnknownCharge(error), requestId)
    const {code} = problem
    diagnostics.publish({type: 'problem', code})
    if (code === 'internal' || code === 'store_unavailable')
      logger.error('a request failed', {
        requestId,
        error: errorName(error),
        ...(error instanceof StoreError && {cause: error.message}),
        path: route?.page?.route.kind ?? route?.kind,
      })
    return problem
  }

  function routeOf(path: string): Route | undefined {
    return fixedRoutes.get(path) ?? chargeRouteOf(path) ?? pageRouteOf(path)
  }

  async function respond(
    request: HttpRequest,
    route: Route | undefined,
    requestId: string,
  ): Promise<HttpReply> {
    if (closing.aborted) throw new CheckoutError('upstream_unavailable', 1)
    if (!route) throw new CheckoutError('not_found')
    const {kind, methods, name, page} = route
    if (request.method === 'OPTIONS' && kind !== 'webhook') return access.preflight(request, methods)
    const hasCharge = kind === 'charge' || kind === 'quote'
    // The other routes may be opened from an address bar, or by the service.
    if (hasCharge && access.originOf(request) === 'forbidden') throw new CheckoutError('forbidden_origin')
    const isForm = kind === 'page' && request.method === 'POST'
    if (isForm && access.originOf(request) !== 'same') throw new CheckoutError('forbidden_origin')
    if (!methods.includes(request.method)) throw new CheckoutError('method_not_allowed')
    // Nobody sees the page yet, and opening starts the time to pay.
    if (
      kind === 'charge' &&
      request.method === 'POST' &&
      request.headers['sec-purpose']?.includes('prefetch')
    )
      throw new CheckoutError('forbidden_origin')
    switch (kind) {
      case 'charge':
      case 'quote':
        return respondForCharge(request, kind, name)
      case 'webhook':
        return receiveWebhook(request)
      case 'page':
        if (page) return page.route.handle(request, chargesFor(request, requestId), page.parameters)
        break
      case 'ready':
        return respondReady(request)
      case 'health':
        return json(OK)
    }
    throw new CheckoutError('not_found')
  }

  async function respondForCharge(
    request: HttpRequest,
    kind: 'charge' | 'quote',
    segment: string,
  ): Promise<HttpReply> {
    const chargeId = chargeIdFrom(segment)
    if (chargeId === undefined) throw new CheckoutError('invalid_id')
    const isOpening = kind === 'charge' && request.method === 'POST'
    const operation = kind === 'quote' ? 'quote' : isOpening ? 'open' : 'read'
    access.authorize(request, chargeId)
    access.limit(operation, request, chargeId)
    if (operation === 'read') return readReply(request, await options.read(chargeId))
    const body = await readJson(request)
    if (operation === 'open') return checkoutReply(await options.open(chargeId))
    const {success, data} = z.safeParse(quoteRequestSchema, body)
    if (!success) throw new CheckoutError('bad_request')
    return checkoutReply(await options.quote(chargeId, data))
  }

  function chargesFor(request: HttpRequest, requestId: string): PageCharges {
    return {
      authorize: (chargeId, token) => access.authorize(request, chargeId, token),
      limit: (operation, chargeId) => access.limit(operation, request, chargeId),
      open: options.open,
      read: options.readStored,
      quote: options.quote,
      report(error) {
        report(error, requestId, undefined)
        return requestId
      },
      now: () => clock.now(),
    }
  }

  /** Accepted from anywhere, because a webhook is only a reason to read the service again (invariant 8). */
  async function receiveWebhook(request: HttpRequest): Promise<HttpReply> {
    access.limit('webhook', request)
    await options.webhook(await request.body(MAX_WEBHOOK_BYTES))
    return json(OK)
  }

  async function respondReady(request: HttpRequest): Promise<HttpReply> {
    await checkStore()
    const report = DOCTOR_HEADER in request.headers && (await doctorReport(context, request, options))
    return json(report ? JSON.stringify({ok: true, doctor: report}) : OK)
  }
}

/** Returns a function that finds the route of a path. Those with a fixed path come first. */
function findPages(pages: readonly PageRoute[]): (path: string) => Route | undefined {
  const routeOf = (route: PageRoute, parameters: readonly string[]): Route => ({
    kind: 'page',
    methods: route.methods,
    name: '',
    page: {route, parameters},
  })
  const fixed = new Map(pages.map(route => [route.path, routeOf(route, [])]))
  return path => {
    const found = fixed.get(path)
    if (found) return found
    for (const route of pages) {
      const match = typeof route.path === 'string' ? null : route.path.exec(path)
      if (match) return routeOf(route, match.slice(1))
    }
    return undefined
  }
}

function chargeRouteOf(path: string): Route | undefined {
  if (!path.startsWith(CHARGES)) return undefined
  const slash = path.indexOf('/', CHARGES.length)
  const end = slash < 0 ? path.length : slash
  const route = chargeRoutes.get(path.slice(end))
  // Not by spread syntax, which takes longer than the rest of a cached read.
  return route && {kind: route.kind, methods: route.methods, name: path.slice(CHARGES.length, end)}
}
