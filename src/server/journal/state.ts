/** The state of a charge: its journal's entries, reduced. Pure: equal entries give an equal state. */
import {CheckoutError} from '../errors.js'
import {
  isPaid,
  type CheckoutStatus,
  type Money,
  type ObservedPayment,
  type Quote,
} from '../../contract/index.js'
import {toWalletAssets, type WalletAssets} from '../assets/catalogue.js'
import type {AlertKind} from '../base/alert-kinds.js'
import type {Archived, Entry, NewEntry, Opened, RecordedPayment} from './entry.js'

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

/** `due`: what was due when a part of it was quoted. Absent for a quote of all that was due. */
export type RecordedQuote = Quote & {readonly due?: Money | undefined}

export interface Alert {
  /** The number of the entry that raised it. */
  readonly rev: number
  readonly cleared: boolean
  /** For `payment_unreadable`: how many payments cannot be read. */
  readonly items: number
}

export interface Notification {
  /** When the claim ends, or 0. */
  readonly until: number
  readonly done: boolean
  /** How often the handler has failed. */
  readonly failures: number
  /** The times of the first and of the last entry. */
  readonly since: number
  readonly at: number
}

export interface OrderCharge {
  readonly chargeId: string
  readonly price: Money
  readonly acceptsPartial: boolean
  /** When it was created. */
  readonly at: number
}

/** What the journal of an order holds. */
export interface OrderState {
  /** The current one is the last. */
  readonly charges: readonly OrderCharge[]
  /** The charges that were paid, in the order in which this was found. */
  readonly paid: readonly {readonly chargeId: string; readonly hasPrice: boolean}[]
  /** Cancelled since the last charge was created. */
  readonly isWithdrawn: boolean
}

export interface ChargeState {
  /** The number of entries. */
  readonly rev: number
  /** The number of the last entry about what the service said: a payment, a status, an alert. */
  readonly observedRev: number
  readonly opened?: Opened
  /** `refusals`: how often the service has refused a create. `isPaused`: the last one was refused. */
  readonly minting?:
    (Lock & {readonly unknown: boolean; readonly isPaused: boolean; readonly refusals: number}) | undefined
  readonly minted?: MintedCharge
  readonly quoting?: Lock
  /** The number of converts that did not fail and of `quote_selected` entries. */
  readonly quotingCount: number
  /** All quotes; the current one is the last. */
  readonly quotes: readonly RecordedQuote[]
  readonly status: CheckoutStatus
  readonly cancelled: boolean
  readonly expiresAt: number | null
  /** Since when the service says that the charge is paid, while it confirms no payment. */
  readonly paidSince?: number | undefined
  /** All payments ever observed, by key, in the order in which they were first observed. */
  readonly payments: ReadonlyMap<string, RecordedPayment>
  /** All alerts ever raised, except those that ended because the service corrected its data. */
  readonly alerts: ReadonlyMap<AlertKind, Alert>
  /** Since when the service does not know the charge. */
  readonly notFoundSince?: number | undefined
  /** Since when the service's responses about the charge cannot be read. */
  readonly unreadableSince?: number | undefined
  /** The number of entries that may repeat without end when the service contradicts itself. */
  readonly repeats: number
  /** Has entries of a newer version that cannot be applied. Then nothing is appended. */
  readonly isIncomplete: boolean
  readonly notifications: ReadonlyMap<string, Notification>
  /** Set for the id of a crypto charge: the id of its charge. */
  readonly aliasOf?: string
  /** The tombstone of a charge. Then nothing is left of `opened` and what followed it. */
  readonly archived?: Archived
  /** Its order has a newer charge. */
  readonly isReplaced: boolean
  /** Its order was cancelled, when so many payments were confirmed. */
  readonly withdrawn?: {readonly confirmed: number}
  /** Whether `onPaid` is called for this charge of an order; undefined before it is decided. */
  readonly onPaid?: boolean
  /** Set in the journal of an order. */
  readonly order?: OrderState
}

export const emptyState: ChargeState = {
  rev: 0,
  observedRev: 0,
  quotingCount: 0,
  quotes: [],
  status: 'open',
  cancelled: false,
  expiresAt: null,
  payments: new Map(),
  alerts: new Map(),
  repeats: 0,
  isIncomplete: false,
  notifications: new Map(),
  isReplaced: false,
}

export type OpenedState = ChargeState & {readonly opened: Opened}

export function isOpened(state: ChargeState): state is OpenedState {
  return state.opened !== undefined
}

export function requireOpened(state: ChargeState): OpenedState {
  if (!isOpened(state)) throw new CheckoutError('not_open')
  return state
}

/** The currency is part of the key, because one transaction may transfer two tokens. */
export function paymentKey({network, transactionId, currency}: ObservedPayment): string {
  return `${network}:${transactionId}:${currency.toUpperCase()}`
}

export function hasAlert({alerts}: ChargeState, kind: AlertKind): boolean {
  return alerts.get(kind)?.cleared === false
}

/** A copy that entries change in place, so that a long journal is reduced in linear time. */
type Draft = {-readonly [Key in keyof ChargeState]: ChargeState[Key]} & {
  quotes: RecordedQuote[]
  payments: Map<string, RecordedPayment>
  alerts: Map<AlertKind, Alert>
  notifications: Map<string, Notification>
}

/** After so many repetitions, only entries are appended that cannot be taken back. */
const MAX_REPEATS = 100

/** Whether the entry may be appended. Replicas of the service that disagree must not fill a journal. */
export function isBounded(state: ChargeState, entry: NewEntry): boolean {
  return state.repeats < MAX_REPEATS || !isRepeatable(state, entry)
}

/** Whether a later entry may take this one back, and then it may follow again. */
function isRepeatable(state: ChargeState, entry: NewEntry): boolean {
  if (entry.kind === 'alert') return entry.items === 0
  if (entry.kind === 'lookup') return entry.result !== 'found'
  if (entry.kind !== 'observed') return false
  const isPaidNow = isPaid(entry.status) && entry.status !== state.status
  const isCancelledNow = entry.cancelled && !state.cancelled
  const hasArrived = entry.payments.some(
    payment => payment.confirmed || !state.payments.has(paymentKey(payment)),
  )
  return !isPaidNow && !isCancelledNow && !hasArrived
}

/** `undefined` is an entry that only a newer version can apply. It counts in `rev`. */
export function applyEntries(state: ChargeState, entries: readonly (Entry | undefined)[]): ChargeState {
  const start = entries.findLastIndex(entry => entry?.kind === 'archived')
  const archived = entries[start]
  const before = archived?.kind === 'archived' ? {...emptyState, rev: archived.rev - 1} : state
  const draft: Draft = {
    ...before,
    quotes: [...before.quotes],
    payments: new Map(before.payments),
    alerts: new Map(before.alerts),
    notifications: new Map(before.notifications),
  }
  for (const entry of entries.slice(Math.max(0, start))) {
    draft.rev += 1
    if (entry) apply(draft, entry)
    else draft.isIncomplete = true
  }
  return draft
}

function apply(draft: Draft, entry: Entry): void {
  const {rev} = draft
  if (isObservation(entry)) draft.observedRev = rev
  if (isRepeatable(draft, entry)) draft.repeats += 1
  switch (entry.kind) {
    case 'opened':
      // The first entry wins. A second one is rare, but possible.
      draft.opened ??= entry
      break
    case 'minting':
      draft.minting = {
        rev,
        until: entry.until,
        unknown: entry.unknown ?? false,
        isPaused: entry.refused ?? false,
        refusals: (draft.minting?.refusals ?? 0) + Number(entry.refused ?? false),
      }
      break
    case 'minted': {
      if (draft.minted) break
      const {cryptoChargeId, price, assets, expiresAt} = entry
      draft.minted = {cryptoChargeId, price, assets: toWalletAssets(assets)}
      draft.expiresAt = expiresAt
      break
    }
    case 'quoting':
      draft.quoting = {rev, until: entry.until}
      draft.quotingCount += entry.failed ? -1 : 1
      break
    case 'quoted':
      draft.quotes.push(entry.due ? {...entry.quote, due: entry.due} : entry.quote)
      draft.quoting = {rev, until: 0}
      break
    case 'quote_selected':
      selectQuote(draft.quotes, entry)
      draft.quotingCount += 1
      break
    case 'observed':
      draft.status = entry.status
      draft.cancelled = entry.cancelled
      draft.expiresAt = entry.expiresAt
      draft.paidSince = entry.paidSince
      for (const payment of entry.payments) draft.payments.set(paymentKey(payment), payment)
      break
    case 'address_mismatch':
      draft.alerts.set('address_mismatch', {rev, cleared: false, items: 0})
      break
    case 'alert':
      if (entry.items === 0) draft.alerts.delete(entry.alert)
      else draft.alerts.set(entry.alert, {rev, cleared: false, items: entry.items ?? 0})
      break
    case 'alert_cleared':
      for (const [kind, alert] of draft.alerts) draft.alerts.set(kind, {...alert, cleared: true})
      break
    case 'lookup':
      if (entry.result === 'not_found') draft.notFoundSince ??= entry.at
      else if (entry.result === 'unreadable') draft.unreadableSince ??= entry.at
      else draft.notFoundSince = draft.unreadableSince = undefined
      break
    case 'notified': {
      const {subject, until = 0, done, at} = entry
      const {failures = 0, since = at} = draft.notifications.get(subject) ?? {}
      const hasFailed = !done && until === 0
      draft.notifications.set(subject, {until, done, failures: failures + Number(hasFailed), since, at})
      break
    }
    case 'alias':
      draft.aliasOf = entry.chargeId
      break
    case 'archived':
      draft.archived = entry
      break
    case 'replaced':
      draft.isReplaced = true
      break
    case 'withdrawn':
      draft.withdrawn ??= {confirmed: countConfirmed(draft)}
      if (draft.order) draft.order = {...draft.order, isWithdrawn: true}
      draft.minting = undefined
      break
    case 'order_settled':
      draft.onPaid = entry.onPaid
      break
    case 'order_charge': {
      const {charges, paid} = draft.order ?? {charges: [], paid: []}
      draft.order = {charges: [...charges, entry], paid, isWithdrawn: false}
      draft.minting = undefined
      break
    }
    case 'order_paid':
      if (draft.order) draft.order = {...draft.order, paid: [...draft.order.paid, entry]}
      break
    case 'indexed':
      break
  }
}

export function countConfirmed({payments}: Pick<ChargeState, 'payments'>): number {
  return [...payments.values()].filter(({confirmed}) => confirmed).length
}

function isObservation({kind}: Entry): boolean {
  return kind === 'observed' || kind === 'alert' || kind === 'address_mismatch'
}

/** Moves the last quote of the pair to the end. */
function selectQuote(quotes: RecordedQuote[], {asset, network}: {asset: string; network: string}): void {
  const index = quotes.findLastIndex(quote => quote.asset === asset && quote.network === network)
  if (index >= 0) quotes.push(...quotes.splice(index, 1))
}
