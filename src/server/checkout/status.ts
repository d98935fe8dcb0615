/**
 * How a status comes about. Pure: what the service said, what was known before, and the time go in. Nothing goes
 * backwards (invariant 5): payments are the union of all ever seen, and `paid` may only become `overpaid`.
 */
import {
  decimal,
  isPaid,
  parseServiceDate,
  toTrimmedText,
  type CheckoutStatus,
  type Money,
  type Payment,
  type ObservedPayment,
  type StatusValue,
} from '../../contract/index.js'
import {transactionUrl} from '../chains/index.js'
import {omitUndefined} from '../omit-undefined.js'
import {paymentKey, type ChargeState} from '../journal/state.js'
import {roundToPrice, sameCurrency} from './money.js'

/** What one look at the service showed. */
export interface Observation {
  readonly cancelled: boolean
  /** Milliseconds; null when it could not be read. */
  readonly expiresAt: number | null
  readonly payments: readonly ObservedPayment[]
  /** The payment charge's `status.value`; undefined when that was not read this time. */
  readonly chargeStatus: StatusValue | undefined
}

export interface StatusUpdate {
  readonly status: CheckoutStatus
  readonly cancelled: boolean
  readonly expiresAt: number | null
  /** New and changed payments only. */
  readonly payments: readonly ObservedPayment[]
}

/** Where the charge stands after an observation. */
export function applyObservation(state: ChargeState, seen: Observation, now: number): StatusUpdate {
  const payments = changedPayments(state.payments, seen.payments)
  const all = new Map([
    ...state.payments,
    ...payments.map(payment => [paymentKey(payment), payment] as const),
  ])
  // Final is final: an answer from before the cancelling, or from before the end, changes nothing.
  const cancelled = state.cancelled || seen.cancelled
  const expiresAt = hasPassed(state.expiresAt, now) ? state.expiresAt : seen.expiresAt
  const known = {...state, cancelled, expiresAt, payments: all}
  const value = seen.chargeStatus ?? (payments.length > 0 ? 'unpaid' : undefined)
  return {status: nextStatus(known, value, now), cancelled, expiresAt, payments}
}

/** The status that holds at this moment: what was recorded, or `expired` when the time has passed since. */
export function statusNow(state: ChargeState, now: number): CheckoutStatus {
  return state.status === 'open' && hasPassed(state.expiresAt, now) ? 'expired' : state.status
}

export function hasPassed(expiresAt: number | null, now: number): boolean {
  return expiresAt !== null && expiresAt <= now
}

function nextStatus(state: ChargeState, value: StatusValue | undefined, now: number): CheckoutStatus {
  const before = state.status
  // Without a crypto charge of ours there are no payments to look for: the charge was settled elsewhere.
  const isSettled = isPaid(value) && (hasPayments(state) || !state.minted)
  if (isPaid(before)) return isSettled && value === 'overpaid' ? value : before
  if (isSettled && !state.minted) return value
  const next = hasPayments(state) ? statusOfPayments(state, value) : statusWithoutPayments(state, value, now)
  const isBackwards = next === 'open' && (before === 'pending' || before === 'underpaid')
  return isBackwards ? before : next
}

function hasPayments({payments}: ChargeState): boolean {
  return payments.size > 0
}

function statusWithoutPayments(
  {cancelled, expiresAt}: ChargeState,
  value: StatusValue | undefined,
  now: number,
): CheckoutStatus {
  if (cancelled) return 'cancelled'
  if (hasPassed(expiresAt, now)) return 'expired'
  return value === undefined || value === 'unpaid' ? 'open' : 'pending'
}

function statusOfPayments({payments, status}: ChargeState, value: StatusValue | undefined): CheckoutStatus {
  const all = [...payments.values()]
  const hasUnconfirmed = all.some(({confirmed}) => !confirmed)
  const hasConfirmed = all.some(({confirmed}) => confirmed)
  if (!hasConfirmed) return 'pending'
  switch (value) {
    case 'paid':
    case 'overpaid':
      return value
    case 'underpaid':
      return hasUnconfirmed ? 'pending' : 'underpaid'
    case 'unpaid':
      // A coin sent to try the way, worth less than the smallest step: nothing more will come of it.
      return !hasUnconfirmed && all.every(({local}) => isZero(local)) ? 'underpaid' : 'pending'
    case undefined:
      // The payment charge could not be asked: what was known of it still holds.
      return status === 'underpaid' && !hasUnconfirmed ? status : 'pending'
  }
}

function isZero({amount}: Money): boolean {
  return decimal(amount).units === 0n
}

function changedPayments(
  known: ReadonlyMap<string, ObservedPayment>,
  seen: readonly ObservedPayment[],
): ObservedPayment[] {
  const latest = new Map<string, ObservedPayment>()
  for (const payment of seen) {
    const key = paymentKey(payment)
    if (!latest.get(key)?.confirmed) latest.set(key, payment)
  }
  return [...latest].flatMap(([key, payment]) => {
    const before = known.get(key)
    // Once confirmed stays confirmed, as it was then.
    if (before?.confirmed) return []
    return !before || payment.confirmed || differs(before, payment) ? [payment] : []
  })
}

function differs(a: ObservedPayment, b: ObservedPayment): boolean {
  return a.status !== b.status || a.amount !== b.amount || a.local.amount !== b.local.amount
}

/** A payment as the customer sees it. `at` is the moment of looking where the service's own cannot be read. */
export function toObservedPayment(payment: Payment, price: Money, now: number): ObservedPayment {
  const {local, crypto} = payment.value
  const url = transactionUrl(payment.network, payment.transaction_id)
  return {
    transactionId: payment.transaction_id,
    network: payment.network,
    status: payment.status,
    confirmed: payment.status.toUpperCase() === 'CONFIRMED',
    amount: plainText(crypto.amount),
    currency: crypto.currency,
    local: {
      amount: sameCurrency(local.currency, price.currency)
        ? roundToPrice(price, local.amount)
        : plainText(local.amount),
      currency: local.currency,
    },
    at: new Date(parseServiceDate(payment.timestamp ?? '') ?? now).toISOString(),
    ...omitUndefined({url}),
  }
}

/** `1.23e-7` becomes `0.000000123`. */
function plainText(amount: string): string {
  return toTrimmedText(decimal(amount))
}
