/** The page around the element: the real ones of what tests replace. */
import {systemClock} from '../contract/clock.js'
import type {Attention, Time} from '../core/watch.js'
import {loadList} from './list-part.js'
import {languages, type Language} from './words/languages.js'
import type {Words} from './words/words.js'

/** Where this browser keeps which asset and network were chosen last: never for what, nor by whom. */
const LAST = 'crypto-checkout:last'

/**
 * All that does not follow from the answers: time, chance, whether the page is seen, the address bar, what
 * is kept, late parts.
 */
export interface Surroundings {
  readonly time: Time
  readonly random: () => number
  readonly attention: Attention
  navigate(address: string): void
  /** The choice that was remembered last. Neither this nor the next ever throws. */
  recall(): string | null
  remember(choice: string): void
  /** What one chooses from. */
  loadList(): Promise<Pick<typeof import('./list/list.js'), 'List'>>
  /** What draws everything from the quote on. */
  loadDesk(): Promise<typeof import('./desk/desk.js')>
  /** The manners of a dialog. */
  loadDialog(): Promise<typeof import('./dialog.js')>
  loadStream(): Promise<typeof import('./stream.js')>
  loadWords(language: Language): Promise<{words: Words}>
}

export const page: Surroundings = {
  time: {
    now: () => performance.now(),
    sleep: systemClock.sleep,
  },
  random: () => Math.random(),
  attention: {
    visible: () => document.visibilityState === 'visible',
    listen(changed) {
      const stop = new AbortController()
      const {signal} = stop
      document.addEventListener('visibilitychange', changed, {signal})
      window.addEventListener('pageshow', event => event.persisted && changed(), {signal})
      window.addEventListener('online', changed, {signal})
      return () => stop.abort()
    },
  },
  navigate: address => window.location.assign(address),
  // A browser may refuse to keep anything, and says so by throwing.
  recall() {
    try {
      return localStorage.getItem(LAST)
    } catch {
      return null
    }
  },
  remember(choice) {
    try {
      localStorage.setItem(LAST, choice)
    } catch {
      // Then it is chosen again next time.
    }
  },
  loadList,
  loadDesk: () => import('./desk/desk.js'),
  loadDialog: () => import('./dialog.js'),
  loadStream: () => import('./stream.js'),
  loadWords: language => languages[language](),
}
