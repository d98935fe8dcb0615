/**
 * The notifications that the merchant has not received yet. They are derived from the journal alone, so a crash, a failed
 * handler or a missed webhook loses none (invariant 10). Pure.
 */
import {isPaid, type Charge, type Checkout, type CheckoutStatus} from '../../contract/index.js'
import type {HandlerName} from '../base/diagnostics.js'
import {toShownPayment} from '../checkout/status.js'
import {paymentKey, type ChargeState, type Notification} from '../journal/state.js'
import {omitUndefined} from '../base/omit-undefined.js'
import type {Order} from '../orders/order-journal.js'
import type {HandlerContext, Handlers} from './handlers.js'

/** Only an alert may come without the charge, when it cannot be read, and without the checkout, when it is archived. */
export interface CallContext {
  readonly id: string
  readonly signal: AbortSignal
  readonly checkout: Checkout | undefined
  readonly charge: Charge | undefined
  readonly order: Order | undefined
}

export interface PendingNotification {
  readonly subject: string
  readonly handler: HandlerName
  readonly call: (context: CallContext) => unknown
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
export function nextAttemptAt({
  until,
  failures,
  at,
}: Pick<Notification, 'until' | 'failures' | 'at'>): number {
  if (until > 0 || failures === 0) return until
  return at + Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS)
}

function paymentNotifications({payments}: ChargeState, {onPayment}: Handlers): PendingNotification[] {
  if (!onPayment) return []
  return [...payments.values()]
    .filter(({confirmed}) => confirmed)
    .map(payment => ({
      subject: `payment ${paymentKey(payment)}`,
      handler: 'onPayment',
      call: context => {
        const complete = requireComplete(context)
        return onPayment(toShownPayment(payment, complete.checkout.price), complete)
      },
    }))
}

const statusHandlers: Partial<
  Record<CheckoutStatus, 'onPaid' | 'onUnderpaid' | 'onExpired' | 'onCancelled'>
> = {paid: 'onPaid', underpaid: 'onUnderpaid', expired: 'onExpired', cancelled: 'onCancelled'}

function statusNotification(state: ChargeState, handlers: Handlers): PendingNotification[] {
  const {status} = state
  // `overpaid` follows `paid` and is not notified a second time.
  const subject = isPaid(status) ? 'paid' : status
  const handler = statusHandlers[subject]
  const call = handler && handlers[handler]
  if (!call || isLeftToOrder(state, subject)) return []
  const callComplete = (context: CallContext) => {
    const {checkout, ...rest} = requireComplete(context)
    return call(checkout, rest)
  }
  return [{subject, handler, call: callComplete}]
}

/** A charge of an order is not all of it. */
function isLeftToOrder(
  {opened, onPaid, isReplaced, withdrawn}: ChargeState,
  subject: CheckoutStatus,
): boolean {
  if (withdrawn) return true
  if (subject === 'paid') return opened?.order !== undefined && onPaid !== true
  return isReplaced && subject !== 'underpaid'
}

function requireComplete({
  id,
  checkout,
  charge,
  order,
  signal,
}: CallContext): HandlerContext & {checkout: Checkout} {
  if (!checkout || !charge) throw new TypeError('the charge was not read')
  return {id, checkout, charge, signal, ...omitUndefined({order})}
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
        call: ({id, signal, ...found}) => onAlert(alert, {id, signal, ...omitUndefined(found)}),
      }
    })
}
