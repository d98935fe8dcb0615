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
import {
  isPaid,
  type Checkout,
  type CheckoutStatus,
  type Money,
  type ObservedPayment,
  type Quote,
} from '../contract/checkout.js'
import type {Problem} from '../contract/problem.js'
import {browserProblem} from './problems.js'

export interface Pair {
  readonly asset: string
  readonly network: string
}

/** Where the customer is, while money can be sent. */
export type Step =
  /** An open charge: nothing is chosen. An underpaid one: the rest was not asked for. */
  | {readonly kind: 'initial'}
  /** `asset`: whose networks are shown. `refused`: what came of the last choice. */
  | {readonly kind: 'choosing'; readonly asset: string | null; readonly refused: Refusal | null}
  | {readonly kind: 'quoting'; readonly pair: Pair; readonly requestId: number}
  /** `before`: the amount that the same pair had for the same debt, when the customer's renewal changed it. */
  | {
      readonly kind: 'paying'
      readonly quote: Quote
      readonly previousAmount: string | null
      readonly renewal: Renewal | null
    }

export interface Refusal {
  readonly pair: Pair
  readonly problem: Problem
}

export type Renewal =
  | {readonly kind: 'requested'; readonly requestId: number}
  | {readonly kind: 'refused'; readonly problem: Problem}

export type AlarmReason = 'address_mismatch' | 'journal_changed' | 'not_open'

/** The last quote that this page showed of each pair; the latest comes last. */
export type DisplayedQuotes = readonly Quote[]

export interface Active {
  readonly kind: 'active'
  readonly checkout: Checkout
  readonly step: Step
  readonly displayed: DisplayedQuotes
  /** The number of the last request for a quote; an answer to an earlier one is no more than a read. */
  readonly lastRequestId: number
  /** Why the last read failed; null after one that did not. */
  readonly problem: Problem | null
}

export type State =
  | {readonly kind: 'idle'}
  | {readonly kind: 'loading'; readonly chargeId: string}
  | {readonly kind: 'unavailable'; readonly chargeId: string; readonly problem: Problem}
  | Active
  | {
      readonly kind: 'alarmed'
      readonly reason: AlarmReason
      readonly checkout: Checkout
      readonly addresses: readonly string[]
    }

export type Action =
  /** Start afresh with this charge, or with none. */
  | {readonly kind: 'start'; readonly chargeId: string | null}
  | {readonly kind: 'opened'; readonly checkout: Checkout}
  | {readonly kind: 'read'; readonly checkout: Checkout}
  | {readonly kind: 'failed'; readonly problem: Problem}
  /** The customer wants to try again after nothing could be had. */
  | {readonly kind: 'retry'}
  /** The customer opens an asset to see its networks, or closes it. */
  | {readonly kind: 'expandAsset'; readonly asset: string | null}
  /** A quote is about to be asked for. The ticket is the state's `tickets` afterwards. */
  | {readonly kind: 'requestQuote'; readonly pair: Pair}
  | {readonly kind: 'quoted'; readonly requestId: number; readonly checkout: Checkout}
  | {readonly kind: 'refused'; readonly requestId: number; readonly problem: Problem}
  | {readonly kind: 'back'}

export const idle: State = {kind: 'idle'}

const initial: Step = {kind: 'initial'}

export function advance(state: State, action: Action): State {
  switch (action.kind) {
    case 'start':
      return action.chargeId === null ? idle : {kind: 'loading', chargeId: action.chargeId}
    case 'opened':
      return open(state, action.checkout)
    case 'read':
      return receive(state, action.checkout)
    case 'failed':
      return fail(state, action.problem)
    case 'retry':
      return state.kind === 'unavailable' ? {kind: 'loading', chargeId: state.chargeId} : state
    case 'expandAsset':
      return choose(state, action.asset)
    case 'requestQuote':
      return requestQuote(state, action.pair)
    case 'quoted':
      return quoted(state, action.requestId, action.checkout)
    case 'refused':
      return refused(state, action.requestId, action.problem)
    case 'back':
      return choose(state, null)
  }
}

/** Whether the next read has to be an opening. Never while this page has shown an address: see `fail`. */
export function needsOpening(state: State): boolean {
  return state.kind === 'loading' || state.kind === 'unavailable'
}

export function checkoutOf(state: State): Checkout | null {
  return state.kind === 'active' || state.kind === 'alarmed' ? state.checkout : null
}

export function chargeIdOf(state: State): string | null {
  if (state.kind === 'idle') return null
  return state.kind === 'loading' || state.kind === 'unavailable' ? state.chargeId : state.checkout.chargeId
}

export function samePair(a: Pair, b: Pair): boolean {
  return a.asset === b.asset && a.network === b.network
}

/** The proxy's current quote is for the pair on screen, but asks for another amount: the customer may renew. */
export function hasNewerAmount(checkout: Checkout, quote: Quote): boolean {
  const latest = checkout.quote
  return latest !== null && samePair(latest, quote) && latest.amount !== quote.amount
}

// Answers

function open(state: State, checkout: Checkout): State {
  if (!needsOpening(state)) return receive(state, checkout)
  if (chargeIdOf(state) !== checkout.chargeId) return state
  const active = start(checkout)
  if (active.kind !== 'active') return active
  const {quote} = checkout
  return quote && covers(quote, checkout) ? displayQuote(active, quote) : active
}

function start(checkout: Checkout, displayed: DisplayedQuotes = [], lastRequestId = 0): State {
  if (checkout.alert && !isPaid(checkout.status)) return alarm(checkout, checkout.alert, displayed)
  return {kind: 'active', checkout, step: initial, displayed, lastRequestId, problem: null}
}

/** Every answer that holds a checkout comes through here. */
function receive(state: State, checkout: Checkout): State {
  if (chargeIdOf(state) !== checkout.chargeId) return state
  switch (state.kind) {
    case 'idle':
      return state
    case 'loading':
    case 'unavailable':
      return start(checkout)
    case 'alarmed':
      return isPaid(checkout.status) ? start(mergePayments(checkout, state.checkout.payments)) : state
    case 'active':
      return state.checkout.journal === checkout.journal
        ? receiveNewer(state, checkout)
        : receiveFromOtherJournal(state, checkout)
  }
}

function receiveNewer(state: Active, checkout: Checkout): State {
  if (addressChanged(state.displayed, checkout.quote))
    return alarm(state.checkout, 'address_mismatch', state.displayed)
  if (isOlder(checkout, state.checkout) || isRegression(state.checkout.status, checkout.status)) return state
  const next = mergePayments(checkout, state.checkout.payments)
  if (next.alert && !isPaid(next.status)) return alarm(next, next.alert, state.displayed)
  return {...state, checkout: next, step: canKeepStep(state, next) ? state.step : initial, problem: null}
}

/**
 * The proxy speaks from another journal: its store was lost. Before this page has shown an address or a payment that
 * harms nobody. Afterwards money may be on its way to an address that the proxy has forgotten. That the charge is paid
 * is believed from any journal, since the merchant's server will act on it.
 */
function receiveFromOtherJournal(state: Active, checkout: Checkout): State {
  if (isPaid(state.checkout.status)) return state
  if (!isPaid(checkout.status) && mayHaveMoneyAtStake(state))
    return alarm(state.checkout, 'journal_changed', state.displayed)
  if (isEarlier(checkout, state.checkout)) return state
  return start(mergePayments(checkout, state.checkout.payments), [], state.lastRequestId)
}

/** The customer may have sent money, or has: nothing here may begin anew. */
function mayHaveMoneyAtStake({displayed, checkout}: Active): boolean {
  return displayed.length > 0 || checkout.payments.length > 0
}

function fail(state: State, problem: Problem): State {
  switch (state.kind) {
    case 'idle':
    case 'alarmed':
      return state
    case 'loading':
    case 'unavailable':
      return {kind: 'unavailable', chargeId: state.chargeId, problem}
    case 'active':
      if (problem.code !== 'not_open' || isPaid(state.checkout.status)) return {...state, problem}
      return mayHaveMoneyAtStake(state)
        ? alarm(state.checkout, 'not_open', state.displayed)
        : {kind: 'loading', chargeId: state.checkout.chargeId}
  }
}

/** The checkout as it was, but nothing of it may be paid any more. */
function alarm(checkout: Checkout, reason: AlarmReason, displayed: DisplayedQuotes): State {
  return {
    kind: 'alarmed',
    reason,
    checkout: Object.freeze({...checkout, alert: 'address_mismatch' as const, payable: false, quote: null}),
    addresses: [...new Set(displayed.map(quote => quote.address))],
  }
}

// The customer's choices

function choose(state: State, asset: string | null): State {
  if (state.kind !== 'active' || !state.checkout.payable) return state
  return {...state, step: {kind: 'choosing', asset, refused: null}}
}

function requestQuote(state: State, pair: Pair): State {
  if (state.kind !== 'active' || !state.checkout.payable) return state
  const requestId = state.lastRequestId + 1
  // A renewal leaves the old amount where it is: it is neither hidden nor forbidden.
  const step: Step =
    state.step.kind === 'paying' && samePair(state.step.quote, pair)
      ? {...state.step, renewal: {kind: 'requested', requestId}}
      : {kind: 'quoting', pair, requestId}
  return {...state, lastRequestId: requestId, step}
}

function quoted(state: State, requestId: number, checkout: Checkout): State {
  const pair = pendingPair(state, requestId)
  const next = receive(state, checkout)
  if (!pair || next.kind !== 'active' || pendingPair(next, requestId) === null) return next
  // A read may have overtaken this answer. Then the newer word about the pair counts, if it has one.
  const quote = [next.checkout.quote, checkout.quote].find(other => other && samePair(other, pair))
  if (quote && covers(quote, next.checkout)) return displayQuote(next, quote)
  return refused(next, requestId, browserProblem('proxy_invalid'))
}

function refused(state: State, requestId: number, problem: Problem): State {
  if (problem.code === 'not_open') return fail(state, problem)
  const pair = pendingPair(state, requestId)
  if (!pair || state.kind !== 'active') return state
  if (state.step.kind === 'paying')
    return {...state, step: {...state.step, renewal: {kind: 'refused', problem}}}
  const asset = state.checkout.assets.find(option => option.id === pair.asset)
  const hasChoice = asset !== undefined && asset.networks.length > 1
  return {
    ...state,
    step: {kind: 'choosing', asset: hasChoice ? pair.asset : null, refused: {pair, problem}},
  }
}

/** The pair that this ticket is waiting for; null when the customer has chosen otherwise since. */
function pendingPair(state: State, requestId: number): Pair | null {
  if (state.kind !== 'active') return null
  const {step} = state
  if (step.kind === 'quoting') return step.requestId === requestId ? step.pair : null
  if (step.kind === 'paying' && step.renewal?.kind === 'requested')
    return step.renewal.requestId === requestId ? step.quote : null
  return null
}

/** The one place where an amount and an address come on screen. Every answer was held against `shown` before. */
function displayQuote(state: Active, quote: Quote): Active {
  const earlier = lastDisplayed(state.displayed, quote)
  const changed = earlier && sameMoney(earlier.covers, quote.covers) && earlier.amount !== quote.amount
  return {
    ...state,
    step: {kind: 'paying', quote, previousAmount: changed ? earlier.amount : null, renewal: null},
    displayed: [...state.displayed.filter(other => !samePair(other, quote)), quote],
  }
}

// Rules

/** Whether what the customer is doing still makes sense after this answer. */
function canKeepStep({step, checkout: last}: Active, next: Checkout): boolean {
  if (!next.payable) return false
  if (step.kind === 'paying') return covers(step.quote, next)
  // Somebody who looks around has to be told that part of the money has come.
  return step.kind === 'quoting' || next.status === last.status
}

function covers(quote: Quote, checkout: Checkout): boolean {
  return checkout.payable && sameMoney(quote.covers, checkout.due)
}

function sameMoney(a: Money, b: Money): boolean {
  return a.currency === b.currency && withoutTrailingZeros(a.amount) === withoutTrailingZeros(b.amount)
}

function withoutTrailingZeros(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount
}

function lastDisplayed(displayed: DisplayedQuotes, pair: Pair): Quote | undefined {
  return displayed.find(quote => samePair(quote, pair))
}

function addressChanged(displayed: DisplayedQuotes, quote: Quote | null): boolean {
  const earlier = quote && lastDisplayed(displayed, quote)
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
function isRegression(last: CheckoutStatus, next: CheckoutStatus): boolean {
  if (isPaid(last)) return rank[next] < rank[last]
  return rank[last] === 1 && next === 'open'
}

/** A payment once seen stays, once confirmed stays confirmed (invariant 5). */
function mergePayments(checkout: Checkout, previousAmount: readonly ObservedPayment[]): Checkout {
  const lost = previousAmount.filter(payment => !checkout.payments.some(other => samePayment(other, payment)))
  const payments = checkout.payments.map(payment =>
    !payment.confirmed && previousAmount.some(other => other.confirmed && samePayment(other, payment))
      ? Object.freeze({...payment, confirmed: true})
      : payment,
  )
  const unchanged = !lost.length && payments.every((payment, index) => payment === checkout.payments[index])
  return unchanged ? checkout : Object.freeze({...checkout, payments: [...lost, ...payments]})
}

function samePayment(a: ObservedPayment, b: ObservedPayment): boolean {
  return a.network === b.network && a.transactionId === b.transactionId && a.currency === b.currency
}
