/**
 * The proxy holds the merchant's api-key, calls the payment service and serves the checkout API. This core also runs in a
 * browser, for stories and tests. The entry points add stores, pages, the network and limits.
 */
import {withTimeout} from '../contract/index.js'
import {toFetch, type FetchHandler, type HttpHandler} from '../http/index.js'
import {signToken} from './api/client-token.js'
import {createRoutes} from './api/routes.js'
import {Offer} from './assets/offer.js'
import {requireChargeId} from '../contract/charge-id.js'
import {ChargeOperations} from './charge/operations.js'
import {ReadBudget} from './charge/read-budget.js'
import {SharedRead} from './charge/shared-read.js'
import {parseCoreOptions, type CheckoutCoreOptions} from './options.js'
import type {ServerContext} from './context/context.js'
import type {Logger} from './base/logger.js'
import {InFlight} from './base/in-flight.js'
import {publishChange} from './context/publish-change.js'
import {CheckoutError, ConfigurationError} from './errors.js'
import {Fulfilment, type ReconcileResult, type VerificationResult} from './fulfilment/fulfilment.js'
import {exportEntries, type JournalEntry} from './journal/export.js'
import type {Journal} from './journal/journal.js'
import {Journals} from './journal/journals.js'
import {listPayments, type LedgerPeriod} from './ledger/ledger.js'
import type {LedgerPayment} from './ledger/ledger-payment.js'
import type {LastEntries} from './journal/last-entries.js'
import type {OrderInput} from './orders/order-input.js'
import type {Order} from './orders/order-journal.js'
import {Orders, type OrderResult, type PlacedOrder} from './orders/orders.js'
import {createPollingClient, type ServiceClient} from './service/client.js'
import {ServiceTime} from './base/service-time.js'
import {reportStoreErrors} from './base/report-store-errors.js'

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
  /** Delivers pending notifications, and reads every open charge for more. */
  reconcile(): Promise<ReconcileResult>
  /** Makes a charge payable again after an alert that you have settled with the service. */
  clearAlert(chargeId: string): Promise<void>
  /** The quotes, observations and notifications of a charge, for support and disputes. */
  journal(chargeId: string): Promise<JournalEntry[]>
  /**
   * Every payment that was ever seen, the oldest first, by the time at which this proxy first saw it. After `retention`, a
   * charge has one row with its total.
   */
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
  readonly lastEntries: LastEntries
  readonly readBudget: ReadBudget
  /** What the log must not repeat, and when it was logged. */
  readonly loggedAt: Map<string, number>
}

/** @param shared of a core for one request, which runs no passes */
export function createCheckoutCore(options: CheckoutCoreOptions, shared?: SharedMemory): CheckoutCore {
  const {
    apiKey,
    baseUrl,
    transport,
    convertMethod,
    timeout,
    clock,
    random,
    logger,
    diagnostics,
    retention,
    reconcileEvery = 300_000,
    readRate,
    basePath,
    assets,
    tokenSecret,
    pages = [],
    ...settings
  } = parseCoreOptions(options)
  const closing = new AbortController()
  const time = shared?.time ?? new ServiceTime(clock, logger)
  const store = reportStoreErrors(options.store, diagnostics)
  const base = {store, clock, time, logger, diagnostics, random}
  const journals = new Journals(base, shared?.lastEntries)
  const service = createPollingClient(base, {apiKey, baseUrl, transport, convertMethod, timeout})
  const offer = new Offer(assets)
  const context: ServerContext = {...base, service, journals, offer, test: !apiKey.startsWith('LIVE;')}
  journals.listen({onAppend: (_journal, before, after) => publishChange(context, before, after)})

  const inFlight = new InFlight()
  const budget = shared?.readBudget ?? new ReadBudget(clock, readRate)
  const reads = new SharedRead(context, budget, settings.underpaymentTolerance)
  const operations = new ChargeOperations(context, reads, {quoteTtl: settings.quoteTtl, timeout})
  const fulfilmentOptions = {
    ...settings,
    handlers: options,
    onArchive: options.onArchive,
    retention,
    closing: closing.signal,
  }
  const fulfilment = new Fulfilment(context, reads, fulfilmentOptions, inFlight)
  const orders = new Orders(context, reads)

  function unlessClosing<Result>(work: () => Promise<Result>): Promise<Result> {
    if (closing.signal.aborted) return Promise.reject(new CheckoutError('upstream_unavailable'))
    return inFlight.run('requests', work)
  }

  /** A read of a page may find what is due, such as after a failure. */
  function delivering<Result>(journal: Journal, result: Promise<Result>): Promise<Result> {
    return result.finally(() => fulfilment.deliverDue(journal))
  }
  const open = (journal: Journal) => unlessClosing(() => delivering(journal, operations.open(journal)))
  const handler = createRoutes(context, {
    apiKey,
    // Read-only requests need not be waited for.
    open,
    quote: (journal, request) => inFlight.run('requests', () => operations.quote(journal, request)),
    read(journal) {
      const checkout = operations.read(journal)
      return checkout instanceof Promise ? delivering(journal, checkout) : checkout
    },
    webhook: body => inFlight.run('requests', () => fulfilment.receiveWebhook(body)),
    allowedOrigins: settings.allowedOrigins,
    tokenSecret,
    limits: settings.limits,
    trustedHops: Number(settings.trustProxy),
    loggedAt: shared?.loggedAt ?? new Map<string, number>(),
    pages,
    closing: closing.signal,
  })
  const passes = shared ? undefined : fulfilment.runPasses(reconcileEvery)
  const settle = async () => {
    // A read may find something to notify.
    await reads.settle()
    await inFlight.settle()
  }
  const journalOf = (chargeId: string) => journals.of(requireChargeId(chargeId))

  const createToken: CheckoutCore['createToken'] = (chargeId, {expiresIn = 86_400} = {}) => {
    if (tokenSecret === undefined) throw new ConfigurationError('client tokens need the option tokenSecret')
    if (!Number.isInteger(expiresIn) || expiresIn < 1 || expiresIn > YEAR_SECONDS)
      throw new ConfigurationError(`expiresIn must be a whole number of seconds from 1 to ${YEAR_SECONDS}`)
    return signToken(tokenSecret, requireChargeId(chargeId), Math.ceil(clock.now() / 1000) + expiresIn)
  }

  return {
    handler,
    basePath,
    logger,
    fetch: toFetch(handler, {basePath, settle}),
    service,
    async verify(chargeId, context) {
      if (closing.signal.aborted) throw new CheckoutError('upstream_unavailable')
      const result = await fulfilment.verify(journalOf(chargeId))
      context?.waitUntil(settle())
      return result
    },
    async createOrder(orderId, input) {
      const {id, chargeId, chargeIds} = await unlessClosing(() => orders.create(orderId, input))
      return {id, chargeId, chargeIds}
    },
    placeOrder: (orderId, input) => unlessClosing(() => orders.create(orderId, input)),
    getOrder: orderId => unlessClosing(() => orders.get(orderId)),
    cancelOrder: orderId => unlessClosing(() => orders.cancel(orderId)),
    clearAlert: async chargeId => fulfilment.clearAlert(journalOf(chargeId)),
    createToken,
    open: async chargeId =>
      withTimeout(
        clock,
        timeout,
        () => open(journalOf(chargeId)),
        () => {
          throw new CheckoutError('upstream_timeout')
        },
      ),
    reconcile: () => fulfilment.reconcile(),
    journal: async chargeId => exportEntries(journalOf(chargeId)),
    payments: (period = {}) => listPayments(journals, period),
    settle,
    async close() {
      closing.abort()
      const {closeTimeout} = settings
      const startedAt = clock.now()
      const left = await inFlight.drain(clock, closeTimeout)
      const hasEnded = async () => Object.keys(left).length === 0 && (await passes, true)
      // A pass may wait for `onArchive`, or for a store that does not respond.
      const remainingMs = startedAt + closeTimeout - clock.now()
      if (!(await withTimeout(clock, remainingMs, hasEnded, () => false)))
        logger.warn('closed before all work had ended', left)
    },
  }
}

const YEAR_SECONDS = 365 * 86_400
