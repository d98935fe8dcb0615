/** The state of a charge: its journal's entries, reduced. Pure: equal entries give an equal state. */
import type {CheckoutStatus, Money, ObservedPayment, Quote} from '../../contract/index.js'
import {toWalletAssets, type WalletAssets} from '../assets/catalogue.js'
import type {Entry, Minted, Opened} from './entry.js'

/** A lock is an entry with an end. Its owner recognises it by `rev`. */
export interface Lock {
  readonly rev: number
  readonly until: number
}

/** The crypto charge, with the addresses at minting. */
export interface MintedCharge {
  readonly cryptoChargeId: string
  readonly price: Money
  readonly assets: WalletAssets
}

export interface ChargeState {
  /** The number of entries. */
  readonly rev: number
  readonly opened?: Opened
  readonly minting?: Lock & {readonly unknown: boolean}
  readonly minted?: MintedCharge
  readonly quoting?: Lock
  /** All quotes; the current one is the last. */
  readonly quotes: readonly Quote[]
  readonly status: CheckoutStatus
  readonly cancelled: boolean
  readonly expiresAt: number | null
  /** All payments ever observed, by key, in the order in which they were first observed. */
  readonly payments: ReadonlyMap<string, ObservedPayment>
  readonly hasAddressMismatch: boolean
  readonly notifications: ReadonlyMap<string, {readonly until: number; readonly done: boolean}>
  /** Set for the id of a crypto charge: the id of its charge. */
  readonly aliasOf?: string
}

export const emptyState: ChargeState = {
  rev: 0,
  quotes: [],
  status: 'open',
  cancelled: false,
  expiresAt: null,
  payments: new Map(),
  hasAddressMismatch: false,
  notifications: new Map(),
}

/** The currency is part of the key, because one transaction may transfer two tokens. */
export function paymentKey({network, transactionId, currency}: ObservedPayment): string {
  return `${network}:${transactionId}:${currency.toUpperCase()}`
}

function withMinted(state: ChargeState, rev: number, entry: Minted): ChargeState {
  if (state.minted) return {...state, rev}
  const {cryptoChargeId, price, assets, expiresAt} = entry
  return {...state, rev, minted: {cryptoChargeId, price, assets: toWalletAssets(assets)}, expiresAt}
}

/** `entry` is undefined for a kind of a newer version. It is counted and has no other effect. */
export function applyEntry(state: ChargeState, entry: Entry | undefined): ChargeState {
  const rev = state.rev + 1
  switch (entry?.kind) {
    case undefined:
      return {...state, rev}
    case 'opened':
      // The first entry wins. A second one is rare, but possible.
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
    case 'address_mismatch':
      return {...state, rev, hasAddressMismatch: true}
    case 'notified':
      return {
        ...state,
        rev,
        notifications: new Map([
          ...state.notifications,
          [entry.subject, {until: entry.until ?? 0, done: entry.done}],
        ]),
      }
    case 'alias':
      return {...state, rev, aliasOf: entry.chargeId}
  }
}
