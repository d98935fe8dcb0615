/** The `Checkout`, composed field by field (invariant 6): what is not named here does not leave. */
import type {Checkout, Money, Quote} from '../contract/index.js'
import {toAssetOption, type Offers} from './catalogue.js'
import {given} from './given.js'
import type {Opened} from './journal/entries.js'
import type {ChargeState} from './journal/state.js'
import {sameMoney, settle} from './local-money.js'
import {hasPassed, statusNow} from './status.js'

export type OpenedState = ChargeState & {readonly opened: Opened}

export function isOpened(state: ChargeState): state is OpenedState {
  return state.opened !== undefined
}

export interface Circumstances {
  readonly now: number
  /** The service could not be read just now. */
  readonly stale: boolean
  /** The key is not a live one. */
  readonly test: boolean
}

export function priceOf(state: OpenedState): Money {
  return state.minted?.price ?? state.opened.price
}

/** What has been paid, and what is still due. */
export function balance(state: OpenedState): {paid: Money; due: Money} {
  const confirmed = [...state.payments.values()].filter(payment => payment.confirmed)
  return settle(
    priceOf(state),
    confirmed.map(({local}) => local),
  )
}

/** May money be sent now? */
export function isPayable(state: ChargeState, now: number): boolean {
  const status = statusNow(state, now)
  const isOpen = status === 'open' || status === 'underpaid'
  return isOpen && !!state.minted && !state.alarmed && !state.cancelled && !hasPassed(state.expiresAt, now)
}

/** The current quote, while it pays what is due and may be paid. */
export function payableQuote(state: OpenedState, now: number): Quote | null {
  const quote = state.quotes.at(-1)
  return quote && isPayable(state, now) && sameMoney(quote.covers, balance(state).due) ? quote : null
}

/** @param offers as last read; by default as they were at minting */
export function compose(
  chargeId: string,
  state: OpenedState,
  circumstances: Circumstances,
  offers: Offers | undefined = state.minted?.offers,
): Checkout {
  return {
    ...composeWithoutAssets(chargeId, state, circumstances),
    assets: (offers?.catalogue.assets ?? []).map(toAssetOption),
    serverTime: new Date(circumstances.now).toISOString(),
  }
}

/** What is a charge's own, and does not change by the minute. */
export function composeWithoutAssets(
  chargeId: string,
  state: OpenedState,
  {now, stale, test}: Circumstances,
): Omit<Checkout, 'assets' | 'serverTime'> {
  const {opened} = state
  return {
    chargeId,
    status: statusNow(state, now),
    payable: isPayable(state, now),
    stale,
    ...(state.alarmed ? {alert: 'address_mismatch' as const} : {}),
    test,
    price: priceOf(state),
    ...balance(state),
    acceptsPartial: opened.acceptsPartial,
    ...given({description: opened.description, redirectUrl: opened.redirectUrl}),
    quote: payableQuote(state, now),
    payments: [...state.payments.values()],
    createdAt: opened.createdAt,
    expiresAt: state.expiresAt === null ? null : new Date(state.expiresAt).toISOString(),
    journal: opened.journal,
    rev: state.rev,
  }
}
