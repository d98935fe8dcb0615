/**
 * Reads of the service that all readers of a charge share: at most one is running and one is queued, and a result is used
 * for a second. So the load of the service grows with the number of open charges, not with the number of tabs.
 */
import {withTimeout, type Charge, type CryptoCharge} from '../../contract/index.js'
import type {WalletAssets} from '../assets/catalogue.js'
import type {Tolerance} from '../checkout/money.js'
import type {ServerContext} from '../context/context.js'
import {ServiceError} from '../errors.js'
import type {Journal} from '../journal/journal.js'
import type {ChargeState} from '../journal/state.js'
import {toSnapshot} from './detect-change.js'
import {observe, recordCharge, recordUnreadable, type LastResponses, type Observed} from './observe.js'

interface RunningRead {
  readonly result: Promise<Observed>
  /** Resolves before `result` when only the payment charge is slow. */
  readonly assets: Promise<WalletAssets | undefined>
}

interface ReadState {
  running?: RunningRead | undefined
  queued?: Promise<Observed> | undefined
  /** The start of the last forced read. */
  forcedAt: number
  /** The end of the last read. A failed one counts too, so that tabs do not repeat it at once. */
  endedAt: number
  /** The error of the last read, if it failed. */
  failure?: {readonly error: unknown} | undefined
  readonly last: LastResponses
}

const FRESH_MS = 1_000
/** A page waits this long for the payment charge when the crypto charge is already recorded. */
const CHARGE_TIMEOUT_MS = 1_000

export class SharedRead {
  readonly #states = new WeakMap<Journal, ReadState>()
  readonly #running = new Set<Promise<Observed>>()

  constructor(
    readonly context: ServerContext,
    readonly tolerance: Tolerance = {},
  ) {}

  /** Whether a read ended within the last second and none is running. Then the journal is up to date. */
  isFresh(journal: Journal, now: number): boolean {
    const state = this.#states.get(journal)
    return state !== undefined && !state.running && !state.failure && now - state.endedAt < FRESH_MS
  }

  /** Reads, unless a read ended within the last second. Rejects with `ServiceError`. */
  async read(journal: Journal): Promise<WalletAssets | undefined> {
    const state = this.#state(journal)
    if (state.running) return state.running.assets
    if (this.context.clock.now() - state.endedAt >= FRESH_MS) return this.#start(journal, false).assets
    if (state.failure) throw state.failure.error
    return this.lastAssets(journal)
  }

  /**
   * A read that starts after this call and includes the payment charge. Rejects with `ServiceError`. Such reads start at
   * least a second apart, so that many webhooks do not become as many requests.
   */
  readNow(journal: Journal): Promise<Observed> {
    const state = this.#state(journal)
    if (!state.queued && !state.running && this.#pauseOf(state) === 0) return this.#force(journal, state)
    return (state.queued ??= this.#forceLater(journal, state))
  }

  /** A read that includes the payment charge and began within the last second, or begins now. Rejects with `ServiceError`. */
  async readWithCharge(journal: Journal): Promise<WalletAssets | undefined> {
    const state = this.#state(journal)
    if (this.#pauseOf(state) === 0 || state.failure) return (await this.readNow(journal)).assets
    return state.running ? (await state.running.result).assets : this.lastAssets(journal)
  }

  /** Records a minted crypto charge. It does not replace a read: a quote is compared with a later response. */
  async record(journal: Journal, cryptoCharge: CryptoCharge, charge: Charge): Promise<void> {
    const {last} = this.#state(journal)
    const {context, tolerance} = this
    last.chargeReadAt = context.clock.now()
    await recordCharge(context, journal, toSnapshot(cryptoCharge), charge, last, {force: true, tolerance})
  }

  /** The assets of the last read, fresh or not; undefined before this process has read. */
  lastAssets(journal: Journal): WalletAssets | undefined {
    return this.#states.get(journal)?.last.cryptoCharge?.snapshot.assets
  }

  /** Resolves when the running read has ended or failed: until then, the journal may hold a part of what it found. */
  async ended(journal: Journal): Promise<void> {
    await this.#states.get(journal)?.running?.result.catch(() => undefined)
  }

  /** The payment charge, if the last observation in the journal is not newer. */
  chargeFor(journal: Journal, {observedRev}: ChargeState): Charge | undefined {
    const charge = this.#states.get(journal)?.last.charge
    return charge && charge.rev >= observedRev ? charge.value : undefined
  }

  /** Resolves when the reads that are running now have ended. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#running)
  }

  #state(journal: Journal): ReadState {
    const known = this.#states.get(journal)
    if (known) return known
    const state: ReadState = {endedAt: -Infinity, forcedAt: -Infinity, last: {chargeReadAt: -Infinity}}
    this.#states.set(journal, state)
    return state
  }

  #force(journal: Journal, state: ReadState): Promise<Observed> {
    state.forcedAt = this.context.clock.now()
    return this.#start(journal, true).result
  }

  async #forceLater(journal: Journal, state: ReadState): Promise<Observed> {
    try {
      for (;;) {
        const pauseMs = this.#pauseOf(state)
        if (state.running) await state.running.result.catch(() => undefined)
        else if (pauseMs > 0) await this.context.clock.sleep(pauseMs)
        else break
      }
    } finally {
      state.queued = undefined
    }
    return this.#force(journal, state)
  }

  /** Milliseconds until the next forced read. The clock may have been set back. */
  #pauseOf({forcedAt}: ReadState): number {
    const age = this.context.clock.now() - forcedAt
    return age < 0 ? 0 : Math.max(0, FRESH_MS - age)
  }

  #start(journal: Journal, force: boolean): RunningRead {
    const state = this.#state(journal)
    const {clock} = this.context
    let onRecorded: (assets: WalletAssets | undefined) => void = () => undefined
    const recorded = new Promise<WalletAssets | undefined>(resolve => (onRecorded = resolve))
    const result = this.#observe(journal, state.last, force, onRecorded)
    const allAssets = result.then(({assets}) => assets)
    const assetsInTime = recorded.then(assets =>
      withTimeout(
        clock,
        CHARGE_TIMEOUT_MS,
        () => allAssets,
        () => assets,
      ),
    )
    const assets = Promise.race([allAssets, assetsInTime])
    // Avoids an unhandled rejection. Callers that await it still get the error.
    assets.catch(() => undefined)
    const running = {result, assets}
    state.running = running
    this.#running.add(result)
    const end = (failure: ReadState['failure']) => {
      this.#running.delete(result)
      if (state.running === running) state.running = undefined
      state.endedAt = clock.now()
      state.failure = failure
    }
    result.then(
      () => end(undefined),
      (error: unknown) => end({error}),
    )
    return running
  }

  async #observe(
    journal: Journal,
    last: LastResponses,
    force: boolean,
    onRecorded: (assets: WalletAssets | undefined) => void,
  ): Promise<Observed> {
    // Together, so that a Redis client sends both at once.
    const [{minted}, isReadElsewhere] = await Promise.all([
      mintedState(journal),
      !force && this.#isReadElsewhere(journal),
    ])
    if (isReadElsewhere) return {assets: last.cryptoCharge?.snapshot.assets, charge: undefined}
    const {context, tolerance} = this
    try {
      return await observe(context, journal, minted, last, {force, tolerance, onRecorded})
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'upstream_invalid')
        await recordUnreadable(context, journal)
      throw error
    }
  }

  /** Another process has read within the second. Its result is in the journal, or soon will be. */
  async #isReadElsewhere(journal: Journal): Promise<boolean> {
    const {store, time} = this.context
    // Without a response of its own, this process does not know the service's time.
    return time.isKnown && store.lease !== undefined && !(await store.lease(`poll:${journal.id}`, FRESH_MS))
  }
}

/** A minted charge stays minted, so its cached state is enough. */
async function mintedState(journal: Journal): Promise<ChargeState> {
  const state = await journal.cachedState()
  return state.minted ? state : journal.state()
}
