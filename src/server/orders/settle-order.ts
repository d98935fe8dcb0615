/** What a charge of an order means for its order: who is paid, and what is told to the shop. */
import {isPaid} from '../../contract/index.js'
import type {AlertKind} from '../base/alert-kinds.js'
import {readNowAndOpen} from '../charge/open.js'
import {hasMoney} from '../charge/order-formers.js'
import type {SharedRead} from '../charge/shared-read.js'
import {sameMoney} from '../checkout/money.js'
import {priceOf} from '../checkout/to-checkout.js'
import type {ServerContext} from '../context/context.js'
import type {Journal} from '../journal/journal.js'
import {requireOpened, type ChargeState} from '../journal/state.js'
import {orderJournal, toOrder, type Order} from './order-journal.js'

/** Undefined for a charge without an order. */
export async function orderOf({journals}: ServerContext, {opened}: ChargeState): Promise<Order | undefined> {
  if (opened?.order === undefined) return undefined
  const {order} = await orderJournal(journals, opened.order).state()
  return order && toOrder(opened.order, order)
}

/** A charge of an order is paid, and it is not decided yet whether the order is paid by it. */
export function mustSettleOrder({opened, status, withdrawn, onPaid, isIncomplete}: ChargeState): boolean {
  return opened?.order !== undefined && isPaid(status) && !withdrawn && onPaid === undefined && !isIncomplete
}

/**
 * Decides whether the order is paid by this charge: the first one that has the order's price. Records alerts about the
 * others. Each step can be repeated after a crash.
 */
export async function settleOrder({journals}: ServerContext, journal: Journal): Promise<void> {
  const charge = requireOpened(await journal.state())
  const {state} = await orderJournal(journals, charge.opened.order).update(({order}) => {
    const current = order?.charges.at(-1)
    if (!current || order?.paid.some(({chargeId}) => chargeId === journal.id)) return undefined
    const hasPrice = sameMoney(priceOf(charge), current.price)
    return {kind: 'order_paid', chargeId: journal.id, hasPrice}
  })
  const paid = state.order?.paid ?? []
  const index = paid.findIndex(({chargeId}) => chargeId === journal.id)
  if (index > 0) await raise(journal, 'order_paid_twice')
  if (paid[index]?.hasPrice === false) await raise(journal, 'order_price_mismatch')
  const first = paid.find(({hasPrice}) => hasPrice)
  await journal.update(({onPaid}) =>
    onPaid === undefined ? {kind: 'order_settled', onPaid: first?.chargeId === journal.id} : undefined,
  )
}

async function raise(journal: Journal, alert: Exclude<AlertKind, 'address_mismatch'>): Promise<void> {
  await journal.update(({alerts}) => (alerts.has(alert) ? undefined : {kind: 'alert', alert}))
}

/**
 * Whether the shop must not be told that this charge has ended, because a former charge of the order has money. Reads the
 * former charges now: an order that was paid another way must not lose its goods. Rejects with `ServiceError`.
 */
export async function hasMoneyElsewhere(
  context: ServerContext,
  {opened}: ChargeState,
  reads: SharedRead,
): Promise<boolean> {
  for (const chargeId of opened?.formers ?? []) {
    const journal = context.journals.of(chargeId)
    const {archived} = await journal.state()
    if (!archived) await readNowAndOpen(context, journal, reads)
    if (hasMoney(await journal.state(), context.time.now())) return true
  }
  return false
}
