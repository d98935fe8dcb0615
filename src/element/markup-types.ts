/** Generated from the manifest: npm run generate */
import type {CheckoutEventMap} from './events.js'

/** The attributes of the tag, as the types for React, Vue and Svelte share them. */
export interface CheckoutAttributes {
  'charge-id'?: string | null | undefined
  endpoint?: string | null | undefined
  token?: string | null | undefined
  asset?: string | null | undefined
  network?: string | null | undefined
  locale?: string | null | undefined
  theme?: 'auto' | 'light' | 'dark' | undefined
  qr?: 'address' | 'request' | undefined
  logos?: 'bundled' | 'remote' | 'none' | undefined
  wallets?: 'auto' | 'none' | undefined
  'auto-redirect'?: boolean | undefined
  forget?: boolean | undefined
  modal?: boolean | undefined
  open?: boolean | undefined
}

/** `oncheckout-paid` and so on: the names of listeners in React 19 and Svelte 5. */
export type CheckoutListeners = {
  [Name in keyof CheckoutEventMap as `on${Name}`]?: ((event: CheckoutEventMap[Name]) => void) | undefined
}
