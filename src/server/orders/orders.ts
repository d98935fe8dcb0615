/**
 * Orders: a shop knows orders, and the service knows charges. The document of an order joins them, so that it has at most
 * one charge that can be paid, however often and by however many processes it is created (invariant 11).
 */
import {
  isPaid,
  subtractMoney,
  type ChargeInput,
  type Checkout,
  type CheckoutStatus,
  type Money,
} from '../../contract/index.js'
import {isOpened, type ChargeDocument} from '../charges/document.js'
import {requireKnown} from '../charges/documents.js'
import {withLine} from '../charges/log.js'
import {withPaidNotice} from '../charges/notices.js'
import {blockingStatus} from '../charge/formers.js'
import {createOnce, holds, unlock} from '../charge/lock.js'
import {conclude, endIfOver} from '../charge/observe.js'
import {chargeOf} from '../charge/charge-of.js'
import {viewOf} from '../charge/view-of.js'
import type {Reader} from '../charge/reader.js'
import {isUnknown} from '../charge/service-failures.js'
import {computeBalance, isWithinTolerance, localPrice, sameCurrency, sameMoney} from '../checkout/money.js'
import {confirmedAmounts, isHeld, statusNow} from '../checkout/status.js'
import {toCheckout} from '../checkout/to-checkout.js'
import type {ServerContext} from '../context.js'
import {refundRequested, type RefundRequested} from '../charge/refund-address.js'
import {CheckoutError, ServiceError} from '../errors.js'
import {
  newOrder,
  orderPriceOf,
  toOrder,
  type Order,
  type OrderCharge,
  type OrderDocument,
} from '../charges/order-document.js'
import {requireOrderId} from './order-id.js'
import {priceOfInput, toChargeInput, type OrderInput} from './order-input.js'

export interface PlacedOrder extends Order {
  /** Whether this call has created the charge. */
  readonly created: boolean
  /** Of the charge. */
  readonly status: CheckoutStatus
}

export interface OrderResult extends Order {
  /** Whether any charge of the order is paid or overpaid, or all of them together, read just now. */
  readonly paid: boolean
  /** Of the order, also if its current charge is for the rest of it. */
  readonly price: Money
  /** What is confirmed on all its charges. */
  readonly received: Money
  /** What is still missing. */
  readonly due: Money
  /** Where the customer wants money back. */
  readonly refunds: readonly RefundRequested[]
  /** Of the paid charge, else of the current one. */
  readonly checkout: Checkout
}

interface ReadCharge extends OrderCharge {
  readonly document: ChargeDocument
  readonly rev: number
}

/** `createOrder` may use reads that are so old. */
const CREATE_AGE_MS = 10_000

export class Orders {
  constructor(
    readonly context: ServerContext,
    readonly reader: Reader,
  ) {}

  /** Resolves to the charge of the order that can be paid, or has money; else creates one. Rejects with `CheckoutError`. */
  async create(orderId: string, input: OrderInput): Promise<PlacedOrder> {
    const {orders, time} = this.context
    const id = requireOrderId(orderId)
    const request = toChargeInput(id, input)
    for (;;) {
      const {rev, document: known = newOrder(id)} = await orders.load(id)
      const charges = await this.#readCharges(known, CREATE_AGE_MS)
      const found = this.#find(charges, known, request)
      const summed = found ? undefined : this.#paidTogether(charges, priceOfInput(request))
      const shown = found ?? summed
      if (shown) {
        const status = summed ? 'paid' : statusNow(shown.document, time.expiry())
        if (summed || known.isWithdrawn) await this.#revive(id, charges, shown.chargeId, isPaid(status))
        return {...toOrder(known), chargeId: shown.chargeId, created: false, status}
      }
      let created: OrderDocument | undefined
      await createOnce(this.context, {
        documents: orders,
        id,
        idName: 'orderId',
        initial: () => newOrder(id),
        // Another process has changed it: what was read is too old.
        isDone: (_, latestRev) => latestRev !== rev,
        create: async lock => {
          created = await this.#createCharge(id, charges, request, lock)
        },
      })
      if (created) return {...toOrder(created), created: true, status: 'open'}
    }
  }

  /** Reads the service now. Rejects with `CheckoutError`: `order_not_found`. */
  async get(orderId: string): Promise<OrderResult> {
    const order = await this.#load(orderId)
    const charges = await this.#readCharges(order, 0)
    const paid = charges.find(({document}) => isPaid(statusNow(document, this.context.time.expiry())))
    const current = charges.at(-1)
    if (!current) throw new CheckoutError('order_not_found')
    const price = orderPriceOf(current)
    const confirmed = charges.flatMap(confirmedOn)
    // What the service calls paid without listing payments owes nothing.
    const counted = paid && confirmed.length === 0 ? [price] : charges.flatMap(countedOn)
    const together = paid || wasSettled(order) ? undefined : this.#paidTogether(charges, price)
    if (together && !order.isWithdrawn) await this.#revive(order.id, charges, together.chargeId, true)
    return {
      ...toOrder(order),
      paid: (paid ?? together) !== undefined || wasSettled(order),
      price,
      received: computeBalance(price, confirmed).paid,
      due: computeBalance(price, counted).due,
      refunds: charges.flatMap(({chargeId, document}) => refundRequested(chargeId, document) ?? []),
      checkout: await this.#toCheckout(paid ?? current, charges),
    }
  }

  /** Ends all charges of the order. Rejects with `CheckoutError` when it is paid, or a payment is on its way. */
  async cancel(orderId: string): Promise<void> {
    const {orders, logger} = this.context
    const order = await this.#load(orderId)
    const charges = await this.#readCharges(order, 0)
    for (const {document} of charges) this.#requireUnpaid(document)
    if (wasSettled(order)) throw new CheckoutError('already_paid')
    for (const {chargeId} of charges) await this.#withdraw(chargeId)
    const {document} = await orders.update(order.id, latest =>
      !latest || latest.isWithdrawn ? undefined : {...latest, isWithdrawn: true, lock: undefined},
    )
    // Another process may have created one meanwhile.
    const added = document?.charges.slice(charges.length) ?? []
    for (const {chargeId} of added) await this.#withdraw(chargeId)
    logger.info('cancelled an order', {chargeId: charges.at(-1)?.chargeId})
  }

  async #load(orderId: string): Promise<OrderDocument> {
    const {document} = await this.context.orders.load(requireOrderId(orderId))
    if (!document || document.charges.length === 0) throw new CheckoutError('order_not_found')
    return document
  }

  /** Reads all charges of an order. What the service does not know, and never had money, is as it is stored. */
  #readCharges({charges}: OrderDocument, maxAgeMs: number): Promise<ReadCharge[]> {
    const {context, reader} = this
    return Promise.all(
      charges.map(async charge => {
        const {chargeId} = charge
        try {
          const {document, rev} = await reader.read(chargeId, {maxAgeMs})
          requireKnown(document)
          return {...charge, document, rev}
        } catch (error) {
          const {document, rev} = await context.charges.load(chargeId)
          // Every charge that an order names was stored before.
          if (!document) throw context.charges.lost(chargeId)
          if (!isUnknown(document)) throw error
          return {...charge, document, rev}
        }
      }),
    )
  }

  /** Throws `order_has_payment` when money has arrived for another price, or its customer wants it back. */
  #find(
    charges: readonly ReadCharge[],
    {isWithdrawn}: OrderDocument,
    request: ChargeInput,
  ): ReadCharge | undefined {
    const expiry = this.context.time.expiry()
    const price = priceOfInput(request)
    const acceptsPartial = request.billing.pricing_type.includes('partial')
    const isSame = (charge: OrderCharge) =>
      sameMoney(orderPriceOf(charge), price) && charge.acceptsPartial === acceptsPartial
    // What is paid in another currency cannot be taken from the price.
    const isForeign = (charge: ReadCharge) =>
      confirmedOn(charge).length > 0 && !sameCurrency(charge.price.currency, price.currency)
    const held = charges.filter(charge => isHeld(charge.document, expiry) || isForeign(charge))
    if (held.length > 0) {
      const same = held.filter(charge => isSame(charge) && !this.#isWantedBack(charge))
      const statusOf = ({document}: ReadCharge) => statusNow(document, expiry)
      const best =
        same.find(charge => isPaid(statusOf(charge))) ??
        same.find(charge => statusOf(charge) === 'pending') ??
        same.at(-1)
      if (!best) throw new CheckoutError('order_has_payment')
      return best
    }
    const current = charges.at(-1)
    if (!current || isWithdrawn || isUnknown(current.document)) return undefined
    const isForRest = sameMoney(current.price, restOf(charges, price))
    return statusNow(current.document, expiry) === 'open' && isSame(current) && isForRest
      ? current
      : undefined
  }

  /** The order was cancelled, and then the charge was paid: whether that counts, the shop has to decide. */
  #isWantedBack(charge: ReadCharge): boolean {
    const isPaidByIt = isWithinTolerance(charge.price, countedOn(charge), this.context.rules.tolerance)
    return charge.document.refundAddress !== undefined && !isPaidByIt
  }

  /** The last charge with money, if no charge is paid, and all of them together cover the price. */
  #paidTogether(charges: readonly ReadCharge[], price: Money): ReadCharge | undefined {
    const confirmed = charges.flatMap(countedOn)
    if (!isWithinTolerance(price, confirmed, this.context.rules.tolerance)) return undefined
    return charges.findLast(charge => confirmedOn(charge).length > 0)
  }

  /** The order is no longer cancelled, and no other charge can be paid. The shop is told if it is paid. */
  async #revive(
    id: string,
    all: readonly ReadCharge[],
    chargeId: string,
    isOrderPaid: boolean,
  ): Promise<void> {
    const {orders, charges, time, rules} = this.context
    await orders.update(id, latest => (latest?.isWithdrawn ? {...latest, isWithdrawn: false} : undefined))
    for (const other of all) if (other.chargeId !== chargeId) await this.#replace(other.chargeId)
    const times = {now: time.now(), expiry: time.expiry()}
    await charges.update(chargeId, (latest, rev) => {
      if (!isOpened(latest)) return undefined
      const {withdrawn, told} = latest
      // While the order was cancelled, it was not paid by this charge.
      const again = {withdrawn: undefined, paysOrder: undefined, told: told.filter(line => line !== 'paid')}
      const revived = withdrawn ? {...latest, ...again} : latest
      // The rest of its own price is not due any more.
      const isOver = isOrderPaid && !isPaid(revived.status) && !revived.isReplaced
      const closed = isOver ? {...revived, isReplaced: true} : revived
      const after = isOrderPaid ? withPaidNotice(closed, rules.handled, times.now, rev) : closed
      if (after === latest) return undefined
      return conclude(latest, endIfOver(after, times, rules), times.now, rules, rev)
    })
  }

  async #createCharge(
    id: string,
    formers: readonly ReadCharge[],
    request: ChargeInput,
    lock: string,
  ): Promise<OrderDocument | undefined> {
    const {service, orders, charges, time, rules, logger} = this.context
    const orderPrice = priceOfInput(request)
    const replaced: ReadCharge[] = []
    for (const former of formers) {
      const document = await this.#replace(former.chargeId)
      if (document) replaced.push({...former, document})
    }
    const rest = restOf(replaced, orderPrice)
    if (replaced.length < formers.length || this.#paidTogether(replaced, orderPrice)) {
      await unlock(orders, id, lock)
      return undefined
    }
    const billing = {...request.billing, amount: rest.amount}
    const charge = await service.createCharge({...request, billing})
    const price = localPrice(charge.billing.amount, charge.billing.currency)
    if (!sameMoney(price, rest))
      throw new ServiceError('createCharge', 'upstream_invalid', {outcome: 'unknown'})
    const chargeId = charge._id
    const now = time.now()
    const isRest = !sameMoney(rest, orderPrice)
    const link = {
      id,
      formers: formers.map(former => former.chargeId),
      ...(isRest && {price: orderPrice}),
    }
    const opened = chargeOf(charge, now, link)
    // First, so that every charge that an order names has a document. Without the next write it is never shown.
    await charges.update(chargeId, (latest, rev) =>
      latest ? undefined : conclude(undefined, opened, now, rules, rev),
    )
    const acceptsPartial = opened.opened.acceptsPartial
    const {document, changed} = await orders.update(id, latest => {
      if (!holds(latest, lock)) return undefined
      const added = {chargeId, price, ...(isRest && {orderPrice}), acceptsPartial, at: now}
      return {...latest, charges: [...latest.charges, added], isWithdrawn: false, lock: undefined}
    })
    // The lock had ended, and another process may have created a charge.
    if (!changed) return undefined
    logger.info('created a charge of an order', {chargeId})
    return document
  }

  /** Resolves to undefined when money holds the charge meanwhile. A new charge makes a cancelled order alive again. */
  async #replace(chargeId: string): Promise<ChargeDocument | undefined> {
    const {charges, time, rules} = this.context
    const times = {now: time.now(), expiry: time.expiry()}
    const {document, rev} = await charges.update(chargeId, (latest, rev) => {
      if (!isOpened(latest) || isHeld(latest, times.expiry)) return undefined
      if (latest.isReplaced && !latest.withdrawn) return undefined
      const replaced = withLine({...latest, isReplaced: true, withdrawn: undefined}, times.now, 'replaced')
      return conclude(latest, endIfOver(replaced, times, rules), times.now, rules, rev)
    })
    // Another process may have read the money.
    if (document) this.reader.onChange(chargeId, document, rev)
    return document && !isHeld(document, times.expiry) ? document : undefined
  }

  async #withdraw(chargeId: string): Promise<void> {
    const {charges, time, rules} = this.context
    const times = {now: time.now(), expiry: time.expiry()}
    await charges.update(chargeId, (latest, rev) => {
      if (!isOpened(latest)) return undefined
      this.#requireUnpaid(latest)
      if (latest.withdrawn) return undefined
      const confirmed = Object.values(latest.payments).filter(payment => payment.confirmed).length
      const withdrawn = withLine({...latest, withdrawn: {confirmed}}, times.now, 'withdrawn')
      return conclude(latest, endIfOver(withdrawn, times, rules), times.now, rules, rev)
    })
  }

  /** A part that was confirmed does not keep an order from being cancelled. */
  #requireUnpaid(document: ChargeDocument): void {
    const status = statusNow(document, this.context.time.expiry())
    if (isPaid(status)) throw new CheckoutError('already_paid')
    if (status === 'pending') throw new CheckoutError('payment_pending')
  }

  async #toCheckout(
    {chargeId, price, acceptsPartial, at, document, rev}: ReadCharge,
    charges: readonly ReadCharge[],
  ): Promise<Checkout> {
    const formers = charges.filter(({chargeId: id}) => document.order?.formers.includes(id))
    const isBlocked =
      blockingStatus(
        this.context,
        formers.map(former => former.document),
      ) !== undefined
    const opened = {at, price, acceptsPartial, createdAt: new Date(at).toISOString()}
    // Archived: only a short document is left.
    const shown = isOpened(document) ? document : {...document, opened}
    const view = await viewOf(this.context, chargeId, shown, {isBlocked})
    const checkout = toCheckout(chargeId, shown, rev, view, this.reader.lastAssets(chargeId))
    if (shown === document) return checkout
    return {...checkout, paid: document.archived?.paid ?? checkout.paid, payable: false}
  }
}

/** What is confirmed on a charge. */
function confirmedOn({document}: ReadCharge): Money[] {
  return confirmedAmounts(document)
}

/** The same without what the customer wants back: it counts again when the shop has cleared the refund address. */
function countedOn(charge: ReadCharge): Money[] {
  const {refundAddress} = charge.document
  const confirmed = confirmedOn(charge)
  return refundAddress
    ? [subtractMoney(computeBalance(charge.price, confirmed).paid, refundAddress.amount)]
    : confirmed
}

/** The price, less what counts on all charges, rounded up to its places. */
function restOf(charges: readonly ReadCharge[], price: Money): Money {
  return computeBalance(price, charges.flatMap(countedOn)).due
}

/** The order was paid, and the shop told. */
function wasSettled({paid}: OrderDocument): boolean {
  return paid.some(({hasPrice}) => hasPrice)
}
