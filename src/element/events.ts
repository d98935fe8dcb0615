/**
 * What the element tells. Every event bubbles and crosses shadow roots; its detail is frozen. An event is a hint for
 * the page: goods ship on what the merchant's server has read itself.
 */
import type {Checkout} from '../contract/checkout.js'
import type {Problem} from '../contract/problem.js'

class CheckoutEvent<Detail> extends CustomEvent<Detail> {
  constructor(type: keyof CheckoutEventMap, detail: Detail) {
    super(type, {detail, bubbles: true, composed: true})
  }
}

/** The phase or the checkout changed. The detail is null where there is no checkout yet. */
export class CheckoutChangedEvent extends CheckoutEvent<Checkout | null> {
  constructor(detail: Checkout | null) {
    super('checkout-changed', detail)
  }
}

/** Paid, or overpaid; once for each charge. */
export class CheckoutPaidEvent extends CheckoutEvent<Checkout> {
  constructor(detail: Checkout) {
    super('checkout-paid', detail)
  }
}

/** Part of the money has come, and some is still due. */
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

/** Something could not be done; once for each code, until a read succeeds. */
export class CheckoutErrorEvent extends CheckoutEvent<Problem> {
  constructor(detail: Problem) {
    super('checkout-error', detail)
  }
}

/** The dialog was closed. */
export class CheckoutClosedEvent extends CheckoutEvent<Checkout | null> {
  constructor(detail: Checkout | null) {
    super('checkout-closed', detail)
  }
}

export interface CheckoutEventMap {
  'checkout-changed': CheckoutChangedEvent
  'checkout-paid': CheckoutPaidEvent
  'checkout-underpaid': CheckoutUnderpaidEvent
  'checkout-expired': CheckoutExpiredEvent
  'checkout-cancelled': CheckoutCancelledEvent
  'checkout-error': CheckoutErrorEvent
  'checkout-closed': CheckoutClosedEvent
}

declare global {
  interface HTMLElementEventMap extends CheckoutEventMap {}
  // They bubble as far as this.
  interface DocumentEventMap extends CheckoutEventMap {}
  interface WindowEventMap extends CheckoutEventMap {}
}
