/**
 * The element's events. Every event bubbles and is composed; its detail is frozen. Events are hints for the page: ship
 * goods on what the merchant's server has read.
 */
import type {Checkout} from '../contract/checkout.js'
import type {Problem} from '../contract/problem.js'

class CheckoutEvent<Detail> extends CustomEvent<Detail> {
  constructor(type: keyof CheckoutEventMap, detail: Detail) {
    super(type, {detail, bubbles: true, composed: true})
  }
}

/** The phase or the checkout changed. The detail is null if there is no checkout yet. */
export class CheckoutChangedEvent extends CheckoutEvent<Checkout | null> {
  constructor(detail: Checkout | null) {
    super('checkout-changed', detail)
  }
}

/** Paid or overpaid. Fires once for each charge. */
export class CheckoutPaidEvent extends CheckoutEvent<Checkout> {
  constructor(detail: Checkout) {
    super('checkout-paid', detail)
  }
}

/** A part is paid, and an amount is still due. */
export class CheckoutUnderpaidEvent extends CheckoutEvent<Checkout> {
  constructor(detail: Checkout) {
    super('checkout-underpaid', detail)
  }
}

export class CheckoutExpiredEvent extends CheckoutEvent<Checkout> {
  constructor(detail: Checkout) {
    super('checkout-expired', detail)
  }
}

export class CheckoutCancelledEvent extends CheckoutEvent<Checkout> {
  constructor(detail: Checkout) {
    super('checkout-cancelled', detail)
  }
}

/** A request failed. Fires once for each code until a read succeeds. */
export class CheckoutErrorEvent extends CheckoutEvent<Problem> {
  constructor(detail: Problem) {
    super('checkout-error', detail)
  }
}

/** The dialog was closed. The detail is null if there is no checkout yet. */
export class CheckoutClosedEvent extends CheckoutEvent<Checkout | null> {
  constructor(detail: Checkout | null) {
    super('checkout-closed', detail)
  }
}

export interface SentTransaction {
  /** The transaction's hash, as the wallet returned it. */
  readonly hash: string
  /** The wallet's reverse domain name (EIP-6963), or `window.ethereum`. */
  readonly wallet: string
  readonly checkout: Checkout
}

/** A wallet in this browser has sent a transaction. It is not paid until the payment service sees it. */
export class CheckoutSentEvent extends CheckoutEvent<SentTransaction> {
  constructor(detail: SentTransaction) {
    super('checkout-sent', detail)
  }
}

export interface CheckoutEventMap {
  'checkout-changed': CheckoutChangedEvent
  'checkout-paid': CheckoutPaidEvent
  'checkout-underpaid': CheckoutUnderpaidEvent
  'checkout-expired': CheckoutExpiredEvent
  'checkout-cancelled': CheckoutCancelledEvent
  'checkout-sent': CheckoutSentEvent
  'checkout-error': CheckoutErrorEvent
  'checkout-closed': CheckoutClosedEvent
}

declare global {
  interface HTMLElementEventMap extends CheckoutEventMap {}
  // The events bubble to these targets.
  interface DocumentEventMap extends CheckoutEventMap {}
  interface WindowEventMap extends CheckoutEventMap {}
}
