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
export type {CheckoutAttributes, CheckoutListeners} from './tag.js'
export {registerLocale} from './words/registered.js'
export type {Language} from './words/languages.js'
export type {SomeWords, Words} from './words/words.js'
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
