/**
 * The server entry point on Cloudflare Workers (workerd). Requests share an isolate there, but one must not wait for a
 * promise or a timer of another: it would wait forever when the other has ended. So each call has a core of its own, and
 * they share data only. There are no timers between requests, and there is no disk.
 */
import {fetchTransport} from '../http/fetch-transport.js'
import type {Transport} from '../http/index.js'
import type {CheckoutWithPagesOptions} from '../node/create-checkout-with-pages.js'
import {parseCheckoutOptions} from '../node/options.js'
import {createPages, type PageFunctions} from '../pages/create-pages.js'
import type {RenderOptions} from '../pages/element-markup.js'
import {scriptFilesOf} from '../pages/script-files.js'
import {createLimits, noLimits, type RateLimitOptions} from '../server/api/rate-limit.js'
import {noDiagnostics} from '../server/base/diagnostics.js'
import {consoleLogger} from '../server/base/logger.js'
import {omitUndefined} from '../server/base/omit-undefined.js'
import {ServiceTime} from '../server/base/service-time.js'
import {ReadBudget} from '../server/charge/read-budget.js'
import {createCheckoutCore, type BackgroundContext, type CheckoutCore} from '../server/create-checkout.js'
import {ConfigurationError} from '../server/errors.js'
import {newSeen} from '../server/charges/documents.js'
import {
  createServiceClient as createClient,
  type ServiceClient,
  type ServiceClientOptions,
} from '../server/service/client.js'
import {socketTransport} from './socket-transport.js'

type NotOnWorkers =
  | ('transport' | 'limits' | 'diagnostics' | 'scripts')
  | ('missingSettings' | 'reconcileEvery' | 'closeTimeout')

export interface CheckoutOptions extends Omit<CheckoutWithPagesOptions, NotOnWorkers> {
  /** Replaces the network, for tests. */
  transport?: Transport
  /** Requests per minute and isolate; false turns the limits off. */
  rateLimit?: RateLimitOptions | false
  /** The export files of `crypto-checkout/files`, which the proxy then serves. Cloudflare compresses them. */
  files?: Readonly<Record<string, string>>
}

type SameAsOnNode = 'service' | 'createToken' | 'verify' | 'reconcile' | 'clearAlert' | 'journal'

/** The context of the handler keeps work running that outlasts the response. */
type WithContext<Method> = Method extends (...args: infer Args) => infer Result
  ? (...args: [...Args, context?: BackgroundContext]) => Result
  : never

export interface CheckoutWorker extends Pick<CheckoutCore, SameAsOnNode>, Pick<PageFunctions, 'payUrl'> {
  readonly createOrder: WithContext<CheckoutCore['createOrder']>
  readonly getOrder: WithContext<CheckoutCore['getOrder']>
  readonly cancelOrder: WithContext<CheckoutCore['cancelOrder']>
  render(chargeId: string, options?: RenderOptions, context?: BackgroundContext): Promise<string>
  /** Responds with 404 outside `basePath`. The client's address is `CF-Connecting-IP`. */
  fetch(request: Request, context: BackgroundContext): Promise<Response>
}

/** `fetch` for all but convert, which is a GET with a body. */
const networkTransport: Transport = request =>
  (request.method === 'GET' && request.body !== undefined ? sendBySocket : fetchTransport)(request)
const sendBySocket = socketTransport(async () => (await import('cloudflare:sockets')).connect)

const NO_STORE =
  'store is required on Workers, which have no disk: sqlStore(env.DB) for D1, or sqlStore(ctx.storage.sql) in a Durable Object'
const TIMERS =
  'reconcileEvery must be 0 on Workers, which have no timers between requests: call checkout.reconcile() in scheduled()'
const NO_CONTEXT =
  'pass the context of the handler, which keeps work in the background running: checkout.fetch(request, ctx)'

/** Throws `ConfigurationError` when an option is not valid. Can be called outside a request. */
export function createCheckout(options: CheckoutOptions): CheckoutWorker {
  const {
    apiKey,
    baseUrl,
    store,
    convertMethod,
    reconcileEvery = 0,
    readRate,
    timeout,
    random,
    logger = consoleLogger,
    clock,
    transport = networkTransport,
  } = parseCheckoutOptions(options)
  if (!store) throw new ConfigurationError(NO_STORE)
  if (reconcileEvery !== 0) throw new ConfigurationError(TIMERS)

  const {rateLimit, files, hostedPage, renderer, ...given} = options
  const limits = rateLimit === false ? noLimits : createLimits(clock, rateLimit)
  const scripts = files && scriptFilesOf(files)
  const pages = createPages({hostedPage, renderer, scripts}, options.tokenSecret !== undefined)
  const coreOptions = {...given, store, logger, clock, transport, limits, pages: pages.routes}
  const shared = {
    time: new ServiceTime(clock, logger),
    seen: newSeen(),
    readBudget: new ReadBudget(clock, readRate),
    loggedAt: new Map<string, number>(),
  }
  const newCore = () => createCheckoutCore(coreOptions, shared)

  async function run<Result>(
    act: (core: CheckoutCore) => Promise<Result>,
    context?: BackgroundContext,
  ): Promise<Result> {
    const core = newCore()
    try {
      return await act(core)
    } finally {
      const settled = core.settle()
      if (context) context.waitUntil(settled)
      else await settled
    }
  }

  return {
    async fetch(request, context) {
      if (typeof context?.waitUntil !== 'function') throw new ConfigurationError(NO_CONTEXT)
      return newCore().fetch(request, {
        ip: request.headers.get('cf-connecting-ip') ?? '',
        waitUntil: (work: Promise<unknown>) => context.waitUntil(work),
      })
    },
    service: createClient(
      {apiKey, baseUrl, transport, convertMethod, clock, logger, ...omitUndefined({timeout, random})},
      noDiagnostics,
      shared.time,
    ),
    createOrder: (orderId, input, context) => run(core => core.createOrder(orderId, input), context),
    getOrder: (orderId, context) => run(core => core.getOrder(orderId), context),
    cancelOrder: (orderId, context) => run(core => core.cancelOrder(orderId), context),
    createToken: (chargeId, options) => newCore().createToken(chargeId, options),
    payUrl: (chargeId, options) => pages.functions(newCore()).payUrl(chargeId, options),
    render: (chargeId, options, context) =>
      run(core => pages.functions(core).render(chargeId, options), context),
    verify: (chargeId, context) => run(core => core.verify(chargeId), context),
    reconcile: () => run(core => core.reconcile()),
    clearAlert: chargeId => run(core => core.clearAlert(chargeId)),
    journal: chargeId => run(core => core.journal(chargeId)),
  }
}

/** The payment service's six operations, typed; over the network unless there is a `transport`. */
export function createServiceClient(
  options: Omit<ServiceClientOptions, 'transport'> & {transport?: Transport},
): ServiceClient {
  return createClient({...options, transport: options.transport ?? networkTransport})
}

export type {BackgroundContext} from '../server/create-checkout.js'
export * from '../node/exports.js'
