/** What a paid charge means for its order: who is told, and what. */
import {isOpened, type ChargeDocument, type OpenedDocument} from '../charges/document.js'
import {withLine} from '../charges/log.js'
import {withAlert} from '../charges/notices.js'
import {loadOrder} from '../charge/formers.js'
import {conclude} from '../charge/observe.js'
import {sameMoney} from '../checkout/money.js'
import {priceOf} from '../checkout/status.js'
import type {ServerContext} from '../context.js'
import {orderPriceOf, toOrder, type Order} from '../charges/order-document.js'

/** Undefined for a charge without an order. Rejects with `store_lost` when the store has the charge and not the order. */
export async function orderOf(
  context: ServerContext,
  charge: Pick<ChargeDocument, 'order'>,
): Promise<Order | undefined> {
  const order = await loadOrder(context, charge)
  return order && toOrder(order)
}

/**
 * Decides whether the order is paid by this charge: the first one that has the order's price, or is for its rest. Records
 * alerts about the others. Each step can be repeated after a crash.
 */
export async function settleOrder(
  context: ServerContext,
  chargeId: string,
  charge: OpenedDocument & {order: {id: string}},
): Promise<void> {
  const {orders, charges, time, rules} = context
  const updated = await orders.update(charge.order.id, order => {
    const current = order?.charges.at(-1)
    if (!order || !current || order.isWithdrawn) return undefined
    if (order.paid.some(paid => paid.chargeId === chargeId)) return undefined
    const own = order.charges.find(each => each.chargeId === chargeId)
    const price = own && sameMoney(own.price, priceOf(charge)) ? orderPriceOf(own) : priceOf(charge)
    const hasPrice = sameMoney(price, orderPriceOf(current))
    return {...order, paid: [...order.paid, {chargeId, hasPrice}]}
  })
  const order = updated.document ?? (await loadOrder(context, charge))
  if (!order) return
  const index = order.paid.findIndex(paid => paid.chargeId === chargeId)
  const paysOrder = !order.isWithdrawn && order.paid.find(({hasPrice}) => hasPrice)?.chargeId === chargeId
  const now = time.now()
  await charges.update(chargeId, (latest, rev) => {
    if (!isOpened(latest) || latest.paysOrder !== undefined) return undefined
    let next: OpenedDocument = {...latest, paysOrder}
    if (index > 0) next = withAlert(next, 'order_paid_twice', now)
    if (order.paid[index]?.hasPrice === false) next = withAlert(next, 'order_price_mismatch', now)
    if (!paysOrder) next = withoutNotice(next, 'paid', now)
    return conclude(latest, next, now, rules, rev)
  })
}

/** The shop need not be told. */
export function withoutNotice<Document extends ChargeDocument>(
  charge: Document,
  subject: string,
  now: number,
): Document {
  const notices = charge.notices.filter(notice => notice.subject !== subject)
  return withLine({...charge, notices, told: [...charge.told, subject]}, now, 'not_told', {subject})
}
