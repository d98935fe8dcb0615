/** The checkout API, version 1: which request does what. */
import * as z from 'zod/mini'
import {quoteRequestSchema, type QuoteRequest} from '../../contract/index.js'
import {
  catchMaybePromise,
  mapMaybePromise,
  type HttpHandler,
  type HttpReply,
  type HttpRequest,
  type MaybePromise,
} from '../../http/index.js'
import {chargeIdFrom} from '../base/charge-id.js'
import {errorName} from '../base/logger.js'
import type {CheckoutJson} from '../checkout/checkout-json.js'
import type {ServerContext} from '../context/context.js'
import {CheckoutError, StoreError} from '../errors.js'
import type {Journal} from '../journal/journal.js'
import type {HostedPageOptions} from '../page/document.js'
import {hostedPageReply} from '../page/hosted-page.js'
import {scriptReply, type ScriptFiles} from '../page/script-files.js'
import {Access, type AccessOptions} from './access.js'
import {DOCTOR_HEADER, doctorReport} from './doctor-report.js'
import {PlainPage} from '../plain/plain-page.js'
import {plainReply} from './plain-routes.js'
import {createProblemLog} from './problem-log.js'
import {createReadiness} from './readiness.js'
import {checkoutReply, json, MAX_BODY_BYTES, problemReply, readJson, readReply, toProblem} from './replies.js'

export interface RoutesOptions extends AccessOptions {
  readonly apiKey: string
  open(journal: Journal): Promise<CheckoutJson>
  read(journal: Journal): MaybePromise<CheckoutJson>
  quote(journal: Journal, request: QuoteRequest): Promise<CheckoutJson>
  /** Resolves when no notification is pending. Rejects with `CheckoutError`, so that the webhook is repeated. */
  webhook(body: string): Promise<void>
  readonly scripts: ScriptFiles | undefined
  readonly hostedPage: HostedPageOptions | undefined
  /** After it, every request fails. */
  readonly closing: AbortSignal
}

interface Route {
  readonly kind: 'health' | 'ready' | 'webhook' | 'charge' | 'quote' | 'page' | 'plain' | 'script'
  readonly methods: readonly string[]
  /** The id of the charge as it is in the path, or the name of a file. */
  readonly name: string
  /** The client token in the path of the plain page. */
  readonly token?: string
}

const OK = '{"ok":true}'
const READ = ['GET', 'HEAD']
const CHARGES = '/charges/'
const PAY = '/pay/'
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
  const {journals, logger, diagnostics} = context
  const {scripts, hostedPage, closing} = options
  const access = new Access(context, options)
  const checkStore = createReadiness(context)
  const logProblem = createProblemLog(context, options.loggedAt)
  // Short, because every response has it.
  const processId = crypto.randomUUID().slice(0, 8)
  let requestCount = 0

  return request => {
    const requestId = `${processId}-${++requestCount}`
    const headers = {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
    }
    const route = routeOf(request.path)
    return catchMaybePromise(
      () =>
        mapMaybePromise(respond(request, route, requestId), ({status, headers: own, body}) => ({
          status,
          headers: Object.assign(headers, access.corsHeaders(request, status), own),
          body,
        })),
      error => {
        const problem = report(error, requestId, route)
        const own = {
          ...headers,
          ...access.corsHeaders(request),
          ...(closing.aborted && {connection: 'close'}),
          ...(problem.code === 'method_not_allowed' && route && {allow: route.methods.join(', ')}),
        }
        if (hostedPage && route?.kind === 'plain')
          return PlainPage.of(hostedPage, request).then(page => page.problem(problem, own))
        return problemReply(problem, own)
      },
    )
  }

  /** Logs and publishes an error, and returns the problem that the client may know. */
  function report(error: unknown, requestId: string, route: Route | undefined): ReturnType<typeof toProblem> {
    logProblem(error, requestId)
    const problem = toProblem(access.hideUnknownCharge(error), requestId)
    const {code} = problem
    diagnostics.publish('problem', {code})
    if (code === 'internal' || code === 'store_unavailable')
      logger.error('a request failed', {
        requestId,
        error: errorName(error),
        ...(error instanceof StoreError && {cause: error.message}),
        path: route?.kind,
      })
    return problem
  }

  function routeOf(path: string): Route | undefined {
    const fixed = fixedRoutes.get(path) ?? chargeRouteOf(path)
    if (fixed) return fixed
    if (hostedPage && path.startsWith(PAY)) return pageRouteOf(path.slice(PAY.length))
    const name = path.slice(1)
    return scripts?.has(name) ? {kind: 'script', methods: READ, name} : undefined
  }

  function respond(
    request: HttpRequest,
    route: Route | undefined,
    requestId: string,
  ): MaybePromise<HttpReply> {
    if (closing.aborted) throw new CheckoutError('upstream_unavailable', 1)
    if (!route) throw new CheckoutError('not_found')
    const {kind, methods, name} = route
    if (request.method === 'OPTIONS' && kind !== 'webhook') return access.preflight(request, methods)
    const hasCharge = kind === 'charge' || kind === 'quote'
    // The other routes may be opened from an address bar, or by the service.
    if (hasCharge && access.originOf(request) === 'forbidden') throw new CheckoutError('forbidden_origin')
    const isForm = kind === 'plain' && request.method === 'POST'
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
        if (hostedPage) return hostedPageReply(hostedPage, name, request, options.tokenSecret !== undefined)
        break
      case 'plain':
        return respondPlain(request, route, requestId)
      case 'script': {
        const file = scripts?.get(name)
        if (file) return scriptReply(name, file, request)
        break
      }
      case 'ready':
        return respondReady(request)
      case 'health':
        return json(OK)
    }
    throw new CheckoutError('not_found')
  }

  function respondForCharge(
    request: HttpRequest,
    kind: 'charge' | 'quote',
    segment: string,
  ): MaybePromise<HttpReply> {
    const chargeId = chargeIdFrom(segment)
    if (chargeId === undefined) throw new CheckoutError('invalid_id')
    const isOpening = kind === 'charge' && request.method === 'POST'
    const operation = kind === 'quote' ? 'quote' : isOpening ? 'open' : 'read'
    const isAllowed = mapMaybePromise(access.authorize(request, chargeId), () =>
      access.limit(operation, request, chargeId),
    )
    return mapMaybePromise(isAllowed, () => {
      const journal = journals.of(chargeId)
      if (kind === 'quote') return quote(request, journal)
      if (isOpening) return open(request, journal)
      return mapMaybePromise(options.read(journal), checkout => readReply(request, checkout))
    })
  }

  function respondPlain(
    request: HttpRequest,
    {name, token}: Route,
    requestId: string,
  ): MaybePromise<HttpReply> {
    const chargeId = chargeIdFrom(name)
    if (chargeId === undefined) throw new CheckoutError('invalid_id')
    if (!hostedPage || (token !== undefined && options.tokenSecret === undefined))
      throw new CheckoutError('not_found')
    return plainReply(context, {...options, hostedPage}, access, request, chargeId, token, error => {
      report(error, requestId, undefined)
      return requestId
    })
  }

  async function open(request: HttpRequest, journal: Journal): Promise<HttpReply> {
    await readJson(request)
    return checkoutReply(await options.open(journal))
  }

  async function quote(request: HttpRequest, journal: Journal): Promise<HttpReply> {
    const {success, data} = z.safeParse(quoteRequestSchema, await readJson(request))
    if (!success) throw new CheckoutError('bad_request')
    return checkoutReply(await options.quote(journal, data))
  }

  /** Accepted from anywhere, because a webhook is only a reason to read the service again (invariant 8). */
  async function receiveWebhook(request: HttpRequest): Promise<HttpReply> {
    await access.limit('webhook', request)
    await options.webhook(await request.body(MAX_BODY_BYTES))
    return json(OK)
  }

  async function respondReady(request: HttpRequest): Promise<HttpReply> {
    await checkStore()
    const report = DOCTOR_HEADER in request.headers && (await doctorReport(context, request, options))
    return json(report ? JSON.stringify({ok: true, doctor: report}) : OK)
  }
}

/** `{id}`, `{id}/plain` or `{id}/plain/{token}`. */
function pageRouteOf(path: string): Route {
  const [name = '', isPlain, token, ...more] = path.split('/')
  if (isPlain !== 'plain' || more.length > 0) return {kind: 'page', methods: READ, name: path}
  return {
    kind: 'plain',
    methods: token === undefined ? [...READ, 'POST'] : READ,
    name,
    ...(token !== undefined && {token}),
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
