/** The checkout API, version 1: authorization, routes, and responses or problems (RFC 9457). */
import * as z from 'zod/mini'
import {problemStatus, quoteRequestSchema, type Problem, type ProblemCode} from '../../contract/index.js'
import {
  mapMaybePromise,
  BodyReadError,
  BodyTooLargeError,
  catchMaybePromise,
  type HttpHandler,
  type HttpReply,
  type HttpRequest,
  type MaybePromise,
} from '../../http/index.js'
import type {CheckoutJson} from '../checkout/checkout-json.js'
import {problemCodeOf, type Diagnostics, type LimitedMessage} from '../diagnostics.js'
import {CheckoutError, problemTitle} from '../errors.js'
import type {WakeUpStreams} from './wake-up-stream.js'
import {chargeIdFrom} from '../charge-id.js'
import type {JournalRepository} from '../journal/repository.js'
import {errorName, type Logger} from '../logger.js'
import {DOCTOR_HEADER, doctorReport} from './doctor-report.js'
import {allowedOrigin, type Origin} from './origin.js'
import type {ChargeOperations} from '../charge/operations.js'
import {clientAddress, rateLimitKey, type LimitedOperation, type RateLimits} from './rate-limit.js'
import {createReadiness} from './readiness.js'
import {isValidToken} from './client-token.js'
import {hostedPageReply, type HostedPageOptions} from '../page/hosted-page.js'
import {scriptReply, type ScriptFiles} from '../page/script-files.js'

export interface RoutesOptions extends ChargeOperations {
  apiKey: string
  /** The api-key is a test key. */
  test: boolean
  /** Resolves when no notification is pending. Rejects with `CheckoutError`, so that the webhook is repeated. */
  webhook(body: string): Promise<void>
  journals: JournalRepository
  allowedOrigins: ReadonlySet<string>
  tokenSecret: string | undefined
  limits: RateLimits
  /** The number of trusted proxies. */
  trustedHops: number
  logger: Logger
  wakeUps: WakeUpStreams
  diagnostics: Diagnostics
  scripts: ScriptFiles | undefined
  hostedPage: HostedPageOptions | undefined
  /** After it, every request fails. */
  closing: AbortSignal
}

const MAX_BODY_BYTES = 16 * 1024

interface ChargeRoute {
  readonly kind: 'charge' | 'quote' | 'events'
  readonly methods: readonly string[]
  readonly segment: string
}

/** What a page loads before it uses the API. Neither needs a token or counts as a request. */
interface PageRoute {
  readonly kind: 'page' | 'script'
  readonly methods: readonly string[]
  /** The id of the charge, or the name of the file. */
  readonly name: string
}

type Route =
  | {readonly kind: 'health' | 'ready' | 'webhook'; readonly methods: readonly string[]}
  | ChargeRoute
  | PageRoute

export function createRoutes(options: RoutesOptions): HttpHandler {
  const {
    open,
    read,
    quote,
    webhook,
    journals,
    allowedOrigins,
    tokenSecret,
    limits,
    trustedHops,
    logger,
    wakeUps,
    diagnostics,
    scripts,
    hostedPage,
    closing,
  } = options

  // Short, because every response has it.
  const processId = crypto.randomUUID().slice(0, 8)
  const checkStore = createReadiness(journals)
  let requestCount = 0

  return request => {
    const requestId = `${processId}-${++requestCount}`
    const headers = {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
    }
    const cors = corsHeaders(request, allowedOrigins)
    const connection = closing.aborted && {connection: 'close'}
    return catchMaybePromise(
      () =>
        mapMaybePromise(respond(request), ({status, headers: own, body}) => ({
          status,
          headers: Object.assign(headers, cors, own),
          body,
        })),
      error => {
        const problem = toProblem(hideUnknownCharge(error), requestId)
        diagnostics.publish('problem', {code: problem.code})
        if (problem.code === 'internal' || problem.code === 'store_unavailable')
          logger.error('a request failed', {
            requestId,
            error: errorName(error),
            path: routeOf(request.path)?.kind,
          })
        return problemReply(problem, {
          ...headers,
          ...cors,
          ...connection,
          ...allowHeader(routeOf(request.path), problem),
        })
      },
    )
  }

  function respond(request: HttpRequest): MaybePromise<HttpReply> {
    if (closing.aborted) throw new CheckoutError('upstream_unavailable', 1)
    const route = routeOf(request.path)
    if (!route) throw new CheckoutError('not_found')
    if (route.kind === 'webhook') return handleWebhook(request, route)
    const origin = allowedOrigin(request, allowedOrigins)
    if (request.method === 'OPTIONS') return preflight(origin, route)
    const hasCharge = 'segment' in route
    // The other routes may be opened from an address bar.
    if (hasCharge && !origin) throw new CheckoutError('forbidden_origin')
    if (!route.methods.includes(request.method)) throw new CheckoutError('method_not_allowed')
    if (hasCharge) return handleCharge(request, route.kind, route.segment)
    if ('name' in route) return handlePage(request, route)
    return route.kind === 'ready' ? handleReady(request) : json(OK)
  }

  function routeOf(path: string): Route | undefined {
    const route = apiRouteOf(path)
    if (route) return route
    if (hostedPage && path.startsWith(PAY)) return {kind: 'page', methods: READ, name: path.slice(PAY.length)}
    const name = path.slice(1)
    return scripts?.has(name) ? {kind: 'script', methods: READ, name} : undefined
  }

  function handlePage(request: HttpRequest, {kind, name}: PageRoute): MaybePromise<HttpReply> {
    if (kind === 'page' && hostedPage) return hostedPageReply(hostedPage, name, request)
    const file = scripts?.get(name)
    if (!file) throw new CheckoutError('not_found')
    return scriptReply(name, file, request)
  }

  async function handleReady(request: HttpRequest): Promise<HttpReply> {
    await checkStore()
    const report = DOCTOR_HEADER in request.headers && (await doctorReport(request, options))
    return json(report ? JSON.stringify({ok: true, doctor: report}) : OK)
  }

  function handleCharge(
    request: HttpRequest,
    kind: 'charge' | 'quote' | 'events',
    segment: string,
  ): MaybePromise<HttpReply> {
    const chargeId = chargeIdFrom(segment)
    if (chargeId === undefined) throw new CheckoutError('invalid_id')
    const isOpening = kind === 'charge' && request.method === 'POST'
    const operation = kind === 'quote' ? 'quote' : isOpening ? 'open' : 'read'
    const isAllowed = mapMaybePromise(authorize(request, chargeId), () => limit(operation, request, chargeId))
    return mapMaybePromise(isAllowed, () => {
      if (kind === 'events') return handleEvents(request, chargeId)
      if (kind === 'quote') return handleQuote(request, chargeId)
      if (isOpening) return handleOpen(request, chargeId)
      return mapMaybePromise(read(chargeId), checkout => conditionalReply(request, checkout))
    })
  }

  async function handleOpen(request: HttpRequest, chargeId: string): Promise<HttpReply> {
    await readJson(request)
    return checkoutReply(await open(chargeId))
  }

  async function handleQuote(request: HttpRequest, chargeId: string): Promise<HttpReply> {
    const {success, data} = z.safeParse(quoteRequestSchema, await readJson(request))
    if (!success) throw new CheckoutError('bad_request')
    return checkoutReply(await quote(chargeId, data))
  }

  async function handleEvents(request: HttpRequest, chargeId: string): Promise<HttpReply> {
    const {method, signal} = request
    if (!(await journals.load(chargeId)).opened) throw new CheckoutError('not_open')
    const address = rateLimitKey(addressOf(request)) ?? ''
    return {
      status: 200,
      // `x-accel-buffering` turns off buffering in nginx.
      headers: {'content-type': 'text/event-stream', 'x-accel-buffering': 'no'},
      body: method === 'HEAD' ? '' : wakeUps.open(chargeId, address, signal),
    }
  }

  /** With client tokens, an unknown charge gets the response of an unauthorized one, so that ids cannot be guessed. */
  function hideUnknownCharge(error: unknown): unknown {
    const isUnknown = error instanceof CheckoutError && error.code === 'charge_not_found'
    return isUnknown && tokenSecret !== undefined ? new CheckoutError('unauthorized') : error
  }

  function authorize(request: HttpRequest, chargeId: string): MaybePromise<void> {
    if (tokenSecret === undefined) return
    const address = addressOf(request)
    return mapMaybePromise(limits.tokenPause(address), pauseSeconds => {
      if (pauseSeconds !== undefined) throw rateLimited('rejected_token', pauseSeconds)
      const token = request.headers['x-checkout-token'] ?? ''
      if (isValidToken(tokenSecret, chargeId, token, journals.clock.now())) return
      return mapMaybePromise(limits.consume('rejected_token', address, undefined), () => {
        throw new CheckoutError('unauthorized')
      })
    })
  }

  function addressOf({ip, headers}: HttpRequest): string {
    return clientAddress(ip, headers['x-forwarded-for'], trustedHops)
  }

  function limit(operation: LimitedOperation, request: HttpRequest, chargeId?: string): MaybePromise<void> {
    return mapMaybePromise(limits.consume(operation, addressOf(request), chargeId), waitSeconds => {
      if (waitSeconds !== undefined) throw rateLimited(operation, waitSeconds)
    })
  }

  function rateLimited(operation: LimitedMessage['operation'], waitSeconds: number): CheckoutError {
    diagnostics.publish('limited', {operation})
    return new CheckoutError('rate_limited', waitSeconds)
  }

  /** Accepted from anywhere, because a webhook is only a reason to read the service again (invariant 8). */
  async function handleWebhook(request: HttpRequest, route: Route): Promise<HttpReply> {
    if (!route.methods.includes(request.method)) throw new CheckoutError('method_not_allowed')
    await limit('webhook', request)
    await webhook(await request.body(MAX_BODY_BYTES))
    return json(OK)
  }
}

const OK = '{"ok":true}'
const READ = ['GET', 'HEAD']
const PAY = '/pay/'
const health: Route = {kind: 'health', methods: READ}
const ready: Route = {kind: 'ready', methods: READ}
const webhookRoute: Route = {kind: 'webhook', methods: ['POST']}
const CHARGES = '/charges/'
/** By the part of the path after the id. */
const chargeRoutes: Readonly<Record<string, Omit<ChargeRoute, 'segment'>>> = {
  '': {kind: 'charge', methods: ['GET', 'HEAD', 'POST']},
  '/quote': {kind: 'quote', methods: ['POST']},
  '/events': {kind: 'events', methods: READ},
}

function apiRouteOf(path: string): Route | undefined {
  if (path === '/health') return health
  if (path === '/ready') return ready
  if (path === '/webhook') return webhookRoute
  if (!path.startsWith(CHARGES)) return undefined
  const slash = path.indexOf('/', CHARGES.length)
  const end = slash < 0 ? path.length : slash
  const suffix = path.slice(end)
  const route = Object.hasOwn(chargeRoutes, suffix) ? chargeRoutes[suffix] : undefined
  return route && {kind: route.kind, methods: route.methods, segment: path.slice(CHARGES.length, end)}
}

/** CORS preflight (Fetch standard, section 3.2.3), for listed origins only. */
function preflight(origin: Origin | undefined, route: Route): HttpReply {
  if (origin?.kind !== 'listed') throw new CheckoutError('forbidden_origin')
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': route.methods.join(', '),
      'access-control-allow-headers': 'content-type, if-none-match, x-checkout-token',
      'access-control-max-age': '600',
    },
    body: '',
  }
}

function corsHeaders(request: HttpRequest, allowed: ReadonlySet<string>): Record<string, string> | undefined {
  if (allowed.size === 0) return undefined
  const origin = request.headers['origin']
  if (origin === undefined || !allowed.has(origin)) return {vary: 'Origin'}
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'etag, retry-after, x-checkout-time, x-request-id',
    vary: 'Origin',
  }
}

async function readJson(request: HttpRequest): Promise<unknown> {
  const [mediaType = ''] = (request.headers['content-type'] ?? '').split(';')
  if (mediaType.trim().toLowerCase() !== 'application/json') throw new CheckoutError('unsupported_media_type')
  const body = await request.body(MAX_BODY_BYTES)
  try {
    return body === '' ? {} : JSON.parse(body)
  } catch {
    throw new CheckoutError('bad_request')
  }
}

function json(body: string): HttpReply {
  return {
    status: 200,
    headers: {'content-type': 'application/json; charset=utf-8'},
    body,
  }
}

function checkoutReply({text, etag}: CheckoutJson): HttpReply {
  return {status: 200, headers: {'content-type': 'application/json; charset=utf-8', etag}, body: text}
}

/** 304 with the time only, if nothing else has changed (RFC 9110, section 13.1.2). */
function conditionalReply({headers}: HttpRequest, checkout: CheckoutJson): HttpReply {
  const condition = headers['if-none-match']
  if (condition === undefined || !hasTag(condition, checkout.etag)) return checkoutReply(checkout)
  return {status: 304, headers: {etag: checkout.etag, 'x-checkout-time': checkout.time}, body: ''}
}

function hasTag(condition: string, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return (
    condition === etag || condition === '*' || condition.split(',').some(tag => opaque(tag) === opaque(etag))
  )
}

function toProblem(error: unknown, requestId: string): Problem & {readonly code: ProblemCode} {
  const code = codeOf(error)
  const retryAfter = error instanceof CheckoutError ? error.retryAfter : undefined
  return {
    type: `urn:crypto-checkout:problem:${code}`,
    title: problemTitle[code],
    status: problemStatus[code],
    code,
    requestId,
    ...(retryAfter === undefined ? {} : {retryAfter}),
  }
}

function codeOf(error: unknown): ProblemCode {
  if (error instanceof BodyTooLargeError) return 'payload_too_large'
  if (error instanceof BodyReadError) return 'bad_request'
  return problemCodeOf(error)
}

function problemReply(problem: Problem, headers: Record<string, string>): HttpReply {
  const {retryAfter} = problem
  return {
    status: problem.status,
    headers: {
      ...headers,
      'content-type': 'application/problem+json',
      ...(retryAfter === undefined ? {} : {'retry-after': String(retryAfter)}),
    },
    body: JSON.stringify(problem),
  }
}

function allowHeader(route: Route | undefined, {code}: Problem): Record<string, string> {
  const methods = code === 'method_not_allowed' ? route?.methods : undefined
  return methods ? {allow: methods.join(', ')} : {}
}
