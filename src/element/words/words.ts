/**
 * Everything the element says, as types. What is said before there is anything to pay comes with the first load, the
 * rest with the desk. A language gives both; the compiler sees to it that none of them forgets a sentence.
 * Placeholders are functions, so that every language orders its own sentence.
 */
import type {Problem} from '../../contract/problem.js'
import type {Phase} from '../../core/phase.js'

export interface EarlyWords {
  /** BCP 47. */
  readonly lang: string
  /** What this is, for those who cannot see it. */
  readonly title: string
  /** The heading of every phase. */
  readonly status: Readonly<Record<Phase, string>>

  readonly testBadge: string
  readonly timeLeft: string
  readonly timeIsUp: string
  minutesLeft(minutes: number): string
  readonly close: string
  readonly back: string
  readonly retry: string
  readonly chargeId: string
  readonly received: string
  readonly stillDue: string

  readonly search: string
  readonly assets: string
  found(count: number): string
  readonly notNow: string
  networkCount(count: number): string
  chooseNetwork(symbol: string): string
  readonly pegged: string
  readonly legacy: string
  readonly settles: Readonly<Record<'under-a-minute' | 'minutes', string>>
  readonly gettingAmount: string

  /** Follows a problem that the page is working on by itself. */
  readonly keepsTrying: string
  readonly alarm: string
  readonly alarmEarlier: string
  readonly alarmContact: string
  readonly closed: string
  readonly problems: Readonly<Record<ProblemKind, string>>
  readonly reference: string
}

export interface DeskWords {
  readonly sendExactly: string
  readonly toAddress: string
  sendOnly(symbol: string, network: string): string
  peggedWarning(symbol: string, network: string): string
  readonly legacyWarning: string
  readonly copyAmount: string
  readonly copyAddress: string
  readonly amountCopied: string
  readonly addressCopied: string
  readonly copyByHand: string
  qrAddress(amount: string, symbol: string, network: string, address: string): string
  qrRequest(amount: string, symbol: string, network: string, address: string): string
  readonly qrShowRequest: string
  readonly qrShowAddress: string
  readonly qrCheckReceiver: string
  readonly priceMayHaveMoved: string
  readonly amountMoved: string
  readonly renew: string
  amountChanged(before: string, now: string, symbol: string): string
  readonly watching: string

  readonly payRest: string
  readonly restTooLate: string
  readonly confirmingHint: string
  readonly paidHint: string
  overpaidHint(paid: string, price: string): string
  readonly expiredHint: string
  readonly cancelledHint: string

  readonly receipt: string
  readonly price: string
  readonly description: string
  readonly transaction: string
  readonly confirmed: string
  readonly unconfirmed: string
  readonly opensNewTab: string
  readonly continueToShop: string
  redirecting(seconds: number): string
  readonly stayHere: string
}

/** Many codes are one and the same to a customer; the code itself is shown for whoever helps. */
export type ProblemKind =
  'offline' | 'unreachable' | 'refused' | 'closed' | 'unprepared' | 'moved' | 'unloaded'

export function problemText({problems}: EarlyWords, problem: Problem): string {
  return problems[kindOf(problem)]
}

function kindOf({code, status}: Problem): ProblemKind {
  if (code === 'offline') return code
  if (code === 'load_failed') return 'unloaded'
  if (/^(asset|network)_unavailable$/.test(code)) return 'closed'
  if (/^(activation_failed|address_invalid|upstream_rejected)$/.test(code)) return 'unprepared'
  if (status < 400 || status >= 500 || status === 429) return 'unreachable'
  return status < 409 || code === 'cannot_resume' ? 'refused' : 'moved'
}
