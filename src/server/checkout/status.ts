/**
 * The rules of a charge's status. Pure functions of the service's response, the state before and the time. A status never
 * goes back (invariant 5): payments are the union of all ever observed, and `paid` may only become `overpaid`.
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

/** The result of one poll. */
export interface Observation {
  readonly cancelled: boolean
  /** Milliseconds; null when the service gives no valid date. */
  readonly expiresAt: number | null
  readonly payments: readonly ObservedPayment[]
  /** The payment charge's `status.value`; undefined when it was not read. */
  readonly chargeStatus: StatusValue | undefined
}

export interface StatusUpdate {
  readonly status: CheckoutStatus
  readonly cancelled: boolean
  readonly expiresAt: number | null
  /** New and changed payments only. */
  readonly payments: readonly ObservedPayment[]
}

/** The status after an observation. */
export function applyObservation(state: ChargeState, observed: Observation, now: number): StatusUpdate {
  const payments = changedPayments(state.payments, observed.payments)
  const all = new Map([
    ...state.payments,
    ...payments.map(payment => [paymentKey(payment), payment] as const),
  ])
  // A response from before the cancellation or the expiry may arrive late, and must not undo it.
  const cancelled = state.cancelled || observed.cancelled
  const expiresAt = hasPassed(state.expiresAt, now) ? state.expiresAt : observed.expiresAt
  const next = {...state, cancelled, expiresAt, payments: all}
  const value = observed.chargeStatus ?? (payments.length > 0 ? 'unpaid' : undefined)
  return {status: nextStatus(next, value, now), cancelled, expiresAt, payments}
}

/** The recorded status, or `expired` when the time has passed since. */
export function statusNow(state: ChargeState, now: number): CheckoutStatus {
  return state.status === 'open' && hasPassed(state.expiresAt, now) ? 'expired' : state.status
}

export function hasPassed(expiresAt: number | null, now: number): boolean {
  return expiresAt !== null && expiresAt <= now
}

function nextStatus(state: ChargeState, value: StatusValue | undefined, now: number): CheckoutStatus {
  const before = state.status
  // Without a minted crypto charge no payments are expected: the charge was paid elsewhere.
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
      // Test payments, worth less than the currency's smallest unit: the service will not change the status.
      return !hasUnconfirmed && all.every(({local}) => isZero(local)) ? 'underpaid' : 'pending'
    case undefined:
      // The payment charge was not read, so its last status still holds.
      return status === 'underpaid' && !hasUnconfirmed ? status : 'pending'
  }
}

function isZero({amount}: Money): boolean {
  return decimal(amount).units === 0n
}

function changedPayments(
  recorded: ReadonlyMap<string, ObservedPayment>,
  observed: readonly ObservedPayment[],
): ObservedPayment[] {
  const latest = new Map<string, ObservedPayment>()
  for (const payment of observed) {
    const key = paymentKey(payment)
    if (!latest.get(key)?.confirmed) latest.set(key, payment)
  }
  return [...latest].flatMap(([key, payment]) => {
    const before = recorded.get(key)
    // A confirmed payment does not change.
    if (before?.confirmed) return []
    return !before || payment.confirmed || differs(before, payment) ? [payment] : []
  })
}

function differs(a: ObservedPayment, b: ObservedPayment): boolean {
  return a.status !== b.status || a.amount !== b.amount || a.local.amount !== b.local.amount
}

/** The public fields of a payment. `at` is the time of the poll when the service gives no valid date. */
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
