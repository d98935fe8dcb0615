/**
 * The proxy holds the merchant's api-key, calls the payment service and serves the checkout API. This core also runs in a
 * browser, for stories and tests. `index.ts` adds the parts that need Node: files, network and limits.
 */
import {systemClock, type Clock} from '../contract/index.js'
import {toFetch, type FetchHandler, type HttpHandler, type Transport} from '../http/index.js'
import {noDiagnostics, type Diagnostics} from './diagnostics.js'
import {CheckoutError, ConfigurationError} from './errors.js'
import {WakeUpStreams} from './api/wake-up-stream.js'
import {createFulfilment, type VerificationResult} from './fulfilment/fulfilment.js'
import {InFlight} from './async/in-flight.js'
import {isChargeId} from './charge-id.js'
import {journalEntries, type JournalEntry} from './journal/export.js'
import {JournalRepository, type SeenEntry} from './journal/repository.js'
import {silentLogger, type Logger} from './logger.js'
import {parseCoreOptions} from './checkout-options.js'
import {createChargeOperations} from './charge/operations.js'
import {noLimits, type RateLimits} from './api/rate-limit.js'
import type {Tolerance} from './checkout/money.js'
import {publishChange} from './publish-change.js'
import {ServicePoller} from './service/poller.js'
import {createRoutes} from './api/routes.js'
import {createServiceClient, type ServiceClient} from './service/client.js'
import type {ServiceTime} from './service/service-time.js'
import type {Store} from './stores/store.js'
import type {Handlers} from './fulfilment/pending.js'
import {signToken} from './api/client-token.js'
import type {HostedPageOptions} from './page/hosted-page.js'
import type {ScriptFiles} from './page/script-files.js'

export interface CheckoutCoreOptions extends Handlers {
  /** Issued by the payment service. It never leaves the server. */
  apiKey: string
  /** The payment service's address: `https`, or `http` on loopback. */
  baseUrl: string
  store: Store
  transport: Transport
  /** Where the handler is mounted. Default `/crypto-checkout`. */
  basePath?: string
  /** Other origins that may use this proxy, such as `https://shop.example`. Default: none. */
  allowedOrigins?: readonly string[]
  /** At least 32 characters. Requires client tokens. */
  tokenSecret?: string | undefined
  convertMethod?: 'GET' | 'POST'
  /** How much a payment may fall short and still settle a charge. The larger one counts. Default: none. */
  underpaymentTolerance?: Tolerance
  /** Milliseconds after which a quote may be renewed. Default 15 minutes. */
  quoteTtl?: number
  /** Milliseconds for a call to the service, retries included. Default 10,000. */
  timeout?: number
  /** Milliseconds between reconciliation passes. Default 300,000; 0 for none. */
  reconcileEvery?: number
  /** Charges per second that a reconciliation pass reads. Default 5. */
  reconcileRate?: number
  /** Milliseconds after which a handler counts as failed. Default 60,000. */
  handlerTimeout?: number
  /** Milliseconds for which `close` waits for work in progress. Default 10,000. */
  closeTimeout?: number
  /** Milliseconds after which a closed charge is deleted. Default 7,776,000,000 (90 days); 0 keeps it forever. */
  retention?: number
  /** Called before a charge is deleted, with its journal. If it fails, the charge is kept until the next pass. */
  onArchive?: (chargeId: string, entries: JournalEntry[]) => unknown
  logger?: Logger
  clock?: Clock
  /** From 0 up to 1. */
  random?: () => number
  limits?: RateLimits
  /** Where calls, changes and problems are published. */
  diagnostics?: Diagnostics
  /** Serves a page with the checkout at `{basePath}/pay/{chargeId}`, to send as a link. */
  hostedPage?: HostedPageOptions
  /** The script-tag build, which is served below `basePath`. */
  scripts?: ScriptFiles
  /** The number of your own proxies that append to `X-Forwarded-For`. Default false: none. */
  trustProxy?: number | boolean
}

export interface CheckoutCore {
  readonly handler: HttpHandler
  readonly basePath: string
  /**
   * `(Request, {ip, waitUntil}?) => Promise<Response>`; 404 outside `basePath`. Limits by address need the `ip`, or
   * `trustProxy`. A platform that stops after the response needs `waitUntil`.
   */
  readonly fetch: FetchHandler
  /** The payment service's operations, typed. Amounts are decimal text. */
  readonly service: ServiceClient
  /**
   * Reads the service now. Ship goods on `paid`, or on `onPaid`; never on a browser's event (invariant 8).
   * Rejects with `CheckoutError`, also when the service cannot be read and the status is unknown. Pending notifications
   * are delivered in the background, and passed to `waitUntil`.
   */
  verify(chargeId: string, context?: BackgroundContext): Promise<VerificationResult>
  /** A token that allows a page to use this charge. `expiresIn` in seconds, default one day. Needs `tokenSecret`. */
  createToken(chargeId: string, options?: {expiresIn?: number}): string
  /**
   * The link of the hosted page. With `tokenSecret`, its fragment has a client token: `expiresIn` in seconds, default one
   * day. Needs `hostedPage`; without its `origin`, the link is a path on the same site.
   */
  payUrl(chargeId: string, options?: {expiresIn?: number}): string
  /** Delivers pending notifications, and reads every open charge for more. */
  reconcile(): Promise<{read: number; delivered: number}>
  /** Makes a charge payable again after an alert that you have settled with the service. */
  clearAlert(chargeId: string): Promise<void>
  /** The quotes, observations and notifications of a charge, for support and disputes. */
  journal(chargeId: string): Promise<JournalEntry[]>
  /** Resolves when the work that outlasts its response has ended: polls and notifications. */
  settle(): Promise<void>
  /** Accepts no new work, ends event streams, and waits for handlers, mints and converts. */
  close(): Promise<void>
}

/** As the contexts of Workers and Vercel: it keeps a platform running that would stop after the response. */
export interface BackgroundContext {
  waitUntil(work: Promise<unknown>): void
}

/** What cores can share: data only. Workers must not wait for a promise or a timer of another request. */
export interface SharedMemory {
  readonly time: ServiceTime
  readonly seen: Map<string, SeenEntry>
}

/** @param shared of a core for one request, which runs no passes */
export function createCheckoutCore(options: CheckoutCoreOptions, shared?: SharedMemory): CheckoutCore {
  const {
    store,
    transport,
    timeout = 10_000,
    quoteTtl = 900_000,
    reconcileEvery = 300_000,
    reconcileRate = 5,
    handlerTimeout = 60_000,
    closeTimeout = 10_000,
    retention = 7_776_000_000,
    logger = silentLogger,
    clock = systemClock,
    random = Math.random,
    limits = noLimits,
    diagnostics = noDiagnostics,
    apiKey,
    baseUrl,
    basePath = '/crypto-checkout',
    allowedOrigins = new Set(),
    tokenSecret,
    convertMethod = 'GET',
    trustProxy = false,
    hostedPage,
    scripts,
  } = parseCoreOptions(options)
  if (hostedPage && !scripts) throw new ConfigurationError(NO_FILES)
  const test = !apiKey.startsWith('LIVE;')

  const service = createServiceClient(
    {apiKey, baseUrl, transport, convertMethod, timeout, clock, random, logger},
    diagnostics,
    shared?.time,
  )
  const closing = new AbortController()
  const journals = new JournalRepository(store, clock, {
    time: service.time,
    logger,
    retention,
    diagnostics,
    onAppend: (before, after) => publishChange(diagnostics, before, after, test),
    onStoreLost: chargeId => fulfilment.storeLost(chargeId),
    ...(shared && {seen: shared.seen}),
  })
  const poller = new ServicePoller(
    service,
    journals,
    logger,
    (chargeId, charge) => fulfilment.notifyInBackground(chargeId, charge),
    options.underpaymentTolerance,
  )
  const deps = {service, journals, poller, logger, diagnostics}
  const wakeUps = new WakeUpStreams(journals, diagnostics)
  const inFlight = new InFlight()
  const fulfilment = createFulfilment({
    ...deps,
    handlers: options,
    handlerTimeout,
    reconcileRate,
    retention,
    onArchive: options.onArchive,
    random,
    test,
    closing: closing.signal,
    inFlight,
  })
  const operations = createChargeOperations({...deps, quoteTtl, timeout}, test)
  const handler = createRoutes({
    ...operations,
    apiKey,
    test,
    // Read-only requests need not be waited for.
    open: chargeId => inFlight.run('requests', () => operations.open(chargeId)),
    quote: (chargeId, request) => inFlight.run('requests', () => operations.quote(chargeId, request)),
    webhook: body => inFlight.run('requests', () => fulfilment.webhook(body)),
    journals,
    allowedOrigins,
    tokenSecret,
    limits,
    trustedHops: Number(trustProxy),
    logger,
    wakeUps,
    diagnostics,
    scripts,
    hostedPage,
    closing: closing.signal,
  })
  const passes = shared ? undefined : fulfilment.runPasses(reconcileEvery)
  const settle = async () => {
    // A poll may find something to notify.
    await poller.settle()
    await inFlight.settle()
  }

  const createToken: CheckoutCore['createToken'] = (chargeId, {expiresIn = 86_400} = {}) => {
    if (tokenSecret === undefined) throw new ConfigurationError('client tokens need the option tokenSecret')
    return signToken(tokenSecret, requireChargeId(chargeId), Math.ceil(clock.now() / 1000) + expiresIn)
  }

  return {
    handler,
    basePath,
    fetch: toFetch(handler, {basePath, settle}),
    service,
    async verify(chargeId, context) {
      if (closing.signal.aborted) throw new CheckoutError('upstream_unavailable')
      const result = await fulfilment.verify(requireChargeId(chargeId))
      context?.waitUntil(settle())
      return result
    },
    clearAlert: async chargeId => fulfilment.clearAlert(requireChargeId(chargeId)),
    createToken,
    payUrl(chargeId, options) {
      if (!hostedPage) throw new ConfigurationError('payUrl needs the option hostedPage')
      const url = `${hostedPage.origin ?? ''}${basePath}/pay/${requireChargeId(chargeId)}`
      return tokenSecret === undefined ? url : `${url}#token=${createToken(chargeId, options)}`
    },
    reconcile: () => fulfilment.reconcile(),
    journal: async chargeId => journalEntries(requireChargeId(chargeId), journals),
    settle,
    async close() {
      closing.abort()
      wakeUps.close()
      const left = await inFlight.drain(clock, closeTimeout)
      if (Object.keys(left).length > 0) logger.warn('closed before all work had ended', left)
      else await passes
      journals.close()
    },
  }
}

const NO_FILES =
  "hostedPage needs the files of the script tag, which a bundle does not have: import {files} from 'crypto-checkout/files' and pass files"

function requireChargeId(chargeId: string): string {
  if (!isChargeId(chargeId)) throw new CheckoutError('invalid_id')
  return chargeId
}
