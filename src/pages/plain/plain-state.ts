/**
 * The state of the plain page: the state machine of the element, run anew for each request. What a page remembers between
 * two requests is in its URL, of which nothing is displayed: whoever wrote the link must not write on the page.
 */
import {isPaid, problemStatus, type Checkout, type Problem, type ProblemCode} from '../../contract/index.js'
import {advance, samePair, type Action, type Pair, type State} from '../../core/advance.js'
import {parseTypedPart} from '../../core/part.js'
import {viewStateOf, type ViewState} from '../../core/phase.js'

export interface PlainQuery {
  /** The customer wants to choose again. */
  readonly isChoosing: boolean
  /** The asset whose networks are shown. */
  readonly expanded: string | null
  /** How much to pay now; empty before the customer has typed it. */
  readonly part: string | null
  /** The pair of `shown`, or of the request that failed. */
  readonly pair: Pair | null
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
  const pair = asset && network ? {asset, network} : null
  return {
    isChoosing: query.has('choose'),
    expanded: query.get('choose') || null,
    part: query.get('part'),
    pair,
    shown: pair && amount && journal ? {...pair, amount, journal} : null,
    isRenewed: query.has('renewed'),
    isStopped: query.has('stopped'),
    problem: problemOf(query.get('problem') ?? ''),
  }
}

/** A code that is known, and nothing else. */
function problemOf(code: string): Problem | null {
  if (!isProblemCode(code)) return null
  return {type: '', title: '', status: problemStatus[code], code, requestId: ''}
}

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problemStatus, code)

/** The quote that a page shows now. */
export function shownQuote({quote, journal}: Checkout): ShownQuote | null {
  return quote && {asset: quote.asset, network: quote.network, amount: quote.amount, journal}
}

interface PlainUrl extends Partial<Pick<PlainQuery, 'pair' | 'isRenewed' | 'isStopped'>> {
  /** The value of `choose`. */
  readonly choose?: string | undefined
  readonly part?: string | undefined
  readonly problem?: ProblemCode
}

/** The address of the page, relative to itself, for what its query says. */
export function plainUrl({choose, part, pair, isRenewed, isStopped, problem}: PlainUrl): string {
  const query = new URLSearchParams({
    ...(choose !== undefined && {choose}),
    ...(part !== undefined && {part}),
    ...pair,
    ...(isRenewed && {renewed: ''}),
    ...(isStopped && {stopped: ''}),
    ...(problem && {problem}),
  })
  return `?${query}`
}

/** The proxy no longer knows the address that the customer saw: nothing may start over. */
export function alarmedState(chargeId: string): ViewState {
  return {
    phase: 'unavailable',
    reason: {kind: 'alarm', reason: 'journal_changed', addresses: []},
    chargeId,
  }
}

/** A customer who has opened the charge, and done this since. */
export function stateAfter(checkout: Checkout, ...actions: readonly Action[]): State {
  const opened = advance({kind: 'loading', chargeId: checkout.chargeId}, {kind: 'opened', checkout})
  return actions.reduce(advance, opened)
}

/** A quote of another page, for another pair, does not replace the one that the customer saw: the customer chooses again. */
export function plainViewState(checkout: Checkout, query: PlainQuery): ViewState {
  const {isChoosing, expanded, part, shown} = query
  if (shown && shown.journal !== checkout.journal && !isPaid(checkout.status))
    return alarmedState(checkout.chargeId)
  const isOther = shown && checkout.quote && !samePair(shown, checkout.quote)
  const actions: Action[] = []
  if (isChoosing || isOther) actions.push({kind: 'expandAsset', asset: expanded})
  if (part !== null) actions.push({kind: 'setPart', part: parseTypedPart(part, checkout) ?? ''})
  return withProblem(viewStateOf(stateAfter(checkout, ...actions)), query)
}

/** Says why the last request failed, where the customer can make another. */
function withProblem(viewState: ViewState, {problem, pair}: PlainQuery): ViewState {
  if (!problem || !pair) return viewState
  if (viewState.phase === 'choosing') return {...viewState, refused: {problem, pair}}
  if (viewState.phase !== 'paying') return viewState
  return {...viewState, step: {...viewState.step, renewal: {kind: 'refused', problem}}}
}
