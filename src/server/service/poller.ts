/**
 * Polls the service for one charge. All readers of a charge share a poll: at most one is running and one is queued, and a
 * result is used for a second. So upstream load grows with the number of open charges, not with the number of tabs. A
 * difference from the journal is recorded there.
 */
import {isPaid, withTimeout, type Charge, type CryptoCharge} from '../../contract/index.js'
import type {WalletAssets} from '../assets/catalogue.js'
import {ChargeCache} from '../charge-cache.js'
import type {Tolerance} from '../checkout/money.js'
import {isOpened, type OpenedState} from '../checkout/to-checkout.js'
import {CheckoutError, ServiceError} from '../errors.js'
import {addToIndex} from '../journal/charge-index.js'
import {mayBeClosed} from '../journal/completion.js'
import type {JournalRepository} from '../journal/repository.js'
import type {NewEntry} from '../journal/entry.js'
import type {ChargeState, MintedCharge} from '../journal/state.js'
import type {Logger} from '../logger.js'
import type {PollingClient} from './client.js'
import {detectChange, isShort, toSnapshot, type Snapshot} from './snapshot.js'

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
  /** The start of the last read of the payment charge. */
  chargeReadAt: number
  /** The last response. Most polls get the same text again, and then it is not parsed. */
  last: {readonly text: string | undefined; readonly snapshot: Snapshot} | undefined
}

const FRESH_MS = 1_000
/** A charge may be paid elsewhere, such as on the hosted page. Only the payment charge shows it. */
const CHARGE_INTERVAL_MS = 15_000
/** A page waits this long for the payment charge when the crypto charge is already recorded. */
const CHARGE_TIMEOUT_MS = 1_000
/** A longer response is not kept for comparison. */
const MAX_CACHED_CHARS = 32_768

export class ServicePoller {
  readonly #states: ChargeCache<PollState>
  readonly #running = new Set<Promise<PollResult>>()

  /** @param onPoll called after a shared poll; callers of `readNow` get the result */
  constructor(
    readonly service: PollingClient,
    readonly journals: JournalRepository,
    readonly logger: Logger,
    readonly onPoll: (chargeId: string, charge: Charge | undefined) => void,
    readonly tolerance: Tolerance = {},
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
    this.#state(chargeId).chargeReadAt = this.journals.clock.now()
    await this.#record(chargeId, toSnapshot(cryptoCharge), charge, true)
  }

  /** Resolves when the polls that are running now have ended, and `onPoll` was called. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#running)
  }

  /** The assets of the last poll, fresh or not; undefined before this process has polled. */
  lastAssets(chargeId: string): WalletAssets | undefined {
    return this.#states.get(chargeId)?.last?.snapshot.assets
  }

  #start(chargeId: string, force: boolean): InFlight {
    const state = this.#state(chargeId)
    const {clock} = this.journals
    let onRecorded: (assets: WalletAssets | undefined) => void = () => undefined
    const recorded = new Promise<WalletAssets | undefined>(resolve => (onRecorded = resolve))
    const result = this.#poll(chargeId, force, onRecorded)
    const allAssets = result.then(({assets}) => assets)
    const assets = Promise.race([
      allAssets,
      recorded.then(assets =>
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
    this.#running.add(result)
    const ended = (failure: PollState['failure']) => {
      this.#running.delete(result)
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

  #state(chargeId: string): PollState {
    return this.#states.getOrCreate(chargeId, () => ({
      running: undefined,
      queued: undefined,
      endedAt: -Infinity,
      failure: undefined,
      chargeReadAt: -Infinity,
      last: undefined,
    }))
  }

  /** @param onRecorded called when the crypto charge is recorded and only the payment charge is still read */
  async #poll(
    chargeId: string,
    force: boolean,
    onRecorded: (assets: WalletAssets | undefined) => void,
  ): Promise<PollResult> {
    // Together, so that a Redis client sends both at once.
    const [{minted}, isPolledElsewhere] = await Promise.all([
      this.#latest(chargeId),
      // Without a response of its own, this process does not know the service's time.
      !force && this.service.time.isKnown && this.#isPolledElsewhere(chargeId),
    ])
    if (isPolledElsewhere) return {assets: this.lastAssets(chargeId), charge: undefined}
    let snapshot: Snapshot | undefined
    let failures: readonly unknown[] = []
    try {
      snapshot = minted && (await this.#snapshot(chargeId, minted))
    } catch (error) {
      return this.#pollChargeOnly(chargeId, force, error)
    }
    // Payments are recorded first: the read of the payment charge may fail.
    const recorded = snapshot && (await this.#record(chargeId, snapshot, undefined, force))
    if (!force && recorded && !this.#needsCharge(chargeId, recorded))
      return {assets: snapshot?.assets, charge: undefined}
    if (recorded) onRecorded(snapshot?.assets)
    // After the crypto charge: a payment that arrives between the two shows as `paid` early, not as a quote for zero.
    const charge = await this.#charge(chargeId)
    const isNewlyPaid = isPaid(charge.status.value) && !isPaid(recorded?.status)
    // The payment may have arrived between the two reads, or elsewhere. Without its list, it is paid nevertheless.
    if (minted && recorded && isNewlyPaid && isShort(recorded, this.tolerance))
      snapshot = await this.#snapshot(chargeId, minted).catch((error: unknown) => {
        failures = [error]
        return undefined
      })
    const latest = await this.#record(chargeId, snapshot, charge, force)
    requireSettled(latest, failures)
    // Minted meanwhile: this poll did not read the crypto charge, so nothing was recorded.
    if (!minted && latest.minted) return this.#poll(chargeId, force, onRecorded)
    return {assets: snapshot?.assets, charge}
  }

  /** The crypto charge cannot be read, but the charge may have been paid, and customers must not pay again. */
  async #pollChargeOnly(chargeId: string, force: boolean, error: unknown): Promise<PollResult> {
    if (error instanceof ServiceError && error.upstreamStatus === 429) throw error
    const charge = await this.#charge(chargeId).catch(() => undefined)
    if (!isPaid(charge?.status.value)) throw error
    requireSettled(await this.#record(chargeId, undefined, charge, force), [error])
    return {assets: this.lastAssets(chargeId), charge}
  }

  #needsCharge(chargeId: string, {payments, status}: ChargeState): boolean {
    const isDue = this.journals.clock.now() - this.#state(chargeId).chargeReadAt >= CHARGE_INTERVAL_MS
    return payments.size > 0 || status === 'pending' || isDue
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
    const state = this.#states.get(chargeId)
    const response = await this.service.readCryptoCharge(cryptoChargeId, state?.last?.text)
    if (state?.last?.text === response.text) return state.last.snapshot
    const snapshot = toSnapshot(response.read(), assets)
    if (snapshot.cryptoChargeId !== cryptoChargeId)
      throw new ServiceError('getCryptoCharge', 'upstream_invalid', {outcome: 'none'})
    const text = response.text.length > MAX_CACHED_CHARS ? undefined : response.text
    if (state) state.last = {text, snapshot}
    return snapshot
  }

  async #charge(chargeId: string): Promise<Charge> {
    const startedAt = this.journals.clock.now()
    const charge = await this.service.getCharge(chargeId)
    if (charge._id !== chargeId) throw new ServiceError('getCharge', 'upstream_invalid', {outcome: 'none'})
    this.#state(chargeId).chargeReadAt = startedAt
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
  ): Promise<OpenedState> {
    const {time} = this.journals
    const detect = (state: ChargeState) =>
      detectChange(requireOpened(state), snapshot, charge, time.now(), this.tolerance)
    if (!force) {
      const state = requireOpened(await this.journals.loadCached(chargeId))
      if (!detect(state)) return state
    }
    let isListed = false
    for (;;) {
      let entry: NewEntry | undefined
      let mustList = false
      const {state, appended} = await this.journals.update(chargeId, state => {
        entry = detect(state)
        mustList = !isListed && isLate(entry) && mayBeClosed(state, time.now())
        return mustList ? undefined : entry
      })
      if (appended) this.#log(chargeId, entry, state)
      else if (!mustList) return requireOpened(state)
      else {
        // A store does not list closed charges. If this process dies after the append, the sweep of another finds it here.
        await addToIndex('late', chargeId, time.now(), this.journals)
        isListed = true
      }
    }
  }

  #log(chargeId: string, entry: NewEntry | undefined, {status, rev}: ChargeState): void {
    if (entry?.kind === 'address_mismatch')
      this.logger.error('the service changed a quoted deposit address', {chargeId})
    else if (entry?.kind === 'lookup') this.logger.info('the service knows the charge again', {chargeId})
    else if (entry?.kind !== 'alert') this.logger.info('status observed', {chargeId, status, rev})
    else if (entry.items === 0) this.logger.info('all payments can be read again', {chargeId})
    else if (entry.alert === 'payment_unreadable')
      this.logger.error('a payment cannot be read', {chargeId, items: entry.items})
    else if (entry.alert === 'price_mismatch')
      this.logger.error('the price of the crypto charge is not the price of the charge', {chargeId})
    else this.logger.warn('the charge is paid, but its confirmed payments are below the price', {chargeId})
  }
}

/** An expiry is no news of a closed charge: it is closed afterwards. */
function isLate(entry: NewEntry | undefined): boolean {
  return !!entry && (entry.kind !== 'observed' || entry.payments.length > 0 || isPaid(entry.status))
}

/**
 * The service says that the charge is paid, and the read of its payments failed. With a recorded payment that is not
 * confirmed yet, this does not settle it, and whoever asked must ask again.
 */
function requireSettled({status}: ChargeState, failures: readonly unknown[]): void {
  if (failures.length > 0 && !isPaid(status)) throw failures[0]
}

function requireOpened(state: ChargeState): OpenedState {
  if (!isOpened(state)) throw new CheckoutError('not_open')
  return state
}
