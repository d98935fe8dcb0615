/**
 * What the merchant must still be told. A notice is stored in the same write as the change that it reports, so nothing can be
 * seen and not be told (invariant 10). Pure.
 */
import {isPaid, type CheckoutStatus} from '../../contract/index.js'
import {alertKinds, type AlertKind} from '../base/alert-kinds.js'
import type {NoticeHandler} from '../base/handler-names.js'
import {
  activeAlerts,
  countConfirmed,
  type Alert,
  type ChargeDocument,
  type Notice,
  type RefundAddress,
} from './document.js'
import {withLine} from './log.js'

/** The handlers that the merchant has passed. Without a handler there is no notice. */
export type Handled = ReadonlySet<NoticeHandler>

const FIRST_RETRY_MS = 30_000
const MAX_RETRY_MS = 15 * 60_000

/**
 * Adds a notice for each thing that the change reports.
 *
 * @param rev the version of the document before
 */
export function withNotices<Document extends ChargeDocument>(
  before: ChargeDocument | undefined,
  after: Document,
  handled: Handled,
  now: number,
  rev: number,
): Document {
  const subjects = [
    ...paymentSubjects(before, after),
    ...statusSubjects(before, after),
    ...alertSubjects(before, after),
    ...refundSubjects(before, after),
  ]
  return withSubjects(after, subjects, handled, now, rev)
}

/** Tells that the order is paid, although no charge of it is paid alone. */
export function withPaidNotice<Document extends ChargeDocument>(
  charge: Document,
  handled: Handled,
  now: number,
  rev: number,
): Document {
  return withSubjects(charge, [{subject: 'paid', handler: 'onPaid'}], handled, now, rev)
}

function withSubjects<Document extends ChargeDocument>(
  after: Document,
  subjects: readonly Subject[],
  handled: Handled,
  now: number,
  rev: number,
): Document {
  const news = subjects.filter(
    ({subject, handler}) =>
      handled.has(handler) &&
      !after.told.includes(subject) &&
      !after.notices.some(notice => notice.subject === subject),
  )
  if (news.length === 0) return after
  const notices = news.map(({subject, handler}): Notice => ({
    subject,
    handler,
    at: now,
    since: now,
    failures: 0,
    rev: rev + 1,
  }))
  return {...after, notices: [...after.notices, ...notices]}
}

interface Subject {
  readonly subject: string
  readonly handler: NoticeHandler
}

const PAYMENT = 'payment '

function paymentSubjects(before: ChargeDocument | undefined, {payments}: ChargeDocument): Subject[] {
  return Object.entries(payments)
    .filter(([key, {confirmed}]) => confirmed && !before?.payments[key]?.confirmed)
    .map(([key]) => ({subject: PAYMENT + key, handler: 'onPayment'}))
}

/** The key of the payment that the notice is about. */
export function paymentKeyOf({subject}: Notice): string {
  return subject.slice(PAYMENT.length)
}

const statusHandlers: Partial<Record<CheckoutStatus, NoticeHandler>> = {
  paid: 'onPaid',
  underpaid: 'onUnderpaid',
  expired: 'onExpired',
  cancelled: 'onCancelled',
}

/** `overpaid` follows `paid` and is not told a second time. Each confirmed part that leaves an amount due is told. */
function statusSubjects(before: ChargeDocument | undefined, after: ChargeDocument): Subject[] {
  const status = isPaid(after.status) ? 'paid' : after.status
  const handler = statusHandlers[status]
  if (!handler || isLeftToOrder(after, status)) return []
  if (status === 'underpaid') return [{subject: `underpaid ${countConfirmed(after)}`, handler}]
  return before?.status === after.status ? [] : [{subject: status, handler}]
}

/** A charge of an order is not all of it. Whether its order is paid, is decided when the shop is told. */
function isLeftToOrder({isReplaced, withdrawn}: ChargeDocument, status: CheckoutStatus): boolean {
  return (isReplaced === true || withdrawn !== undefined) && (status === 'expired' || status === 'cancelled')
}

function alertSubjects(before: ChargeDocument | undefined, after: ChargeDocument): Subject[] {
  return activeAlerts(after)
    .filter(kind => before?.alerts[kind]?.count !== after.alerts[kind]?.count)
    .map(kind => ({subject: `alert ${kind} ${after.alerts[kind]?.count ?? 0}`, handler: 'onAlert'}))
}

function refundSubjects(before: ChargeDocument | undefined, {refundAddress}: ChargeDocument): Subject[] {
  return refundAddress && refundAddress.at !== before?.refundAddress?.at
    ? [{subject: refundSubject(refundAddress), handler: 'onRefundAddress'}]
    : []
}

export function refundSubject({at}: RefundAddress): string {
  return `refund ${at}`
}

/** The kind of the alert that the notice is about. */
export function alertKindOf({subject}: Notice): AlertKind | undefined {
  return alertKinds.find(kind => kind === subject.split(' ')[1])
}

/** Raises an alert, once until the merchant has settled it. */
export function withAlert<Document extends ChargeDocument>(
  charge: Document,
  kind: AlertKind,
  now: number,
  items?: number,
): Document {
  const before = charge.alerts[kind]
  if (before && !before.isCleared && before.isActive && before.items === items) return charge
  // Raised again without having been settled: the merchant knows of it.
  const isKnown = before !== undefined && !before.isCleared
  const alert: Alert = {
    count: (before?.count ?? 0) + Number(!isKnown),
    isActive: true,
    isCleared: false,
    ...(items !== undefined && {items}),
  }
  return withLine({...charge, alerts: {...charge.alerts, [kind]: alert}}, now, 'alert', {alert: kind, items})
}

/** When the notice is tried next after this failure: the pause doubles. */
export function retryAt({failures}: Notice, now: number): number {
  return now + Math.min(FIRST_RETRY_MS * 2 ** failures, MAX_RETRY_MS)
}
