/** When a charge needs work next. Pure. `due` in the store is derived from it, and is the only index for work. */
import {isPaid} from '../../contract/index.js'
import {countConfirmed, isGivenUp, paymentsOf, type ChargeDocument} from './document.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS
/** The service decides about an expiry a little after it. */
const AFTER_EXPIRY_MS = 1_000

export interface DueRules {
  /** Milliseconds between the reads of a charge that can be paid. */
  readonly reconcileEvery: number
  /** Milliseconds after which a charge that nobody opened ends. */
  readonly openWithin: number
  /** Milliseconds until the archive; 0 for never. */
  readonly retention: number
}

/** The earliest notice or read; if none is left, the archive. Null: nothing is left to do. */
export function dueAt(charge: ChargeDocument, retention: number): number | null {
  const {notices, readAt} = charge
  const times = [...notices.map(({at}) => at), ...(readAt === undefined ? [] : [readAt])]
  return times.length > 0 ? Math.min(...times) : archiveAt(charge, retention)
}

/** When nothing else is left to do: the retention after the last change. Null before that, and without a retention. */
export function archiveAt(
  {notices, readAt, changedAt, archived}: ChargeDocument,
  retention: number,
): number | null {
  if (archived || notices.length > 0 || readAt !== undefined) return null
  return retention === 0 ? null : changedAt + retention
}

/**
 * When the worker reads the service about it next, if nobody else does. Undefined when no payment is expected any more: late
 * payments on a chain are normal for a week.
 *
 * @param now milliseconds
 */
export function nextReadAt(charge: ChargeDocument, now: number, rules: DueRules): number | undefined {
  const {opened, minted, endedAt, status, archived} = charge
  if (archived || !opened || isGivenUp(charge, now)) return undefined
  const soon = now + rules.reconcileEvery
  if (isOnItsWay(charge)) return now < charge.changedAt + WEEK_MS ? soon : undefined
  if (isPaid(status)) return undefined
  if (endedAt !== undefined) return readAfterEnd(endedAt, now)
  if (!minted && countConfirmed(charge) === 0)
    return Math.min(now < opened.at + DAY_MS ? now + HOUR_MS : now + DAY_MS, endOfOpening(charge, rules, now))
  const end = expiryOf(charge)
  if (end === null) return now < lastAskedAt(charge) + WEEK_MS ? soon : undefined
  return end > now ? Math.min(soon, end + AFTER_EXPIRY_MS) : soon
}

/** Without a readable date, a charge can be paid for a week after its last quote. Null before it can be paid at all. */
export function expiryOf(charge: ChargeDocument): number | null {
  return charge.expiresAt ?? (charge.minted ? lastAskedAt(charge) + WEEK_MS : null)
}

/** A charge that nobody has opened for `openWithin` has ended. */
export function hasNeverBeenOpened(charge: ChargeDocument, now: number, {openWithin}: DueRules): boolean {
  const {opened, minted, status} = charge
  return opened !== undefined && !minted && status === 'open' && now >= opened.at + openWithin
}

/** Money was seen that is neither confirmed nor dropped, or the service says so. */
export function isOnItsWay(charge: ChargeDocument): boolean {
  return (
    charge.status === 'pending' || paymentsOf(charge).some(({confirmed, dropped}) => !confirmed && !dropped)
  )
}

function readAfterEnd(endedAt: number, now: number): number | undefined {
  if (now < endedAt + DAY_MS) return now + HOUR_MS
  return now < endedAt + WEEK_MS ? now + DAY_MS : undefined
}

function endOfOpening({opened}: ChargeDocument, {openWithin}: DueRules, now: number): number {
  const end = (opened?.at ?? now) + openWithin
  return end > now ? end : Infinity
}

/** The last quote, or when it was opened or minted. */
function lastAskedAt({quotes, opened, minted}: ChargeDocument): number {
  return Math.max(opened?.at ?? 0, minted?.at ?? 0, ...quotes.map(({quotedAt}) => Date.parse(quotedAt)))
}
