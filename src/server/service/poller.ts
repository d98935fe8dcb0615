/**
 * Polls the service for one charge. All readers of a charge share a poll: at most one is running and one is queued, and a
 * result is used for a second. So upstream load grows with the number of open charges, not with the number of tabs. A
 * difference from the journal is recorded there.
 */
import {withTimeout, type Charge, type CryptoCharge} from '../../contract/index.js'
import type {WalletAssets} from '../assets/catalogue.js'
import {ChargeCache} from '../charge-cache.js'
import {isOpened} from '../checkout/to-checkout.js'
import {CheckoutError, ServiceError} from '../errors.js'
import type {JournalRepository} from '../journal/repository.js'
import {hasAlert, type ChargeState, type MintedCharge} from '../journal/state.js'
import type {Logger} from '../logger.js'
import type {PollingClient} from './client.js'
import {detectChange, toSnapshot, type Snapshot} from './snapshot.js'

/** What a poll read, beside what the journal holds. */
export interface PollResult {
  readonly assets: WalletAssets | undefined
  /** Undefined when the poll did not need it. */
  readonly charge: Charge | undefined
}

interface InFlight {
  readonly result: Promise<PollResult>
  /** Resolves before `result` when only the payment charge is slow. */
  readonly assets: Promise<WalletAssets | undefined>
}

interface PollState {
  running: InFlight | undefined
  queued: Promise<PollResult> | undefined
  /** The end of the last poll. A failed one counts too, so that tabs do not repeat it at once. */
  endedAt: number
  /** The error of the last poll, if it failed. */
  failure: {readonly error: unknown} | undefined
  /** The last response. Most polls get the same text again, and then it is not parsed. */
  last: {readonly text: string | undefined; readonly snapshot: Snapshot} | undefined
}

const FRESH_MS = 1_000
/** A page waits this long for the payment charge when payments are already recorded. */
const CHARGE_TIMEOUT_MS = 1_000
/** A longer response is not kept for comparison. */
const MAX_CACHED_CHARS = 32_768

export class ServicePoller {
  readonly #states: ChargeCache<PollState>

  /** @param onPoll called after a shared poll; callers of `readNow` get the result */
  constructor(
    readonly service: PollingClient,
    readonly journals: JournalRepository,
    readonly logger: Logger,
    readonly onPoll: (chargeId: string, charge: Charge | undefined) => void,
  ) {
    this.#states = new ChargeCache(journals.clock)
  }

  /** The last poll, while it is fresh and none is running. */
  peekFresh(chargeId: string, now: number): Pick<PollState, 'last'> | undefined {
    const state = this.#states.get(chargeId)
    const isFresh = state && !state.running && !state.failure && now - state.endedAt < FRESH_MS
    return isFresh ? state : undefined
  }

  /** Polls, unless a poll ended within the last second. Then the journal is up to date. Rejects with `ServiceError`. */
  async read(chargeId: string): Promise<WalletAssets | undefined> {
    const state = this.#states.get(chargeId)
    if (state?.running) return state.running.assets
    if (!state || this.journals.clock.now() - state.endedAt >= FRESH_MS)
      return this.#start(chargeId, false).assets
    if (state.failure) throw state.failure.error
    return state.last?.snapshot.assets
  }

  /** A poll that starts after this call and includes the payment charge. Rejects with `ServiceError`. */
  readNow(chargeId: string): Promise<PollResult> {
    const state = this.#states.get(chargeId)
    if (!state?.running) return this.#start(chargeId, true).result
    const next = () => {
      state.queued = undefined
      return this.#start(chargeId, true).result
    }
    return (state.queued ??= state.running.result.then(next, next))
  }

  /** Records a minted crypto charge. It does not replace a poll: a quote is compared with a later response. */
  async record(chargeId: string, cryptoCharge: CryptoCharge, charge: Charge): Promise<void> {
    await this.#record(chargeId, toSnapshot(cryptoCharge), charge, true)
  }

  /** The assets of the last poll, fresh or not; undefined before this process has polled. */
  lastAssets(chargeId: string): WalletAssets | undefined {
    return this.#states.get(chargeId)?.last?.snapshot.assets
  }

  #start(chargeId: string, force: boolean): InFlight {
    const state = this.#states.getOrCreate(chargeId, () => ({
      running: undefined,
      queued: undefined,
      endedAt: -Infinity,
      failure: undefined,
      last: undefined,
    }))
    const {clock} = this.journals
    let onPayments: (assets: WalletAssets | undefined) => void = () => undefined
    const payments = new Promise<WalletAssets | undefined>(resolve => (onPayments = resolve))
    const result = this.#poll(chargeId, force, onPayments)
    const allAssets = result.then(({assets}) => assets)
    const assets = Promise.race([
      allAssets,
      payments.then(assets =>
        withTimeout(
          clock,
          CHARGE_TIMEOUT_MS,
          () => allAssets,
          () => assets,
        ),
      ),
    ])
    // Avoids an unhandled rejection. Callers that await it still get the error.
    assets.catch(() => undefined)
    const running = {result, assets}
    state.running = running
    const ended = (failure: PollState['failure']) => {
      if (state.running === running) state.running = undefined
      state.endedAt = clock.now()
      state.failure = failure
    }
    result.then(
      ({charge}) => {
        ended(undefined)
        if (!force) this.onPoll(chargeId, charge)
      },
      (error: unknown) => ended({error}),
    )
    return running
  }

  /** @param onPayments called when payments are recorded and only the payment charge is still read */
  async #poll(
    chargeId: string,
    force: boolean,
    onPayments: (assets: WalletAssets | undefined) => void,
  ): Promise<PollResult & {isChange: boolean}> {
    // Together, so that a Redis client sends both at once.
    const [{minted}, isPolledElsewhere] = await Promise.all([
      this.#latest(chargeId),
      // Without a response of its own, this process does not know the service's time.
      !force && this.service.time.isKnown && this.#isPolledElsewhere(chargeId),
    ])
    if (isPolledElsewhere) return {assets: this.lastAssets(chargeId), charge: undefined, isChange: false}
    const snapshot = minted && (await this.#snapshot(chargeId, minted))
    const assets = snapshot?.assets
    // Payments are recorded first: the read of the payment charge may fail.
    const recorded = snapshot && (await this.#record(chargeId, snapshot, undefined, force))
    const hasPayments =
      recorded !== undefined && (recorded.state.payments.size > 0 || recorded.state.status === 'pending')
    if (!force && minted && !hasPayments)
      return {assets, charge: undefined, isChange: recorded?.appended === true}
    if (hasPayments) onPayments(assets)
    // After the crypto charge: a payment that arrives between the two shows as `paid` early, not as a quote for zero.
    const charge = await this.#charge(chargeId)
    const {appended} = await this.#record(chargeId, snapshot, charge, force)
    return {assets, charge, isChange: appended || recorded?.appended === true}
  }

  /** A minted charge stays minted, so its cached state is enough. */
  async #latest(chargeId: string): Promise<ChargeState> {
    const state = await this.journals.loadCached(chargeId)
    return state.minted ? state : this.journals.load(chargeId)
  }

  /** Another process has polled within the second. Its result is in the journal, or soon will be. */
  async #isPolledElsewhere(chargeId: string): Promise<boolean> {
    const {store} = this.journals
    return store.lease !== undefined && !(await store.lease(`poll:${chargeId}`, FRESH_MS))
  }

  async #snapshot(chargeId: string, {cryptoChargeId, assets}: MintedCharge): Promise<Snapshot> {
    const response = await this.service.readCryptoCharge(cryptoChargeId)
    const state = this.#states.get(chargeId)
    if (state?.last?.text === response.text) return state.last.snapshot
    const snapshot = toSnapshot(response.read(), assets)
    if (snapshot.cryptoChargeId !== cryptoChargeId)
      throw new ServiceError('getCryptoCharge', 'upstream_invalid', {outcome: 'none'})
    const text = response.text.length > MAX_CACHED_CHARS ? undefined : response.text
    if (state) state.last = {text, snapshot}
    return snapshot
  }

  async #charge(chargeId: string): Promise<Charge> {
    const charge = await this.service.getCharge(chargeId)
    if (charge._id !== chargeId) throw new ServiceError('getCharge', 'upstream_invalid', {outcome: 'none'})
    return charge
  }

  /**
   * Records the difference from the journal. Usually there is none, and the cached journal is enough to know.
   *
   * @param force compares with the journal in the store
   */
  async #record(
    chargeId: string,
    snapshot: Snapshot | undefined,
    charge: Charge | undefined,
    force: boolean,
  ): Promise<{state: ChargeState; appended: boolean}> {
    const {time} = this.journals
    const detect = (state: ChargeState) => {
      if (!isOpened(state)) throw new CheckoutError('not_open')
      return detectChange(state, snapshot, charge, time.now())
    }
    if (!force) {
      const state = await this.journals.loadCached(chargeId)
      if (!detect(state)) return {state, appended: false}
    }
    for (let hasChanged = false; ; hasChanged = true) {
      const {state, appended} = await this.journals.update(chargeId, detect)
      if (!appended) return {state, appended: hasChanged}
      const {status, rev} = state
      if (hasAlert(state, 'address_mismatch'))
        this.logger.error('the service changed a quoted deposit address', {chargeId})
      else this.logger.info('status observed', {chargeId, status, rev})
    }
  }
}
