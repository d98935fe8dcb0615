/** The former charges of an order: none of its charges may be paid while another one is pending or paid (invariant 11). */
import {isPaid, type CheckoutStatus} from '../../contract/index.js'
import type {ChargeDocument} from '../charges/document.js'
import type {OrderDocument} from '../charges/order-document.js'
import {hasMoney, statusNow} from '../checkout/status.js'
import type {ServerContext} from '../context.js'
import type {Reader} from './reader.js'
import {isUnknown} from './service-failures.js'

/** The former charges are read with the charge. Their reads may be so old. */
const FORMER_AGE_MS = 15_000

/** Rejects with `store_lost` for a charge whose order is not in the store: it may have other charges. */
export async function loadOrder(
  {orders}: ServerContext,
  {order}: Pick<ChargeDocument, 'order'>,
): Promise<OrderDocument | undefined> {
  if (!order) return undefined
  const {document} = await orders.load(order.id)
  if (!document) throw orders.lost(order.id)
  return document
}

/** Reads the former charges that could still be paid. Rejects with `ServiceError`. */
export async function readFormers(
  context: ServerContext,
  reader: Reader,
  {order}: Pick<ChargeDocument, 'order'>,
  maxAgeMs = FORMER_AGE_MS,
): Promise<ChargeDocument[]> {
  return Promise.all(
    (order?.formers ?? []).map(async chargeId => {
      const document = await loadFormer(context, chargeId)
      // Paid, it blocks for ever. Unknown to the service, it blocks nothing.
      if (document.archived || isPaid(document.status)) return document
      try {
        return (await reader.read(chargeId, {maxAgeMs})).document
      } catch (error) {
        const latest = await loadFormer(context, chargeId)
        if (isUnknown(latest)) return latest
        throw error
      }
    }),
  )
}

/** As stored, for a page that cannot be read now. */
export function loadFormers(
  context: ServerContext,
  {order}: Pick<ChargeDocument, 'order'>,
): Promise<ChargeDocument[]> {
  return Promise.all((order?.formers ?? []).map(chargeId => loadFormer(context, chargeId)))
}

/** A part that was paid on a former charge does not count; the shop decides about it. */
export function blockingStatus(
  {time}: ServerContext,
  formers: readonly ChargeDocument[],
): CheckoutStatus | undefined {
  const statuses = formers.map(former => statusNow(former, time.expiry()))
  return statuses.find(isPaid) ?? statuses.find(status => status === 'pending')
}

/** Whether a former charge has money, read now: an order that was paid another way must not lose its goods. */
export async function hasMoneyElsewhere(
  context: ServerContext,
  reader: Reader,
  charge: Pick<ChargeDocument, 'order'>,
): Promise<boolean> {
  const formers = await readFormers(context, reader, charge, 0)
  return formers.some(former => hasMoney(former, context.time.expiry()))
}

/** The document that names it has been written after it. */
async function loadFormer({charges}: ServerContext, chargeId: string): Promise<ChargeDocument> {
  const {document} = await charges.load(chargeId)
  if (!document) throw charges.lost(chargeId)
  return document
}
