/**
 * Follows one charge: reads, waits as long as the ladder says, reads again. It knows when to ask, not what is asked:
 * reading, time, chance and the page's visibility come from outside. Reads never overlap; the next one is planned after
 * the answer. One `stop` ends every wait and every request.
 */
import type {Clock} from '../contract/clock.js'
import type {Problem} from '../contract/problem.js'
import {backoff, nextPollDelay} from './poll-interval.js'
import type {Phase} from './phase.js'
import {isTransient} from './problems.js'

export interface PageVisibility {
  isVisible(): boolean
  /** Calls back when the page was shown or hidden, came back from the cache, or is online again. */
  subscribe(changed: () => void): () => void
}

export interface PollerOptions {
  readonly clock: Clock
  readonly random: () => number
  readonly visibility: PageVisibility
  /** Reads once; the problem, if there was one. Does not reject. */
  read(signal: AbortSignal): Promise<Problem | null>
}

export interface Poller {
  /** A new phase begins the ladder anew. */
  setPhase(phase: Phase): void
  /** While a stream is open, and wakes the reader, reads are rare. */
  setStreaming(isOpen: boolean): void
  /** Reads now; resolves when a read that began after the call was answered, or the watch was stopped. */
  readNow(): Promise<void>
  stop(): void
}

/** `visibilitychange`, `pageshow` and `online` often come together: one read serves them all. */
const COALESCE_MS = 1_000

export function createPoller({clock, random, visibility, read}: PollerOptions, firstPhase: Phase): Poller {
  const lifetime = new AbortController()
  let phase = firstPhase
  let phaseBeganAt = clock.now()
  let readBeganAt = 0
  let failures = 0
  let isStreaming = false
  let currentWait = new AbortController()
  /** Who asked for a read that has not begun. */
  let waiters: (() => void)[] = []

  const reschedule = () => currentWait.abort('replanned')

  async function run(): Promise<void> {
    while (!lifetime.signal.aborted) {
      readBeganAt = clock.now()
      const batch = waiters
      waiters = []
      const problem = await read(lifetime.signal)
      for (const done of batch) done()
      failures = problem ? failures + 1 : 0
      await waitForNext(problem)
    }
    for (const done of waiters) done()
  }

  async function waitForNext(problem: Problem | null): Promise<void> {
    const answeredAt = clock.now()
    const jitter = random()
    while (waiters.length === 0 && !lifetime.signal.aborted) {
      currentWait = new AbortController()
      const {signal} = currentWait
      const delay = visibility.isVisible() ? delayAfter(problem, jitter) : null
      await (delay === null ? untilAborted(signal) : clock.sleep(answeredAt + delay - clock.now(), signal))
      if (!signal.aborted) return
    }
  }

  function delayAfter(problem: Problem | null, jitter: number): number | null {
    if (!problem) return nextPollDelay({phase, elapsedMs: clock.now() - phaseBeganAt, isStreaming, jitter})
    return isTransient(problem) ? backoff(failures, jitter, problem.retryAfter) : null
  }

  function readNow(): Promise<void> {
    if (lifetime.signal.aborted) return Promise.resolve()
    reschedule()
    return new Promise(resolve => waiters.push(resolve))
  }

  const unsubscribe = visibility.subscribe(() => {
    if (visibility.isVisible() && clock.now() - readBeganAt >= COALESCE_MS) void readNow()
    else reschedule()
  })
  void run()

  return {
    setPhase(next) {
      if (next === phase) return
      phase = next
      phaseBeganAt = clock.now()
      reschedule()
    },
    setStreaming(isOpen) {
      isStreaming = isOpen
      reschedule()
    },
    readNow,
    stop() {
      unsubscribe()
      lifetime.abort()
      reschedule()
    },
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => signal.addEventListener('abort', () => resolve()))
}
