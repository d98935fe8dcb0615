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
import {computeBalance, exactAmount, isWithinTolerance, shownAmount, type Tolerance} from './money.js'

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
  /** Since when the service says that the charge is paid, while it confirms no payment. Milliseconds. */
  readonly paidSince?: number | undefined
  /** New and changed payments only. */
  readonly payments: readonly RecordedPayment[]
}

/** An unconfirmed payment that is not listed for this time is dropped. */
const DROP_AFTER_MS = 10 * 60_000
/** A charge that the service calls paid for this time is paid, although it confirms no payment by a word known here. */
const UNCONFIRMED_PAID_AFTER_MS = 10 * 60_000
const confirmedWords = new Set('CONFIRMED COMPLETED COMPLETE SUCCESS SUCCESSFUL SETTLED PAID'.split(' '))
const failedWords = new Set('FAILED REJECTED DROPPED CANCELLED EXPIRED'.split(' '))

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
  const paidSince = isPaid(value) && isUnconfirmed(next) ? (state.paidSince ?? now) : undefined
  const status = nextStatus({...next, paidSince}, isCovered ? 'paid' : value, now)
  const isReopened =
    payments.some(({dropped}) => dropped) ||
    (chargeStatus === 'unpaid' && [...all.values()].some(({dropped}) => dropped))
  const isBackwards = status === 'open' && (state.status === 'pending' || state.status === 'underpaid')
  // A wrong date had ended it. Only the payment charge shows whether it was paid elsewhere before.
  const isUnproved = status === 'open' && state.status === 'expired' && chargeStatus === undefined
  return {
    status: isUnproved || (isBackwards && !isReopened) ? state.status : status,
    cancelled,
    expiresAt,
    // Without a read of the payment charge, nothing new is known.
    ...omitUndefined({paidSince: chargeStatus ? paidSince : state.paidSince}),
    payments,
  }
}

/** Whether the confirmed payments settle the charge. */
function isSettledBy(state: ChargeState, tolerance: Tolerance): boolean {
  const price = chargePrice(state)
  if (!price) return false
  const confirmed = confirmedAmounts(state.payments)
  return !isZero(computeBalance(price, confirmed).paid) && isWithinTolerance(price, confirmed, tolerance)
}

/** Undefined before the charge was opened. */
function chargePrice({opened, minted}: ChargeState): Money | undefined {
  return minted?.price ?? opened?.price
}

/** The local amounts of the confirmed payments. */
export function confirmedAmounts(payments: ChargeState['payments']): Money[] {
  return [...payments.values()].filter(({confirmed}) => confirmed).map(({local}) => local)
}

/** The recorded status, or `expired` when the time has passed since. Without money, an order decides first. */
export function statusNow(
  {status, expiresAt, isReplaced, withdrawn, archived}: ChargeState,
  now: number,
): CheckoutStatus {
  if (archived) return archived.status === 'open' ? 'expired' : archived.status
  const hasNoMoney = status === 'open' || status === 'expired' || status === 'cancelled'
  if (hasNoMoney && withdrawn) return 'cancelled'
  if (hasNoMoney && isReplaced) return 'expired'
  return status === 'open' && hasPassed(expiresAt, now) ? 'expired' : status
}

export function hasPassed(expiresAt: number | null, now: number): boolean {
  return expiresAt !== null && expiresAt <= now
}

function nextStatus(state: ChargeState, value: StatusValue | undefined, now: number): CheckoutStatus {
  if (isPaid(state.status)) return value === 'overpaid' ? value : state.status
  // Without a payment of our own crypto charge, the charge was paid elsewhere.
  if (isPaid(value) && (!isUnconfirmed(state) || isPaidForLong(state, now))) return value
  const payments = present(state)
  return payments.length > 0
    ? statusOfPayments(payments, state, value)
    : statusWithoutPayments(state, value, now)
}

function present({payments}: ChargeState): RecordedPayment[] {
  return [...payments.values()].filter(({dropped}) => !dropped)
}

/** There are payments, and none is confirmed. */
export function isUnconfirmed(state: ChargeState): boolean {
  const payments = present(state)
  return payments.length > 0 && !payments.some(({confirmed}) => confirmed)
}

/** The service has said for ten minutes that the charge is paid, and confirms no payment by a word known here. */
export function isPaidForLong({paidSince}: ChargeState, now: number): boolean {
  return paidSince !== undefined && now - paidSince >= UNCONFIRMED_PAID_AFTER_MS
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
  state: ChargeState,
  value: StatusValue | undefined,
): CheckoutStatus {
  if (payments.some(({confirmed}) => !confirmed)) return 'pending'
  if (value === 'underpaid') return value
  // The payment charge was not read, so its last status still holds.
  if (value === undefined) return state.status === 'underpaid' ? state.status : 'pending'
  // Test payments, worth less than the currency's smallest unit: the service will not change the status.
  const price = chargePrice(state)
  return price && payments.every(({local}) => isZero(shownAmount(price, local))) ? 'underpaid' : 'pending'
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

/** The worth of an unconfirmed payment follows a price that always changes, so it is not compared. */
function differs(recorded: RecordedPayment, observed: ObservedPayment): boolean {
  return (
    recorded.missingSince !== undefined ||
    recorded.dropped !== observed.dropped ||
    recorded.status !== observed.status ||
    recorded.amount !== observed.amount
  )
}

/** What is recorded of a payment. `at` is the time of the poll when the service gives no valid date. */
export function toObservedPayment(payment: Payment, now: number): ObservedPayment {
  const {local, crypto} = payment.value
  const word = payment.status.trim().toUpperCase()
  const url = transactionUrl(payment.network, payment.transaction_id)
  return {
    transactionId: payment.transaction_id,
    network: payment.network,
    status: payment.status,
    confirmed: confirmedWords.has(word),
    amount: plainText(crypto.amount),
    currency: crypto.currency,
    local: {amount: exactAmount(local.amount), currency: local.currency},
    at: new Date(parseServiceDate(payment.timestamp ?? '') ?? now).toISOString(),
    ...omitUndefined({url}),
    ...(failedWords.has(word) ? {dropped: true} : {}),
  }
}

/** The public fields of a payment. */
export function toShownPayment(
  {missingSince: _, ...payment}: RecordedPayment,
  price: Money,
): ObservedPayment {
  return {...payment, local: shownAmount(price, payment.local)}
}

/** `1.23e-7` becomes `0.000000123`. */
function plainText(amount: string): string {
  return toTrimmedText(decimal(amount))
}
