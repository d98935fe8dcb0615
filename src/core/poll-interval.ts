/** The polling schedule. Jitter keeps pages from polling in step. */
import type {State} from './advance.js'
import {phaseOf} from './phase.js'

const SECOND = 1_000
const MINUTE = 60 * SECOND

/**
 * How often a page reads. `opening`: each read is an opening, until one succeeds. `choosing`: no address has been shown.
 * `paying`: money may be on its way. `ended`: a late payment is still shown, and a paid status ends an alarm. `over`: nothing
 * can change any more.
 */
export type Pace = 'opening' | 'choosing' | 'paying' | 'ended' | 'over'

export function paceOf(state: State): Pace {
  switch (phaseOf(state)) {
    case 'idle':
    case 'paid':
    case 'overpaid':
      return 'over'
    case 'expired':
    case 'cancelled':
      return 'ended'
    case 'unavailable':
      return state.kind === 'unavailable' ? 'opening' : 'ended'
    case 'loading':
      return 'opening'
    case 'choosing':
    case 'quoting':
      // The customer may have paid to an address before going back to choose again.
      return state.kind === 'active' && state.displayed.length > 0 ? 'paying' : 'choosing'
    case 'paying':
    case 'confirming':
    case 'underpaid':
      return 'paying'
  }
}

/**
 * Milliseconds from a response to the next read; null for no further reads.
 *
 * @param quietMs milliseconds since the phase began, or since the last sign that the customer is active
 * @param jitter from 0 to below 1
 */
export function nextPollDelay(pace: Pace, quietMs: number, jitter: number): number | null {
  const interval = intervalFor(pace, quietMs)
  return interval === null ? null : interval * (0.8 + 0.4 * jitter)
}

function intervalFor(pace: Pace, quietMs: number): number | null {
  switch (pace) {
    case 'over':
      return null
    case 'ended':
      return quietMs < 30 * MINUTE ? 30 * SECOND : null
    case 'opening':
    case 'choosing':
      return quietMs < 10 * MINUTE ? 15 * SECOND : 30 * SECOND
    case 'paying':
      if (quietMs < 3 * MINUTE) return 2 * SECOND
      if (quietMs < 10 * MINUTE) return 5 * SECOND
      return quietMs < 30 * MINUTE ? 15 * SECOND : 30 * SECOND
  }
}

/** A limit, because timers of more than 24.8 days overflow and fire immediately. */
const MAX_RETRY_AFTER_MS = 10 * MINUTE

/**
 * Milliseconds to wait after one or more consecutive failures: full jitter below a bound that doubles from 2 s to 30 s,
 * and at least `Retry-After`.
 *
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function backoff(failures: number, jitter: number, retryAfterSeconds = 0): number {
  const bound = Math.min(30 * SECOND, 2 * SECOND * 2 ** Math.min(failures - 1, 10))
  return Math.max(Math.min(retryAfterSeconds * SECOND, MAX_RETRY_AFTER_MS), bound * jitter)
}
