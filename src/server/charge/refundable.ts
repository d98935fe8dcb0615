/**
 * Money that has arrived and is not needed: what is paid beyond the price, and what is confirmed on a charge that has ended,
 * unless it counts towards the rest of its order.
 */
import {decimal, isPaid, subtractMoney, type Checkout, type Money} from '../../contract/index.js'
import {paymentsOf, type OpenedDocument} from '../charges/document.js'
import {orderPriceOf, type OrderDocument} from '../charges/order-document.js'
import {computeBalance, sameMoney} from '../checkout/money.js'
import {confirmedAmounts, priceOf} from '../checkout/status.js'
import {balance} from '../checkout/to-checkout.js'
import type {ServerContext} from '../context.js'
import {CheckoutError} from '../errors.js'
import {loadOrder} from './formers.js'

export interface Refundable {
  /** In the currency of the price. */
  readonly amount: Money
  /** On which it has arrived. */
  readonly networks: readonly string[]
}

/** What a page is told. Without client tokens nothing: whoever knows the id of a charge could redirect a refund. */
export async function refundOf(
  context: ServerContext,
  chargeId: string,
  charge: OpenedDocument,
): Promise<Checkout['refund']> {
  if (!context.hasTokens) return undefined
  if (charge.refundAddress) return 'asked'
  try {
    return (await refundable(context, chargeId, charge)) ? 'possible' : undefined
  } catch (error) {
    // A page must say that its charge is paid, whatever has become of the order.
    if (error instanceof CheckoutError && error.code === 'store_lost') return undefined
    throw error
  }
}

/** Undefined if nothing is left over, or the service lists no payment of it. */
export async function refundable(
  context: ServerContext,
  chargeId: string,
  charge: OpenedDocument,
): Promise<Refundable | undefined> {
  const confirmed = paymentsOf(charge).filter(payment => payment.confirmed)
  const networks = [...new Set(confirmed.map(({network}) => network))]
  if (networks.length === 0) return undefined
  const amount = charge.archived ? charge.archived.refundable : await surplus(context, chargeId, charge)
  return amount && decimal(amount.amount).units > 0n ? {amount, networks} : undefined
}

async function surplus(
  context: ServerContext,
  chargeId: string,
  charge: OpenedDocument,
): Promise<Money | undefined> {
  const {status, endedAt, withdrawn} = charge
  const {paid} = balance(charge)
  if (withdrawn) return paid
  const hasEnded = endedAt !== undefined && status !== 'pending' && !isPaid(status)
  if (charge.order && (hasEnded || isPaid(status))) {
    const order = await loadOrder(context, charge)
    const left = order && (await surplusOfOrder(context, order, chargeId))
    if (left || hasEnded || (order && isOfAnotherPrice(order, chargeId))) return left
  }
  if (hasEnded) return paid
  return status === 'overpaid' ? subtractMoney(paid, priceOf(charge)) : undefined
}

/** The order costs something else now, so what is paid beyond the price of the charge may count. */
function isOfAnotherPrice({charges}: OrderDocument, chargeId: string): boolean {
  const [own, current] = [charges.find(charge => charge.chargeId === chargeId), charges.at(-1)]
  return own !== undefined && current !== undefined && !sameMoney(orderPriceOf(own), orderPriceOf(current))
}

/** Undefined unless another charge has paid the order: what has arrived counts towards it. */
async function surplusOfOrder(
  context: ServerContext,
  order: OrderDocument,
  chargeId: string,
): Promise<Money | undefined> {
  const payerId = order.paid.find(({hasPrice}) => hasPrice)?.chargeId
  const payer = order.charges.find(charge => charge.chargeId === payerId)
  if (!payer || payerId === chargeId) return undefined
  const confirmedOn = async (id: string) => {
    const {document} = await context.charges.load(id)
    return {
      isPaidAlone: isPaid(document?.archived?.status ?? document?.status),
      amounts: document ? confirmedAmounts(document) : [],
    }
  }
  const {isPaidAlone, amounts} = await confirmedOn(payer.chargeId)
  let {due} = computeBalance(orderPriceOf(payer), isPaidAlone ? [payer.price] : amounts)
  for (const other of order.charges.filter(charge => charge !== payer)) {
    const {amounts} = await confirmedOn(other.chargeId)
    const after = computeBalance(due, amounts)
    // The earlier a charge, the sooner it counts.
    if (other.chargeId === chargeId) return subtractMoney(after.paid, subtractMoney(due, after.due))
    due = after.due
  }
  return undefined
}
