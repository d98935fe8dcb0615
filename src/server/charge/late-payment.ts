/** Money that is reported for a charge after it was archived. */
import {compare, decimal, isPaid, type Charge} from '../../contract/index.js'
import {computeBalance} from '../checkout/money.js'
import {confirmedAmounts, toObservedPayment} from '../checkout/status.js'
import type {ServerContext} from '../context/context.js'
import {addToIndex, indexIdOf} from '../journal/charge-index.js'
import type {Archived} from '../journal/entry.js'
import type {Journal} from '../journal/journal.js'
import {paymentKey} from '../journal/state.js'
import {readCharge} from './observe.js'

/** Records an alert, once, when more is paid than the tombstone says. Rejects with `ServiceError`. */
export async function readArchived(
  context: ServerContext,
  journal: Journal,
  {status, paid, cryptoChargeId}: Archived,
): Promise<Charge> {
  const {service, time, journals} = context
  const charge = await readCharge(context, journal.id)
  const cryptoCharge =
    cryptoChargeId === undefined ? undefined : await service.getCryptoCharge(cryptoChargeId)
  const now = time.now()
  const payments = [...charge.payments, ...(cryptoCharge?.wallet.payments ?? [])]
    .map(payment => toObservedPayment(payment, now))
    .filter(({confirmed}) => confirmed)
  const confirmed = confirmedAmounts(new Map(payments.map(payment => [paymentKey(payment), payment])))
  const total = computeBalance(paid, confirmed).paid
  const isMore = compare(decimal(total.amount), decimal(paid.amount)) > 0
  if (!isMore && (isPaid(status) || !isPaid(charge.status.value))) return charge
  // So that a sweep finds it if this process ends before the merchant is notified.
  if (!(await journal.state()).alerts.has('payment_after_archive'))
    await addToIndex(journals, indexIdOf('late', now), journal.id)
  await journal.update(({alerts}) =>
    alerts.has('payment_after_archive') ? undefined : {kind: 'alert', alert: 'payment_after_archive'},
  )
  return charge
}
