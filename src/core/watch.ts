/**
 * Follows one charge: reads, waits as long as the ladder says, reads again. It knows when to ask, not what is asked:
 * reading, time, chance and the page's visibility come from outside. Reads never overlap; the next one is planned after
 * the answer. One `stop` ends every wait and every request.
 */
import type {Problem} from '../contract/problem.js'
import {backoff, readAfter} from './ladder.js'
import type {Phase} from './phase.js'
import {passes} from './problems.js'

export interface Time {
  /** Milliseconds of a clock that only goes forward. */
  now(): number
  /** Resolves after so many milliseconds, or at once when the signal is aborted. Never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export interface Attention {
  visible(): boolean
  /** Calls back when the page was shown or hidden, came back from the cache, or is online again. */
  listen(changed: () => void): () => void
}

export interface WatchOptions {
  readonly time: Time
  readonly random: () => number
  readonly attention: Attention
  /** Reads once; the problem, if there was one. Does not reject. */
  read(signal: AbortSignal): Promise<Problem | null>
}

export interface Watch {
  /** A new phase begins the ladder anew. */
  enter(phase: Phase): void
  /** While a stream is open, and wakes the reader, reads are rare. */
  streaming(isOpen: boolean): void
  /** Reads now; resolves when a read that began after the call was answered, or the watch was stopped. */
  readNow(): Promise<void>
  stop(): void
}

/** `visibilitychange`, `pageshow` and `online` often come together: one read serves them all. */
const ONE_READ = 1_000

export function watch({time, random, attention, read}: WatchOptions, firstPhase: Phase): Watch {
  const life = new AbortController()
  let phase = firstPhase
  let phaseBegan = time.now()
  let readBegan = 0
  let failures = 0
  let isStreaming = false
  let waiting = new AbortController()
  /** Who asked for a read that has not begun. */
  let asking: (() => void)[] = []

  const replan = () => waiting.abort('replanned')

  async function follow(): Promise<void> {
    while (!life.signal.aborted) {
      readBegan = time.now()
      const served = asking
      asking = []
      const problem = await read(life.signal)
      for (const done of served) done()
      failures = problem ? failures + 1 : 0
      await pause(problem)
    }
    for (const done of asking) done()
  }

  async function pause(problem: Problem | null): Promise<void> {
    const answered = time.now()
    const chance = random()
    while (asking.length === 0 && !life.signal.aborted) {
      waiting = new AbortController()
      const {signal} = waiting
      const delay = attention.visible() ? delayAfter(problem, chance) : null
      await (delay === null ? aborted(signal) : time.sleep(answered + delay - time.now(), signal))
      if (!signal.aborted) return
    }
  }

  function delayAfter(problem: Problem | null, chance: number): number | null {
    if (!problem) return readAfter({phase, elapsed: time.now() - phaseBegan, streaming: isStreaming, chance})
    return passes(problem) ? backoff(failures, chance, problem.retryAfter) : null
  }

  function readNow(): Promise<void> {
    if (life.signal.aborted) return Promise.resolve()
    replan()
    return new Promise(resolve => asking.push(resolve))
  }

  const stopAttending = attention.listen(() => {
    if (attention.visible() && time.now() - readBegan >= ONE_READ) void readNow()
    else replan()
  })
  void follow()

  return {
    enter(next) {
      if (next === phase) return
      phase = next
      phaseBegan = time.now()
      replan()
    },
    streaming(isOpen) {
      isStreaming = isOpen
      replan()
    },
    readNow,
    stop() {
      stopAttending()
      life.abort()
      replan()
    },
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => signal.addEventListener('abort', () => resolve()))
}
