/**
 * What this page knows of one charge, and what each happening makes of it: `advance(state, event) → state`, pure and
 * total. The rules about money that a browser can break live here and nowhere else:
 *
 * - answers are ordered by `rev`, then `serverTime`; an older one changes nothing, and nothing goes backwards;
 * - the quote on screen is the one that this page asked for, or was given on opening. Another tab's quote, another
 *   amount, a late answer to an earlier choice never replace it. It goes only when it may not be paid any more;
 * - an address that this page has shown is never swapped: an answer that disagrees, another journal, or a proxy that
 *   knows nothing of the charge any more is an alarm, and stays one.
 */
import type {Checkout, CheckoutStatus, Money, PaymentSeen, Quote} from '../contract/checkout.js'
import type {Problem} from '../contract/problem.js'
import {browserProblem} from './problems.js'

export interface Pair {
  readonly asset: string
  readonly network: string
}

/** Where the customer is, while money can be sent. */
export type Way =
  /** An open charge: nothing is chosen. An underpaid one: the rest was not asked for. */
  | {readonly step: 'begin'}
  /** `asset`: whose networks are shown. `refused`: what came of the last choice. */
  | {readonly step: 'choosing'; readonly asset: string | null; readonly refused: Refusal | null}
  | {readonly step: 'quoting'; readonly pair: Pair; readonly ticket: number}
  /** `before`: the amount that the same pair had for the same debt, when the customer's renewal changed it. */
  | {
      readonly step: 'paying'
      readonly quote: Quote
      readonly before: string | null
      readonly renewal: Renewal | null
    }

export interface Refusal {
  readonly pair: Pair
  readonly problem: Problem
}

export type Renewal =
  {readonly at: 'asked'; readonly ticket: number} | {readonly at: 'refused'; readonly problem: Problem}

export type AlarmReason = 'address_mismatch' | 'journal_changed' | 'not_open'

/** The last quote that this page showed of each pair; the latest comes last. */
export type Shown = readonly Quote[]

export interface Following {
  readonly at: 'following'
  readonly checkout: Checkout
  readonly way: Way
  readonly shown: Shown
  /** The number of the last request for a quote; an answer to an earlier one is no more than a read. */
  readonly tickets: number
  /** Why the last read failed; null after one that did not. */
  readonly problem: Problem | null
}

export type State =
  | {readonly at: 'idle'}
  | {readonly at: 'loading'; readonly chargeId: string}
  | {readonly at: 'unavailable'; readonly chargeId: string; readonly problem: Problem}
  | Following
  | {
      readonly at: 'alarmed'
      readonly reason: AlarmReason
      readonly checkout: Checkout
      readonly addresses: readonly string[]
    }

export type Event =
  /** Start afresh with this charge, or with none. */
  | {readonly type: 'follow'; readonly chargeId: string | null}
  | {readonly type: 'opened'; readonly checkout: Checkout}
  | {readonly type: 'read'; readonly checkout: Checkout}
  | {readonly type: 'failed'; readonly problem: Problem}
  /** The customer wants to try again after nothing could be had. */
  | {readonly type: 'retry'}
  /** The customer opens an asset to see its networks, or closes it. */
  | {readonly type: 'look'; readonly asset: string | null}
  /** A quote is about to be asked for. The ticket is the state's `tickets` afterwards. */
  | {readonly type: 'ask'; readonly pair: Pair}
  | {readonly type: 'quoted'; readonly ticket: number; readonly checkout: Checkout}
  | {readonly type: 'refused'; readonly ticket: number; readonly problem: Problem}
  | {readonly type: 'back'}

export const idle: State = {at: 'idle'}

const begin: Way = {step: 'begin'}

export function advance(state: State, event: Event): State {
  switch (event.type) {
    case 'follow':
      return event.chargeId === null ? idle : {at: 'loading', chargeId: event.chargeId}
    case 'opened':
      return open(state, event.checkout)
    case 'read':
      return take(state, event.checkout)
    case 'failed':
      return fail(state, event.problem)
    case 'retry':
      return state.at === 'unavailable' ? {at: 'loading', chargeId: state.chargeId} : state
    case 'look':
      return choose(state, event.asset)
    case 'ask':
      return ask(state, event.pair)
    case 'quoted':
      return quoted(state, event.ticket, event.checkout)
    case 'refused':
      return refused(state, event.ticket, event.problem)
    case 'back':
      return choose(state, null)
  }
}

/** Whether the next read has to be an opening. Never while this page has shown an address: see `fail`. */
export function needsOpening(state: State): boolean {
  return state.at === 'loading' || state.at === 'unavailable'
}

export function checkoutOf(state: State): Checkout | null {
  return state.at === 'following' || state.at === 'alarmed' ? state.checkout : null
}

export function chargeIdOf(state: State): string | null {
  if (state.at === 'idle') return null
  return state.at === 'loading' || state.at === 'unavailable' ? state.chargeId : state.checkout.chargeId
}

/** Money has settled this: `paid` may only become `overpaid`, and nothing else ever. */
export function settled(status: CheckoutStatus): boolean {
  return status === 'paid' || status === 'overpaid'
}

export function samePair(a: Pair, b: Pair): boolean {
  return a.asset === b.asset && a.network === b.network
}

/** The proxy's current quote is for the pair on screen, but asks for another amount: the customer may renew. */
export function amountMoved(checkout: Checkout, quote: Quote): boolean {
  const latest = checkout.quote
  return latest !== null && samePair(latest, quote) && latest.amount !== quote.amount
}

// Answers

function open(state: State, checkout: Checkout): State {
  if (!needsOpening(state)) return take(state, checkout)
  if (chargeIdOf(state) !== checkout.chargeId) return state
  const following = start(checkout)
  if (following.at !== 'following') return following
  const {quote} = checkout
  return quote && covers(quote, checkout) ? show(following, quote) : following
}

function start(checkout: Checkout, shown: Shown = [], tickets = 0): State {
  if (checkout.alert && !settled(checkout.status)) return alarm(checkout, checkout.alert, shown)
  return {at: 'following', checkout, way: begin, shown, tickets, problem: null}
}

/** Every answer that holds a checkout comes through here. */
function take(state: State, checkout: Checkout): State {
  if (chargeIdOf(state) !== checkout.chargeId) return state
  switch (state.at) {
    case 'idle':
      return state
    case 'loading':
    case 'unavailable':
      return start(checkout)
    case 'alarmed':
      return settled(checkout.status) ? start(withPayments(checkout, state.checkout.payments)) : state
    case 'following':
      return state.checkout.journal === checkout.journal
        ? takeNext(state, checkout)
        : takeStranger(state, checkout)
  }
}

function takeNext(state: Following, checkout: Checkout): State {
  if (swapped(state.shown, checkout.quote)) return alarm(state.checkout, 'address_mismatch', state.shown)
  if (isOlder(checkout, state.checkout) || goesBack(state.checkout.status, checkout.status)) return state
  const next = withPayments(checkout, state.checkout.payments)
  if (next.alert && !settled(next.status)) return alarm(next, next.alert, state.shown)
  return {...state, checkout: next, way: keepsWay(state, next) ? state.way : begin, problem: null}
}

/**
 * The proxy speaks from another journal: its store was lost. Before this page has shown an address or a payment that
 * harms nobody. Afterwards money may be on its way to an address that the proxy has forgotten. That the charge is paid
 * is believed from any journal, since the merchant's server will act on it.
 */
function takeStranger(state: Following, checkout: Checkout): State {
  if (settled(state.checkout.status)) return state
  if (!settled(checkout.status) && isAboutMoney(state))
    return alarm(state.checkout, 'journal_changed', state.shown)
  if (isEarlier(checkout, state.checkout)) return state
  return start(withPayments(checkout, state.checkout.payments), [], state.tickets)
}

/** The customer may have sent money, or has: nothing here may begin anew. */
function isAboutMoney({shown, checkout}: Following): boolean {
  return shown.length > 0 || checkout.payments.length > 0
}

function fail(state: State, problem: Problem): State {
  switch (state.at) {
    case 'idle':
    case 'alarmed':
      return state
    case 'loading':
    case 'unavailable':
      return {at: 'unavailable', chargeId: state.chargeId, problem}
    case 'following':
      if (problem.code !== 'not_open' || settled(state.checkout.status)) return {...state, problem}
      return isAboutMoney(state)
        ? alarm(state.checkout, 'not_open', state.shown)
        : {at: 'loading', chargeId: state.checkout.chargeId}
  }
}

/** The checkout as it was, but nothing of it may be paid any more. */
function alarm(checkout: Checkout, reason: AlarmReason, shown: Shown): State {
  return {
    at: 'alarmed',
    reason,
    checkout: Object.freeze({...checkout, alert: 'address_mismatch' as const, payable: false, quote: null}),
    addresses: [...new Set(shown.map(quote => quote.address))],
  }
}

// The customer's choices

function choose(state: State, asset: string | null): State {
  if (state.at !== 'following' || !state.checkout.payable) return state
  return {...state, way: {step: 'choosing', asset, refused: null}}
}

function ask(state: State, pair: Pair): State {
  if (state.at !== 'following' || !state.checkout.payable) return state
  const ticket = state.tickets + 1
  // A renewal leaves the old amount where it is: it is neither hidden nor forbidden.
  const way: Way =
    state.way.step === 'paying' && samePair(state.way.quote, pair)
      ? {...state.way, renewal: {at: 'asked', ticket}}
      : {step: 'quoting', pair, ticket}
  return {...state, tickets: ticket, way}
}

function quoted(state: State, ticket: number, checkout: Checkout): State {
  const pair = awaited(state, ticket)
  const next = take(state, checkout)
  if (!pair || next.at !== 'following' || awaited(next, ticket) === null) return next
  // A read may have overtaken this answer. Then the newer word about the pair counts, if it has one.
  const quote = [next.checkout.quote, checkout.quote].find(other => other && samePair(other, pair))
  if (quote && covers(quote, next.checkout)) return show(next, quote)
  return refused(next, ticket, browserProblem('proxy_invalid'))
}

function refused(state: State, ticket: number, problem: Problem): State {
  if (problem.code === 'not_open') return fail(state, problem)
  const pair = awaited(state, ticket)
  if (!pair || state.at !== 'following') return state
  if (state.way.step === 'paying') return {...state, way: {...state.way, renewal: {at: 'refused', problem}}}
  const asset = state.checkout.assets.find(option => option.id === pair.asset)
  const hasChoice = asset !== undefined && asset.networks.length > 1
  return {
    ...state,
    way: {step: 'choosing', asset: hasChoice ? pair.asset : null, refused: {pair, problem}},
  }
}

/** The pair that this ticket is waiting for; null when the customer has chosen otherwise since. */
function awaited(state: State, ticket: number): Pair | null {
  if (state.at !== 'following') return null
  const {way} = state
  if (way.step === 'quoting') return way.ticket === ticket ? way.pair : null
  if (way.step === 'paying' && way.renewal?.at === 'asked')
    return way.renewal.ticket === ticket ? way.quote : null
  return null
}

/** The one place where an amount and an address come on screen. Every answer was held against `shown` before. */
function show(state: Following, quote: Quote): Following {
  const earlier = lastShown(state.shown, quote)
  const moved = earlier && sameMoney(earlier.covers, quote.covers) && earlier.amount !== quote.amount
  return {
    ...state,
    way: {step: 'paying', quote, before: moved ? earlier.amount : null, renewal: null},
    shown: [...state.shown.filter(other => !samePair(other, quote)), quote],
  }
}

// Rules

/** Whether what the customer is doing still makes sense after this answer. */
function keepsWay({way, checkout: last}: Following, next: Checkout): boolean {
  if (!next.payable) return false
  if (way.step === 'paying') return covers(way.quote, next)
  // Somebody who looks around has to be told that part of the money has come.
  return way.step === 'quoting' || next.status === last.status
}

function covers(quote: Quote, checkout: Checkout): boolean {
  return checkout.payable && sameMoney(quote.covers, checkout.due)
}

function sameMoney(a: Money, b: Money): boolean {
  return a.currency === b.currency && trimmed(a.amount) === trimmed(b.amount)
}

function trimmed(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount
}

function lastShown(shown: Shown, pair: Pair): Quote | undefined {
  return shown.find(quote => samePair(quote, pair))
}

function swapped(shown: Shown, quote: Quote | null): boolean {
  const earlier = quote && lastShown(shown, quote)
  return !!earlier && earlier.address !== quote.address
}

function isOlder(next: Checkout, last: Checkout): boolean {
  return next.rev < last.rev || (next.rev === last.rev && isEarlier(next, last))
}

function isEarlier(next: Checkout, last: Checkout): boolean {
  return Date.parse(next.serverTime) < Date.parse(last.serverTime)
}

const rank: Record<CheckoutStatus, number> = {
  open: 0,
  expired: 0,
  cancelled: 0,
  pending: 1,
  underpaid: 1,
  paid: 2,
  overpaid: 3,
}

/** Money that was seen stays seen. An expiry or a cancellation without any payment may overtake a mere "pending". */
function goesBack(last: CheckoutStatus, next: CheckoutStatus): boolean {
  if (settled(last)) return rank[next] < rank[last]
  return rank[last] === 1 && next === 'open'
}

/** A payment once seen stays, once confirmed stays confirmed (invariant 5). */
function withPayments(checkout: Checkout, before: readonly PaymentSeen[]): Checkout {
  const lost = before.filter(payment => !checkout.payments.some(other => samePayment(other, payment)))
  const payments = checkout.payments.map(payment =>
    !payment.confirmed && before.some(other => other.confirmed && samePayment(other, payment))
      ? Object.freeze({...payment, confirmed: true})
      : payment,
  )
  const unchanged = !lost.length && payments.every((payment, index) => payment === checkout.payments[index])
  return unchanged ? checkout : Object.freeze({...checkout, payments: [...lost, ...payments]})
}

function samePayment(a: PaymentSeen, b: PaymentSeen): boolean {
  return a.network === b.network && a.transactionId === b.transactionId && a.currency === b.currency
}
