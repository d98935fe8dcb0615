/** When a charge needs no more work. Pure. */
import {isPaid} from '../../contract/index.js'
import type {ChargeState} from './state.js'

const DAY_MS = 24 * 60 * 60 * 1000
/** An unpaid charge is read until then after its expiry, because late payments on a chain are normal. */
const LATE_PAYMENT_MS = 7 * DAY_MS

/** Paid, and no payment is left that may still be confirmed. */
export function isSettled({status, payments, isIncomplete}: ChargeState): boolean {
  return (
    !isIncomplete &&
    isPaid(status) &&
    [...payments.values()].every(({confirmed, dropped}) => confirmed || dropped)
  )
}

/** Some process has notified the merchant, and none has begun or failed to. Payments are notified before `paid`. */
export function isNotified({notifications}: ChargeState): boolean {
  return notifications.has('paid') && [...notifications.values()].every(({done}) => done)
}

/** No later payment is expected. Without an expiry, the time counts from the opening. */
export function isOver(state: ChargeState, now: number): boolean {
  // What a newer version recorded may be a payment.
  if (state.isIncomplete) return false
  const end = state.expiresAt ?? state.opened?.at
  return isUnknown(state, now) || (end !== undefined && end + LATE_PAYMENT_MS <= now)
}

/** Once the merchant was notified of `paid`, a charge is closed when its payments are confirmed. */
export function mayBeClosed(state: ChargeState, now: number): boolean {
  return isOver(state, now) || state.notifications.get('paid')?.done === true
}

/** The service has not known the charge for a day. */
export function isUnknown({notFoundSince}: ChargeState, now: number): boolean {
  return notFoundSince !== undefined && notFoundSince + DAY_MS <= now
}
