/**
 * The orders of Vendure and the charges of the checkout. An order's code is the order id of the checkout, so it has one
 * payable charge at most. A payment is added to the order only when the service says that it is paid.
 */
import {
  ConfigService,
  EventBus,
  HistoryService,
  JobQueueService,
  OrderService,
  OrderStateTransitionEvent,
  PaymentMethodService,
  RequestContextService,
  TransactionalConnection,
  UserInputError,
  isGraphQlErrorResult,
  totalCoveredByPayments,
  type CreatePaymentResult,
  type ID,
  type Injector,
  type JobQueue,
  type Order,
  type RequestContext,
} from '@vendure/core'
import {
  CheckoutError,
  createCheckout,
  type Checkout,
  type CheckoutServer,
  type HandlerContext,
} from 'crypto-checkout/server'
import {toMinorUnits, toPrice} from './money.js'
import type {CryptoCheckoutPluginOptions} from './plugin.js'

/** The code of the handler, which a payment method of the shop must use. */
export const HANDLER_CODE = 'crypto-checkout'

/** From then on nothing more is to be paid. */
const ended: readonly string[] = ['PaymentAuthorized', 'PaymentSettled', 'Cancelled']
const CANCEL_RETRIES = 20

const text = ({amount, currency}: Checkout['price']) => `${amount} ${currency}`

export class CryptoPayments {
  readonly checkout: CheckoutServer
  readonly #orders: OrderService
  readonly #history: HistoryService
  readonly #methods: PaymentMethodService
  readonly #contexts: RequestContextService
  readonly #connection: TransactionalConnection
  readonly #precision: number

  private constructor(
    readonly options: CryptoCheckoutPluginOptions,
    injector: Injector,
  ) {
    this.#orders = injector.get(OrderService)
    this.#history = injector.get(HistoryService)
    this.#methods = injector.get(PaymentMethodService)
    this.#contexts = injector.get(RequestContextService)
    this.#connection = injector.get(TransactionalConnection)
    this.#precision = injector.get(ConfigService).entityOptions.moneyStrategy.precision ?? 2
    const {redirectUrl: _, ...checkoutOptions} = options
    const noteOn = (say: (checkout: Checkout) => string) => (checkout: Checkout, context: HandlerContext) =>
      this.#note(context, say(checkout))
    this.checkout = createCheckout({
      ...checkoutOptions,
      onPaid: (checkout, context) => this.#addPayment(checkout, context),
      onUnderpaid: noteOn(({paid, price}) => `Underpaid: ${text(paid)} of ${text(price)} has arrived.`),
      onExpired: noteOn(() => 'The charge has expired without a payment.'),
      onCancelled: noteOn(() => 'The payment service has cancelled the charge.'),
      onAlert: (alert, {charge, order}) =>
        charge && order && this.#note({charge, order}, `Look at charge ${alert.chargeId}: ${alert.kind}.`),
    })
  }

  static async start(options: CryptoCheckoutPluginOptions, injector: Injector): Promise<CryptoPayments> {
    const payments = new CryptoPayments(options, injector)
    const cancellations: JobQueue<{code: string}> = await injector.get(JobQueueService).createQueue({
      name: 'cancel-crypto-checkout',
      process: ({data}) => payments.#cancel(data.code),
    })
    injector
      .get(EventBus)
      .ofType(OrderStateTransitionEvent)
      .subscribe(({toState, order}) => {
        if (ended.includes(toState)) void cancellations.add({code: order.code}, {retries: CANCEL_RETRIES})
      })
    return payments
  }

  /** Throws `UserInputError` for an order that cannot be paid this way now. */
  async createCharge(ctx: RequestContext, orderId: ID): Promise<{chargeId: string; token?: string}> {
    const order = await this.#orders.findOne(ctx, orderId)
    if (order) order.payments = await this.#orders.getOrderPayments(ctx, order.id)
    if (order?.state !== 'ArrangingPayment') throw new UserInputError('The order must be in ArrangingPayment')
    const {customer, billingAddress, shippingAddress} = order
    const country = billingAddress.countryCode ?? shippingAddress.countryCode
    if (!customer || !country) throw new UserInputError('The order needs a customer and a country')
    const {chargeId} = await this.checkout.createOrder(order.code, {
      amount: toPrice(dueOf(order), this.#precision, order.currencyCode),
      currency: order.currencyCode,
      country,
      customer: {
        id: String(customer.id),
        name: `${customer.firstName} ${customer.lastName}`,
        phone: customer.phoneNumber || (billingAddress.phoneNumber ?? ''),
        email: customer.emailAddress,
      },
      metadata: {channel: ctx.channel.token, method: await this.#findMethod(ctx, order)},
      ...(this.options.redirectUrl !== undefined && {redirectUrl: this.options.redirectUrl}),
    })
    return {chargeId, ...(this.options.tokenSecret && {token: this.checkout.createToken(chargeId)})}
  }

  /** What a payment of this order is, by the service. The Shop API cannot add one: it would race with `onPaid`. */
  async createPayment(ctx: RequestContext, order: Order): Promise<CreatePaymentResult> {
    const {paid, chargeId, checkout} = await this.checkout.getOrder(order.code)
    order.payments = await this.#orders.getOrderPayments(ctx, order.id)
    const amount = this.#amountOf(checkout, order)
    const metadata = {status: checkout.status, paid: text(checkout.paid), late: isLate(checkout)}
    return paid && ctx.apiType === 'admin'
      ? {amount, state: 'Settled', transactionId: checkout.chargeId, metadata}
      : {amount: 0, state: 'Declined', transactionId: chargeId, errorMessage: 'The charge is not paid'}
  }

  /** What is due, if the price is what is due, rounded. A payment of less would not cover the order. */
  #amountOf({price: {amount}}: Checkout, order: Order): number {
    const isRounded = Number(toPrice(dueOf(order), this.#precision, order.currencyCode)) === Number(amount)
    return isRounded ? dueOf(order) : toMinorUnits(amount, this.#precision)
  }

  async #addPayment(checkout: Checkout, context: HandlerContext): Promise<void> {
    const {ctx, order} = await this.#find(context)
    const note = (words: string) => this.#note(context, `${text(checkout.paid)} paid in crypto: ${words}`)
    const payments = await this.#orders.getOrderPayments(ctx, order.id)
    if (payments.some(({transactionId, state}) => transactionId === checkout.chargeId && state === 'Settled'))
      return
    if (checkout.status === 'overpaid') await note(`more than ${text(checkout.price)}. Refund the rest.`)
    if (order.state !== 'AddingItems' && order.state !== 'ArrangingPayment')
      return note(`the order is in ${order.state}. Refund it, or record it by hand.`)
    const method = metadataOf(context.charge, 'method')
    const result = await this.#connection.withTransaction(ctx, async ctx => {
      if (order.state === 'AddingItems') {
        const moved = await this.#orders.transitionToState(ctx, order.id, 'ArrangingPayment')
        if (isGraphQlErrorResult(moved)) return moved
      }
      return this.#orders.addPaymentToOrder(ctx, order.id, {method, metadata: {}})
    })
    if (!isGraphQlErrorResult(result)) return
    await note('the order does not accept the payment yet.')
    // The checkout calls again later.
    throw new Error(`order ${order.code}: ${result.errorCode}`)
  }

  /** An order that was paid otherwise must not be paid again. A job that throws runs again. */
  async #cancel(code: string): Promise<void> {
    try {
      await this.checkout.cancelOrder(code)
    } catch (error) {
      const isDone = error instanceof CheckoutError && /^(already_paid|order_not_found)$/.test(error.code)
      if (!isDone) throw error
    }
  }

  async #findMethod(ctx: RequestContext, order: Order): Promise<string> {
    for (const {id, isEligible} of await this.#orders.getEligiblePaymentMethods(ctx, order.id)) {
      const method = isEligible ? await this.#methods.findOne(ctx, id) : undefined
      if (method?.handler.code === HANDLER_CODE) return method.code
    }
    throw new UserInputError('The order cannot be paid in crypto')
  }

  async #find({charge, order}: Pick<HandlerContext, 'charge' | 'order'>) {
    const channelOrToken = metadataOf(charge, 'channel')
    const ctx = await this.#contexts.create({apiType: 'admin', channelOrToken})
    const found = order && (await this.#orders.findOneByCode(ctx, order.id))
    if (!found) throw new Error(`no order of Vendure: ${order?.id}`)
    return {ctx, order: found}
  }

  /** Once, however often it is called. Only administrators see it. */
  async #note(context: Pick<HandlerContext, 'charge' | 'order'>, note: string): Promise<void> {
    const {ctx, order} = await this.#find(context)
    const {items} = await this.#history.getHistoryForOrder(ctx, order.id, false)
    if (items.some(({data}) => data.note === note)) return
    await this.#orders.addNoteToOrder(ctx, {id: order.id, note, isPublic: false})
  }
}

function dueOf(order: Order): number {
  return order.totalWithTax - totalCoveredByPayments(order)
}

/** As `createCharge` sent it. */
function metadataOf({metadata}: HandlerContext['charge'], name: 'channel' | 'method'): string {
  return String(Reflect.get(Object(metadata), name))
}

function isLate({payments, expiresAt}: Checkout): boolean {
  return expiresAt !== null && payments.some(({at}) => at > expiresAt)
}
