import {systemClock} from '../contract/clock.js'
import type {Environment} from './environment.js'
import {loadTranslation} from '../translations/generated/load-translation.js'

/** Holds the ids of the last asset and network only: no charge, no customer. */
const STORAGE_KEY = 'crypto-checkout:last'
const SLEPT_MS = 2_000

declare global {
  interface Document {
    /** Absent in Firefox and Safari. */
    readonly prerendering?: boolean
  }
}

export const browserEnvironment: Environment = {
  clock: {
    now: () => performance.now(),
    sleep: systemClock.sleep,
  },
  random: Math.random,
  visibility: {
    // A test environment that has ended has no document.
    isVisible: () => globalThis.document?.visibilityState === 'visible' && !document.prerendering,
    subscribe(onChange) {
      // Not by a signal, which test environments may have from Node and not from their DOM.
      const each = (method: 'addEventListener' | 'removeEventListener') => {
        for (const type of ['visibilitychange', 'prerenderingchange']) document[method](type, onChange)
        for (const type of ['pageshow', 'online', 'focus']) window[method](type, onChange)
      }
      each('addEventListener')
      // While the machine sleeps, only the wall clock goes on, and timers end late.
      const offset = () => Date.now() - performance.now()
      let last = offset()
      const timer = setInterval(() => {
        const hasSlept = offset() - last > SLEPT_MS
        last = offset()
        if (hasSlept) onChange()
      }, 1_000)
      return () => {
        each('removeEventListener')
        clearInterval(timer)
      }
    },
  },
  nextPaint: () => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))),
  navigate: address => window.location.assign(address),
  // Access to localStorage throws when the browser blocks storage, and setItem throws when it is full.
  loadLastPair() {
    try {
      return localStorage.getItem(STORAGE_KEY)
    } catch {
      return null
    }
  },
  saveLastPair(pair) {
    try {
      localStorage.setItem(STORAGE_KEY, pair)
    } catch {
      // The pair is not offered again next time.
    }
  },
  loadAssetPicker: () => import('./asset-picker/asset-picker.js'),
  loadIcons: () => import('./logos/icons.js'),
  loadPayment: () => import('./payment/payment-panel.js'),
  loadWallets: () => import('./wallets/wallet-panel.js'),
  loadDialog: () => import('./dialog/dialog-controller.js'),
  loadTranslation,
}

/**
 * A `<base>` does not apply, because it may lead to another site. A page without an address of its own has that of its parent.
 *
 * @returns null if it is not a URL
 */
export function absoluteUrl(url: string): string | null {
  const {protocol, href} = location
  try {
    const absolute = new URL(url, protocol === 'about:' || protocol === 'blob:' ? document.baseURI : href)
    // With credentials, which a page may have in its address, `fetch` throws.
    absolute.username = absolute.password = ''
    return absolute.href
  } catch {
    return null
  }
}
