import {backoff} from './poll-interval.js'
import type {Phase} from './phase.js'
import type {PageEnvironment} from './poller.js'

export interface StreamListener {
  onOpen(): void
  /** Any data, also a comment: the connection is alive. */
  onBytes(): void
  /** `rev` of the journal's last entry. */
  onWakeUp(rev: number): void
}

export interface StreamOptions extends PageEnvironment {
  /** Resolves when the stream ends or fails. Does not reject. */
  listen(listener: StreamListener, signal: AbortSignal): Promise<void>
  setStreaming(isOpen: boolean): void
  onWakeUp(rev: number): void
}

export interface Stream {
  setPhase(phase: Phase): void
  stop(): void
}

/** Longer than two of the proxy's keep-alive comments, which come every 20 s. */
const IDLE_TIMEOUT_MS = 45_000
/** Consecutive failures after which the stream waits for a change of visibility or phase. */
const MAX_FAILURES = 5

/**
 * Keeps the event stream open while the page is visible and the phase needs it, and reconnects with backoff. Reads work
 * without it, but more often.
 */
export function keepStreamOpen(options: StreamOptions, firstPhase: Phase): Stream {
  const {clock, random, visibility} = options
  const lifetime = new AbortController()
  let phase = firstPhase
  let failures = 0
  /** Aborts the open stream, or the wait before the next one. */
  let current = new AbortController()

  const shouldStream = () => visibility.isVisible() && wantsStream(phase)

  async function keepOpen(): Promise<void> {
    while (!lifetime.signal.aborted) {
      current = new AbortController()
      const {signal} = current
      if (!shouldStream() || failures >= MAX_FAILURES) {
        failures = 0
        await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
      } else {
        failures = (await listenOnce(signal)) ? 1 : failures + 1
        await clock.sleep(backoff(failures, random()), signal)
      }
    }
  }

  /** Returns whether the stream was open. */
  async function listenOnce(signal: AbortSignal): Promise<boolean> {
    const connection = new AbortController()
    const close = () => connection.abort()
    signal.addEventListener('abort', close)
    let lastByteAt = clock.now()
    let wasOpen = false
    const idleTimeout = async () => {
      for (;;) {
        const remainingMs = lastByteAt + IDLE_TIMEOUT_MS - clock.now()
        if (remainingMs <= 0 || connection.signal.aborted) return
        await clock.sleep(remainingMs, connection.signal)
      }
    }
    const listener: StreamListener = {
      onOpen: () => {
        wasOpen = true
        failures = 0
        if (!connection.signal.aborted) options.setStreaming(true)
      },
      onBytes: () => {
        lastByteAt = clock.now()
      },
      onWakeUp: rev => {
        if (!connection.signal.aborted) options.onWakeUp(rev)
      },
    }
    await Promise.race([options.listen(listener, connection.signal), idleTimeout()])
    close()
    options.setStreaming(false)
    return wasOpen
  }

  let didStream = shouldStream()
  /** Ends an open stream only if it is no longer needed. `retry` also ends a wait for the next attempt. */
  const reconsider = (retry: boolean) => {
    if (retry || didStream !== shouldStream()) current.abort()
    didStream = shouldStream()
  }
  const unsubscribe = visibility.subscribe(() => reconsider(failures > 0))
  void keepOpen()

  return {
    setPhase(next) {
      phase = next
      reconsider(false)
    },
    stop() {
      unsubscribe()
      lifetime.abort()
      current.abort()
    },
  }
}

function wantsStream(phase: Phase): boolean {
  switch (phase) {
    case 'choosing':
    case 'quoting':
    case 'paying':
    case 'confirming':
    case 'underpaid':
      return true
    case 'idle':
    case 'loading':
    case 'unavailable':
    case 'paid':
    case 'overpaid':
    case 'expired':
    case 'cancelled':
      return false
  }
}
