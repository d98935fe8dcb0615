/** Money that is reported for a charge after it was archived. */
import {compare, decimal, isPaid, type Charge, type ObservedPayment} from '../../contract/index.js'
import {isOpened, type ChargeDocument, type OpenedDocument} from '../charges/document.js'
import {withLine} from '../charges/log.js'
import {withAlert, withNotices} from '../charges/notices.js'
import {computeBalance, sameMoney} from '../checkout/money.js'
import {toObservedPayment} from '../checkout/status.js'
import {listTransfers} from '../checkout/transfers.js'
import type {ServerContext} from '../context.js'
import type {Reading} from './observe.js'
import {chargeOf} from './charge-of.js'

/** Records what is paid beyond what the archive says: its rows in the ledger, and an alert, once. Nothing else happens. */
export async function readArchived(
  {charges, time, rules, ledger}: ServerContext,
  chargeId: string,
  document: ChargeDocument,
  reading: Reading,
): Promise<ChargeDocument> {
  const {archived, alerts} = document
  if (!archived) return document
  const now = time.now()
  const {charge} = reading
  const confirmed = confirmedIn(reading, now)
  const sumOf = (entries: typeof confirmed) =>
    computeBalance(
      archived.paid,
      entries.map(([, {local}]) => local),
    ).paid
  const isMore = (entries: typeof confirmed) =>
    compare(decimal(sumOf(entries).amount), decimal(archived.paid.amount)) > 0
  const isPaidUnlisted = !isPaid(archived.status) && isPaid(charge.status.value)
  if (!isMore(confirmed) && (!isPaidUnlisted || alerts['payment_after_archive'])) return document
  let known = confirmed
  while (isMore(known)) known = known.slice(0, -1)
  const paid = isMore(confirmed) ? sumOf(confirmed) : archived.paid
  await ledger.add(chargeId, asOpened(charge, known, 'open', now), asOpened(charge, confirmed, 'paid', now))
  const updated = await charges.update(chargeId, (latest, rev) => {
    if (!latest?.archived || !sameMoney(latest.archived.paid, archived.paid)) return undefined
    const after = withLine(withAlert(latest, 'payment_after_archive', now), now, 'archived_money', {
      amount: paid.amount,
      currency: paid.currency,
    })
    const listed = {...after, archived: {...latest.archived, paid}}
    return withNotices(latest, listed, rules.handled, now, rev)
  })
  return updated.document ?? document
}

/**
 * The document to show. Of a charge that was archived with money left over, or a refund address, what the service reports
 * now. Undefined for other archived charges.
 */
export function shownDocument({
  document,
  charge,
  snapshot,
}: Partial<Reading> & {readonly document: ChargeDocument}): OpenedDocument | undefined {
  if (isOpened(document)) return document
  const {archived, refundAddress} = document
  if (!charge || !archived || !(archived.refundable ?? refundAddress)) return undefined
  const confirmed = confirmedIn({charge, snapshot}, archived.at)
  const {opened, payments} = asOpened(charge, confirmed, 'open', archived.at)
  return {...document, opened, endedAt: archived.at, payments}
}

/** The oldest first. */
function confirmedIn({charge, snapshot}: Reading, now: number): [string, ObservedPayment][] {
  const lists = [snapshot?.payments ?? [], charge.payments].map(list =>
    list.map(payment => toObservedPayment(payment, now)),
  )
  return [...listTransfers({}, lists, false)]
    .filter(([, payment]) => payment.confirmed)
    .toSorted(([, a], [, b]) => Date.parse(a.at) - Date.parse(b.at))
}

/** What the ledger needs to know. */
function asOpened(
  charge: Charge,
  payments: readonly (readonly [string, ObservedPayment])[],
  status: 'open' | 'paid',
  now: number,
): OpenedDocument {
  const seen = payments.map(([key, payment]) => [key, {...payment, seenAt: now}] as const)
  return {...chargeOf(charge, now), status, paidAt: now, payments: Object.fromEntries(seen)}
}
