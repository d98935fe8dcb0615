/** The page around the element: the real ones of what tests replace. */
import {systemClock} from '../contract/clock.js'
import type {PageVisibility, MonotonicClock} from '../core/poller.js'
import {loadAssetPicker} from './load-asset-picker.js'
import {languages, type Language} from './i18n/loaders.js'
import type {Translation} from './i18n/translation.js'

/** Where this browser keeps which asset and network were chosen last: never for what, nor by whom. */
const STORAGE_KEY = 'crypto-checkout:last'

/**
 * All that does not follow from the answers: time, chance, whether the page is seen, the address bar, what
 * is kept, late parts.
 */
export interface Environment {
  readonly clock: MonotonicClock
  readonly random: () => number
  readonly visibility: PageVisibility
  navigate(address: string): void
  /** The choice that was remembered last. Neither this nor the next ever throws. */
  loadLastPair(): string | null
  saveLastPair(choice: string): void
  /** What one chooses from. */
  loadAssetPicker(): Promise<Pick<typeof import('./asset-picker/asset-picker.js'), 'AssetPicker'>>
  /** What draws everything from the quote on. */
  loadPayment(): Promise<typeof import('./payment/payment-panel.js')>
  /** The manners of a dialog. */
  loadDialog(): Promise<typeof import('./dialog/dialog-controller.js')>
  loadStream(): Promise<typeof import('./session/event-stream.js')>
  loadTranslation(language: Language): Promise<{translation: Translation}>
}

export const browserEnvironment: Environment = {
  clock: {
    now: () => performance.now(),
    sleep: systemClock.sleep,
  },
  random: () => Math.random(),
  visibility: {
    isVisible: () => document.visibilityState === 'visible',
    subscribe(changed) {
      const listeners = new AbortController()
      const {signal} = listeners
      document.addEventListener('visibilitychange', changed, {signal})
      window.addEventListener('pageshow', event => event.persisted && changed(), {signal})
      window.addEventListener('online', changed, {signal})
      return () => listeners.abort()
    },
  },
  navigate: address => window.location.assign(address),
  // A browser may refuse to keep anything, and says so by throwing.
  loadLastPair() {
    try {
      return localStorage.getItem(STORAGE_KEY)
    } catch {
      return null
    }
  },
  saveLastPair(choice) {
    try {
      localStorage.setItem(STORAGE_KEY, choice)
    } catch {
      // Then it is chosen again next time.
    }
  },
  loadAssetPicker,
  loadPayment: () => import('./payment/payment-panel.js'),
  loadDialog: () => import('./dialog/dialog-controller.js'),
  loadStream: () => import('./session/event-stream.js'),
  loadTranslation: language => languages[language](),
}
