import {CryptoCheckout} from './crypto-checkout.js'

const NAME = 'crypto-checkout'

/** On the class that won, whichever copy it comes from. */
const WARNED = Symbol.for('crypto-checkout:told')

/**
 * Makes `<crypto-checkout>` known to the page, once. Does nothing where there is no page, and when another copy was
 * faster; that is worth a word on the console, one for the whole page, and never an exception.
 */
export function register(): void {
  if (typeof window === 'undefined' || !('customElements' in window)) return
  const known = window.customElements.get(NAME)
  if (!known) window.customElements.define(NAME, CryptoCheckout)
  else if (known !== CryptoCheckout && !(WARNED in known)) {
    Object.defineProperty(known, WARNED, {})
    console.warn(
      `<${NAME}>: version ${versionOf(known)} is already on this page; another copy, version ${CryptoCheckout.version}, is not used.`,
    )
  }
}

function versionOf(constructor: object): string {
  return 'version' in constructor ? String(constructor.version) : 'unknown'
}
