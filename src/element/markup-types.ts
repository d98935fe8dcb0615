/** What markup may say on `<crypto-checkout>`: the shared half of the typed tags for React, Vue and Svelte. */
import type {CryptoCheckout} from './crypto-checkout.js'
import type {CheckoutEventMap} from './events.js'

export interface CheckoutAttributes {
  'charge-id'?: string | null | undefined
  endpoint?: string | null | undefined
  token?: string | null | undefined
  asset?: string | null | undefined
  network?: string | null | undefined
  locale?: string | null | undefined
  theme?: CryptoCheckout['theme'] | undefined
  qr?: CryptoCheckout['qr'] | undefined
  logos?: CryptoCheckout['logos'] | undefined
  'auto-redirect'?: boolean | undefined
  modal?: boolean | undefined
  open?: boolean | undefined
}

/** `oncheckout-paid` and so on, as React 19 and Svelte 5 spell listeners. */
export type CheckoutListeners = {
  [Name in keyof CheckoutEventMap as `on${Name}`]?: ((event: CheckoutEventMap[Name]) => void) | undefined
}
