/** Entry point `crypto-checkout`: registers `<crypto-checkout>` and exports all of `crypto-checkout/element`. */
import {register} from './element/register.js'

register()

export * from './element/index.js'
