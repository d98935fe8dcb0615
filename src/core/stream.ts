/**
 * Keeps the event stream open while the page is seen and the phase has news to give; opens it again, less and less
 * eagerly, when it breaks off. It is a convenience: whoever has none reads a little more often.
 */
import type {Clock} from '../contract/clock.js'
import {backoff} from './poll-interval.js'
import type {Phase} from './phase.js'
import type {PageVisibility} from './poller.js'

export interface StreamListener {
  /** The stream is open. */
  onOpen(): void
  /** Something came, if only a comment: the connection lives. */
  onBytes(): void
  /** The journal has grown to so many entries. */
  onWakeUp(rev: number): void
}

export interface StreamOptions {
  readonly clock: Clock
  readonly random: () => number
  readonly visibility: PageVisibility
  /** Listens until the stream ends, for whatever reason. Does not reject. */
  listen(listener: StreamListener, signal: AbortSignal): Promise<void>
  setStreaming(isOpen: boolean): void
  onWakeUp(rev: number): void
}

export interface Stream {
  setPhase(phase: Phase): void
  stop(): void
}

/** The proxy says something every twenty seconds. */
const IDLE_TIMEOUT_MS = 45_000
const MAX_FAILURES = 5

export function keepStreamOpen(options: StreamOptions, firstPhase: Phase): Stream {
  const {clock, random, visibility} = options
  const lifetime = new AbortController()
  let phase = firstPhase
  let failures = 0
  /** Ends the stream, or the wait for one. */
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

  /** Whether the stream was open for a while. */
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
  /** Only a change ends what is open; while there is nothing open, any occasion is good for another try. */
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
  return /^(choosing|quoting|paying|confirming|underpaid)$/.test(phase)
}
