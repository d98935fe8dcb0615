/**
 * Orders: a shop knows orders, and the service knows charges. The journal of an order joins them, so that it has at most
 * one charge that can be paid, however often and by however many processes it is created.
 */
import {
  isPaid,
  type Charge,
  type ChargeInput,
  type Checkout,
  type CheckoutStatus,
} from '../../contract/index.js'
import {omitUndefined} from '../base/omit-undefined.js'
import {createOnce, releaseLock} from '../charge/create-once.js'
import {readNowAndOpen, recordOpened, type OrderLink} from '../charge/open.js'
import {blockingStatus, hasMoney} from '../charge/order-formers.js'
import type {SharedRead} from '../charge/shared-read.js'
import {localPrice, sameMoney} from '../checkout/money.js'
import {statusNow} from '../checkout/status.js'
import {toCheckout} from '../checkout/to-checkout.js'
import type {ServerContext} from '../context/context.js'
import {CheckoutError, ServiceError} from '../errors.js'
import type {Journal} from '../journal/journal.js'
import {isOpened, type ChargeState, type OrderCharge, type OrderState} from '../journal/state.js'
import {orderJournal, toOrder, type Order} from './order-journal.js'
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
  readonly journal: Journal
  readonly state: ChargeState
}

const neverCreated: OrderState = {charges: [], paid: [], isWithdrawn: false}

export class Orders {
  constructor(
    readonly context: ServerContext,
    readonly reads: SharedRead,
  ) {}

  /** Resolves to the charge of the order that can be paid, or has money; else creates one. Rejects with `CheckoutError`. */
  async create(orderId: string, input: OrderInput): Promise<PlacedOrder> {
    const order = orderJournal(this.context.journals, orderId)
    const request = toChargeInput(orderId, input)
    for (;;) {
      const {rev, order: known = neverCreated} = await order.state()
      const charges = await this.#readCharges(orderId, known)
      const found = this.#find(charges, known, request)
      if (found) {
        const status = statusNow(found.state, this.context.time.now())
        return {...toOrder(orderId, known), chargeId: found.chargeId, created: false, status}
      }
      let created: OrderState | undefined
      await createOnce(
        this.context,
        order,
        state => state.rev !== rev,
        async lock => {
          created = await this.#createCharge(orderId, order, charges, request, lock)
        },
      )
      if (created) return {...toOrder(orderId, created), created: true, status: 'open'}
    }
  }

  /** Reads the service now. Rejects with `CheckoutError`: `order_not_found`. */
  async get(orderId: string): Promise<OrderResult> {
    const {time, journals} = this.context
    const {order} = await orderJournal(journals, orderId).state()
    const charges = order ? await this.#readCharges(orderId, order) : []
    const paid = charges.find(({state}) => isPaid(statusNow(state, time.now())))
    const shown = paid ?? charges.at(-1)
    if (!order || !shown) throw new CheckoutError('order_not_found')
    return {...toOrder(orderId, order), paid: paid !== undefined, checkout: await this.#toCheckout(shown)}
  }

  /** Ends all charges of the order. Rejects with `CheckoutError` when it is paid, or a payment is on its way. */
  async cancel(orderId: string): Promise<void> {
    const order = orderJournal(this.context.journals, orderId)
    for (;;) {
      const {rev, order: known} = await order.state()
      if (!known) throw new CheckoutError('order_not_found')
      const charges = await this.#readCharges(orderId, known)
      for (const {state} of charges) this.#requireUnpaid(state)
      if (known.isWithdrawn) return
      await createOnce(
        this.context,
        order,
        state => state.rev !== rev,
        lock => this.#withdraw(order, charges, lock),
      )
    }
  }

  /** Reads all charges of an order. What is not open here is opened, so that reconciliation finds its payments. */
  #readCharges(orderId: string, {charges}: OrderState): Promise<ReadCharge[]> {
    const {context, reads} = this
    const chargeIds = charges.map(({chargeId}) => chargeId)
    return Promise.all(
      charges.map(async (charge, index) => {
        const journal = context.journals.of(charge.chargeId)
        await readNowAndOpen(context, journal, reads, linkTo(orderId, chargeIds.slice(0, index)))
        return {...charge, journal, state: await journal.state()}
      }),
    )
  }

  /** Throws `order_has_payment` when money has arrived for another price. */
  #find(
    charges: readonly ReadCharge[],
    {isWithdrawn}: OrderState,
    request: ChargeInput,
  ): ReadCharge | undefined {
    const now = this.context.time.now()
    const price = priceOfInput(request)
    const acceptsPartial = request.billing.pricing_type.includes('partial')
    const isSame = (charge: OrderCharge) =>
      sameMoney(charge.price, price) && charge.acceptsPartial === acceptsPartial
    const withMoney = charges.filter(({state}) => hasMoney(state, now))
    if (withMoney.length > 0) {
      const same = withMoney.filter(isSame)
      const statusOf = ({state}: ReadCharge) => statusNow(state, now)
      const best =
        same.find(charge => isPaid(statusOf(charge))) ??
        same.find(charge => statusOf(charge) === 'pending') ??
        same.at(-1)
      if (!best) throw new CheckoutError('order_has_payment')
      return best
    }
    const current = charges.at(-1)
    const isUsable = current && !isWithdrawn && statusNow(current.state, now) === 'open'
    return isUsable && isSame(current) ? current : undefined
  }

  async #createCharge(
    orderId: string,
    order: Journal,
    formers: readonly ReadCharge[],
    request: ChargeInput,
    lock: number,
  ): Promise<OrderState | undefined> {
    const {service, store, journals, logger} = this.context
    // There is nothing to reconcile in it.
    if (lock === 1) await store.closeCharge(order.id)
    for (const {journal} of formers)
      if (!(await this.#replace(journal))) {
        await releaseLock(this.context, order, lock)
        return undefined
      }
    const charge = await service.createCharge(request)
    const price = localPrice(charge.billing.amount, charge.billing.currency)
    if (!sameMoney(price, priceOfInput(request)))
      throw new ServiceError('createCharge', 'upstream_invalid', {outcome: 'unknown'})
    const chargeId = charge._id
    const acceptsPartial = acceptsParts(charge)
    const {state, appended} = await order.update(({minting}) =>
      minting?.rev === lock ? {kind: 'order_charge', chargeId, price, acceptsPartial} : undefined,
    )
    // The lock had ended, and another process may have created a charge. This one is never shown.
    if (!appended) return undefined
    logger.info('created a charge of an order', {chargeId})
    const link = linkTo(
      orderId,
      formers.map(former => former.chargeId),
    )
    await recordOpened(this.context, journals.of(chargeId), charge, link)
    return state.order
  }

  /** Resolves to false when money has arrived meanwhile. */
  async #replace(journal: Journal): Promise<boolean> {
    const {state} = await journal.update(state =>
      !state.opened || state.isReplaced || hasMoney(state, this.context.time.now())
        ? undefined
        : {kind: 'replaced'},
    )
    return !hasMoney(state, this.context.time.now())
  }

  async #withdraw(order: Journal, charges: readonly ReadCharge[], lock: number): Promise<void> {
    try {
      for (const {journal} of charges)
        await journal.update(state => {
          this.#requireUnpaid(state)
          return state.opened && !state.withdrawn ? {kind: 'withdrawn'} : undefined
        })
    } catch (error) {
      await releaseLock(this.context, order, lock)
      throw error
    }
    await order.update(({minting}) => (minting?.rev === lock ? {kind: 'withdrawn'} : undefined))
    this.context.logger.info('cancelled an order', {chargeId: charges.at(-1)?.chargeId})
  }

  /** A part that was confirmed does not keep an order from being cancelled. */
  #requireUnpaid(state: ChargeState): void {
    const status = statusNow(state, this.context.time.now())
    if (isPaid(status)) throw new CheckoutError('already_paid')
    if (status === 'pending') throw new CheckoutError('payment_pending')
  }

  async #toCheckout({chargeId, price, acceptsPartial, at, journal, state}: ReadCharge): Promise<Checkout> {
    const {time, test, offer} = this.context
    const now = time.now()
    if (isOpened(state)) {
      const isBlocked = (await blockingStatus(this.context, state)) !== undefined
      return toCheckout(
        chargeId,
        state,
        {now, stale: false, test, offer, isBlocked},
        this.reads.lastAssets(journal),
      )
    }
    // Archived: only its tombstone is left.
    const opened = {kind: 'opened', at, journal: 'archived', price, acceptsPartial} as const
    const createdAt = new Date(at).toISOString()
    const checkout = toCheckout(
      chargeId,
      {...state, opened: {...opened, createdAt}},
      {now, stale: false, test},
    )
    return {...checkout, ...omitUndefined({paid: state.archived?.paid}), payable: false}
  }
}

/** Most orders have one charge, and then nothing is looked up when it is read. */
function linkTo(order: string, formers: string[]): OrderLink {
  return {order, ...(formers.length > 0 && {formers})}
}

function acceptsParts({billing}: Charge): boolean {
  return billing.pricing_type?.includes('partial') === true
}
