import type {Clock} from '../contract/clock.js'
import type {Problem} from '../contract/problem.js'
import {backoff, nextPollDelay} from './poll-interval.js'
import type {Phase} from './phase.js'
import {isPermanent, isTransient} from './problems.js'

export interface PageVisibility {
  isVisible(): boolean
  /** Reports that the page was shown or hidden, restored from the back/forward cache, is online again, or that the machine slept. */
  subscribe(onChange: () => void): () => void
}

export interface PageEnvironment {
  /** Monotonic. */
  readonly clock: Clock
  /** From 0 to below 1. */
  readonly random: () => number
  readonly visibility: PageVisibility
}

export interface PollerOptions extends PageEnvironment {
  /** Reads once and returns the problem, if any. Does not reject. */
  read(signal: AbortSignal): Promise<Problem | null>
  /** Milliseconds since the charge was created, at a time of the clock; NaN before it is known. */
  age(at: number): number
}

export interface Poller {
  /** A new phase restarts the schedule. */
  setPhase(phase: Phase): void
  /** With an open event stream, reads are less frequent. */
  setStreaming(isOpen: boolean): void
  /** Resolves after the response to a read that began after this call, or when the poller is stopped. */
  readNow(): Promise<void>
  /** Aborts the wait and the request. */
  stop(): void
}

/** One read serves `visibilitychange`, `pageshow` and `online`, which often fire together. */
const COALESCE_MS = 1_000
const UNAUTHORIZED_MS = 30_000
/** 23 days: browsers have no timer that is much longer. */
const LONGEST_TIMER_MS = 2_000_000_000

/**
 * Reads a charge repeatedly, with the delays of `nextPollDelay`. Reads never overlap: the next one is scheduled after the
 * response. While the page is hidden, reads pause. After a permanent problem only `readNow` reads.
 */
export function createPoller(options: PollerOptions, firstPhase: Phase): Poller {
  const {clock, random, visibility, read} = options
  const lifetime = new AbortController()
  let phase = firstPhase
  let phaseBeganAt = clock.now()
  let readBeganAt = 0
  let failures = 0
  let isOver = false
  let isStreaming = false
  let currentWait = new AbortController()
  /** Callers of `readNow` whose read has not begun. */
  const waiters: (() => void)[] = []

  const reschedule = () => currentWait.abort()

  async function run(): Promise<void> {
    while (!lifetime.signal.aborted) {
      readBeganAt = clock.now()
      const batch = waiters.splice(0)
      const problem = await read(lifetime.signal)
      for (const resolve of batch) resolve()
      failures = problem ? failures + 1 : 0
      isOver = problem !== null && isPermanent(problem)
      await waitForNext(problem)
    }
    for (const resolve of waiters) resolve()
  }

  async function waitForNext(problem: Problem | null): Promise<void> {
    const respondedAt = clock.now()
    const jitter = random()
    while (waiters.length === 0 && !lifetime.signal.aborted) {
      currentWait = new AbortController()
      const {signal} = currentWait
      const delay = visibility.isVisible() ? delayAfter(problem, jitter, respondedAt) : null
      await clock.sleep(respondedAt + (delay ?? LONGEST_TIMER_MS) - clock.now(), signal)
      if (!signal.aborted) return
    }
  }

  function delayAfter(problem: Problem | null, jitter: number, respondedAt: number): number | null {
    const elapsedMs = clock.now() - phaseBeganAt
    if (!problem)
      return nextPollDelay({phase, elapsedMs, isStreaming, jitter, ageMs: options.age(respondedAt)})
    // A token that has expired: the page may get a new one, and money that was sent still counts.
    if (problem.code === 'unauthorized' && phase !== 'unavailable' && phase !== 'loading')
      return UNAUTHORIZED_MS
    return isTransient(problem) ? backoff(failures, jitter, problem.retryAfter) : null
  }

  async function readNow(): Promise<void> {
    if (lifetime.signal.aborted) return
    reschedule()
    await new Promise<void>(resolve => waiters.push(resolve))
  }

  const unsubscribe = visibility.subscribe(() => {
    if (visibility.isVisible() && !isOver && clock.now() - readBeganAt >= COALESCE_MS) void readNow()
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
