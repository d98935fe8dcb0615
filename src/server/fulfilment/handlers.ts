/** The merchant's handlers, and how they are called. */
import {
  monotonic,
  withTimeout,
  type Charge,
  type Checkout,
  type ObservedPayment,
} from '../../contract/index.js'
import type {AlertKind} from '../base/alert-kinds.js'
import type {HandlerName} from '../base/handler-names.js'
import {refundRequested, type RefundRequested} from '../charge/refund-address.js'
import {errorName} from '../../contract/errors.js'
import {alertKindOf, paymentKeyOf} from '../charges/notices.js'
import type {ChargeDocument, Notice} from '../charges/document.js'
import {priceOf, toShownPayment} from '../checkout/status.js'
import {isOpened} from '../charges/document.js'
import {omitUndefined} from '../base/omit-undefined.js'
import type {ServerContext} from '../context.js'
import type {Order} from '../charges/order-document.js'

/**
 * `charge` is the payment charge as it was last read, with the merchant's own `metadata` and `ref_id`. On a retry, its
 * status may be older than the checkout's.
 */
export interface HandlerContext {
  /** The same for each attempt at this notification, and for no other one: a key to notice repetitions by. */
  readonly id: string
  readonly charge: Charge
  readonly checkout: Checkout
  /** Set for a charge of `createOrder`. */
  readonly order?: Order
  /** Aborted after `handlerTimeout`. */
  readonly signal: AbortSignal
}

export interface MerchantAlert {
  readonly kind: AlertKind | 'store_lost'
  /** Absent when the store has lost an order. */
  readonly chargeId?: string
  /** For `store_lost` of an order. */
  readonly orderId?: string
  /** For `payment_unreadable`: how many payments cannot be read. */
  readonly items?: number
}

/** A handler that throws, rejects or exceeds `handlerTimeout` is called again, so it must tolerate repetitions. */
export interface Handlers {
  /** `(checkout, context)`, when a charge is paid or overpaid: once for an order. */
  onPaid?: (checkout: Checkout, context: HandlerContext) => unknown
  /** `(checkout, context)`, for every confirmed part that leaves an amount due. */
  onUnderpaid?: (checkout: Checkout, context: HandlerContext) => unknown
  /** `(checkout, context)`, when a charge expires without a payment. */
  onExpired?: (checkout: Checkout, context: HandlerContext) => unknown
  /** `(checkout, context)`, when the service has cancelled a charge. */
  onCancelled?: (checkout: Checkout, context: HandlerContext) => unknown
  /** `(payment, context)`, for each confirmed payment. */
  onPayment?: (payment: ObservedPayment, context: HandlerContext) => unknown
  /** `(refund, context)`, when a customer has said where money should be sent back. Needs `tokenSecret`. */
  onRefundAddress?: (refund: RefundRequested, context: HandlerContext) => unknown
  /**
   * `(alert, context)`, when somebody has to act. `store_lost` and `payment_after_archive` come without `checkout` and
   * `charge`.
   */
  onAlert?: (
    alert: MerchantAlert,
    context: Pick<HandlerContext, 'id' | 'signal' | 'order'> &
      Partial<Pick<HandlerContext, 'checkout' | 'charge'>>,
  ) => unknown
}

/** What a notice is told with. Only an alert may come without the charge and the checkout. */
export interface Told {
  readonly charge: Charge | undefined
  readonly checkout: Checkout | undefined
  readonly order: Order | undefined
}

class HandlerTimeoutError extends Error {
  override readonly name = 'HandlerTimeoutError'

  constructor() {
    super('it did not return within handlerTimeout')
  }
}

/** Rejects when the handler throws, rejects or takes too long. Then its signal is aborted. */
export async function callHandler(
  {clock, diagnostics}: Pick<ServerContext, 'clock' | 'diagnostics'>,
  handler: HandlerName,
  timeoutMs: number,
  call: (signal: AbortSignal) => unknown,
): Promise<void> {
  const startedAt = monotonic(clock)
  const publish = (outcome: 'ok' | 'handler_failed' | 'handler_timeout') =>
    diagnostics.publish({type: 'handler', handler, outcome, durationMs: monotonic(clock) - startedAt})
  try {
    await withTimeout(
      clock,
      timeoutMs,
      async signal => {
        await call(signal)
      },
      () => {
        throw new HandlerTimeoutError()
      },
    )
    publish('ok')
  } catch (error) {
    publish(error instanceof HandlerTimeoutError ? 'handler_timeout' : 'handler_failed')
    throw error
  }
}

/** Calls the handler that the notice is for. */
export function tell(
  handlers: Handlers,
  chargeId: string,
  document: ChargeDocument,
  notice: Notice,
  {charge, checkout, order}: Told,
  signal: AbortSignal,
): unknown {
  const id = `${chargeId} ${notice.subject}`
  const context = {id, signal, ...omitUndefined({order})}
  if (notice.handler === 'onAlert') {
    const kind = alertKindOf(notice)
    if (!kind) return undefined
    const alert = {kind, chargeId, ...omitUndefined({items: document.alerts[kind]?.items})}
    return handlers.onAlert?.(alert, {...context, ...omitUndefined({charge, checkout})})
  }
  if (!charge || !checkout) throw new TypeError('the charge was not read')
  const complete = {...context, charge, checkout}
  if (notice.handler === 'onRefundAddress') {
    const refund = refundRequested(chargeId, document)
    return refund && handlers.onRefundAddress?.(refund, complete)
  }
  if (!isOpened(document)) throw new TypeError('the charge was archived')
  if (notice.handler !== 'onPayment') return handlers[notice.handler]?.(checkout, complete)
  const payment = document.payments[paymentKeyOf(notice)]
  return payment && handlers.onPayment?.(toShownPayment(payment, priceOf(document)), complete)
}

/** The store cannot record this notification. */
export async function reportLost(
  context: Pick<ServerContext, 'clock' | 'diagnostics' | 'logger' | 'time'>,
  {onAlert}: Handlers,
  timeoutMs: number,
  lost: Pick<MerchantAlert, 'chargeId' | 'orderId'>,
): Promise<void> {
  context.diagnostics.publish({type: 'alert', kind: 'store_lost'})
  if (!onAlert) return
  // It may be lost again after it was mended, which is news.
  const id = `${lost.chargeId ?? lost.orderId} store_lost ${context.time.now()}`
  try {
    await callHandler(context, 'onAlert', timeoutMs, signal =>
      onAlert({kind: 'store_lost', ...lost}, {id, signal}),
    )
  } catch (error) {
    context.logger.error('a handler failed', {chargeId: lost.chargeId, error: errorName(error)})
  }
}
