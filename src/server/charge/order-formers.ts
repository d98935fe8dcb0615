/** The former charges of an order, which only their own journals know. */
import {isPaid, type CheckoutStatus} from '../../contract/index.js'
import {statusNow} from '../checkout/status.js'
import type {ServerContext} from '../context/context.js'
import type {ChargeState} from '../journal/state.js'

/**
 * The status of a former charge that is pending or paid: until it is known whether the order is paid, the current charge
 * must not be. A part that was paid on a former charge does not count; the shop decides about it.
 */
export async function blockingStatus(
  {journals, time}: ServerContext,
  {opened}: ChargeState,
): Promise<CheckoutStatus | undefined> {
  const formers = await Promise.all(
    (opened?.formers ?? []).map(chargeId => journals.of(chargeId).cachedState()),
  )
  const statuses = formers.map(state => statusNow(state, time.now()))
  return statuses.find(isPaid) ?? statuses.find(status => status === 'pending')
}

/** Whether money has arrived, confirmed or not. */
export function hasMoney(state: ChargeState, now: number): boolean {
  const status = statusNow(state, now)
  return status === 'pending' || status === 'underpaid' || isPaid(status)
}
