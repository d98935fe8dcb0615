/** Entry point `crypto-checkout/element`: exports everything and registers nothing. */
export {CryptoCheckout} from './crypto-checkout.js'
export * from './events.js'
export {register} from './register.js'
export type {CheckoutAttributes, CheckoutListeners} from './markup-types.js'
export {registerLocale} from './i18n/registry.js'
export type {Language} from '../translations/generated/languages.js'
export type {PartialTranslation, Translation} from '../translations/translation.js'
export type {Phase} from '../core/phase.js'
export type {
  AssetOption,
  Checkout,
  CheckoutStatus,
  Money,
  NetworkOption,
  ObservedPayment,
  Quote,
} from '../contract/checkout.js'
export type {Problem} from '../contract/problem.js'
