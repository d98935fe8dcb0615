import {browserEnvironment} from './browser-environment.js'
import {CryptoCheckout} from './crypto-checkout.js'

const NAME = 'crypto-checkout'

/** Set on the registered class. A global symbol, because the copies do not share this module. */
const WARNED = Symbol.for('crypto-checkout:warned')

/**
 * Registers `<crypto-checkout>`. Does nothing without a DOM. If another copy is registered already, it logs one warning
 * per page and does not throw. In a page that has yet to paint what a server rendered, it does so after that, because the
 * first rendering takes long on a slow phone.
 */
export function register(): void {
  if (!globalThis.window?.customElements) return
  const isRendered = [...document.querySelectorAll(NAME)].some(({shadowRoot}) => shadowRoot)
  if (!isRendered || performance.getEntriesByType('paint').length > 0) return define()
  void browserEnvironment.nextPaint().then(define)
}

function define(): void {
  const registered = window.customElements.get(NAME)
  if (!registered) window.customElements.define(NAME, CryptoCheckout)
  else if (registered !== CryptoCheckout && !(WARNED in registered)) {
    Object.defineProperty(registered, WARNED, {})
    console.warn(
      `<${NAME}>: version ${versionOf(registered)} is already on this page; another copy, version ${CryptoCheckout.version}, is not used.`,
    )
  }
}

function versionOf(constructor: object): string {
  return 'version' in constructor ? String(constructor.version) : 'unknown'
}
