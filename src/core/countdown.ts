/**
 * Time left, by the server's clock. Every answer ties the server's time to a monotonic one of this machine, whose
 * wall clock may be wrong by hours. It is for display only: nothing expires because of it (invariant 9).
 */

export interface Anchor {
  /** Milliseconds since 1970 UTC, as the server said. */
  readonly server: number
  /** What the monotonic clock showed then. */
  readonly at: number
}

export function anchorAt(serverTime: string, now: number): Anchor {
  return {server: Date.parse(serverTime), at: now}
}

export function serverNow(anchor: Anchor, now: number): number {
  return anchor.server + (now - anchor.at)
}

/** Whole seconds until then, rounded up, never below zero. */
export function secondsLeft(anchor: Anchor, until: string, now: number): number {
  return Math.max(0, Math.ceil((Date.parse(until) - serverNow(anchor, now)) / 1_000))
}

/** Milliseconds until the number of seconds left next changes. */
export function untilNextSecond(anchor: Anchor, until: string, now: number): number {
  const remainder = (Date.parse(until) - serverNow(anchor, now)) % 1_000
  return remainder > 0 ? remainder : remainder + 1_000
}

/** `4:05`, or `1:04:05` from an hour up. */
export function formatDuration(seconds: number): string {
  const [hours, minutes, remainder] = [
    Math.floor(seconds / 3_600),
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ]
  const pad = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(remainder)}` : `${minutes}:${pad(remainder)}`
}
