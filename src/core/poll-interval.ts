/**
 * When to read next. Close together while something is about to happen, further apart the longer nothing does; spread
 * by chance, so that a thousand pages do not ask in step.
 */
import type {Phase} from './phase.js'

const SECOND = 1_000
const MINUTE = 60 * SECOND

export interface PollContext {
  readonly phase: Phase
  /** Milliseconds since the phase began. */
  readonly elapsedMs: number
  /** An event stream is open and will wake the reader. */
  readonly isStreaming: boolean
  /** A number from 0 up to 1. */
  readonly jitter: number
}

/** Milliseconds from the last answer to the next read; null when there is nothing more to learn. */
export function nextPollDelay({
  phase,
  elapsedMs,
  isStreaming: isStreaming,
  jitter,
}: PollContext): number | null {
  const interval = intervalFor(phase, elapsedMs)
  if (interval === null) return null
  // Not in the first minute: a stream has no news of its own where the shop has no webhook, and the proxy looks for
  // payments only when somebody reads.
  const slow = isStreaming && elapsedMs >= MINUTE
  return (slow ? Math.max(interval, 30 * SECOND) : interval) * (0.8 + 0.4 * jitter)
}

function intervalFor(phase: Phase, elapsedMs: number): number | null {
  switch (phase) {
    case 'idle':
    case 'paid':
    case 'overpaid':
      return null
    // Late payments are still shown, and an alarm may end in "paid"; but not for ever.
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

/** Longer than any proxy means, shorter than the 24.8 days at which a browser's timer turns round and fires at once. */
const MAX_RETRY_AFTER = 10 * MINUTE

/**
 * Milliseconds to wait after so many failures in a row (one or more): full jitter under a bound that doubles from two
 * seconds to thirty, never less than the proxy asked for.
 *
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function backoff(failures: number, jitter: number, retryAfterSeconds = 0): number {
  const bound = Math.min(30 * SECOND, 2 * SECOND * 2 ** Math.min(failures - 1, 10))
  return Math.max(Math.min(retryAfterSeconds * SECOND, MAX_RETRY_AFTER), bound * jitter)
}
