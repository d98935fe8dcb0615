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
import {readArchived} from './late-payment.js'
import {observe, recordCharge, recordUnreadable, type LastResponses, type Observed} from './observe.js'
import type {ReadBudget} from './read-budget.js'

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
/** Between the starts of two forced reads. Each calls the service twice, so that it gets one call a second. */
const FORCED_MS = 2_000
/** A process that has just read leaves the next forced read to another one that has waited so long for its turn. */
const TURN_MS = 250
/** Then a process reads in any case: the clock of the store may have been set back, and no lease ends. */
const MAX_TURNS = 40
/** A page polls at least every 30 seconds. A pass leaves out what a page had read within this time. */
const LATELY_MS = 55_000
/** A page waits this long for the payment charge when the crypto charge is already recorded. */
const CHARGE_TIMEOUT_MS = 1_000

export class SharedRead {
  readonly #states = new WeakMap<Journal, ReadState>()
  readonly #running = new Set<Promise<Observed>>()

  constructor(
    readonly context: ServerContext,
    readonly budget: ReadBudget,
    readonly tolerance: Tolerance = {},
  ) {}

  /** Whether a read ended within the last second and none is running. Then the journal is up to date. */
  isFresh(journal: Journal, now: number): boolean {
    const state = this.#states.get(journal)
    return state !== undefined && !state.running && !state.failure && now - state.endedAt < FRESH_MS
  }

  /**
   * For a page: a read, unless one ended within the last second, or too many others wait. Then what is stored is enough,
   * and another request begins the read. Rejects with `ServiceError` when this read, or the last one, failed.
   */
  async read(journal: Journal): Promise<WalletAssets | undefined> {
    const state = this.#state(journal)
    if (this.#isDue(state))
      for (const chargeId of this.budget.next(journal.id, state.endedAt)) {
        const due = chargeId === journal.id ? journal : this.context.journals.of(chargeId)
        if (this.#isDue(this.#state(due))) this.#start(due, {force: false, urgent: false})
      }
    const {running, failure} = state
    if (running) return running.assets
    // The service may still fail. The store is asked again in any case.
    if (failure && (failure.error instanceof ServiceError || !this.#isDue(state))) throw failure.error
    return this.lastAssets(journal)
  }

  /** A customer waits, for assets that this process has read: only those are quoted. Rejects with `ServiceError`. */
  async readUrgently(journal: Journal): Promise<WalletAssets | undefined> {
    const state = this.#state(journal)
    if (!state.last.cryptoCharge) await this.ended(journal)
    if (state.running) return state.running.assets
    const hasRead = state.last.cryptoCharge ?? state.failure
    if (this.#isDue(state) || !hasRead) return this.#start(journal, {force: false, urgent: true}).assets
    if (state.failure) throw state.failure.error
    return this.lastAssets(journal)
  }

  /**
   * A read that starts after this call and includes the payment charge. Rejects with `ServiceError`. Such reads start two
   * seconds apart, in all processes that share leases, so that many webhooks do not become as many requests.
   */
  readNow(journal: Journal, urgent = false): Promise<Observed> {
    const state = this.#state(journal)
    return (state.queued ??= this.#forceInTurn(journal, state, urgent))
  }

  /** A read that includes the payment charge and began within the last two seconds, or begins now. */
  async readWithCharge(journal: Journal): Promise<WalletAssets | undefined> {
    const state = this.#state(journal)
    const isDue = this.#pauseOf(state) === 0 && (await this.#lease('forced', journal, FORCED_MS))
    if (isDue) {
      await this.ended(journal)
      return (await this.#force(journal, state, true)).assets
    }
    return state.running ? (await state.running.result).assets : this.readUrgently(journal)
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

  /** Whether a process has read the charge and the crypto charge within the last minute, and this one has not failed since. */
  async wasReadLately(journal: Journal): Promise<boolean> {
    const {last, failure} = this.#state(journal)
    if (failure) return false
    const age = this.context.clock.now() - last.chargeReadAt
    // The shortest lease only shows whether there is one.
    return (age >= 0 && age < LATELY_MS) || !(await this.#lease('read', journal, 1))
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

  /** Whether no read runs, and none ended within the last second. */
  #isDue({running, endedAt}: ReadState): boolean {
    return !running && this.context.clock.now() - endedAt >= FRESH_MS
  }

  #force(journal: Journal, state: ReadState, urgent: boolean): Promise<Observed> {
    state.forcedAt = this.context.clock.now()
    return this.#start(journal, {force: true, urgent}).result
  }

  async #forceInTurn(journal: Journal, state: ReadState, urgent: boolean): Promise<Observed> {
    const {clock} = this.context
    try {
      let isOurs = false
      for (let turns = 0; ;) {
        const pauseMs = this.#pauseOf(state)
        if (state.running) await state.running.result.catch(() => undefined)
        else if (pauseMs > 0) await clock.sleep(pauseMs)
        else if (isOurs) break
        else if (++turns > MAX_TURNS || (await this.#lease('forced', journal, FORCED_MS))) isOurs = true
        else await clock.sleep(TURN_MS)
      }
    } finally {
      state.queued = undefined
    }
    return this.#force(journal, state, urgent)
  }

  /** Milliseconds until the next forced read. The clock may have been set back. */
  #pauseOf({forcedAt}: ReadState): number {
    const {clock, store} = this.context
    const age = clock.now() - forcedAt
    return age < 0 ? 0 : Math.max(0, FORCED_MS + (store.lease ? TURN_MS : 0) - age)
  }

  #start(journal: Journal, how: {readonly force: boolean; readonly urgent: boolean}): RunningRead {
    const state = this.#state(journal)
    const {clock} = this.context
    let onRecorded: (assets: WalletAssets | undefined) => void = () => undefined
    const recorded = new Promise<WalletAssets | undefined>(resolve => (onRecorded = resolve))
    const result = this.#observe(journal, state, how, onRecorded)
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
    state: ReadState,
    {force, urgent}: {readonly force: boolean; readonly urgent: boolean},
    onRecorded: (assets: WalletAssets | undefined) => void,
  ): Promise<Observed> {
    const {last, failure} = state
    const isAlone = force || (urgent && !last.cryptoCharge)
    // Together, so that a Redis client sends both at once.
    const [{minted, archived}, isReadElsewhere] = await Promise.all([
      mintedState(journal),
      !isAlone && this.#isReadElsewhere(journal, failure),
    ])
    if (isReadElsewhere) {
      // What the other process has found.
      await journal.state()
      return {assets: last.cryptoCharge?.snapshot.assets, charge: undefined}
    }
    const {tolerance} = this
    const context = urgent ? {...this.context, service: this.context.service.urgent} : this.context
    try {
      if (archived) return {assets: undefined, charge: await readArchived(context, journal, archived)}
      const observed = await observe(context, journal, minted, last, {force, tolerance, onRecorded})
      if (observed.charge) await this.#lease('read', journal, LATELY_MS).catch(() => false)
      return observed
    } catch (error) {
      if (error instanceof ServiceError) {
        await this.#lease('failed', journal, FRESH_MS).catch(() => false)
        if (error.code === 'upstream_invalid') await recordUnreadable(context, journal)
      }
      throw error
    }
  }

  /**
   * Another process has read within the second. Its result is in the journal, or soon will be. Rejects when it failed.
   * After a failure, this process reads again unless it knows that another one failed too.
   */
  async #isReadElsewhere(journal: Journal, failure: ReadState['failure']): Promise<boolean> {
    // Without a response of its own, this process does not know the service's time.
    if (!this.context.time.isKnown || (await this.#lease('poll', journal, FRESH_MS))) return false
    // The shortest lease only shows whether there is one.
    if (await this.#lease('failed', journal, 1)) return !failure
    throw new ServiceError('getCryptoCharge', 'upstream_unavailable', {outcome: 'none'})
  }

  /** Without leases in the store, each process reads for itself. */
  async #lease(
    purpose: 'poll' | 'forced' | 'failed' | 'read',
    journal: Journal,
    durationMs: number,
  ): Promise<boolean> {
    const {store} = this.context
    return !store.lease || store.lease(`${purpose}:${journal.id}`, durationMs)
  }
}

/** A minted charge stays minted, so its cached state is enough. */
async function mintedState(journal: Journal): Promise<ChargeState> {
  const state = await journal.cachedState()
  return state.minted ? state : journal.state()
}
