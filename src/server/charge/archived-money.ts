/** Money that is reported for a charge after it was archived. */
import {isPaid, type Charge, type ObservedPayment} from '../../contract/index.js'
import {hash} from '../base/hash.js'
import {isOpened, type ChargeDocument, type OpenedDocument} from '../charges/document.js'
import type {Change} from '../charges/documents.js'
import {withLine} from '../charges/log.js'
import {withAlert, withNotices} from '../charges/notices.js'
import {computeBalance} from '../checkout/money.js'
import {toObservedPayment} from '../checkout/status.js'
import {listTransfers, UNLISTED} from '../checkout/transfers.js'
import type {ServerContext} from '../context.js'
import type {Reading} from './observe.js'
import {chargeOf} from './charge-of.js'

/** Records payments that the archive has not listed: their rows in the ledger, the status, and an alert. No other handler runs. */
export async function readArchived(
  {charges, time, rules, ledger}: ServerContext,
  chargeId: string,
  document: ChargeDocument,
  reading: Reading,
): Promise<ChargeDocument> {
  const now = time.now()
  const {charge} = reading
  const confirmed = confirmedIn(reading, now)
  const change: Change<ChargeDocument> = (latest, rev) => {
    const after = latest && withLateMoney(latest, charge, confirmed, now)
    return after && withNotices(latest, after, rules.handled, now, rev)
  }
  if (!change(document, 0)) return document
  const known = confirmed.filter(([key]) => isListed(document, key))
  await ledger.add(chargeId, asOpened(charge, known, 'open', now), asOpened(charge, confirmed, 'paid', now))
  return (await charges.update(chargeId, change)).document ?? document
}

/** Undefined if nothing was paid since. */
function withLateMoney(
  document: ChargeDocument,
  {status: {value}}: Charge,
  confirmed: readonly (readonly [string, ObservedPayment])[],
  now: number,
): ChargeDocument | undefined {
  const {archived} = document
  if (!archived) return undefined
  const added = confirmed.filter(([key]) => !isListed(document, key))
  // Also without a listed payment. Its order is not asked for money again.
  const status = isPaid(value) && archived.status !== 'overpaid' ? value : archived.status
  const isPaidSince = isPaid(status) && !isPaid(archived.status)
  if (added.length === 0 && !isPaidSince) return undefined
  const amounts = [archived.paid, ...added.map(([, {local}]) => local)]
  const {paid} = computeBalance(archived.paid, amounts)
  const keys = confirmed.length > 0 ? added.map(([key]) => key) : [UNLISTED]
  const listed = {...archived.listed, ...Object.fromEntries(keys.map(key => [hash(key), now]))}
  const after = {...document, archived: {...archived, paid, status, listed}}
  return withLine(withAlert(after, 'payment_after_archive', now), now, 'archived_money', {...paid})
}

function isListed({archived}: ChargeDocument, key: string): boolean {
  return archived?.listed[hash(key)] !== undefined
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
