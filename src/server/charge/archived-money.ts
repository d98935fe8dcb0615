/** Money that is reported for a charge after it was archived. */
import {isPaid, type Charge, type ObservedPayment} from '../../contract/index.js'
import {hash} from '../base/hash.js'
import {isOpened, type ChargeDocument, type OpenedDocument} from '../charges/document.js'
import {withLine} from '../charges/log.js'
import {withAlert, withNotices} from '../charges/notices.js'
import {computeBalance} from '../checkout/money.js'
import {toObservedPayment} from '../checkout/status.js'
import {listTransfers} from '../checkout/transfers.js'
import type {ServerContext} from '../context.js'
import type {Reading} from './observe.js'
import {chargeOf} from './charge-of.js'

/** Records what is paid beyond what the archive says: its rows in the ledger, the status, and an alert. Nobody else is told. */
export async function readArchived(
  {charges, time, rules, ledger}: ServerContext,
  chargeId: string,
  document: ChargeDocument,
  reading: Reading,
): Promise<ChargeDocument> {
  const {archived} = document
  if (!archived) return document
  const now = time.now()
  const {charge} = reading
  const confirmed = confirmedIn(reading, now)
  const isKnown = ([key]: (typeof confirmed)[number]) => archived.listed.includes(hash(key))
  const added = confirmed.filter(each => !isKnown(each))
  // Also without a listed payment. Its order is not asked for money again.
  const {value} = charge.status
  const status = isPaid(value) && archived.status !== 'overpaid' ? value : archived.status
  if (added.length === 0 && (!isPaid(status) || isPaid(archived.status))) return document
  const amounts = [archived.paid, ...added.map(([, {local}]) => local)]
  const {paid} = computeBalance(archived.paid, amounts)
  const before = asOpened(charge, confirmed.filter(isKnown), 'open', now)
  await ledger.add(chargeId, before, asOpened(charge, confirmed, 'paid', now))
  const updated = await charges.update(chargeId, (latest, rev) => {
    // Another process may have recorded it.
    if (!latest?.archived || latest.archived.listed.length !== archived.listed.length) return undefined
    if (latest.archived.status !== archived.status) return undefined
    const after = withLine(withAlert(latest, 'payment_after_archive', now), now, 'archived_money', {
      amount: paid.amount,
      currency: paid.currency,
    })
    const keys = [...archived.listed, ...added.map(([key]) => hash(key))]
    const listed = {...after, archived: {...latest.archived, paid, status, listed: keys}}
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
