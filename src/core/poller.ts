import type {Clock} from '../contract/clock.js'
import type {Problem} from '../contract/problem.js'
import {backoff, nextPollDelay, type Pace} from './poll-interval.js'
import {browserProblem, isPermanent, isTransient} from './problems.js'

export interface PageVisibility {
  isVisible(): boolean
  /**
   * Reports that the page was shown or hidden, has the focus, was restored from the back/forward cache, is online again, or
   * that the machine slept.
   */
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
  /** Reads once and returns the problem, if any. */
  read(signal: AbortSignal): Promise<Problem | null>
}

export interface Poller {
  /** Restarts the schedule, also for a waiting read: the phase has changed, or the customer is active. */
  restart(pace: Pace): void
  /** Resolves after the response to a read that began after this call, or when the poller is stopped. */
  readNow(): Promise<void>
  /** Aborts the wait and the request. */
  stop(): void
}

/** `visibilitychange`, `focus`, `pageshow` and `online` often come together. One read that begins after them serves all. */
const GATHER_MS = 50
const UNAUTHORIZED_MS = 30_000
/** 23 days: browsers have no timer that is much longer. */
const LONGEST_TIMER_MS = 2_000_000_000

/**
 * Reads a charge repeatedly, with the delays of `nextPollDelay`. Reads never overlap: the next one is scheduled after the
 * response. While the page is hidden, reads pause. After a permanent problem only `readNow` reads.
 */
export function createPoller(options: PollerOptions, firstPace: Pace): Poller {
  const {clock, random, visibility, read} = options
  const lifetime = new AbortController()
  let pace = firstPace
  let activeAt = clock.now()
  let failures = 0
  let isOver = false
  let isGathering = false
  let currentWait = new AbortController()
  /** Callers of `readNow` whose read has not begun. */
  const waiters: (() => void)[] = []

  const reschedule = () => currentWait.abort()

  async function run(): Promise<void> {
    while (!lifetime.signal.aborted) {
      const batch = waiters.splice(0)
      const problem = await read(lifetime.signal).catch(afterFault)
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
      const delay = visibility.isVisible() ? delayAfter(problem, jitter) : null
      await clock.sleep(respondedAt + (delay ?? LONGEST_TIMER_MS) - clock.now(), signal)
      // Else the page was hidden, or a test has ended, without an event.
      if (!signal.aborted && visibility.isVisible()) return
    }
  }

  function delayAfter(problem: Problem | null, jitter: number): number | null {
    if (!problem) return nextPollDelay(pace, clock.now() - activeAt, jitter)
    // A token that has expired: the page may get a new one, and money that was sent still counts.
    if (problem.code === 'unauthorized' && pace !== 'opening') return UNAUTHORIZED_MS
    return isTransient(problem) ? backoff(failures, jitter, problem.retryAfter) : null
  }

  async function readNow(): Promise<void> {
    if (lifetime.signal.aborted) return
    reschedule()
    await new Promise<void>(resolve => waiters.push(resolve))
  }

  /** A read that began before the event counts as none: the machine may have slept since, and the clock did not go on. */
  async function readSoon(): Promise<void> {
    if (isGathering) return
    isGathering = true
    await clock.sleep(GATHER_MS, lifetime.signal)
    isGathering = false
    if (visibility.isVisible() && !isOver) void readNow()
  }

  const unsubscribe = visibility.subscribe(() => {
    if (!visibility.isVisible()) return reschedule()
    activeAt = clock.now()
    void readSoon()
  })
  void run()

  return {
    restart(next) {
      pace = next
      activeAt = clock.now()
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

/** A view or a listener that throws must not end the reads. */
function afterFault(error: unknown): Problem {
  console.error('<crypto-checkout>:', error)
  return browserProblem('load_failed')
}
