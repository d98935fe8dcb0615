/** The door `crypto-checkout/element`: everything, and nothing registered. */
export {CryptoCheckout} from './crypto-checkout.js'
export {
  CheckoutCancelledEvent,
  CheckoutChangedEvent,
  CheckoutClosedEvent,
  CheckoutErrorEvent,
  CheckoutExpiredEvent,
  CheckoutPaidEvent,
  CheckoutUnderpaidEvent,
  type CheckoutEventMap,
} from './events.js'
export {register} from './register.js'
export type {Phase} from '../core/phase.js'
export type {
  AssetOption,
  Checkout,
  CheckoutStatus,
  Money,
  NetworkOption,
  PaymentSeen,
  Quote,
} from '../contract/checkout.js'
export type {Problem} from '../contract/problem.js'
