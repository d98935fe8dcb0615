/** What a charge is, as the fold of its journal. Pure: the same entries give the same state anywhere, any time. */
import type {CheckoutStatus, Money, PaymentSeen, Quote} from '../../contract/index.js'
import {toOffers, type Offers} from '../catalogue.js'
import type {Entry, Minted, Opened} from './entries.js'

/** A lock is an entry with an end. Its number tells whether it is still one's own. */
export interface Lock {
  readonly rev: number
  readonly until: number
}

/** The crypto charge, with the addresses as they were at minting. */
export interface MintedCharge {
  readonly cryptoChargeId: string
  readonly price: Money
  readonly offers: Offers
}

export interface ChargeState {
  /** The number of entries. */
  readonly rev: number
  readonly opened?: Opened
  readonly minting?: Lock & {readonly unknown: boolean}
  readonly minted?: MintedCharge
  readonly quoting?: Lock
  /** Every quote ever given, the current one last. */
  readonly quotes: readonly Quote[]
  readonly status: CheckoutStatus
  readonly cancelled: boolean
  readonly expiresAt: number | null
  /** All that were ever seen, by key, in the order of their first sight. */
  readonly payments: ReadonlyMap<string, PaymentSeen>
  readonly alarmed: boolean
  readonly told: ReadonlyMap<string, {readonly until: number; readonly done: boolean}>
  /** The charge that this id's crypto charge belongs to, when the id is a crypto charge's. */
  readonly belongsTo?: string
}

export const emptyState: ChargeState = {
  rev: 0,
  quotes: [],
  status: 'open',
  cancelled: false,
  expiresAt: null,
  payments: new Map(),
  alarmed: false,
  told: new Map(),
}

/** A payment is known by network, transaction and currency: one transaction may carry two tokens. */
export function paymentKey({network, transactionId, currency}: PaymentSeen): string {
  return `${network}:${transactionId}:${currency.toUpperCase()}`
}

function withMinted(state: ChargeState, rev: number, entry: Minted): ChargeState {
  if (state.minted) return {...state, rev}
  const {cryptoChargeId, price, offers, expiresAt} = entry
  return {...state, rev, minted: {cryptoChargeId, price, offers: toOffers(offers)}, expiresAt}
}

/** `entry` is undefined where a newer version wrote a kind that this one does not know: it counts, and says nothing. */
export function fold(state: ChargeState, entry: Entry | undefined): ChargeState {
  const rev = state.rev + 1
  switch (entry?.kind) {
    case undefined:
      return {...state, rev}
    case 'opened':
      // The first of each wins; the store's set-if-absent makes a second one rare, not impossible.
      return {...state, rev, opened: state.opened ?? entry}
    case 'minting':
      return {...state, rev, minting: {rev, until: entry.until, unknown: entry.unknown ?? false}}
    case 'minted':
      return withMinted(state, rev, entry)
    case 'quoting':
      return {...state, rev, quoting: {rev, until: entry.until}}
    case 'quoted':
      return {...state, rev, quotes: [...state.quotes, entry.quote], quoting: {rev, until: 0}}
    case 'observed':
      return {
        ...state,
        rev,
        status: entry.status,
        cancelled: entry.cancelled,
        expiresAt: entry.expiresAt,
        payments: new Map([
          ...state.payments,
          ...entry.payments.map(payment => [paymentKey(payment), payment] as const),
        ]),
      }
    case 'alarmed':
      return {...state, rev, alarmed: true}
    case 'told':
      return {
        ...state,
        rev,
        told: new Map([...state.told, [entry.about, {until: entry.until ?? 0, done: entry.done}]]),
      }
    case 'belongs':
      return {...state, rev, belongsTo: entry.chargeId}
  }
}
