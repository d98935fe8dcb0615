/** Crypto payments for Vendure. */
export {cryptoCheckoutPlugin, type CryptoCheckoutPluginOptions} from './plugin.js'
export {HANDLER_CODE} from './payments.js'
