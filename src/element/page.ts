/** The page around the element: the real ones of what tests replace. */
import {systemClock} from '../contract/clock.js'
import type {Attention, Time} from '../core/watch.js'

/** All that does not follow from the answers: time, chance, whether the page is seen, the address bar, late parts. */
export interface Surroundings {
  readonly time: Time
  readonly random: () => number
  readonly attention: Attention
  navigate(address: string): void
  /** What draws everything from the quote on. */
  loadDesk(): Promise<typeof import('./desk/desk.js')>
  loadStream(): Promise<typeof import('./stream.js')>
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
  loadDesk: () => import('./desk/desk.js'),
  loadStream: () => import('./stream.js'),
}
