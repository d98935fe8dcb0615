/**
 * The notifications that the merchant has not received yet. They are derived from the journal alone, so a crash, a failed
 * handler or a missed webhook loses none (invariant 10). Pure.
 */
import {
  isPaid,
  type Charge,
  type Checkout,
  type CheckoutStatus,
  type ObservedPayment,
} from '../../contract/index.js'
import type {HandlerName} from '../diagnostics.js'
import type {AlertKind} from '../journal/entry.js'
import {paymentKey, type ChargeState, type Notification} from '../journal/state.js'

/**
 * `charge` is the payment charge as it was last read, with the merchant's own `metadata` and `ref_id`. On a retry, its
 * status may be older than the checkout's.
 */
export interface HandlerContext {
  readonly charge: Charge
  /** Aborted after `handlerTimeout`. */
  readonly signal: AbortSignal
}

export interface MerchantAlert {
  readonly kind: AlertKind | 'store_lost'
  readonly chargeId: string
  /** Of `payment_unreadable`: the number of payments that cannot be read. */
  readonly items?: number
}

/** A handler that throws, rejects or exceeds `handlerTimeout` is called again, so it must tolerate repetitions. */
export interface Handlers {
  /** The charge is paid or overpaid. */
  onPaid?: (checkout: Checkout, context: HandlerContext) => unknown
  onUnderpaid?: (checkout: Checkout, context: HandlerContext) => unknown
  onExpired?: (checkout: Checkout, context: HandlerContext) => unknown
  onCancelled?: (checkout: Checkout, context: HandlerContext) => unknown
  /** Called for each confirmed payment. */
  onPayment?: (payment: ObservedPayment, context: HandlerContext & {readonly checkout: Checkout}) => unknown
  /** `store_lost` comes without `checkout` and `charge`, because they cannot be read. */
  onAlert?: (
    alert: MerchantAlert,
    context: Pick<HandlerContext, 'signal'> & {readonly checkout?: Checkout; readonly charge?: Charge},
  ) => unknown
}

export interface PendingNotification {
  readonly subject: string
  readonly handler: HandlerName
  readonly call: (checkout: Checkout, context: HandlerContext) => unknown
}

export function pendingNotifications(
  chargeId: string,
  state: ChargeState,
  handlers: Handlers,
): PendingNotification[] {
  return [
    ...paymentNotifications(state, handlers),
    ...statusNotification(state, handlers),
    ...alertNotifications(chargeId, state, handlers),
  ].filter(({subject}) => !state.notifications.get(subject)?.done)
}

const FIRST_RETRY_MS = 30_000
const MAX_RETRY_MS = 15 * 60_000

/** The time of the next attempt, in milliseconds: after the end of a claim, or after a pause that doubles. */
export function nextAttemptAt({until, failures, at}: Notification): number {
  if (until > 0 || failures === 0) return until
  return at + Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS)
}

function paymentNotifications({payments}: ChargeState, {onPayment}: Handlers): PendingNotification[] {
  if (!onPayment) return []
  return [...payments.values()]
    .filter(({confirmed}) => confirmed)
    .map(({missingSince: _, ...payment}) => ({
      subject: `payment ${paymentKey(payment)}`,
      handler: 'onPayment',
      call: (checkout, context) => onPayment(payment, {...context, checkout}),
    }))
}

const statusHandlers: Partial<
  Record<CheckoutStatus, 'onPaid' | 'onUnderpaid' | 'onExpired' | 'onCancelled'>
> = {paid: 'onPaid', underpaid: 'onUnderpaid', expired: 'onExpired', cancelled: 'onCancelled'}

function statusNotification({status}: ChargeState, handlers: Handlers): PendingNotification[] {
  // `overpaid` follows `paid` and is not notified a second time.
  const subject = isPaid(status) ? 'paid' : status
  const handler = statusHandlers[subject]
  const call = handler && handlers[handler]
  return call ? [{subject, handler, call}] : []
}

function alertNotifications(
  chargeId: string,
  {alerts}: ChargeState,
  {onAlert}: Handlers,
): PendingNotification[] {
  if (!onAlert) return []
  return [...alerts]
    .filter(([, {cleared}]) => !cleared)
    .map(([kind, {rev, items}]) => {
      const alert = {kind, chargeId, ...(items > 0 ? {items} : {})}
      return {
        subject: `alert ${kind} ${rev}`,
        handler: 'onAlert',
        call: (checkout, context) => onAlert(alert, {...context, checkout}),
      }
    })
}
