/** The merchant's handlers, and how they are called. */
import {withTimeout, type Charge, type Checkout, type ObservedPayment} from '../../contract/index.js'
import type {ServerContext} from '../context/context.js'
import type {HandlerName} from '../base/diagnostics.js'
import type {AlertKind} from '../base/alert-kinds.js'
import type {Order} from '../orders/order-journal.js'

/**
 * `charge` is the payment charge as it was last read, with the merchant's own `metadata` and `ref_id`. On a retry, its
 * status may be older than the checkout's.
 */
export interface HandlerContext {
  /** The same for each attempt at this notification, and for no other one: a key to notice repetitions by. */
  readonly id: string
  readonly charge: Charge
  /** Set for a charge of `createOrder`. */
  readonly order?: Order
  /** Aborted after `handlerTimeout`. */
  readonly signal: AbortSignal
}

export interface MerchantAlert {
  readonly kind: AlertKind | 'store_lost'
  readonly chargeId: string
  /** For `payment_unreadable`: how many payments cannot be read. */
  readonly items?: number
}

/** A handler that throws, rejects or exceeds `handlerTimeout` is called again, so it must tolerate repetitions. */
export interface Handlers {
  /** The charge is paid or overpaid. Called once for an order. */
  onPaid?: (checkout: Checkout, context: HandlerContext) => unknown
  onUnderpaid?: (checkout: Checkout, context: HandlerContext) => unknown
  onExpired?: (checkout: Checkout, context: HandlerContext) => unknown
  onCancelled?: (checkout: Checkout, context: HandlerContext) => unknown
  /** Called for each confirmed payment. */
  onPayment?: (payment: ObservedPayment, context: HandlerContext & {readonly checkout: Checkout}) => unknown
  /** `store_lost` and `payment_after_archive` come without `checkout` and `charge`, because they cannot be read. */
  onAlert?: (
    alert: MerchantAlert,
    context: Pick<HandlerContext, 'id' | 'signal' | 'order'> & {
      readonly checkout?: Checkout
      readonly charge?: Charge
    },
  ) => unknown
}

class HandlerTimeoutError extends Error {
  override readonly name = 'HandlerTimeoutError'

  constructor() {
    super('it did not return within handlerTimeout')
  }
}

/** Rejects when the handler throws, rejects or takes too long. Then its signal is aborted. */
export function callHandler(
  {clock, diagnostics}: ServerContext,
  handler: HandlerName,
  timeoutMs: number,
  call: (signal: AbortSignal) => unknown,
): Promise<void> {
  const callWithTimeout = () =>
    withTimeout(
      clock,
      timeoutMs,
      async signal => {
        await call(signal)
      },
      () => {
        throw new HandlerTimeoutError()
      },
    )
  return diagnostics.trace('notify', {handler}, callWithTimeout, error =>
    error instanceof HandlerTimeoutError ? 'handler_timeout' : 'handler_failed',
  )
}
