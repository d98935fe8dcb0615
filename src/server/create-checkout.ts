/**
 * The proxy holds the merchant's api-key, calls the payment service and serves the checkout API. This core also runs in a
 * browser, for stories and tests. The entry points add stores, pages, the network and limits.
 */
import {monotonic, withTimeout} from '../contract/index.js'
import {requireChargeId} from '../contract/charge-id.js'
import {toFetch, type FetchHandler, type HttpHandler} from '../http/index.js'
import {signToken} from './api/client-token.js'
import {createRoutes} from './api/routes.js'
import {InFlight} from './base/in-flight.js'
import type {Logger} from './base/logger.js'
import {ServiceTime} from './base/service-time.js'
import {newSeen, type Seen} from './charges/documents.js'
import {exportLog, type ChargeLogLine} from './charges/log.js'
import {logChange, publishChange} from './charges/publish-change.js'
import {ChargeOperations} from './charge/operations.js'
import {ReadBudget} from './charge/read-budget.js'
import {Reader} from './charge/reader.js'
import {createContext} from './create-context.js'
import {CheckoutError, ConfigurationError} from './errors.js'
import {reportLost} from './fulfilment/handlers.js'
import {Notifier} from './fulfilment/notifier.js'
import {clearAlert, verify, type VerificationResult} from './fulfilment/verify.js'
import {receiveWebhook} from './fulfilment/webhook.js'
import {Worker, type ReconcileResult} from './fulfilment/worker.js'
import {Semaphore} from './base/semaphore.js'
import type {LedgerPayment} from './ledger/ledger-payment.js'
import type {LedgerPeriod} from './ledger/ledger.js'
import {parseCoreOptions, type CheckoutCoreOptions} from './options.js'
import type {Order} from './charges/order-document.js'
import type {OrderInput} from './orders/order-input.js'
import {Orders, type OrderResult, type PlacedOrder} from './orders/orders.js'
import type {ServiceClient} from './service/client.js'

export interface CheckoutCore {
  readonly handler: HttpHandler
  readonly basePath: string
  /** The merchant's logger. It never throws. */
  readonly logger: Logger
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
  /**
   * The order's charge that can be paid, or has money; creates one if there is none. Call it as often as you like, such as
   * for every view of the page. Rejects with `CheckoutError`: `order_has_payment` when money has arrived for another price.
   *
   * @param orderId your own: 1 to 200 characters, no control characters, no white space at either end
   */
  createOrder(orderId: string, input: OrderInput): Promise<Order>
  /** `createOrder`, which also tells whether this call has created the charge: for an API, such as that of `serve`. */
  placeOrder(orderId: string, input: OrderInput): Promise<PlacedOrder>
  /** Reads the service now. Rejects with `CheckoutError`, also with `order_not_found`. */
  getOrder(orderId: string): Promise<OrderResult>
  /**
   * Ends the order, because it was paid by other means or withdrawn. Rejects with `CheckoutError`: `already_paid`,
   * `payment_pending`, `order_not_found`.
   */
  cancelOrder(orderId: string): Promise<void>
  /** A token that allows a page to use this charge. `expiresIn` in seconds, default one day. Needs `tokenSecret`. */
  createToken(chargeId: string, options?: {expiresIn?: number}): string
  /** Opens a charge for a page. Rejects with `CheckoutError`, `upstream_timeout` when it takes longer than `timeout`. */
  open(chargeId: string): Promise<{readonly text: string}>
  /** Does at once what the worker does in time: delivers notifications, also failed ones, and reads charges for more. */
  reconcile(): Promise<ReconcileResult>
  /** Makes a charge payable again after an alert that you have settled with the service. */
  clearAlert(chargeId: string): Promise<void>
  /** The log of a charge: what was shown, seen and notified, and when, for support and disputes. */
  journal(chargeId: string): Promise<ChargeLogLine[]>
  /** Every payment that was ever seen, the oldest first, by the time at which this proxy first saw it. */
  payments(period?: LedgerPeriod): AsyncIterable<LedgerPayment>
  /** Resolves when the work that outlasts its response has ended: polls and notifications. */
  settle(): Promise<void>
  /** Accepts no new work, and waits for handlers, mints and converts. */
  close(): Promise<void>
}

/** As the contexts of Workers and Vercel: it keeps a platform running that would stop after the response. */
export interface BackgroundContext {
  waitUntil(work: Promise<unknown>): void
}

/** What cores can share: data only. Workers must not wait for a promise or a timer of another request. */
export interface SharedMemory {
  readonly time: ServiceTime
  readonly seen: Seen
  readonly readBudget: ReadBudget
  /** What the log must not repeat, and when it was logged. */
  readonly loggedAt: Map<string, number>
}

/** Webhooks use so many calls of the store at a time. */
const MAX_WEBHOOK_CALLS = 4
const DEFAULT_RECONCILE_MS = 300_000
const YEAR_SECONDS = 365 * 86_400

/** @param shared of a core for one request, which runs no worker */
export function createCheckoutCore(options: CheckoutCoreOptions, shared?: SharedMemory): CheckoutCore {
  const parsed = parseCoreOptions(options)
  const {clock, logger, diagnostics, basePath, tokenSecret, timeout, quoteTtl, closeTimeout} = parsed
  const {reconcileEvery = DEFAULT_RECONCILE_MS, pages = []} = parsed
  const closing = new AbortController()
  const inFlight = new InFlight()
  const {apiKey, baseUrl, transport, convertMethod} = parsed
  const context = createContext({
    ...parsed,
    store: options.store,
    assets: parsed.assets,
    handlers: options,
    service: {apiKey, baseUrl, transport, convertMethod, timeout},
    time: shared?.time ?? new ServiceTime(clock, logger),
    seen: shared?.seen ?? newSeen(),
    tolerance: parsed.underpaymentTolerance,
    // Without a worker, `reconcile()` does what is due.
    reconcileEvery: reconcileEvery || DEFAULT_RECONCILE_MS,
    onChange(chargeId, before, after, rev) {
      reader.onChange(chargeId, after, rev)
      publishChange(diagnostics, context.test, before, after)
      logChange(logger, chargeId, before, after, rev)
      if (after.notices.some(({at}) => at <= context.time.now())) void notifier.start(chargeId)
    },
    onLost: lost =>
      void inFlight.run('handlers', () => reportLost(context, options, parsed.handlerTimeout, lost)),
  })
  const reader = new Reader(context)
  const budget = shared?.readBudget ?? new ReadBudget(clock, parsed.readRate)
  const operations = new ChargeOperations(context, reader, budget, {quoteTtl, timeout})
  const notifier = new Notifier(context, reader, {...parsed, handlers: options}, inFlight)
  const workerOptions = {
    ...parsed,
    onArchive: options.onArchive,
    isReading: reconcileEvery > 0,
    closing: closing.signal,
  }
  const worker = new Worker(context, reader, notifier, workerOptions, inFlight)
  const orders = new Orders(context, reader)
  const webhooks = {context, reader, notifier, turns: new Semaphore(MAX_WEBHOOK_CALLS)}

  async function unlessClosing<Result>(work: () => Promise<Result>): Promise<Result> {
    if (closing.signal.aborted) throw new CheckoutError('upstream_unavailable')
    return inFlight.run('requests', work)
  }
  const open = (chargeId: string) => unlessClosing(() => operations.open(chargeId))
  const handler = createRoutes(context, {
    ...parsed,
    open,
    // Need not be waited for: they change nothing.
    read: chargeId => operations.read(chargeId),
    readStored: chargeId => operations.readStored(chargeId),
    quote: (chargeId, request) => inFlight.run('requests', () => operations.quote(chargeId, request)),
    webhook: body => inFlight.run('requests', () => receiveWebhook(webhooks, body)),
    tokenSecret,
    trustedHops: Number(parsed.trustProxy),
    loggedAt: shared?.loggedAt ?? new Map<string, number>(),
    pages,
    closing: closing.signal,
  })
  const rounds = shared ? undefined : worker.run()
  const settle = async () => {
    // A read may find something to notify.
    await reader.settle()
    await inFlight.settle()
  }

  return {
    handler,
    basePath,
    logger,
    fetch: toFetch(handler, {basePath, settle}),
    service: context.service,
    async verify(chargeId, background) {
      if (closing.signal.aborted) throw new CheckoutError('upstream_unavailable')
      const result = await verify(context, reader, requireChargeId(chargeId))
      background?.waitUntil(settle())
      return result
    },
    async createOrder(orderId, input) {
      const {id, chargeId, chargeIds} = await unlessClosing(() => orders.create(orderId, input))
      return {id, chargeId, chargeIds}
    },
    placeOrder: (orderId, input) => unlessClosing(() => orders.create(orderId, input)),
    getOrder: orderId => unlessClosing(() => orders.get(orderId)),
    cancelOrder: orderId => unlessClosing(() => orders.cancel(orderId)),
    clearAlert: async chargeId => clearAlert(context, requireChargeId(chargeId)),
    createToken(chargeId, {expiresIn = 86_400} = {}) {
      if (tokenSecret === undefined) throw new ConfigurationError('client tokens need the option tokenSecret')
      if (!Number.isInteger(expiresIn) || expiresIn < 1 || expiresIn > YEAR_SECONDS)
        throw new ConfigurationError(`expiresIn must be a whole number of seconds from 1 to ${YEAR_SECONDS}`)
      const expires = Math.ceil(context.time.now() / 1000) + expiresIn
      return signToken(tokenSecret, requireChargeId(chargeId), expires)
    },
    open: async chargeId =>
      withTimeout(
        clock,
        timeout,
        () => open(requireChargeId(chargeId)),
        () => {
          throw new CheckoutError('upstream_timeout')
        },
      ),
    // Not counted as a request: it waits for all that runs.
    async reconcile() {
      if (closing.signal.aborted) throw new CheckoutError('upstream_unavailable')
      return worker.reconcile()
    },
    async journal(chargeId) {
      const {document} = await context.charges.load(requireChargeId(chargeId))
      return exportLog(document?.log ?? [])
    },
    payments: (period = {}) => context.ledger.list(period),
    settle,
    async close() {
      closing.abort()
      const startedAt = monotonic(clock)
      const left = await inFlight.drain(clock, closeTimeout)
      const hasEnded = async () => Object.keys(left).length === 0 && (await rounds, true)
      // A round may wait for a store that does not respond.
      const remainingMs = startedAt + closeTimeout - monotonic(clock)
      if (!(await withTimeout(clock, remainingMs, hasEnded, () => false)))
        logger.warn('closed before all work had ended', left)
    },
  }
}
