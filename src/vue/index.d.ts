/** Entry point `crypto-checkout/vue`: only the types of the tag and its events in Vue's templates. */
import type {HTMLAttributes} from 'vue'
import type {CheckoutAttributes, CheckoutEventMap, CryptoCheckout} from '../element/index.js'

type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name

/** Vue checks attribute names in camel case; templates may use either spelling. */
type Props = {[Name in keyof CheckoutAttributes as Camel<Name>]: CheckoutAttributes[Name]}

type Listeners = {
  [Name in keyof CheckoutEventMap as `on${Capitalize<Camel<Name>>}`]?: (event: CheckoutEventMap[Name]) => void
}

declare module 'vue' {
  interface GlobalComponents {
    'crypto-checkout': new () => CryptoCheckout & {$props: Props & Listeners & HTMLAttributes}
  }
}
