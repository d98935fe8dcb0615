/**
 * The carts of Payload and the charges of the checkout. The id of a cart is the order id of the checkout, so a cart has one
 * payable charge at most. Payload creates the order when the service says that the charge is paid.
 */
import type {PaymentAdapter} from '@payloadcms/plugin-ecommerce/types'
import {createLocalReq, type Payload, type PayloadRequest, type Where} from 'payload'
import {
  CheckoutError,
  createCheckout,
  minorUnit,
  type Checkout,
  type CheckoutServer,
} from 'crypto-checkout/server'
import type {CryptoCheckoutOptions} from './crypto-checkout.js'

export const METHOD = 'crypto-checkout'

export type Slugs = Readonly<Record<'carts' | 'customers' | 'transactions', string>>

type Id = number | string
type Initiation = Parameters<PaymentAdapter['initiatePayment']>[0]['data']
type FinalizeOrder = Parameters<PaymentAdapter['confirmOrder']>[0]['finalizeOrder']
type Status = 'cancelled' | 'expired' | 'pending'

const orderId = (cart: Id) => `cart-${cart}`

export class Payments {
  readonly checkout: CheckoutServer
  readonly #timer: NodeJS.Timeout

  constructor(
    readonly payload: Payload,
    readonly slugs: Slugs,
    readonly options: Omit<CryptoCheckoutOptions, 'slugs'>,
  ) {
    const {country: _, decimals: _decimals, redirectUrl: _redirectUrl, ...checkoutOptions} = options
    const record = (status: Status) => (checkout: Checkout) => this.#record(checkout, status)
    this.checkout = createCheckout({
      ...checkoutOptions,
      basePath: `${payload.config.routes.api}/${METHOD}`,
      onPaid: checkout => this.#complete(checkout),
      onUnderpaid: record('pending'),
      onExpired: record('expired'),
      onCancelled: record('cancelled'),
      onAlert: ({kind}, {checkout}) => checkout && this.#record(checkout, undefined, kind),
    })
    this.#timer = setInterval(() => void this.#cancelPurchased(), 300_000).unref()
    void this.#cancelPurchased()
  }

  close(): Promise<void> {
    clearInterval(this.#timer)
    return this.checkout.close()
  }

  async initiate(initiation: Initiation, req: PayloadRequest) {
    const {cart, customerEmail, billingAddress, shippingAddress} = initiation
    if ((await this.#cart(cart.id, req))?.purchasedAt) throw new Error(`cart ${cart.id} is purchased`)
    const {decimals, country, redirectUrl, tokenSecret} = this.options
    const address = {...shippingAddress, ...billingAddress}
    const currency = initiation.currency.toUpperCase()
    const {chargeId} = await this.checkout.createOrder(orderId(cart.id), {
      amount: toDecimal(cart.subtotal ?? 0, decimals?.[currency] ?? minorUnit(currency)),
      currency,
      country: address.country ?? country,
      customer: {
        name: [address.firstName, address.lastName].filter(Boolean).join(' '),
        phone: address.phone ?? '',
        email: customerEmail,
      },
      ...(redirectUrl !== undefined && {redirectUrl}),
    })
    const data = {
      ...(req.user ? {customer: req.user.id} : {customerEmail}),
      amount: cart.subtotal,
      billingAddress,
      cart: cart.id,
      currency,
      items: cart.items.map(item => ({...item, product: idOf(item.product), variant: idOf(item.variant)})),
      paymentMethod: METHOD,
      crypto: {chargeId, status: 'open', shippingAddress},
      status: 'pending',
    }
    const found = await this.#find(chargeId, req)
    if (!found) {
      // Of another price. It cannot be paid any more.
      await this.#update(pendingOf(cart.id), {status: 'expired'}, req)
      await this.payload.create({collection: this.slugs.transactions, data, req})
    } else if (found.status === 'pending') await this.#update({id: {equals: found.id}}, data, req)
    return {message: 'Initiated', chargeId, ...(tokenSecret && {token: this.checkout.createToken(chargeId)})}
  }

  /** Also for a browser's request: it reads the service, and Payload creates one order of a transaction. */
  async confirm(cart: Id, finalizeOrder: FinalizeOrder, req: PayloadRequest) {
    const {paid, checkout} = await this.checkout.getOrder(orderId(cart))
    // Before the transaction, because another request completes both.
    const isPurchased = (await this.#cart(cart, req))?.purchasedAt
    const transaction = paid ? await this.#find(checkout.chargeId, req) : undefined
    if (!transaction) throw new Error(`cart ${cart} is not paid`)
    const {id: transactionID, status, amount, currency, customer, customerEmail, items, crypto} = transaction
    if (isPurchased && status !== 'succeeded') throw new Error(`cart ${cart} was paid otherwise`)
    // A late payment.
    if (status === 'expired') await this.#update({id: {equals: transactionID}}, {status: 'pending'}, req)
    req.context[METHOD] = true
    const purchaser = customer ? {customer} : {customerEmail}
    const address = crypto.shippingAddress && {shippingAddress: crypto.shippingAddress}
    const orderData = {amount, currency, ...purchaser, items, ...address, status: 'processing'}
    const {id, accessToken} = await finalizeOrder({transactionID, orderData})
    return {message: 'Confirmed', orderID: id as Id, transactionID, ...(accessToken ? {accessToken} : {})}
  }

  /** A cart that was paid otherwise must not be paid again. What fails is repeated by the next sweep. */
  async cancel(cart: Id, req?: PayloadRequest): Promise<void> {
    if (req?.context[METHOD]) return
    try {
      await this.checkout.cancelOrder(orderId(cart))
      await this.#update(pendingOf(cart), {status: 'cancelled'}, req)
    } catch (error) {
      if (error instanceof CheckoutError && error.code === 'order_not_found') return
      this.payload.logger.warn({err: error, msg: `The charge of cart ${cart} is not cancelled`})
    }
  }

  async #cancelPurchased(): Promise<void> {
    const {docs} = await this.payload.find({
      collection: this.slugs.transactions,
      where: {...pending, 'cart.purchasedAt': {exists: true}},
      depth: 0,
      pagination: false,
    })
    for (const {cart} of docs) await this.cancel(cart)
  }

  /** Payload has no function that creates an order, so this calls its endpoint as the customer would. */
  async #complete(checkout: Checkout): Promise<void> {
    const {cart: cartID, customer, customerEmail} = await this.#record(checkout)
    const cart = await this.#cart(cartID)
    if ((await this.#find(checkout.chargeId))?.status === 'succeeded') return
    if (!cart || cart.purchasedAt) {
      await this.#record(checkout, 'cancelled', 'paid otherwise: refund it')
      return
    }
    const collection = this.slugs.customers
    const user = customer && (await this.payload.findByID({collection, id: customer, depth: 0}))
    const req = await createLocalReq(user ? {user: {...user, collection}} : {}, this.payload)
    req.data = {cartID, secret: cart.secret, customerEmail}
    const path = `/payments/${METHOD}/confirm-order`
    const response = await this.payload.config.endpoints.find(each => each.path === path)?.handler(req)
    if (!response?.ok) throw new Error(`Payload has not created the order of cart ${cartID}`)
  }

  async #record(checkout: Checkout, status?: Status, alert?: string) {
    const transaction = await this.#find(checkout.chargeId)
    // The page gets the charge after its transaction was created.
    if (!transaction) throw new Error(`no transaction of charge ${checkout.chargeId}`)
    const {expiresAt, payments, paid} = checkout
    const late = expiresAt !== null && payments.some(({at}) => at > expiresAt)
    const seen = {status: checkout.status, paid: `${paid.amount} ${paid.currency}`, late}
    await this.#update(
      {id: {equals: transaction.id}},
      {
        crypto: {...transaction.crypto, ...seen, ...(alert && {alert})},
        ...(status && transaction.status !== 'succeeded' && {status}),
      },
    )
    return transaction
  }

  #cart(id: Id, req?: PayloadRequest) {
    const {carts: collection} = this.slugs
    return this.payload.findByID({collection, id, depth: 0, disableErrors: true, ...(req && {req})})
  }

  async #find(chargeId: string, req?: PayloadRequest) {
    const where = {'crypto.chargeId': {equals: chargeId}}
    const {transactions: collection} = this.slugs
    const {docs} = await this.payload.find({collection, where, limit: 1, depth: 0, ...(req && {req})})
    return docs[0]
  }

  async #update(where: Where, data: object, req?: PayloadRequest): Promise<void> {
    const {transactions: collection} = this.slugs
    const {errors} = await this.payload.update({collection, where, data, depth: 0, ...(req && {req})})
    if (errors.length > 0) throw new Error(JSON.stringify(errors))
  }
}

const pending = {paymentMethod: {equals: METHOD}, status: {in: ['pending', 'expired']}}
const pendingOf = (cart: Id) => ({...pending, cart: {equals: cart}})

function idOf(relation: {id: Id} | Id | null | undefined): Id | null | undefined {
  return typeof relation === 'object' ? relation?.id : relation
}

/** `4990` with two decimals is `'49.90'`. */
function toDecimal(amount: number, decimals: number): string {
  const digits = String(amount).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
