import {CryptoCheckout} from './crypto-checkout.js'

const NAME = 'crypto-checkout'

/**
 * Makes `<crypto-checkout>` known to the page, once. Does nothing where there is no page, and when another copy was
 * faster; a copy of another version is worth a word on the console, never an exception.
 */
export function register(): void {
  if (typeof window === 'undefined' || !('customElements' in window)) return
  const known = window.customElements.get(NAME)
  if (!known) window.customElements.define(NAME, CryptoCheckout)
  else if (known !== CryptoCheckout && versionOf(known) !== CryptoCheckout.version)
    console.warn(
      `<${NAME}>: version ${versionOf(known)} is already on this page; version ${CryptoCheckout.version} is not used.`,
    )
}

function versionOf(constructor: object): string {
  return 'version' in constructor ? String(constructor.version) : 'unknown'
}
