/**
 * Orders: a shop knows orders, and the service knows charges. The document of an order joins them, so that it has at most
 * one charge that can be paid, however often and by however many processes it is created (invariant 11).
 */
import {isPaid, type ChargeInput, type Checkout, type CheckoutStatus} from '../../contract/index.js'
import {isOpened, type ChargeDocument} from '../charges/document.js'
import {requireKnown} from '../charges/documents.js'
import {withLine} from '../charges/log.js'
import {blockingStatus} from '../charge/formers.js'
import {createOnce, holds, unlock} from '../charge/lock.js'
import {conclude, endIfOver} from '../charge/observe.js'
import {chargeOf} from '../charge/open.js'
import type {Reader} from '../charge/reader.js'
import {isUnknown} from '../charge/service-failures.js'
import {localPrice, sameMoney} from '../checkout/money.js'
import {hasMoney, statusNow} from '../checkout/status.js'
import {toCheckout} from '../checkout/to-checkout.js'
import type {ServerContext} from '../context.js'
import {CheckoutError, ServiceError} from '../errors.js'
import {
  newOrder,
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
  /** Whether any charge of the order is paid or overpaid, read just now. */
  readonly paid: boolean
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
      if (found) {
        const status = statusNow(found.document, time.expiry())
        return {...toOrder(known), chargeId: found.chargeId, created: false, status}
      }
      let created: OrderDocument | undefined
      await createOnce(this.context, {
        documents: orders,
        id,
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
    const shown = paid ?? charges.at(-1)
    if (!shown) throw new CheckoutError('order_not_found')
    return {...toOrder(order), paid: paid !== undefined, checkout: this.#toCheckout(shown, charges)}
  }

  /** Ends all charges of the order. Rejects with `CheckoutError` when it is paid, or a payment is on its way. */
  async cancel(orderId: string): Promise<void> {
    const {orders, logger} = this.context
    const order = await this.#load(orderId)
    const charges = await this.#readCharges(order, 0)
    for (const {document} of charges) this.#requireUnpaid(document)
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

  /** Throws `order_has_payment` when money has arrived for another price. */
  #find(
    charges: readonly ReadCharge[],
    {isWithdrawn}: OrderDocument,
    request: ChargeInput,
  ): ReadCharge | undefined {
    const expiry = this.context.time.expiry()
    const price = priceOfInput(request)
    const acceptsPartial = request.billing.pricing_type.includes('partial')
    const isSame = (charge: OrderCharge) =>
      sameMoney(charge.price, price) && charge.acceptsPartial === acceptsPartial
    const withMoney = charges.filter(({document}) => hasMoney(document, expiry))
    if (withMoney.length > 0) {
      const same = withMoney.filter(isSame)
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
    return statusNow(current.document, expiry) === 'open' && isSame(current) ? current : undefined
  }

  async #createCharge(
    id: string,
    formers: readonly ReadCharge[],
    request: ChargeInput,
    lock: string,
  ): Promise<OrderDocument | undefined> {
    const {service, orders, charges, time, rules, logger} = this.context
    for (const {chargeId} of formers)
      if (!(await this.#replace(chargeId))) {
        await unlock(orders, id, lock)
        return undefined
      }
    const charge = await service.createCharge(request)
    const price = localPrice(charge.billing.amount, charge.billing.currency)
    if (!sameMoney(price, priceOfInput(request)))
      throw new ServiceError('createCharge', 'upstream_invalid', {outcome: 'unknown'})
    const chargeId = charge._id
    const now = time.now()
    const link = {id, formers: formers.map(former => former.chargeId)}
    const opened = chargeOf(charge, now, link)
    // First, so that every charge that an order names has a document. Without the next write it is never shown.
    await charges.update(chargeId, (latest, rev) =>
      latest ? undefined : conclude(undefined, opened, now, rules, rev),
    )
    const acceptsPartial = opened.opened.acceptsPartial
    const {document, changed} = await orders.update(id, latest => {
      if (!latest || !holds(latest, lock)) return undefined
      const added = {chargeId, price, acceptsPartial, at: now}
      return {...latest, charges: [...latest.charges, added], isWithdrawn: false, lock: undefined}
    })
    // The lock had ended, and another process may have created a charge.
    if (!changed) return undefined
    logger.info('created a charge of an order', {chargeId})
    return document
  }

  /** Resolves to false when money has arrived meanwhile. A new charge makes a cancelled order alive again. */
  async #replace(chargeId: string): Promise<boolean> {
    const {charges, time, rules} = this.context
    const times = {now: time.now(), expiry: time.expiry()}
    const {document} = await charges.update(chargeId, (latest, rev) => {
      if (!isOpened(latest) || hasMoney(latest, times.expiry)) return undefined
      if (latest.isReplaced && !latest.withdrawn) return undefined
      const replaced = withLine({...latest, isReplaced: true, withdrawn: undefined}, times.now, 'replaced')
      return conclude(latest, endIfOver(replaced, times, rules), times.now, rules, rev)
    })
    return !document || !hasMoney(document, times.expiry)
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

  #toCheckout(
    {chargeId, price, acceptsPartial, at, document, rev}: ReadCharge,
    charges: readonly ReadCharge[],
  ): Checkout {
    const {time, test, offer} = this.context
    const formers = charges.filter(({chargeId: id}) => document.order?.formers.includes(id))
    const isBlocked =
      blockingStatus(
        this.context,
        formers.map(former => former.document),
      ) !== undefined
    const view = {now: time.now(), expiry: time.expiry(), stale: false, isBlocked, test, offer}
    if (isOpened(document)) return toCheckout(chargeId, document, rev, view, this.reader.lastAssets(chargeId))
    // Archived: only a short document is left.
    const opened = {at, price, acceptsPartial, createdAt: new Date(at).toISOString()}
    const checkout = toCheckout(chargeId, {...document, opened}, rev, view)
    return {...checkout, paid: document.archived?.paid ?? checkout.paid, payable: false}
  }
}
