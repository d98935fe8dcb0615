/** Builds the public `Checkout` field by field (invariant 6). */
import type {Checkout, Money, Quote} from '../../contract/index.js'
import type {WalletAssets} from '../assets/catalogue.js'
import {wholeOffer, type Offer} from '../assets/offer.js'
import {omitUndefined} from '../base/omit-undefined.js'
import {hasAlert, type ChargeState, type OpenedState, type RecordedQuote} from '../journal/state.js'
import {computeBalance, sameMoney} from './money.js'
import {confirmedAmounts, hasPassed, statusNow, toShownPayment} from './status.js'

export interface ReadContext {
  readonly now: number
  /** While the service's time is not known, it may be this late, and a charge that may have expired is not payable. */
  readonly latest?: number
  /** The service cannot be read now. */
  readonly stale: boolean
  /** Another charge of the order is pending or paid. */
  readonly isBlocked?: boolean
  /** Default: all assets. */
  readonly offer?: Offer
  /** The api-key is a test key. */
  readonly test: boolean
}

export function priceOf(state: OpenedState): Money {
  return state.minted?.price ?? state.opened.price
}

/** The amount paid and the amount due. */
export function balance(state: OpenedState): {paid: Money; due: Money} {
  return computeBalance(priceOf(state), confirmedAmounts(state.payments))
}

/** Whether the customer may pay now. */
export function isPayable(state: ChargeState, now: number): boolean {
  const status = statusNow(state, now)
  const isOpen = status === 'open' || status === 'underpaid'
  return (
    isOpen &&
    !!state.minted &&
    !state.isReplaced &&
    !state.withdrawn &&
    alertOf(state) === undefined &&
    !state.cancelled &&
    !hasPassed(state.expiresAt, now)
  )
}

/** The alert that forbids to pay. */
export function alertOf(state: ChargeState): Checkout['alert'] {
  return (['address_mismatch', 'price_mismatch', 'payment_unreadable'] as const).find(kind =>
    hasAlert(state, kind),
  )
}

/** Whether the quote is for this amount due, or for a part of it. */
export function isQuoteOf(due: Money, quote: RecordedQuote): boolean {
  return sameMoney(quote.due ?? quote.covers, due)
}

/** The current quote, while the charge is payable and the quote is for the amount due or a part of it. */
export function payableQuote(state: OpenedState, now: number): Quote | null {
  const last = state.quotes.at(-1)
  if (!last || !isPayable(state, now) || !isQuoteOf(balance(state).due, last)) return null
  const {due: _, ...quote} = last
  return quote
}

/** @param assets of the last poll; default: the assets at minting */
export function toCheckout(
  chargeId: string,
  state: OpenedState,
  context: ReadContext,
  assets: WalletAssets | undefined = state.minted?.assets,
): Checkout {
  return {
    ...toCheckoutWithoutAssets(chargeId, state, context),
    assets: [...(context.offer ?? wholeOffer).of(assets?.catalogue).assets],
    serverTime: new Date(context.now).toISOString(),
  }
}

/** The fields that change only with the charge's state. */
export function toCheckoutWithoutAssets(
  chargeId: string,
  state: OpenedState,
  {now, latest = now, stale, test, isBlocked = false}: ReadContext,
): Omit<Checkout, 'assets' | 'serverTime'> {
  const {opened} = state
  return {
    chargeId,
    status: statusNow(state, now),
    payable: !isBlocked && isPayable(state, latest),
    stale,
    ...omitUndefined({alert: alertOf(state)}),
    test,
    price: priceOf(state),
    ...balance(state),
    acceptsPartial: opened.acceptsPartial,
    ...omitUndefined({
      reference: opened.reference,
      vat: opened.vat,
      country: opened.country,
      description: opened.description,
      redirectUrl: opened.redirectUrl,
    }),
    ...(state.isReplaced && {replacedBy: true}),
    quote: isBlocked ? null : payableQuote(state, latest),
    payments: [...state.payments.values()].map(payment => toShownPayment(payment, priceOf(state))),
    createdAt: opened.createdAt,
    expiresAt: state.expiresAt === null ? null : new Date(state.expiresAt).toISOString(),
    journal: opened.journal,
    rev: state.rev,
  }
}
