/**
 * Keeps the event stream open while the page is seen and the phase has news to give; opens it again, less and less
 * eagerly, when it breaks off. It is a convenience: whoever has none reads a little more often.
 */
import {backoff} from './ladder.js'
import type {Phase} from './phase.js'
import type {Attention, Time} from './watch.js'

export interface Listener {
  /** The stream is open. */
  opened(): void
  /** Something came, if only a comment: the connection lives. */
  alive(): void
  /** The journal has grown to so many entries. */
  woken(rev: number): void
}

export interface StreamOptions {
  readonly time: Time
  readonly random: () => number
  readonly attention: Attention
  /** Listens until the stream ends, for whatever reason. Does not reject. */
  listen(listener: Listener, signal: AbortSignal): Promise<void>
  streaming(isOpen: boolean): void
  woken(rev: number): void
}

export interface Stream {
  enter(phase: Phase): void
  stop(): void
}

/** The proxy says something every twenty seconds. */
const SILENCE = 45_000
const MOST_FAILURES = 5

export function stream(options: StreamOptions, firstPhase: Phase): Stream {
  const {time, random, attention} = options
  const life = new AbortController()
  let phase = firstPhase
  let failures = 0
  /** Ends the stream, or the wait for one. */
  let current = new AbortController()

  const isWorthIt = () => attention.visible() && hasNews(phase)

  async function keepOpen(): Promise<void> {
    while (!life.signal.aborted) {
      current = new AbortController()
      const {signal} = current
      if (!isWorthIt() || failures >= MOST_FAILURES) {
        failures = 0
        await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
      } else {
        failures = (await listenOnce(signal)) ? 1 : failures + 1
        await time.sleep(backoff(failures, random()), signal)
      }
    }
  }

  /** Whether the stream was open for a while. */
  async function listenOnce(signal: AbortSignal): Promise<boolean> {
    const connection = new AbortController()
    const close = () => connection.abort()
    signal.addEventListener('abort', close)
    let heard = time.now()
    let wasOpen = false
    const silence = async () => {
      for (;;) {
        const rest = heard + SILENCE - time.now()
        if (rest <= 0 || connection.signal.aborted) return
        await time.sleep(rest, connection.signal)
      }
    }
    const listener: Listener = {
      opened: () => {
        wasOpen = true
        failures = 0
        if (!connection.signal.aborted) options.streaming(true)
      },
      alive: () => {
        heard = time.now()
      },
      woken: rev => {
        if (!connection.signal.aborted) options.woken(rev)
      },
    }
    await Promise.race([options.listen(listener, connection.signal), silence()])
    close()
    options.streaming(false)
    return wasOpen
  }

  let wasWorthIt = isWorthIt()
  /** Only a change ends what is open; while there is nothing open, any occasion is good for another try. */
  const reconsider = (retry: boolean) => {
    if (retry || wasWorthIt !== isWorthIt()) current.abort()
    wasWorthIt = isWorthIt()
  }
  const stopAttending = attention.listen(() => reconsider(failures > 0))
  void keepOpen()

  return {
    enter(next) {
      phase = next
      reconsider(false)
    },
    stop() {
      stopAttending()
      life.abort()
      current.abort()
    },
  }
}

function hasNews(phase: Phase): boolean {
  return /^(choosing|quoting|paying|confirming|underpaid)$/.test(phase)
}
