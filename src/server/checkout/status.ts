/**
 * The rules of a charge's status. Pure functions of the service's response, the document before and the time. A status never
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
import {
  hasAlert,
  paymentsOf,
  type ChargeDocument,
  type OpenedDocument,
  type RecordedPayment,
} from '../charges/document.js'
import {expiryOf} from '../charges/due.js'
import {computeBalance, exactAmount, isWithinTolerance, shownAmount, type Tolerance} from './money.js'
import {listTransfers} from './transfers.js'

/** What a read found. */
export interface Observation {
  readonly cancelled: boolean
  /** Milliseconds; null when the service gives no valid date. */
  readonly expiresAt: number | null
  /** The payments of the crypto charge, and of the payment charge. */
  readonly lists: readonly (readonly ObservedPayment[])[]
  /** A payment that is not listed may exist nevertheless. */
  readonly isPartial: boolean
  /** The payment charge's `status.value`. */
  readonly chargeStatus: StatusValue
}

/** Milliseconds. */
export interface Times {
  readonly now: number
  /** What has passed at this time has expired, and so old is what was noted (`ServiceTime.expiry`). */
  readonly expiry: number
}

export type StatusFields = Pick<
  ChargeDocument,
  'status' | 'cancelled' | 'expiresAt' | 'paidSince' | 'payments'
>

/** An unconfirmed payment that is not listed for this time is dropped. */
const DROP_AFTER_MS = 10 * 60_000
/** A charge that the service calls paid for this time is paid, although it confirms no payment by a word known here. */
const UNCONFIRMED_PAID_AFTER_MS = 10 * 60_000
/** A smaller difference between two servers of the service is none. */
const SAME_EXPIRY_MS = 60_000
const confirmedWords = new Set('CONFIRMED COMPLETED COMPLETE SUCCESS SUCCESSFUL SETTLED PAID'.split(' '))
const failedWords = new Set('FAILED REJECTED DROPPED CANCELLED EXPIRED'.split(' '))

/** The fields after an observation. Payments that have not changed are the same objects. */
export function applyObservation(
  charge: OpenedDocument,
  observed: Observation,
  {now, expiry}: Times,
  tolerance: Tolerance = {},
): StatusFields {
  const {chargeStatus} = observed
  const withPayments = (areRepeatsPayments: boolean) => ({
    ...charge,
    // A response from before the cancellation may arrive late, and must not undo it.
    cancelled: charge.cancelled || observed.cancelled,
    expiresAt: nextExpiry(charge.expiresAt, observed.expiresAt, expiry),
    payments: nextPayments(charge.payments, observed, {now, expiry}, areRepeatsPayments),
  })
  let next = withPayments(false)
  if (isPaid(chargeStatus) && !isSettledBy(next, tolerance)) {
    const repeated = withPayments(true)
    if (isSettledBy(repeated, tolerance)) next = repeated
  }
  // Of two prices, the service has to say which one was paid.
  const isCovered =
    !isPaid(chargeStatus) && !hasAlert(charge, 'price_mismatch') && isSettledBy(next, tolerance)
  const paidSince = isPaid(chargeStatus) && isUnconfirmed(next) ? (charge.paidSince ?? now) : undefined
  const status = nextStatus({...next, paidSince}, isCovered ? 'paid' : chargeStatus, expiry)
  const isReopened = paymentsOf(next).some(({dropped}) => dropped)
  const isBackwards = status === 'open' && (charge.status === 'pending' || charge.status === 'underpaid')
  return {
    status: isBackwards && !isReopened ? charge.status : status,
    cancelled: next.cancelled,
    expiresAt: next.expiresAt,
    paidSince,
    payments: next.payments,
  }
}

/** A date that has passed stays, and so does one that a later response lacks. */
function nextExpiry(known: number | null, observed: number | null, now: number): number | null {
  if (known === null || observed === null) return observed ?? known
  return hasPassed(known, now) || Math.abs(observed - known) < SAME_EXPIRY_MS ? known : observed
}

/** Whether the confirmed payments settle the charge. */
function isSettledBy(charge: OpenedDocument, tolerance: Tolerance): boolean {
  const price = priceOf(charge)
  const confirmed = confirmedAmounts(charge)
  return !isZero(computeBalance(price, confirmed).paid) && isWithinTolerance(price, confirmed, tolerance)
}

/** Of the crypto charge, else of the payment charge. */
export function priceOf({minted, opened}: OpenedDocument): Money {
  return minted?.price ?? opened.price
}

/** The local amounts of the confirmed payments. Of an archived charge, their sum. */
export function confirmedAmounts(charge: Pick<ChargeDocument, 'payments' | 'archived'>): Money[] {
  const {archived} = charge
  if (archived) return [archived.paid].filter(paid => !isZero(paid))
  return paymentsOf(charge)
    .filter(({confirmed}) => confirmed)
    .map(({local}) => local)
}

/**
 * The recorded status, or `expired` when the time has passed since. Without money, an order decides first.
 *
 * @param expiry what has passed at this time has expired
 */
export function statusNow(charge: ChargeDocument, expiry: number): CheckoutStatus {
  const {status, isReplaced, withdrawn, archived} = charge
  if (archived) return archived.status === 'open' ? 'expired' : archived.status
  const hasNoMoney = status === 'open' || status === 'expired' || status === 'cancelled'
  if (hasNoMoney && withdrawn) return 'cancelled'
  if (hasNoMoney && isReplaced) return 'expired'
  return status === 'open' && hasPassed(expiryOf(charge), expiry) ? 'expired' : status
}

export function hasPassed(expiresAt: number | null, now: number): boolean {
  return expiresAt !== null && expiresAt <= now
}

/** Whether money has arrived, confirmed or not. */
export function hasMoney(charge: ChargeDocument, expiry: number): boolean {
  const status = statusNow(charge, expiry)
  return status === 'pending' || status === 'underpaid' || isPaid(status)
}

/** Whether money has arrived that holds the charge: it may still be paid, or is. One that ended short of its price is over. */
export function isHeld(charge: ChargeDocument, expiry: number): boolean {
  const hasEndedShort =
    statusNow(charge, expiry) === 'underpaid' && (charge.endedAt ?? charge.archived) !== undefined
  return hasMoney(charge, expiry) && !hasEndedShort
}

function nextStatus(charge: OpenedDocument, value: StatusValue, expiry: number): CheckoutStatus {
  if (isPaid(charge.status)) return value === 'overpaid' ? value : charge.status
  // Without a payment of our own crypto charge, the charge was paid elsewhere.
  if (isPaid(value) && (!isUnconfirmed(charge) || isPaidForLong(charge, expiry))) return value
  const payments = present(charge)
  return payments.length > 0
    ? statusOfPayments(payments, charge, value)
    : statusWithoutPayments(charge, value, expiry)
}

function present(charge: ChargeDocument): RecordedPayment[] {
  return paymentsOf(charge).filter(({dropped}) => !dropped)
}

/** There are payments, and none is confirmed. */
export function isUnconfirmed(charge: ChargeDocument): boolean {
  const payments = present(charge)
  return payments.length > 0 && !payments.some(({confirmed}) => confirmed)
}

/** The service has said for ten minutes that the charge is paid, and confirms no payment by a word known here. */
export function isPaidForLong({paidSince}: ChargeDocument, expiry: number): boolean {
  return paidSince !== undefined && expiry - paidSince >= UNCONFIRMED_PAID_AFTER_MS
}

function statusWithoutPayments(charge: ChargeDocument, value: StatusValue, expiry: number): CheckoutStatus {
  const {cancelled, expiresAt, status} = charge
  if (cancelled) return 'cancelled'
  // Nobody has opened it in time.
  if (hasPassed(expiryOf(charge), expiry) || (status === 'expired' && expiresAt === null)) return 'expired'
  return value === 'unpaid' ? 'open' : 'pending'
}

/** The charge is not paid. */
function statusOfPayments(
  payments: readonly RecordedPayment[],
  charge: OpenedDocument,
  value: StatusValue,
): CheckoutStatus {
  if (payments.some(({confirmed}) => !confirmed)) return 'pending'
  if (value === 'underpaid') return value
  // Test payments, worth less than the currency's smallest unit: the service will not change the status.
  return payments.every(({local}) => isZero(shownAmount(priceOf(charge), local))) ? 'underpaid' : 'pending'
}

function isZero({amount}: Money): boolean {
  return decimal(amount).units === 0n
}

/** The payments of before, with what is listed now, and since when the others are missing. */
function nextPayments(
  recorded: ChargeDocument['payments'],
  {lists, isPartial}: Observation,
  times: Times,
  areRepeatsPayments: boolean,
): ChargeDocument['payments'] {
  const next = {...recorded}
  const listed = listTransfers(recorded, lists, areRepeatsPayments)
  for (const [key, payment] of listed) {
    const before = recorded[key]
    // A confirmed payment does not change.
    if (before?.confirmed) continue
    if (!before || payment.confirmed || differs(before, payment))
      next[key] = {...payment, seenAt: before?.seenAt ?? times.now}
  }
  if (!isPartial)
    for (const [key, payment] of Object.entries(recorded))
      if (!listed.has(key)) next[key] = missing(payment, times)
  return next
}

/** An unconfirmed payment is missing since now, or for so long that it is dropped. */
function missing(payment: RecordedPayment, {now, expiry}: Times): RecordedPayment {
  const {confirmed, dropped, missingSince} = payment
  if (confirmed || dropped) return payment
  if (missingSince === undefined) return {...payment, missingSince: now}
  return expiry - missingSince >= DROP_AFTER_MS ? {...payment, dropped: true} : payment
}

/** The worth of an unconfirmed payment follows a price that always changes, so it is not compared. */
function differs(recorded: RecordedPayment, observed: ObservedPayment): boolean {
  return (
    recorded.missingSince !== undefined ||
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
  {missingSince: _, seenAt: _seenAt, ...payment}: RecordedPayment,
  price: Money,
): ObservedPayment {
  return {...payment, local: shownAmount(price, payment.local)}
}

/** `1.23e-7` becomes `0.000000123`. */
function plainText(amount: string): string {
  return toTrimmedText(decimal(amount))
}
