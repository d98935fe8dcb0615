/**
 * Lets callers share reads of the service. Within a process one read of a charge runs at a time. Processes do not coordinate
 * their reads.
 */
import {LRUCache} from 'lru-cache'
import {monotonic} from '../../contract/index.js'
import type {WalletAsset} from '../assets/schema.js'
import type {ChargeDocument} from '../charges/document.js'
import type {ServerContext} from '../context.js'
import {CheckoutError, ServiceError} from '../errors.js'
import {readNow, type Create, type ReadResult} from './read-now.js'

export interface ReadOptions {
  /** A result is used that is not older, in milliseconds. 0 for a read that begins after the call. */
  readonly maxAgeMs: number
  readonly create?: Create
}

interface State {
  running: Promise<ReadResult> | undefined
  queued: Promise<ReadResult> | undefined
  /** Of the callers that wait for the queued read. */
  create: Create | undefined
  /** When the last read that had to be new began. Monotonic milliseconds, as `endedAt`. */
  startedAt: number
  endedAt: number
  /** Of the last read, if it failed. */
  failure: {readonly error: unknown} | undefined
  /** Of the last read that succeeded. */
  result: ReadResult | undefined
}

/** Between the starts of two reads that had to be new. A failure counts for so long. */
const INTERVAL_MS = 1_000
const MAX_STATES = 2_000

export class Reader {
  readonly #states = new LRUCache<string, State>({maxSize: MAX_STATES, sizeCalculation: () => 1})
  readonly #running = new Set<Promise<unknown>>()
  /** The service asked for a pause until then. */
  #pausedUntil = -Infinity

  constructor(readonly context: ServerContext) {}

  /** Rejects with `ServiceError`, `not_open`, or what `create` throws. */
  async read(chargeId: string, {maxAgeMs, create}: ReadOptions): Promise<ReadResult> {
    const state = this.#state(chargeId)
    try {
      return await this.#share(chargeId, state, maxAgeMs, create)
    } catch (error) {
      // The read of another caller did not create it.
      if (!create || !isNotOpen(error)) throw error
      return this.#share(chargeId, state, 0, create)
    }
  }

  #share(chargeId: string, state: State, maxAgeMs: number, create: Create | undefined): Promise<ReadResult> {
    const {running, failure, result} = state
    if (maxAgeMs > 0 && running) return running
    const ageMs = this.#now() - state.endedAt
    // The service may still fail.
    if (failure && ageMs < Math.min(maxAgeMs, INTERVAL_MS)) return Promise.reject(failure.error)
    if (!failure && result && ageMs < maxAgeMs) return Promise.resolve(result)
    if (!running && maxAgeMs > 0) return this.#start(chargeId, state, create)
    if (!running && !state.queued && this.#now() >= nextStart(state))
      return this.#startNew(chargeId, state, create)
    state.create ??= create
    return (state.queued ??= this.#queue(chargeId, state))
  }

  /** What the last second's read found; undefined if there is none. */
  fresh(chargeId: string): ReadResult | undefined {
    const state = this.#states.get(chargeId)
    return state && !state.failure && this.#hasJustRead(state) ? state.result : undefined
  }

  /** This process has written a version, or seen one. */
  onChange(chargeId: string, document: ChargeDocument, rev: number): void {
    const state = this.#states.get(chargeId)
    if (!state?.result || state.result.rev >= rev) return
    state.result = {...state.result, document, rev}
  }

  /** When a read of the charge ended last, by the monotonic clock. */
  endedAt(chargeId: string): number {
    return this.#states.get(chargeId)?.endedAt ?? -Infinity
  }

  /** A page need not begin a read: one is running, or has just ended. */
  isCurrent(chargeId: string): boolean {
    const state = this.#states.get(chargeId)
    return state !== undefined && (state.running !== undefined || this.#hasJustRead(state))
  }

  /** The result of the last read that succeeded, if it is as new as this version of the document. */
  lastSince(chargeId: string, rev: number): ReadResult | undefined {
    const result = this.#states.get(chargeId)?.result
    return result && result.readRev >= rev ? result : undefined
  }

  /** The assets of the last read, fresh or not. */
  lastAssets(chargeId: string): readonly WalletAsset[] | undefined {
    return this.#states.get(chargeId)?.result?.assets
  }

  /** Resolves when the reads that are running now have ended. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#running)
  }

  #now(): number {
    return monotonic(this.context.clock)
  }

  #hasJustRead({endedAt}: State): boolean {
    return this.#now() - endedAt < INTERVAL_MS
  }

  #state(chargeId: string): State {
    let state = this.#states.get(chargeId)
    if (!state) {
      state = {
        running: undefined,
        queued: undefined,
        create: undefined,
        startedAt: -Infinity,
        endedAt: -Infinity,
        failure: undefined,
        result: undefined,
      }
      this.#states.set(chargeId, state)
    }
    return state
  }

  async #queue(chargeId: string, state: State): Promise<ReadResult> {
    try {
      for (;;) {
        const leftMs = nextStart(state) - this.#now()
        if (state.running) await state.running.catch(() => undefined)
        else if (leftMs > 0) await this.context.clock.sleep(leftMs)
        else break
      }
    } finally {
      state.queued = undefined
    }
    const {create} = state
    state.create = undefined
    return this.#startNew(chargeId, state, create)
  }

  #startNew(chargeId: string, state: State, create: Create | undefined): Promise<ReadResult> {
    state.startedAt = this.#now()
    return this.#start(chargeId, state, create)
  }

  #start(chargeId: string, state: State, create: Create | undefined): Promise<ReadResult> {
    const running = this.#read(chargeId, create)
    state.running = running
    this.#running.add(running)
    const end = (failure: State['failure'], result = state.result) => {
      this.#running.delete(running)
      state.running = undefined
      state.endedAt = this.#now()
      state.failure = failure
      state.result = result
    }
    running.then(
      result => end(undefined, result),
      (error: unknown) => end({error}),
    )
    return running
  }

  async #read(chargeId: string, create: Create | undefined): Promise<ReadResult> {
    const pausedMs = this.#pausedUntil - this.#now()
    if (pausedMs > 0) throw tooManyRequests(pausedMs)
    try {
      return await readNow(this.context, chargeId, create)
    } catch (error) {
      if (error instanceof ServiceError) this.#pauseAfter(error)
      throw error
    }
  }

  #pauseAfter({upstreamStatus, retryAfter = 0}: ServiceError): void {
    if (upstreamStatus === 429) this.#pausedUntil = this.#now() + Math.max(1, retryAfter) * 1_000
  }
}

/** When the next read that must be new may begin. A failure of the service is followed by a pause. */
function nextStart({startedAt, endedAt, failure}: State): number {
  const hasFailed = failure?.error instanceof ServiceError
  return Math.max(startedAt, hasFailed ? endedAt : -Infinity) + INTERVAL_MS
}

function tooManyRequests(pausedMs: number): ServiceError {
  const retryAfter = Math.ceil(pausedMs / 1_000)
  return new ServiceError('getCharge', 'upstream_unavailable', {
    upstreamStatus: 429,
    retryAfter,
    outcome: 'none',
  })
}

function isNotOpen(error: unknown): boolean {
  return error instanceof CheckoutError && error.code === 'not_open'
}
