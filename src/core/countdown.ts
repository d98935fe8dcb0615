/**
 * The server's time, measured with the browser's monotonic clock, because its wall clock may be wrong by hours. Each
 * response sets a new anchor. For display only: the browser expires nothing (invariant 9).
 */
export interface Anchor {
  /** Milliseconds since 1970 UTC: `serverTime` of the response. */
  readonly server: number
  /** Milliseconds of the monotonic clock when the response arrived. */
  readonly at: number
}

export function anchorAt(serverTime: string, now: number): Anchor {
  return {server: Date.parse(serverTime), at: now}
}

/** Milliseconds since 1970 UTC. */
export function serverNow(anchor: Anchor, now: number): number {
  return anchor.server + (now - anchor.at)
}

/** Whole seconds until an ISO 8601 timestamp, rounded up, at least 0. */
export function secondsLeft(anchor: Anchor, until: string, now: number): number {
  return Math.max(0, Math.ceil((Date.parse(until) - serverNow(anchor, now)) / 1_000))
}

/** Milliseconds until `secondsLeft` changes. */
export function untilNextSecond(anchor: Anchor, until: string, now: number): number {
  const remainder = (Date.parse(until) - serverNow(anchor, now)) % 1_000
  return remainder > 0 ? remainder : remainder + 1_000
}

/** `4:05`, or `1:04:05` above an hour. Most charges begin with an hour: `60:00` is as wide as what follows. */
export function formatDuration(seconds: number): string {
  const hours = seconds > 3_600 ? Math.floor(seconds / 3_600) : 0
  const [minutes, remainder] = [Math.floor(seconds / 60) - hours * 60, seconds % 60]
  const pad = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(remainder)}` : `${minutes}:${pad(remainder)}`
}
