/**
 * The rules of a charge's status. Pure functions of the service's response, the state before and the time. A status never
 * goes back (invariant 5): payments are the union of all ever observed, and `paid` may only become `overpaid`. Only a
 * dropped payment reopens a charge, because it never arrived.
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
import {omitUndefined} from '../base/omit-undefined.js'
import {paymentKey, type ChargeState} from '../journal/state.js'
import type {RecordedPayment} from '../journal/entry.js'
import {computeBalance, isWithinTolerance, roundToPrice, sameCurrency, type Tolerance} from './money.js'

/** The result of one poll. */
export interface Observation {
  readonly cancelled: boolean
  /** Milliseconds; null when the service gives no valid date. */
  readonly expiresAt: number | null
  readonly payments: readonly ObservedPayment[]
  /** A payment that is not listed may exist nevertheless. */
  readonly isPartial?: boolean
  /** The payment charge's `status.value`; undefined when it was not read. */
  readonly chargeStatus: StatusValue | undefined
}

export interface StatusUpdate {
  readonly status: CheckoutStatus
  readonly cancelled: boolean
  readonly expiresAt: number | null
  /** New and changed payments only. */
  readonly payments: readonly RecordedPayment[]
}

/** An unconfirmed payment that is not listed for this time is dropped. */
const DROP_AFTER_MS = 10 * 60_000
const FAILED = new Set(['FAILED', 'DROPPED', 'REJECTED', 'CANCELLED', 'CANCELED', 'REPLACED', 'EXPIRED'])

/** The status after an observation. */
export function applyObservation(
  state: ChargeState,
  observed: Observation,
  now: number,
  tolerance: Tolerance = {},
): StatusUpdate {
  const listed = changedPayments(state.payments, observed.payments)
  const missing = observed.isPartial ? [] : missingPayments(state.payments, observed.payments, now)
  const payments = [...listed, ...missing]
  const all = new Map([
    ...state.payments,
    ...payments.map(payment => [paymentKey(payment), payment] as const),
  ])
  // A response from before the cancellation or the expiry may arrive late, and must not undo it.
  const cancelled = state.cancelled || observed.cancelled
  const expiresAt = hasPassed(state.expiresAt, now)
    ? state.expiresAt
    : (observed.expiresAt ?? state.expiresAt)
  const next = {...state, cancelled, expiresAt, payments: all}
  const {chargeStatus} = observed
  const value = chargeStatus ?? (listed.length > 0 ? 'unpaid' : undefined)
  const isCovered = chargeStatus !== undefined && !isPaid(chargeStatus) && isSettledBy(next, tolerance)
  const status = nextStatus(next, isCovered ? 'paid' : value, now)
  const isReopened =
    payments.some(({dropped}) => dropped) ||
    (chargeStatus === 'unpaid' && [...all.values()].some(({dropped}) => dropped))
  const isBackwards = status === 'open' && (state.status === 'pending' || state.status === 'underpaid')
  return {status: isBackwards && !isReopened ? state.status : status, cancelled, expiresAt, payments}
}

/** Whether the confirmed payments settle the charge. */
function isSettledBy({opened, minted, payments}: ChargeState, tolerance: Tolerance): boolean {
  const price = minted?.price ?? opened?.price
  if (!price) return false
  const {paid, due} = computeBalance(price, confirmedAmounts(payments))
  return !isZero(paid) && isWithinTolerance(due, price, tolerance)
}

/** The local amounts of the confirmed payments. */
export function confirmedAmounts(payments: ChargeState['payments']): Money[] {
  return [...payments.values()].filter(({confirmed}) => confirmed).map(({local}) => local)
}

/** The recorded status, or `expired` when the time has passed since. */
export function statusNow(state: ChargeState, now: number): CheckoutStatus {
  return state.status === 'open' && hasPassed(state.expiresAt, now) ? 'expired' : state.status
}

export function hasPassed(expiresAt: number | null, now: number): boolean {
  return expiresAt !== null && expiresAt <= now
}

function nextStatus(state: ChargeState, value: StatusValue | undefined, now: number): CheckoutStatus {
  if (isPaid(state.status)) return value === 'overpaid' ? value : state.status
  const payments = [...state.payments.values()].filter(({dropped}) => !dropped)
  const isUnconfirmed = payments.length > 0 && !payments.some(({confirmed}) => confirmed)
  // Without a payment of our own crypto charge, the charge was paid elsewhere.
  if (isPaid(value) && !isUnconfirmed) return value
  return payments.length > 0
    ? statusOfPayments(payments, state.status, value)
    : statusWithoutPayments(state, value, now)
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

/** At least one payment is confirmed, and the charge is not paid. */
function statusOfPayments(
  payments: readonly RecordedPayment[],
  before: CheckoutStatus,
  value: StatusValue | undefined,
): CheckoutStatus {
  if (payments.some(({confirmed}) => !confirmed)) return 'pending'
  if (value === 'underpaid') return value
  // The payment charge was not read, so its last status still holds.
  if (value === undefined) return before === 'underpaid' ? before : 'pending'
  // Test payments, worth less than the currency's smallest unit: the service will not change the status.
  return payments.every(({local}) => isZero(local)) ? 'underpaid' : 'pending'
}

function isZero({amount}: Money): boolean {
  return decimal(amount).units === 0n
}

/** Unconfirmed payments that are missing since now, or for so long that they are dropped. */
function missingPayments(
  recorded: ReadonlyMap<string, RecordedPayment>,
  observed: readonly ObservedPayment[],
  now: number,
): RecordedPayment[] {
  const listed = new Set(observed.map(paymentKey))
  return [...recorded].flatMap(([key, payment]): RecordedPayment[] => {
    if (payment.confirmed || payment.dropped || listed.has(key)) return []
    const {missingSince} = payment
    if (missingSince === undefined) return [{...payment, missingSince: now}]
    return now - missingSince >= DROP_AFTER_MS ? [{...payment, dropped: true}] : []
  })
}

function changedPayments(
  recorded: ReadonlyMap<string, RecordedPayment>,
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

function differs(recorded: RecordedPayment, observed: ObservedPayment): boolean {
  return (
    recorded.missingSince !== undefined ||
    recorded.dropped !== observed.dropped ||
    recorded.status !== observed.status ||
    recorded.amount !== observed.amount ||
    recorded.local.amount !== observed.local.amount
  )
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
    ...(FAILED.has(payment.status.toUpperCase()) ? {dropped: true} : {}),
  }
}

/** `1.23e-7` becomes `0.000000123`. */
function plainText(amount: string): string {
  return toTrimmedText(decimal(amount))
}
