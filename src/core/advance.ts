/**
 * The state of one charge in one page, and its reducer: `advance(state, action) → state`, pure and total. The money rules
 * that a browser could break are all here:
 *
 * - Responses are ordered by `rev`, then `serverTime`. An older one changes nothing, and the state never regresses.
 * - The quote on screen is the one that this page requested, or received on opening. Another tab's quote, another amount
 *   or a response for another pair does not replace it. It is removed only when it can no longer be paid.
 * - An address on screen is never replaced. A response that disagrees, another journal, or `not_open` is an alarm, which
 *   only payment ends. Any other alert of the proxy ends when the proxy says so.
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
import {parsePart, parseTypedPart} from './part.js'
import {browserProblem} from './problems.js'

export interface Pair {
  readonly asset: string
  readonly network: string
}

/** What a quote is requested for. `part`: decimal text, when less than the amount due is paid with it. */
export interface Choice extends Pair {
  readonly part?: string
}

/** `due`: the amount due when it was displayed. The quote is for all of it, or for a part. */
export type DisplayedQuote = Quote & {readonly due: Money}

/** The customer's step, while money can be sent. */
export type Step =
  /** Open: nothing is chosen. Underpaid: no quote for the amount due was requested. */
  | {readonly kind: 'initial'}
  /**
   * `asset`: the one whose networks are shown. `refused`: why the last quote failed. `part`: what the customer typed, or null
   * to pay all that is due.
   */
  | {
      readonly kind: 'choosing'
      readonly asset: string | null
      readonly refused: Refusal | null
      readonly part: string | null
    }
  | {readonly kind: 'quoting'; readonly pair: Choice}
  /** `previousAmount`: of the same pair for the same amount due, after a renewal or a change. It may equal the new one. */
  | {
      readonly kind: 'paying'
      readonly quote: DisplayedQuote
      readonly previousAmount: string | null
      readonly renewal: Renewal | null
    }

export interface Refusal {
  readonly pair: Pair
  readonly problem: Problem
}

export type Renewal = {readonly kind: 'requested'} | {readonly kind: 'refused'; readonly problem: Problem}

/** These stay until the charge is paid. */
export type AlarmReason = 'address_mismatch' | 'journal_changed' | 'not_open'

/** The last displayed quote of each pair, oldest first. */
export type DisplayedQuotes = readonly DisplayedQuote[]

export interface Active {
  readonly kind: 'active'
  readonly checkout: Checkout
  readonly step: Step
  readonly displayed: DisplayedQuotes
  /** Why the last read failed; null after a successful one. */
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
  /** Starts over with this charge, or with none. */
  | {readonly kind: 'start'; readonly chargeId: string | null}
  | {readonly kind: 'opened'; readonly checkout: Checkout}
  | {readonly kind: 'read'; readonly checkout: Checkout}
  | {readonly kind: 'failed'; readonly problem: Problem}
  /** The customer retries after the opening failed. */
  | {readonly kind: 'retry'}
  /** The customer shows or hides the networks of an asset. */
  | {readonly kind: 'expandAsset'; readonly asset: string | null}
  /** The customer types how much to pay now; null: all that is due. */
  | {readonly kind: 'setPart'; readonly part: string | null}
  | {readonly kind: 'requestQuote'; readonly pair: Pair}
  /** The result of a quote request; for another pair than the pending one, it counts as a read. */
  | {readonly kind: 'quoted'; readonly pair: Pair; readonly checkout: Checkout}
  | {readonly kind: 'refused'; readonly pair: Pair; readonly problem: Problem}
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
    case 'setPart':
      return setPart(state, action.part)
    case 'requestQuote':
      return requestQuote(state, action.pair)
    case 'quoted':
      return quoted(state, action.pair, action.checkout)
    case 'refused':
      return refused(state, action.pair, action.problem)
    case 'back':
      return choose(state, null)
  }
}

/** Whether the next read must be an opening. Never after this page has shown an address: see `fail`. */
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

function open(state: State, checkout: Checkout): State {
  if (!needsOpening(state)) return receive(state, checkout)
  if (chargeIdOf(state) !== checkout.chargeId) return state
  const active = start(checkout)
  if (active.kind !== 'active') return active
  const {quote} = checkout
  return quote && isQuoteOf(checkout, quote) ? displayQuote(active, quote) : active
}

function start(checkout: Checkout, displayed: DisplayedQuotes = []): State {
  if (isAlarm(checkout)) return alarm(checkout, 'address_mismatch', displayed)
  return {kind: 'active', checkout, step: initial, displayed, problem: null}
}

/** Applies a checkout, whichever request returned it. */
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
  if (isOlder(checkout, state.checkout)) return state.problem ? {...state, problem: null} : state
  const next = mergePayments(checkout, state.checkout.payments)
  if (isRegression(state.checkout, next)) return state
  if (isAlarm(next)) return alarm(next, 'address_mismatch', state.displayed)
  return {...state, checkout: next, step: stepAfter(state, next), problem: null}
}

/**
 * Another journal means that the proxy's store was lost. That is harmless until this page has shown an address or a
 * payment, or that money arrived. Afterwards, money may be on its way to an address that the proxy no longer knows. `paid` is accepted from any
 * journal, because the merchant's server acts on it.
 */
function receiveFromOtherJournal(state: Active, checkout: Checkout): State {
  if (isPaid(state.checkout.status)) return state
  if (!isPaid(checkout.status) && mayHaveMoneyAtStake(state))
    return alarm(state.checkout, 'journal_changed', state.displayed)
  if (isEarlier(checkout, state.checkout)) return state
  return start(mergePayments(checkout, state.checkout.payments))
}

/** The customer may have sent money, here or elsewhere, so nothing may start over. */
function mayHaveMoneyAtStake({displayed, checkout: {payments, status}}: Active): boolean {
  return displayed.length > 0 || payments.length > 0 || status === 'pending' || status === 'underpaid'
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

/** Keeps the checkout, but it can no longer be paid. */
function alarm(checkout: Checkout, reason: AlarmReason, displayed: DisplayedQuotes): State {
  return {
    kind: 'alarmed',
    reason,
    checkout: Object.freeze({...checkout, alert: 'address_mismatch' as const, payable: false, quote: null}),
    addresses: addressesOf(displayed),
  }
}

export function addressesOf(displayed: DisplayedQuotes): string[] {
  return [...new Set(displayed.map(quote => quote.address))]
}

function choose(state: State, asset: string | null): State {
  if (state.kind !== 'active' || !state.checkout.payable) return state
  return {...state, step: {kind: 'choosing', asset, refused: null, part: typedPart(state.step)}}
}

function setPart(state: State, part: string | null): State {
  if (state.kind !== 'active' || !state.checkout.payable || !state.checkout.acceptsPartial) return state
  const asset = state.step.kind === 'choosing' ? state.step.asset : null
  return {...state, step: {kind: 'choosing', asset, refused: null, part}}
}

function typedPart(step: Step): string | null {
  switch (step.kind) {
    case 'initial':
      return null
    case 'choosing':
      return step.part
    case 'quoting':
      return step.pair.part ?? null
    case 'paying':
      return choiceOf(step.quote).part ?? null
  }
}

/** What to request for the same quote again. */
function choiceOf({asset, network, covers, due}: DisplayedQuote): Choice {
  return sameMoney(covers, due) ? {asset, network} : {asset, network, part: covers.amount}
}

/** The pair alone, with the part that the customer typed; null if that cannot be paid. */
function withPart({step, checkout}: Active, {asset, network}: Pair): Choice | null {
  const part = typedPart(step)
  if (part === null) return {asset, network}
  const amount = parseTypedPart(part, checkout)
  if (amount === null) return null
  const isAll = sameMoney({...checkout.due, amount}, checkout.due)
  return isAll ? {asset, network} : {asset, network, part: amount}
}

function requestQuote(state: State, requested: Pair): State {
  if (state.kind !== 'active' || !state.checkout.payable) return state
  const pair = withPart(state, requested)
  if (!pair) return state
  // A renewal leaves the old amount visible and usable.
  const step: Step =
    state.step.kind === 'paying' && samePair(state.step.quote, pair)
      ? {...state.step, renewal: {kind: 'requested'}}
      : {kind: 'quoting', pair}
  return {...state, step}
}

function quoted(state: State, pair: Pair, checkout: Checkout): State {
  const next = receive(state, checkout)
  if (!isPending(state, pair) || next.kind !== 'active' || !isPending(next, pair)) return next
  // A read may have overtaken this response. Then its quote for the pair is the newer one.
  const {due, payable} = next.checkout
  const part = requestedPair(next)?.part
  const amount = part ? {...due, amount: part} : due
  const quote = [next.checkout.quote, checkout.quote].find(
    other => other && samePair(other, pair) && sameMoney(other.covers, amount),
  )
  if (quote && payable) return displayQuote(next, quote)
  return refused(next, pair, browserProblem('proxy_invalid'))
}

function refused(state: State, pair: Pair, problem: Problem): State {
  if (problem.code === 'not_open') return fail(state, problem)
  if (state.kind !== 'active' || !isPending(state, pair)) return state
  if (state.step.kind === 'paying')
    return {...state, step: {...state.step, renewal: {kind: 'refused', problem}}}
  const asset = state.checkout.assets.find(option => option.id === pair.asset)
  const hasChoice = asset !== undefined && asset.networks.length > 1
  return {
    ...state,
    step: {
      kind: 'choosing',
      asset: hasChoice ? pair.asset : null,
      refused: {pair, problem},
      part: typedPart(state.step),
    },
  }
}

/** Whether a quote for this pair is requested; false when the customer has chosen otherwise since. */
function isPending(state: State, pair: Pair): boolean {
  const requested = requestedPair(state)
  return requested !== null && samePair(requested, pair)
}

/** What a quote is requested for. */
export function requestedPair(state: State): Choice | null {
  if (state.kind !== 'active') return null
  const {step} = state
  if (step.kind === 'quoting') return step.pair
  return step.kind === 'paying' && step.renewal?.kind === 'requested' ? choiceOf(step.quote) : null
}

/** The only function that puts an amount and an address on screen. `receive` has compared them with `displayed`. */
function displayQuote(state: Active, received: Quote): Active {
  const quote = {...received, due: state.checkout.due}
  const earlier = lastDisplayed(state.displayed, quote)
  const isCompared =
    earlier &&
    sameMoney(earlier.covers, quote.covers) &&
    (state.step.kind === 'paying' || earlier.amount !== quote.amount)
  return {
    ...state,
    step: {kind: 'paying', quote, previousAmount: isCompared ? earlier.amount : null, renewal: null},
    displayed: [...state.displayed.filter(other => !samePair(other, quote)), quote],
  }
}

function stepAfter(state: Active, next: Checkout): Step {
  // Payable again, after a dropped payment or an alert: the last displayed quote may still be paid.
  const quote = state.displayed.at(-1)
  if (quote && !state.checkout.payable && covers(quote, next))
    return {kind: 'paying', quote, previousAmount: null, renewal: null}
  return canKeepStep(state, next) ? state.step : initial
}

/** Whether the customer's step is still valid after this response. */
function canKeepStep({step, checkout: last}: Active, next: Checkout): boolean {
  if (!next.payable) return false
  if (step.kind === 'paying') return covers(step.quote, next)
  // A customer who is choosing must see that part of the money has arrived.
  return step.kind === 'quoting' || next.status === last.status
}

/** Whether a displayed quote can still be paid: a payment ends the quote of a part too. */
function covers({due}: DisplayedQuote, checkout: Checkout): boolean {
  return checkout.payable && sameMoney(due, checkout.due)
}

/** For all that is due, or for a part of it. */
function isQuoteOf({payable, acceptsPartial, due}: Checkout, {covers}: Quote): boolean {
  return payable && (sameMoney(covers, due) || (acceptsPartial && parsePart(covers.amount, {due}) !== null))
}

function sameMoney(a: Money, b: Money): boolean {
  return a.currency === b.currency && withoutTrailingZeros(a.amount) === withoutTrailingZeros(b.amount)
}

function withoutTrailingZeros(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount
}

function lastDisplayed(displayed: DisplayedQuotes, pair: Pair): DisplayedQuote | undefined {
  return displayed.find(quote => samePair(quote, pair))
}

function isAlarm({alert, status}: Checkout): boolean {
  return alert === 'address_mismatch' && !isPaid(status)
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

/**
 * A paid status never falls. A pending or underpaid charge may expire or be cancelled. It is open again only if every
 * payment that was seen has been dropped.
 */
function isRegression(last: Checkout, next: Checkout): boolean {
  if (isPaid(last.status)) return rank[next.status] < rank[last.status]
  if (rank[last.status] !== 1 || next.status !== 'open') return false
  const {payments} = next
  return (
    next.rev === last.rev ||
    payments.length === 0 ||
    payments.some(({confirmed, dropped}) => confirmed || !dropped)
  )
}

/** A payment, once observed, stays; once confirmed, it stays confirmed (invariant 5). */
function mergePayments(checkout: Checkout, previous: readonly ObservedPayment[]): Checkout {
  const missing = previous.filter(payment => !checkout.payments.some(other => samePayment(other, payment)))
  const payments = checkout.payments.map(payment =>
    payment.confirmed
      ? payment
      : (previous.find(other => other.confirmed && samePayment(other, payment)) ?? payment),
  )
  const isUnchanged =
    missing.length === 0 && payments.every((payment, index) => payment === checkout.payments[index])
  return isUnchanged ? checkout : Object.freeze({...checkout, payments: [...missing, ...payments]})
}

/** In any letter case. A transaction may have several transfers; the amount of one that is not confirmed may change. */
function samePayment(a: ObservedPayment, b: ObservedPayment): boolean {
  const [one, other] = [a, b].map(({network, transactionId, currency}) =>
    `${network} ${transactionId} ${currency}`.toLowerCase(),
  )
  return one === other && (a.amount === b.amount || !a.confirmed || !b.confirmed)
}
