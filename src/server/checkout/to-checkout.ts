/** Builds the public `Checkout` field by field (invariant 6). */
import {isPaid, type Checkout, type Money, type Quote} from '../../contract/index.js'
import type {Offer} from '../assets/offer.js'
import type {WalletAsset} from '../assets/schema.js'
import {omitUndefined} from '../base/omit-undefined.js'
import {
  hasAlert,
  isOpened,
  paymentsOf,
  type ChargeDocument,
  type OpenedDocument,
  type RecordedQuote,
} from '../charges/document.js'
import {expiryOf} from '../charges/due.js'
import {isNewer} from '../charges/documents.js'
import {computeBalance, sameMoney} from './money.js'
import {confirmedAmounts, hasPassed, priceOf, statusNow, toShownPayment} from './status.js'

export interface ViewContext {
  /** Milliseconds: the `serverTime`. */
  readonly now: number
  /** What has passed at this time has expired. */
  readonly expiry: number
  /** The service cannot be read now. */
  readonly stale: boolean
  /** Another charge of the order is pending or paid. */
  readonly isBlocked: boolean
  /** Whether the customer can say where money should be sent back, or has said so. */
  readonly refund: Checkout['refund']
  readonly offer: Offer
  /** The api-key is a test key. */
  readonly test: boolean
}

/** The amount paid and the amount due. What the service calls paid without listing payments owes nothing. */
export function balance(charge: OpenedDocument): {paid: Money; due: Money} {
  const price = priceOf(charge)
  const {paid, due} = computeBalance(price, confirmedAmounts(charge))
  const isPaidUnlisted = isPaid(charge.status) && paymentsOf(charge).length === 0
  return {paid, due: isPaidUnlisted ? computeBalance(price, [price]).due : due}
}

/**
 * Whether the customer may pay now.
 *
 * @param expiry what has passed at this time has expired
 */
export function isPayable(charge: ChargeDocument, expiry: number): boolean {
  const status = statusNow(charge, expiry)
  return (
    isOpened(charge) &&
    (status === 'open' || status === 'underpaid') &&
    !!charge.minted &&
    !charge.isReplaced &&
    !charge.withdrawn &&
    !charge.cancelled &&
    alertOf(charge) === undefined &&
    !hasPassed(expiryOf(charge), expiry)
  )
}

/** The alert that forbids to pay. */
export function alertOf(charge: ChargeDocument): Checkout['alert'] {
  return (['address_mismatch', 'price_mismatch', 'payment_unreadable'] as const).find(kind =>
    hasAlert(charge, kind),
  )
}

/** Whether the quote is for this amount due, or for a part of it. */
export function isQuoteOf(due: Money, quote: RecordedQuote): boolean {
  return sameMoney(quote.due ?? quote.covers, due)
}

/** The current quote, while the charge is payable and the quote is for the amount due or a part of it. */
export function payableQuote(charge: OpenedDocument, expiry: number): Quote | null {
  const last = charge.quotes.at(-1)
  if (!last || !isPayable(charge, expiry) || !isQuoteOf(balance(charge).due, last)) return null
  const {due: _, ...quote} = last
  return quote
}

/** @param assets of the last read; default: the assets at minting */
export function toCheckout(
  chargeId: string,
  charge: OpenedDocument,
  rev: number,
  context: ViewContext,
  assets: readonly WalletAsset[] = charge.minted?.assets ?? [],
): Checkout {
  return {
    ...toCheckoutWithoutAssets(chargeId, charge, rev, context),
    assets: [...context.offer.of(assets).assets],
    serverTime: new Date(context.now).toISOString(),
  }
}

/** The fields that change only with the document. */
export function toCheckoutWithoutAssets(
  chargeId: string,
  charge: OpenedDocument,
  rev: number,
  {expiry, stale, test, isBlocked, refund}: Omit<ViewContext, 'now' | 'offer'>,
): Omit<Checkout, 'assets' | 'serverTime'> {
  const {opened, order, expiresAt} = charge
  return {
    chargeId,
    status: statusNow(charge, expiry),
    payable: !isBlocked && isPayable(charge, expiry),
    stale: stale || isNewer(charge),
    ...omitUndefined({alert: alertOf(charge)}),
    test,
    price: priceOf(charge),
    ...balance(charge),
    acceptsPartial: opened.acceptsPartial,
    ...omitUndefined({
      reference: opened.reference,
      vat: opened.vat,
      country: opened.country,
      description: opened.description,
      redirectUrl: opened.redirectUrl,
    }),
    ...omitUndefined({orderPrice: order?.price, refund}),
    ...(charge.isReplaced && {replacedBy: true as const}),
    quote: isBlocked ? null : payableQuote(charge, expiry),
    payments: paymentsOf(charge).map(payment => toShownPayment(payment, priceOf(charge))),
    createdAt: opened.createdAt,
    expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    journal: charge.journal,
    rev,
  }
}
