/** The checkout API, version 1: who may ask, what is asked, and the answer or the problem (RFC 9457). */
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
import {CheckoutError, problemTitle} from '../errors.js'
import type {WakeUpStreams} from './wake-up-stream.js'
import {chargeIdFrom} from '../charge-id.js'
import type {JournalRepository} from '../journal/repository.js'
import {errorName, type Logger} from '../logger.js'
import {allowedOrigin, type Origin} from './origin.js'
import type {ChargeOperations} from '../charge/operations.js'
import {clientAddress, type LimitedOperation, type RateLimits} from './rate-limit.js'
import {isValidToken} from './client-token.js'

export interface RoutesOptions extends ChargeOperations {
  /** Resolves to whether all was told. */
  webhook(body: string): Promise<boolean>
  journals: JournalRepository
  allowedOrigins: ReadonlySet<string>
  tokenSecret: string | undefined
  limits: RateLimits
  /** How many proxies of one's own stand in front. */
  trustedHops: number
  logger: Logger
  wakeUps: WakeUpStreams
}

const MAX_BODY_BYTES = 16 * 1024

interface ChargeRoute {
  readonly kind: 'charge' | 'quote' | 'events'
  readonly methods: readonly string[]
  readonly segment: string
}

type Route = {readonly kind: 'health' | 'webhook'; readonly methods: readonly string[]} | ChargeRoute

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
  } = options

  // Unlike any other process's, and each unlike the one before.
  const requestIds = crypto.randomUUID()
  let requests = 0

  return request => {
    const requestId = `${requestIds}-${++requests}`
    const headers = {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
    }
    const cors = corsHeaders(request, allowedOrigins)
    return catchMaybePromise(
      () =>
        mapMaybePromise(answer(request), ({status, headers: own, body}) => ({
          status,
          headers: Object.assign(headers, cors, own),
          body,
        })),
      error => {
        const problem = toProblem(error, requestId)
        if (problem.code === 'internal')
          logger.error('a request failed', {
            requestId,
            error: errorName(error),
            path: routeOf(request.path)?.kind,
          })
        return problemReply(problem, {...headers, ...cors, ...allowHeader(request, problem)})
      },
    )
  }

  function answer(request: HttpRequest): MaybePromise<HttpReply> {
    const route = routeOf(request.path)
    if (!route) throw new CheckoutError('not_found')
    if (route.kind === 'webhook') return answerWebhook(request, route)
    const origin = allowedOrigin(request, allowedOrigins)
    if (request.method === 'OPTIONS') return preflight(origin, route)
    if (!origin) throw new CheckoutError('forbidden_origin')
    if (!route.methods.includes(request.method)) throw new CheckoutError('method_not_allowed')
    return 'segment' in route ? answerCharge(request, route.kind, route.segment) : json('{"ok":true}')
  }

  function answerCharge(
    request: HttpRequest,
    kind: 'charge' | 'quote' | 'events',
    segment: string,
  ): MaybePromise<HttpReply> {
    const chargeId = chargeIdFrom(segment)
    if (chargeId === undefined) throw new CheckoutError('invalid_id')
    authorize(request, chargeId)
    const isOpening = kind === 'charge' && request.method === 'POST'
    const limited = limit(kind === 'quote' ? 'quote' : isOpening ? 'open' : 'read', request, chargeId)
    return mapMaybePromise(limited, () => {
      if (kind === 'events') return answerEvents(request, chargeId)
      if (kind === 'quote') return answerQuote(request, chargeId)
      return mapMaybePromise(isOpening ? answerOpening(request, chargeId) : read(chargeId), json)
    })
  }

  async function answerOpening(request: HttpRequest, chargeId: string): Promise<string> {
    await readJson(request)
    return openKnown(chargeId)
  }

  async function answerQuote(request: HttpRequest, chargeId: string): Promise<HttpReply> {
    const wanted = z.safeParse(quoteRequestSchema, await readJson(request))
    if (!wanted.success) throw new CheckoutError('bad_request')
    return json(await quote(chargeId, wanted.data))
  }

  async function answerEvents({method, signal}: HttpRequest, chargeId: string): Promise<HttpReply> {
    if (!(await journals.load(chargeId)).opened) throw new CheckoutError('not_open')
    return {
      status: 200,
      // The second one keeps nginx from collecting what should flow.
      headers: {'content-type': 'text/event-stream', 'x-accel-buffering': 'no'},
      body: method === 'HEAD' ? '' : wakeUps.stream(chargeId, signal),
    }
  }

  /** With tokens on, a charge that does not exist answers like one that is somebody else's. */
  async function openKnown(chargeId: string): Promise<string> {
    try {
      return await open(chargeId)
    } catch (error) {
      const isUnknown = error instanceof CheckoutError && error.code === 'charge_not_found'
      throw isUnknown && tokenSecret !== undefined ? new CheckoutError('unauthorized') : error
    }
  }

  function authorize({headers}: HttpRequest, chargeId: string): void {
    if (tokenSecret === undefined) return
    const token = headers['x-checkout-token'] ?? ''
    if (!isValidToken(tokenSecret, chargeId, token, journals.clock.now()))
      throw new CheckoutError('unauthorized')
  }

  function limit(kind: LimitedOperation, {ip, headers}: HttpRequest, chargeId?: string): MaybePromise<void> {
    const address = clientAddress(ip, headers['x-forwarded-for'], trustedHops)
    return mapMaybePromise(limits.consume(kind, address, chargeId), wait => {
      if (wait !== undefined) throw new CheckoutError('rate_limited', wait)
    })
  }

  /** Never judged by origin, since it is only a reason to read the service again (invariant 8). */
  async function answerWebhook(request: HttpRequest, route: Route): Promise<HttpReply> {
    if (!route.methods.includes(request.method)) throw new CheckoutError('method_not_allowed')
    await limit('webhook', request)
    const isAllTold = await webhook(await request.body(MAX_BODY_BYTES))
    if (!isAllTold) throw new CheckoutError('internal')
    return json('{"ok":true}')
  }
}

const health: Route = {kind: 'health', methods: ['GET', 'HEAD']}
const webhookRoute: Route = {kind: 'webhook', methods: ['POST']}
const CHARGES = '/charges/'
/** By what follows the id. */
const chargeRoutes: Readonly<Record<string, Omit<ChargeRoute, 'segment'>>> = {
  '': {kind: 'charge', methods: ['GET', 'HEAD', 'POST']},
  '/quote': {kind: 'quote', methods: ['POST']},
  '/events': {kind: 'events', methods: ['GET', 'HEAD']},
}

function routeOf(path: string): Route | undefined {
  if (path === '/health') return health
  if (path === '/webhook') return webhookRoute
  if (!path.startsWith(CHARGES)) return undefined
  const slash = path.indexOf('/', CHARGES.length)
  const end = slash < 0 ? path.length : slash
  const rest = path.slice(end)
  const route = Object.hasOwn(chargeRoutes, rest) ? chargeRoutes[rest] : undefined
  return route && {kind: route.kind, methods: route.methods, segment: path.slice(CHARGES.length, end)}
}

/** CORS (Fetch standard, 3.2.3): for listed origins only. */
function preflight(origin: Origin | undefined, route: Route): HttpReply {
  if (origin?.kind !== 'listed') throw new CheckoutError('forbidden_origin')
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': route.methods.join(', '),
      'access-control-allow-headers': 'content-type, x-checkout-token',
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
    'access-control-expose-headers': 'x-request-id, retry-after',
    vary: 'Origin',
  }
}

async function readJson(request: HttpRequest): Promise<unknown> {
  const [mediaType = ''] = (request.headers['content-type'] ?? '').split(';')
  if (mediaType.trim().toLowerCase() !== 'application/json') throw new CheckoutError('unsupported_media_type')
  const jsonReply = await request.body(MAX_BODY_BYTES)
  try {
    return jsonReply === '' ? {} : JSON.parse(jsonReply)
  } catch {
    throw new CheckoutError('bad_request')
  }
}

function json(jsonReply: string): HttpReply {
  return {
    status: 200,
    headers: {'content-type': 'application/json; charset=utf-8'},
    body: jsonReply,
  }
}

function toProblem(error: unknown, requestId: string): Problem {
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
  if (error instanceof CheckoutError) return error.code
  if (error instanceof BodyTooLargeError) return 'payload_too_large'
  if (error instanceof BodyReadError) return 'bad_request'
  return 'internal'
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

function allowHeader(request: HttpRequest, {code}: Problem): Record<string, string> {
  const methods = code === 'method_not_allowed' ? routeOf(request.path)?.methods : undefined
  return methods ? {allow: methods.join(', ')} : {}
}
