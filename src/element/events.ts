/**
 * The element's events. Every event bubbles and is composed; its detail is frozen. Events are hints for the page: ship
 * goods on what the merchant's server has read.
 */
import type {Checkout} from '../contract/checkout.js'
import type {Problem} from '../contract/problem.js'

function eventClass<Detail>(type: keyof CheckoutEventMap): new (detail: Detail) => CustomEvent<Detail> {
  return class extends CustomEvent<Detail> {
    constructor(detail: Detail) {
      super(type, {detail, bubbles: true, composed: true})
    }
  }
}

/** The phase or the checkout changed. The detail is null if there is no checkout yet. */
export class CheckoutChangedEvent extends eventClass<Checkout | null>('checkout-changed') {}

/** Paid or overpaid. Fires once for each charge. */
export class CheckoutPaidEvent extends eventClass<Checkout>('checkout-paid') {}

/** A part is paid, and an amount is still due. */
export class CheckoutUnderpaidEvent extends eventClass<Checkout>('checkout-underpaid') {}

export class CheckoutExpiredEvent extends eventClass<Checkout>('checkout-expired') {}

export class CheckoutCancelledEvent extends eventClass<Checkout>('checkout-cancelled') {}

/** A request failed. Fires once for each code until a read succeeds. */
export class CheckoutErrorEvent extends eventClass<Problem>('checkout-error') {}

/** The dialog was closed. The detail is null if there is no checkout yet. */
export class CheckoutClosedEvent extends eventClass<Checkout | null>('checkout-closed') {}

export interface SentTransaction {
  /** The transaction's hash, as the wallet returned it. */
  readonly hash: string
  /** The wallet's reverse domain name (EIP-6963), or `window.ethereum`. */
  readonly wallet: string
  readonly checkout: Checkout
}

/** A wallet in this browser has sent a transaction. It is not paid until the payment service sees it. */
export class CheckoutSentEvent extends eventClass<SentTransaction>('checkout-sent') {}

/** What the customer or the payment has reached last. */
export type StepName =
  | 'opened'
  | 'asset'
  | 'network'
  | 'quoted'
  | 'copied'
  | 'wallet-opened'
  | 'wallet-refused'
  | 'sent'
  | 'seen'
  | 'paid'

/** For analytics, so it has no amount, no address and no id of the charge. */
export interface CheckoutStep {
  readonly step: StepName
  /** The id of the chosen asset. */
  readonly asset?: string
  /** The id of the chosen network. */
  readonly network?: string
}

/** The customer or the payment has reached another step. */
export class CheckoutStepEvent extends eventClass<CheckoutStep>('checkout-step') {}

export interface CheckoutEventMap {
  'checkout-changed': CheckoutChangedEvent
  'checkout-paid': CheckoutPaidEvent
  'checkout-underpaid': CheckoutUnderpaidEvent
  'checkout-expired': CheckoutExpiredEvent
  'checkout-cancelled': CheckoutCancelledEvent
  'checkout-sent': CheckoutSentEvent
  'checkout-error': CheckoutErrorEvent
  'checkout-step': CheckoutStepEvent
  'checkout-closed': CheckoutClosedEvent
}

declare global {
  interface HTMLElementEventMap extends CheckoutEventMap {}
  // The events bubble to these targets.
  interface DocumentEventMap extends CheckoutEventMap {}
  interface WindowEventMap extends CheckoutEventMap {}
}
