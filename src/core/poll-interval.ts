/** The polling schedule. Intervals grow with the time in a phase, with jitter so that pages do not poll in step. */
import type {Phase} from './phase.js'

const SECOND = 1_000
const MINUTE = 60 * SECOND

export interface PollContext {
  readonly phase: Phase
  /** Milliseconds since the phase began. */
  readonly elapsedMs: number
  /** Whether an event stream is open, which reports changes. */
  readonly isStreaming: boolean
  /** From 0 to below 1. */
  readonly jitter: number
  /** Milliseconds since the charge was created; NaN before it is known. */
  readonly ageMs: number
}

/** Milliseconds from the last response to the next read; null for no further reads. */
export function nextPollDelay({phase, elapsedMs, isStreaming, jitter, ageMs}: PollContext): number | null {
  const interval = intervalFor(phase, elapsedMs)
  if (interval === null) return null
  if (!isStreaming) return interval * (0.8 + 0.4 * jitter)
  // The stream reports what webhooks and other readers find, but a webhook may be lost. These reads move towards multiples of
  // the interval since the creation of the charge. So its tabs read at the same time and share one poll of the service, while
  // those of other charges read at other times.
  const slow = Math.max(interval, 30 * SECOND)
  const count = ageMs / slow
  return slow * (0.8 + 0.4 * (ageMs >= 0 ? 0.5 + Math.round(count) - count : jitter))
}

function intervalFor(phase: Phase, elapsedMs: number): number | null {
  switch (phase) {
    case 'idle':
    case 'paid':
    case 'overpaid':
      return null
    // Late payments are still shown, and a paid status ends an alarm.
    case 'expired':
    case 'cancelled':
    case 'unavailable':
      return elapsedMs < 30 * MINUTE ? 30 * SECOND : null
    case 'confirming':
      return elapsedMs < 5 * MINUTE ? 5 * SECOND : 10 * SECOND
    case 'loading':
    case 'choosing':
    case 'quoting':
    case 'paying':
    case 'underpaid':
      if (elapsedMs < MINUTE) return 2 * SECOND
      return elapsedMs < 5 * MINUTE ? 5 * SECOND : 10 * SECOND
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
