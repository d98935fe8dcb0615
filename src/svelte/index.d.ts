/** Entry point `crypto-checkout/svelte`: only the types of the tag and its events in Svelte's templates. */
import type {HTMLAttributes} from 'svelte/elements'
import type {CheckoutAttributes, CheckoutListeners, CryptoCheckout} from '../element/index.js'

type Tag = CheckoutAttributes & CheckoutListeners & HTMLAttributes<CryptoCheckout>

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'crypto-checkout': Tag
  }
}
