/** The checkout API, version 1: what each request does. */
import * as z from 'zod/mini'
import {
  quoteRequestSchema,
  refundRequestSchema,
  type Problem,
  type QuoteRequest,
  type RefundRequest,
} from '../../contract/index.js'
import type {HttpReply, HttpRequest} from '../../http/index.js'
import {chargeIdFrom} from '../../contract/charge-id.js'
import {errorName} from '../../contract/errors.js'
import type {CheckoutJson} from '../checkout/checkout-json.js'
import type {ServerContext} from '../context.js'
import {CheckoutError, StoreError} from '../errors.js'
import {Access, type AccessOptions} from './access.js'
import {DOCTOR_HEADER, doctorReport} from './doctor-report.js'
import {routeFinder, type FoundRoute} from './find-route.js'
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

export interface ApiOptions extends AccessOptions {
  readonly apiKey: string
  readonly baseUrl: string
  readonly missingSettings: readonly string[]
  open(chargeId: string): Promise<CheckoutJson>
  read(chargeId: string): Promise<CheckoutJson>
  readStored(chargeId: string): Promise<CheckoutJson>
  quote(chargeId: string, request: QuoteRequest): Promise<CheckoutJson>
  giveRefundAddress(chargeId: string, request: RefundRequest): Promise<CheckoutJson>
  /** Resolves when no notification is pending. Rejects with `CheckoutError`, so that the webhook is repeated. */
  webhook(body: string): Promise<void>
  readonly pages: readonly PageRoute[]
  /** After it, every request fails. */
  readonly closing: AbortSignal
}

const OK = '{"ok":true}'

export class CheckoutApi {
  readonly #access: Access
  readonly #findRoute: (path: string) => FoundRoute | undefined
  readonly #checkStore: () => Promise<void>
  readonly #logProblem: ReturnType<typeof createProblemLog>
  // Short, because every response has it.
  readonly #processId = crypto.randomUUID().slice(0, 8)
  #requestCount = 0

  constructor(
    readonly context: ServerContext,
    readonly options: ApiOptions,
  ) {
    this.#access = new Access(context, options)
    this.#findRoute = routeFinder(options.pages)
    this.#checkStore = createReadiness(context)
    this.#logProblem = createProblemLog(context, options.loggedAt)
  }

  async handle(request: HttpRequest): Promise<HttpReply> {
    const requestId = `${this.#processId}-${++this.#requestCount}`
    const headers = {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
    }
    const route = this.#findRoute(request.path)
    try {
      const {status, headers: own, body} = await this.#respond(request, route, requestId)
      return {status, headers: {...headers, ...this.#access.corsHeaders(request, status), ...own}, body}
    } catch (error) {
      const problem = this.#report(error, requestId, route)
      const own = {
        ...headers,
        ...this.#access.corsHeaders(request),
        ...(this.options.closing.aborted && {connection: 'close'}),
        ...(problem.code === 'method_not_allowed' && route && {allow: route.methods.join(', ')}),
      }
      return route?.page?.route.problem?.(request, problem, own) ?? problemReply(problem, own)
    }
  }

  /** Logs and publishes an error, and returns the problem that the client may know. */
  #report(error: unknown, requestId: string, route: FoundRoute | undefined): Problem {
    const {logger, diagnostics} = this.context
    const problem = toProblem(this.#access.hideUnknownCharge(error), requestId)
    const {code} = problem
    this.#logProblem(error, toProblem(error, requestId).code, requestId, route?.kind === 'webhook')
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

  async #respond(request: HttpRequest, route: FoundRoute | undefined, requestId: string): Promise<HttpReply> {
    if (this.options.closing.aborted) throw new CheckoutError('upstream_unavailable', 1)
    if (!route) throw new CheckoutError('not_found')
    const {kind, methods, name, page} = route
    if (request.method === 'OPTIONS' && kind !== 'webhook') return this.#access.preflight(request, methods)
    this.#requireOrigin(request, kind)
    if (!methods.includes(request.method)) throw new CheckoutError('method_not_allowed')
    if (page) return page.route.handle(request, this.#chargesFor(request, requestId), page.parameters)
    if (isForCharge(kind)) return this.#respondForCharge(request, kind, name)
    if (kind === 'webhook') return this.#receiveWebhook(request)
    return kind === 'ready' ? this.#respondReady(request) : json(OK)
  }

  /** Pages of other origins use charges only if they are listed, and send no forms. Other routes may be opened from an address bar. */
  #requireOrigin(request: HttpRequest, kind: FoundRoute['kind']): void {
    const isPost = request.method === 'POST'
    if (isForCharge(kind) && this.#access.originOf(request) === 'forbidden')
      throw new CheckoutError('forbidden_origin')
    if (kind === 'page' && isPost && this.#access.originOf(request) !== 'same')
      throw new CheckoutError('forbidden_origin')
    // Nobody sees the page yet, and opening starts the time to pay.
    if (kind === 'charge' && isPost && request.headers['sec-purpose']?.includes('prefetch'))
      throw new CheckoutError('forbidden_origin')
  }

  async #respondForCharge(request: HttpRequest, kind: ChargeRoute, segment: string): Promise<HttpReply> {
    const {options} = this
    const chargeId = chargeIdFrom(segment)
    if (chargeId === undefined) throw new CheckoutError('invalid_id')
    const operation = operationOf(kind, request.method)
    this.#access.authorize(request, chargeId)
    this.#access.limit(operation, request, chargeId)
    if (operation === 'read') return readReply(request, await options.read(chargeId))
    const body = await readJson(request)
    if (operation === 'open') return checkoutReply(await options.open(chargeId))
    return checkoutReply(
      operation === 'quote'
        ? await options.quote(chargeId, parse(quoteRequestSchema, body))
        : await options.giveRefundAddress(chargeId, parse(refundRequestSchema, body)),
    )
  }

  #chargesFor(request: HttpRequest, requestId: string): PageCharges {
    const {options} = this
    return {
      authorize: (chargeId, token) => this.#access.authorize(request, chargeId, token),
      limit: (operation, chargeId) => this.#access.limit(operation, request, chargeId),
      open: options.open,
      read: options.readStored,
      quote: options.quote,
      giveRefundAddress: options.giveRefundAddress,
      report: error => {
        this.#report(error, requestId, undefined)
        return requestId
      },
      now: () => this.context.clock.now(),
    }
  }

  /** Accepted from anywhere, because a webhook is only a reason to read the service again (invariant 8). */
  async #receiveWebhook(request: HttpRequest): Promise<HttpReply> {
    this.#access.limit('webhook', request)
    await this.options.webhook(await request.body(MAX_WEBHOOK_BYTES))
    return json(OK)
  }

  async #respondReady(request: HttpRequest): Promise<HttpReply> {
    await this.#checkStore()
    const isDoctor = DOCTOR_HEADER in request.headers
    const report = isDoctor && (await doctorReport(this.context, request, this.options))
    return json(report ? JSON.stringify({ok: true, doctor: report}) : OK)
  }
}

type ChargeRoute = 'charge' | 'quote' | 'refund-address'

function isForCharge(kind: FoundRoute['kind']): kind is ChargeRoute {
  return kind === 'charge' || kind === 'quote' || kind === 'refund-address'
}

function operationOf(kind: ChargeRoute, method: string): 'open' | 'read' | 'quote' | 'refund_address' {
  if (kind === 'charge') return method === 'POST' ? 'open' : 'read'
  return kind === 'quote' ? 'quote' : 'refund_address'
}

function parse<Schema extends z.ZodMiniType>(schema: Schema, body: unknown): z.infer<Schema> {
  const {success, data} = z.safeParse(schema, body)
  if (!success) throw new CheckoutError('bad_request')
  return data
}
