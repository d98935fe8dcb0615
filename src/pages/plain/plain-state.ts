/**
 * The state of the plain page: the state machine of the element, run anew for each request. What a page remembers between
 * two requests is in its URL.
 */
import {isPaid, problemStatus, type Checkout, type Problem, type ProblemCode} from '../../contract/index.js'
import {advance, samePair, type Pair} from '../../core/advance.js'
import {viewStateOf, type ViewState} from '../../core/phase.js'

export interface PlainQuery {
  /** The customer wants to choose again. */
  readonly isChoosing: boolean
  /** How much to pay now, as typed. */
  readonly part: string | null
  /** The quote that the customer saw first, and the checkout's `journal` then. */
  readonly shown: ShownQuote | null
  /** The customer asked for a new amount. */
  readonly isRenewed: boolean
  /** The page does not load itself again. */
  readonly isStopped: boolean
  /** Why the customer's last request failed. */
  readonly problem: Problem | null
}

export type ShownQuote = Pair & Readonly<Record<'amount' | 'journal', string>>

export function parseQuery(query: URLSearchParams): PlainQuery {
  const [asset, network, amount, journal] = ['asset', 'network', 'amount', 'journal'].map(name =>
    query.get(name),
  )
  const isShown = asset && network && journal && amount && /^\d{1,40}(\.\d{1,40})?$/.test(amount)
  return {
    isChoosing: query.has('choose'),
    part: query.get('part'),
    shown: isShown ? {asset, network, amount, journal} : null,
    isRenewed: query.has('renewed'),
    isStopped: query.has('stopped'),
    problem: problemOf(query.get('problem') ?? ''),
  }
}

/** A code that is known, and nothing else: whoever wrote the link must not write on the page. */
function problemOf(code: string): Problem | null {
  if (!isProblemCode(code)) return null
  return {type: '', title: '', status: problemStatus[code], code, requestId: ''}
}

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problemStatus, code)

/** The quote that a page shows now. */
export function shownQuote({quote, journal}: Checkout): ShownQuote | null {
  return quote && {asset: quote.asset, network: quote.network, amount: quote.amount, journal}
}

type PlainUrl = Partial<Pick<PlainQuery, 'shown' | 'isRenewed' | 'isStopped'>>

/** The address of the page, relative to itself, for what its query says. */
export function plainUrl({shown, isRenewed, isStopped}: PlainUrl): string {
  return `?${new URLSearchParams({...shown, ...(isRenewed && {renewed: ''}), ...(isStopped && {stopped: ''})})}`
}

/** The proxy no longer knows the address that the customer saw: nothing may start over. */
export function alarmedState(chargeId: string): ViewState {
  return {
    phase: 'unavailable',
    reason: {kind: 'alarm', reason: 'journal_changed', addresses: []},
    chargeId,
  }
}

/** A quote of another page, for another pair, does not replace the one that the customer saw: the customer chooses again. */
export function plainViewState(checkout: Checkout, {isChoosing, part, shown}: PlainQuery): ViewState {
  if (shown && shown.journal !== checkout.journal && !isPaid(checkout.status))
    return alarmedState(checkout.chargeId)
  let state = advance({kind: 'loading', chargeId: checkout.chargeId}, {kind: 'opened', checkout})
  const isOther = shown && checkout.quote && !samePair(shown, checkout.quote)
  if (isChoosing || isOther || part !== null) state = advance(state, {kind: 'back'})
  if (part !== null) state = advance(state, {kind: 'setPart', part})
  return viewStateOf(state)
}
