/** Money that is reported for a charge after it was archived. */
import {compare, decimal, isPaid} from '../../contract/index.js'
import type {ChargeDocument} from '../charges/document.js'
import {withLine} from '../charges/log.js'
import {withAlert, withNotices} from '../charges/notices.js'
import {computeBalance} from '../checkout/money.js'
import {toObservedPayment} from '../checkout/status.js'
import {listTransfers} from '../checkout/transfers.js'
import type {ServerContext} from '../context.js'
import type {Reading} from './observe.js'

/** Records an alert, once, when more is paid than the archive says. Nothing else happens to an archived charge. */
export async function readArchived(
  {charges, time, rules}: ServerContext,
  chargeId: string,
  document: ChargeDocument,
  {charge, snapshot}: Reading,
): Promise<ChargeDocument> {
  const {archived} = document
  if (!archived || document.alerts['payment_after_archive']) return document
  const now = time.now()
  const lists = [snapshot?.payments ?? [], charge.payments].map(list =>
    list.map(payment => toObservedPayment(payment, now)),
  )
  const confirmed = [...listTransfers({}, lists, false).values()].filter(payment => payment.confirmed)
  const {paid} = computeBalance(
    archived.paid,
    confirmed.map(({local}) => local),
  )
  const isMore = compare(decimal(paid.amount), decimal(archived.paid.amount)) > 0
  if (!isMore && (isPaid(archived.status) || !isPaid(charge.status.value))) return document
  const updated = await charges.update(chargeId, (latest, rev) => {
    if (!latest?.archived || latest.alerts['payment_after_archive']) return undefined
    const after = withLine(withAlert(latest, 'payment_after_archive', now), now, 'archived_money', {
      amount: paid.amount,
      currency: paid.currency,
    })
    return withNotices(latest, after, rules.handled, now, rev)
  })
  return updated.document ?? document
}
