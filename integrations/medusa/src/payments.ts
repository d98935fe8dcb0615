/**
 * The payment collections of Medusa and the charges of the checkout. The id of a collection is the order id of the
 * checkout, so a cart has one payable charge at most, whichever sessions it had. Medusa places the order when the service
 * says that the charge is paid.
 */
import {container} from '@medusajs/framework'
import {ContainerRegistrationKeys, MathBN, Modules} from '@medusajs/framework/utils'
import type {BigNumberInput} from '@medusajs/framework/types'
import {createPaymentSessionsWorkflow, processPaymentWorkflow} from '@medusajs/medusa/core-flows'
import {CheckoutError, createCheckout, minorUnit} from 'crypto-checkout/server'
import type {
  Checkout,
  CheckoutOptions,
  CheckoutServer,
  HandlerContext,
  Handlers,
} from 'crypto-checkout/server'

/** The options of `createCheckout`. The provider sets the handlers itself. */
export interface CryptoCheckoutOptions extends Omit<CheckoutOptions, keyof Handlers> {
  /** Where the customer goes after the payment. */
  redirectUrl?: string
}

/** What the page of the shop gets as `data` of its payment session. */
export interface SessionData extends Record<string, unknown> {
  chargeId: string
  collectionId: string
  token?: string
}

const text = ({amount, currency}: Checkout['price']) => `${amount} ${currency}`

export class Payments {
  readonly checkout: CheckoutServer

  constructor(readonly options: CryptoCheckoutOptions) {
    const {redirectUrl: _, ...checkoutOptions} = options
    const record = (checkout: Checkout, {order}: HandlerContext) => this.#record(order?.id, checkout)
    this.checkout = createCheckout({
      ...checkoutOptions,
      onPaid: (checkout, context) => this.#complete(checkout, context),
      onUnderpaid: record,
      onExpired: record,
      onCancelled: record,
      onAlert: ({kind}, {order, checkout}) => checkout && this.#record(order?.id, checkout, kind),
    })
  }

  async createCharge(sessionId: string, amount: BigNumberInput, currency: string): Promise<SessionData> {
    const {payment_collection_id: collectionId} = await container
      .resolve(Modules.PAYMENT)
      .retrievePaymentSession(sessionId, {select: ['payment_collection_id']})
    const {cart_id} = (await linksOf('cart', collectionId))[0] ?? {}
    if (!cart_id) throw new Error('crypto payments are for carts')
    const cart = await container
      .resolve(Modules.CART)
      .retrieveCart(cart_id, {relations: ['billing_address', 'shipping_address']})
    const address = {...cart.shipping_address, ...cart.billing_address}
    const {redirectUrl, tokenSecret} = this.options
    const {chargeId} = await this.checkout.createOrder(collectionId, {
      // Medusa does not round amounts, and the checkout refuses more decimals than the currency has.
      amount: MathBN.convert(amount, minorUnit(currency)).toFixed(),
      currency: currency.toUpperCase(),
      country: (address.country_code ?? '').toUpperCase(),
      customer: {
        name: [address.first_name, address.last_name].filter(Boolean).join(' '),
        phone: address.phone ?? '',
        email: cart.email ?? '',
      },
      ...(redirectUrl !== undefined && {redirectUrl}),
    })
    return {chargeId, collectionId, ...(tokenSecret && {token: this.checkout.createToken(chargeId)})}
  }

  /** The cart was paid otherwise, or its order was cancelled. Rejects if it must be tried again. */
  async cancel(collectionId: string): Promise<void> {
    try {
      await this.checkout.cancelOrder(collectionId)
    } catch (error) {
      const isDone = error instanceof CheckoutError && /^(already_paid|order_not_found)$/.test(error.code)
      if (!isDone) throw error
    }
  }

  async #complete(checkout: Checkout, {order}: HandlerContext): Promise<void> {
    const collectionId = order?.id ?? ''
    await this.#record(collectionId, checkout)
    const payments = container.resolve(Modules.PAYMENT)
    const isOurs = ({data}: {data?: Record<string, unknown>}) => data?.['chargeId'] === checkout.chargeId
    const find = async () => {
      const ofCollection = {payment_collection_id: collectionId}
      return (await payments.listPaymentSessions(ofCollection, {relations: ['payment']})).find(isOurs)
    }
    if ((await linksOf('order', collectionId)).length > 0) {
      if (!(await find())?.payment) await this.#record(collectionId, checkout, 'paid otherwise: refund it')
      return
    }
    // The customer may have chosen another payment method, and not used it.
    if (!(await find()))
      await createPaymentSessionsWorkflow(container).run({
        input: {payment_collection_id: collectionId, provider_id: PROVIDER_ID},
      })
    const session = await find()
    if (!session) throw new Error(`collection ${collectionId} has no session of charge ${checkout.chargeId}`)
    // Not the price of the charge, which is rounded.
    const data = {session_id: session.id, amount: session.amount}
    await processPaymentWorkflow(container).run({input: {action: 'captured', data}})
    if ((await linksOf('order', collectionId)).length === 0)
      throw new Error(`Medusa has not placed the order of collection ${collectionId}`)
  }

  /** In the metadata of the cart and of its order, which the merchant sees. */
  async #record(collectionId = '', checkout: Checkout, alert?: string): Promise<void> {
    const {status, paid, expiresAt, payments} = checkout
    const late = expiresAt !== null && payments.some(({at}) => at > expiresAt)
    const crypto_checkout = {status, paid: text(paid), late, ...(alert && {alert})}
    for (const {cart_id} of await linksOf('cart', collectionId)) {
      const carts = container.resolve(Modules.CART)
      const {metadata} = await carts.retrieveCart(cart_id, {select: ['metadata']})
      await carts.updateCarts(cart_id, {metadata: {...metadata, crypto_checkout}})
    }
    for (const {order_id} of await linksOf('order', collectionId)) {
      const orders = container.resolve(Modules.ORDER)
      const {metadata} = await orders.retrieveOrder(order_id, {select: ['metadata']})
      await orders.updateOrders(order_id, {metadata: {...metadata, crypto_checkout}})
    }
  }
}

async function linksOf<Name extends 'cart' | 'order'>(name: Name, payment_collection_id: string) {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const entity = `${name}_payment_collection`
  const {data} = await query.graph({entity, fields: [`${name}_id`], filters: {payment_collection_id}})
  return data as Record<`${Name}_id`, string>[]
}

const PACKAGE = 'crypto-checkout-medusa'

/** The identifier of the provider, and the id that the README gives it. */
export const IDENTIFIER = 'crypto-checkout'
const PROVIDER_ID = `pp_${IDENTIFIER}_${IDENTIFIER}`

let running: Payments | undefined

/** Started by the first call: commands such as migrations load the provider, and must not read the service. */
export function payments(): Payments {
  return (running ??= new Payments(configuredOptions()))
}

function configuredOptions(): CryptoCheckoutOptions {
  const {plugins = []} = container.resolve(ContainerRegistrationKeys.CONFIG_MODULE)
  for (const plugin of plugins)
    if (typeof plugin === 'object' && plugin.resolve === PACKAGE) return Object(plugin.options)
  throw new Error(`${PACKAGE} is not among the plugins, with its options`)
}
