/** The part of a crypto charge that is used here, and its difference from the journal. Pure. */
import {
  isPaid,
  parseServiceDate,
  type Charge,
  type CryptoCharge,
  type Money,
  type Payment,
} from '../../contract/index.js'
import {findPair, sameWalletAssets, toWalletAssets, type WalletAssets} from '../assets/catalogue.js'
import {sameAddress} from '../chains/index.js'
import {isWithinTolerance, localPrice, sameMoney, type Tolerance} from '../checkout/money.js'
import {priceOf} from '../checkout/to-checkout.js'
import type {NewEntry} from '../journal/entry.js'
import {
  countConfirmed,
  hasAlert,
  isBounded,
  paymentKey,
  type ChargeState,
  type OpenedState,
} from '../journal/state.js'
import {walletAssetsOf} from '../assets/wallet-assets.js'
import {
  applyObservation,
  confirmedAmounts,
  isPaidForLong,
  isUnconfirmed,
  toObservedPayment,
  type Observation,
} from '../checkout/status.js'

export interface Snapshot {
  readonly cryptoChargeId: string
  readonly cancelled: boolean
  /** Milliseconds; null when the service gives no valid date. */
  readonly expiresAt: number | null
  readonly localPrice: Money
  readonly payments: readonly Payment[]
  /** The number of payments that cannot be read. */
  readonly unreadable: number
  readonly assets: WalletAssets
}

/** @param cached assets that are returned instead of equal new ones, to save memory */
export function toSnapshot(cryptoCharge: CryptoCharge, cached?: WalletAssets): Snapshot {
  const assets = toWalletAssets(walletAssetsOf(cryptoCharge.wallet))
  return {
    cryptoChargeId: cryptoCharge._id,
    cancelled: cryptoCharge.is_cancelled === true,
    expiresAt: expiryOf(cryptoCharge),
    localPrice: cryptoCharge.wallet.local_price,
    payments: cryptoCharge.wallet.payments,
    unreadable: cryptoCharge.wallet.unreadablePayments,
    assets: cached && sameWalletAssets(assets, cached) ? cached : assets,
  }
}

/**
 * Returns the next entry to append, if anything has changed.
 *
 * @param snapshot undefined without a minted crypto charge
 * @param charge undefined when it was not read
 */
export function detectChange(
  state: OpenedState,
  snapshot: Snapshot | undefined,
  charge: Charge | undefined,
  now: number,
  tolerance: Tolerance = {},
): NewEntry | undefined {
  // The read was of another crypto charge than the minted one. Without any, it knows only that the charge is paid.
  const isOther = state.minted?.cryptoChargeId !== snapshot?.cryptoChargeId
  if (isOther && (snapshot || !isPaid(charge?.status.value))) return undefined
  const list = listPayments(state, snapshot, charge, now)
  const changes = [
    addressMismatch(state, snapshot?.assets),
    priceMismatch(state, snapshot, charge),
    unreadablePayments(state, list),
    observation(state, snapshot, charge, list, now, tolerance),
    amountMismatch(state, charge, list, tolerance),
    unconfirmedPaid(state, now),
    paidAfterCancel(state),
    readableAgain(state, snapshot, charge),
  ]
  return changes.find(entry => entry && isBounded(state, entry))
}

function readableAgain(
  {notFoundSince, unreadableSince, minted}: ChargeState,
  snapshot: Snapshot | undefined,
  charge: Charge | undefined,
): NewEntry | undefined {
  const isComplete = charge && (snapshot !== undefined || !minted)
  return isComplete && (notFoundSince ?? unreadableSince) !== undefined
    ? {kind: 'lookup', result: 'found'}
    : undefined
}

/** Whether the amount due contradicts a charge that the service reports as paid. */
export function isShort(state: OpenedState, tolerance: Tolerance): boolean {
  return !isWithinTolerance(priceOf(state), confirmedAmounts(state.payments), tolerance)
}

export function expiryOf({expires_at}: CryptoCharge): number | null {
  return parseServiceDate(expires_at ?? '')
}

interface PaymentList {
  readonly payments: readonly Payment[]
  readonly unreadable: number
  /** Whether this list contains every payment ever listed, provided that the service has lost none. */
  readonly isComplete: boolean
}

/** A charge that was paid elsewhere lists the payments in the payment charge only. */
function listPayments(
  {status, minted, payments: recordedPayments}: ChargeState,
  snapshot: Snapshot | undefined,
  charge: Charge | undefined,
  now: number,
): PaymentList {
  const payments: readonly Payment[] = charge?.payments ?? []
  const unreadablePayments = charge?.unreadablePayments ?? 0
  if (!snapshot)
    return {payments, unreadable: unreadablePayments, isComplete: charge !== undefined && !minted}
  if (isPaid(charge?.status.value))
    return {
      payments: [...snapshot.payments, ...payments],
      unreadable: Math.max(snapshot.unreadable, unreadablePayments),
      isComplete: true,
    }
  // Only the payment charge lists a payment that was on its way elsewhere before the crypto charge was made.
  const isRecorded = (payment: Payment) => recordedPayments.has(paymentKey(toObservedPayment(payment, now)))
  return {
    payments: [...payments.filter(isRecorded), ...snapshot.payments],
    unreadable: snapshot.unreadable,
    isComplete: !isPaid(status),
  }
}

/** Invariant 4: reports the first quoted pair whose address has changed. A missing pair does not count as a mismatch. */
function addressMismatch(state: OpenedState, assets: WalletAssets | undefined): NewEntry | undefined {
  if (!assets || hasAlert(state, 'address_mismatch')) return undefined
  const changed = state.quotes.find(({asset, network, address}) => {
    const pair = findPair(assets, asset, network)
    return pair !== undefined && !sameAddress(pair.network.address, address)
  })
  return changed && {kind: 'address_mismatch', asset: changed.asset, network: changed.network}
}

/** Not raised again once it was cleared. The first response about the crypto charge, which fixes the price, counts too. */
function priceMismatch(
  state: OpenedState,
  snapshot: Snapshot | undefined,
  charge: Charge | undefined,
): NewEntry | undefined {
  const price = charge ? localPrice(charge.billing.amount, charge.billing.currency) : state.opened.price
  if (!snapshot || state.alerts.has('price_mismatch')) return undefined
  if ([snapshot.localPrice, priceOf(state)].every(other => sameMoney(other, price))) return undefined
  return {kind: 'alert', alert: 'price_mismatch'}
}

function unreadablePayments(
  {alerts}: ChargeState,
  {unreadable, isComplete}: PaymentList,
): NewEntry | undefined {
  const recorded = alerts.get('payment_unreadable')?.items ?? 0
  const hasEnded = recorded > 0 && unreadable === 0 && isComplete
  return unreadable > recorded || hasEnded
    ? {kind: 'alert', alert: 'payment_unreadable', items: unreadable}
    : undefined
}

function observation(
  state: OpenedState,
  snapshot: Snapshot | undefined,
  charge: Charge | undefined,
  {payments, unreadable, isComplete}: PaymentList,
  now: number,
  tolerance: Tolerance,
): NewEntry | undefined {
  const observed: Observation = {
    cancelled: snapshot?.cancelled === true,
    expiresAt: snapshot?.expiresAt ?? null,
    payments: payments.map(payment => toObservedPayment(payment, now)),
    // The missing payment may be the unreadable one, or one that only the payment charge lists.
    isPartial: !isComplete || unreadable > 0 || !charge,
    chargeStatus: charge?.status.value,
  }
  const next = applyObservation(state, observed, now, tolerance)
  const isChange =
    next.status !== state.status ||
    next.cancelled !== state.cancelled ||
    next.expiresAt !== state.expiresAt ||
    next.paidSince !== state.paidSince ||
    next.payments.length > 0
  return isChange ? {kind: 'observed', ...next, payments: [...next.payments]} : undefined
}

/** The charge is paid by payments that the service confirms by no word known here. Reported once. */
function unconfirmedPaid(state: OpenedState, now: number): NewEntry | undefined {
  const isNews = isPaid(state.status) && isUnconfirmed(state) && isPaidForLong(state, now)
  return isNews && !state.alerts.has('unconfirmed_paid')
    ? {kind: 'alert', alert: 'unconfirmed_paid'}
    : undefined
}

/** Money has arrived since the order was cancelled. Reported once. */
function paidAfterCancel(state: OpenedState): NewEntry | undefined {
  const {withdrawn, status, alerts} = state
  const hasArrived = withdrawn && (isPaid(status) || countConfirmed(state) > withdrawn.confirmed)
  return hasArrived && !alerts.has('payment_after_cancel')
    ? {kind: 'alert', alert: 'payment_after_cancel'}
    : undefined
}

/** The service says that the charge is paid, but its payments do not show it. Reported once. */
function amountMismatch(
  state: OpenedState,
  charge: Charge | undefined,
  {unreadable, isComplete}: PaymentList,
  tolerance: Tolerance,
): NewEntry | undefined {
  if (!isPaid(charge?.status.value) || !isPaid(state.status)) return undefined
  const isUncertain =
    !isComplete ||
    unreadable > 0 ||
    [...state.payments.values()].some(({confirmed, dropped}) => !confirmed && !dropped)
  if (isUncertain || state.alerts.has('amount_mismatch') || !isShort(state, tolerance)) return undefined
  return {kind: 'alert', alert: 'amount_mismatch'}
}
