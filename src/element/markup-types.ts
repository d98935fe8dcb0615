/** The attributes and listeners of the tag, as the types for React, Vue and Svelte share them. */
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
  wallets?: CryptoCheckout['wallets'] | undefined
  'auto-redirect'?: boolean | undefined
  forget?: boolean | undefined
  modal?: boolean | undefined
  open?: boolean | undefined
}

/** `oncheckout-paid` and so on: the names of listeners in React 19 and Svelte 5. */
export type CheckoutListeners = {
  [Name in keyof CheckoutEventMap as `on${Name}`]?: ((event: CheckoutEventMap[Name]) => void) | undefined
}
