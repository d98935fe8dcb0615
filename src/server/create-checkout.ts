/**
 * The proxy holds the merchant's api-key, calls the payment service and serves the checkout API. This core also runs in a
 * browser, for stories and tests. The entry points add stores, pages, the network and limits.
 */
import {withTimeout} from '../contract/index.js'
import {requireChargeId} from '../contract/charge-id.js'
import {toFetch, type FetchHandler, type HttpHandler} from '../http/index.js'
import {signToken} from './api/client-token.js'
import {CheckoutApi} from './api/routes.js'
import type {Logger} from './base/logger.js'
import {clearRefundAddress} from './charge/refund-address.js'
import {exportLog, type ChargeLogLine} from './charges/log.js'
import type {CheckoutJson} from './checkout/checkout-json.js'
import {CheckoutError, ConfigurationError} from './errors.js'
import {clearAlert, verify, type VerificationResult} from './fulfilment/verify.js'
import {receiveWebhook} from './fulfilment/webhook.js'
import type {ReconcileResult} from './fulfilment/worker.js'
import {Semaphore} from './base/semaphore.js'
import type {LedgerPayment} from './ledger/ledger-payment.js'
import type {LedgerPeriod} from './ledger/ledger.js'
import {parseCoreOptions, type CheckoutCoreOptions} from './options.js'
import type {Order} from './charges/order-document.js'
import type {OrderInput} from './orders/order-input.js'
import type {OrderResult, PlacedOrder} from './orders/orders.js'
import {
  createParts,
  drain,
  requireRunning,
  unlessClosing,
  type ParsedOptions,
  type Parts,
  type SharedMemory,
} from './parts.js'
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
  /** The operations of the payment service, typed: `createCharge`, `getCharge` and so on. Amounts are decimal text. */
  readonly service: ServiceClient
  /**
   * Reads the service now: `{paid, checkout, charge}`. Rejects with `CheckoutError`, also when the service cannot be read:
   * "unknown" does not mean "not paid". Pending notifications are delivered in the background, and passed to `waitUntil`.
   */
  verify(chargeId: string, context?: BackgroundContext): Promise<VerificationResult>
  /**
   * Returns `{id, chargeId, chargeIds}`: the order's charge that can be paid or has money, or a new one. Call it as often as
   * you like, such as for every view of the page.
   *
   * @param orderId your own: 1 to 200 characters, no control characters, no white space at either end
   */
  createOrder(orderId: string, input: OrderInput): Promise<Order>
  /** `createOrder`, which also tells whether this call has created the charge: for an API, such as that of `serve`. */
  placeOrder(orderId: string, input: OrderInput): Promise<PlacedOrder>
  /**
   * Reads the service now: `{id, chargeId, chargeIds, paid, price, received, due, refunds, checkout}`, over all charges of
   * the order.
   */
  getOrder(orderId: string): Promise<OrderResult>
  /**
   * No charge of the order can be paid from then on: it was paid in another way, or withdrawn. Rejects with `already_paid`,
   * `payment_pending` or `order_not_found`.
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
  /** The customer may give another refund address, such as after a mistake. */
  clearRefundAddress(chargeId: string): Promise<void>
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

/** Webhooks use so many calls of the store at a time. */
const MAX_WEBHOOK_CALLS = 4
const DAY_SECONDS = 86_400
const YEAR_SECONDS = 365 * DAY_SECONDS

/** @param shared of a core for one request, which runs no worker */
export function createCheckoutCore(options: CheckoutCoreOptions, shared?: SharedMemory): CheckoutCore {
  const parsed = parseCoreOptions(options)
  const {clock, logger, basePath, tokenSecret, timeout} = parsed
  const parts = createParts(options, parsed, shared)
  const {context, reader, worker, orders, inFlight, closing} = parts
  const api = createApi(parsed, parts, shared)
  const handler: HttpHandler = request => api.handle(request)
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
      requireRunning(parts)
      const result = await verify(context, reader, requireChargeId(chargeId))
      background?.waitUntil(settle())
      return result
    },
    async createOrder(orderId, input) {
      const {id, chargeId, chargeIds} = await unlessClosing(parts, () => orders.create(orderId, input))
      return {id, chargeId, chargeIds}
    },
    placeOrder: (orderId, input) => unlessClosing(parts, () => orders.create(orderId, input)),
    getOrder: orderId => unlessClosing(parts, () => orders.get(orderId)),
    cancelOrder: orderId => unlessClosing(parts, () => orders.cancel(orderId)),
    clearAlert: async chargeId => clearAlert(context, requireChargeId(chargeId)),
    clearRefundAddress: async chargeId => clearRefundAddress(context, requireChargeId(chargeId)),
    createToken: (chargeId, {expiresIn = DAY_SECONDS} = {}) =>
      createToken(tokenSecret, requireChargeId(chargeId), context.time.now(), expiresIn),
    open: async chargeId => {
      requireChargeId(chargeId)
      return withTimeout(clock, timeout, () => open(parts, chargeId), refuseLate)
    },
    // Not counted as a request: it waits for all that runs.
    async reconcile() {
      requireRunning(parts)
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
      await drain(parts, parsed.closeTimeout, rounds)
    },
  }
}

function createApi(parsed: ParsedOptions, parts: Parts, shared?: SharedMemory): CheckoutApi {
  const {context, operations, inFlight, closing} = parts
  const webhooks = {...parts, turns: new Semaphore(MAX_WEBHOOK_CALLS)}
  return new CheckoutApi(context, {
    ...parsed,
    open: chargeId => open(parts, chargeId),
    // Need not be waited for: they change nothing.
    read: chargeId => operations.read(chargeId),
    readStored: chargeId => operations.readStored(chargeId),
    giveRefundAddress: (chargeId, request) =>
      inFlight.run('requests', () => operations.giveRefundAddress(chargeId, request)),
    quote: (chargeId, request) => inFlight.run('requests', () => operations.quote(chargeId, request)),
    webhook: body => inFlight.run('requests', () => receiveWebhook(webhooks, body)),
    tokenSecret: parsed.tokenSecret,
    trustedHops: Number(parsed.trustProxy),
    loggedAt: shared?.loggedAt ?? new Map<string, number>(),
    pages: parsed.pages ?? [],
    closing: closing.signal,
  })
}

function open(parts: Parts, chargeId: string): Promise<CheckoutJson> {
  return unlessClosing(parts, () => parts.operations.open(chargeId))
}

function refuseLate(): never {
  throw new CheckoutError('upstream_timeout')
}

function createToken(
  tokenSecret: string | undefined,
  chargeId: string,
  now: number,
  expiresIn: number,
): string {
  if (tokenSecret === undefined) throw new ConfigurationError('client tokens need the option tokenSecret')
  if (!Number.isInteger(expiresIn) || expiresIn < 1 || expiresIn > YEAR_SECONDS)
    throw new ConfigurationError(`expiresIn must be a whole number of seconds from 1 to ${YEAR_SECONDS}`)
  return signToken(tokenSecret, chargeId, Math.ceil(now / 1000) + expiresIn)
}
