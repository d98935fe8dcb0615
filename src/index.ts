/** The door `crypto-checkout`: registers `<crypto-checkout>`, and gives what `crypto-checkout/element` gives. */
import {register} from './element/register.js'

register()

export * from './element/index.js'
