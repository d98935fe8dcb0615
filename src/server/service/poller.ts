/**
 * Looking at the service. All readers of a charge share one look: at most one is running and one queued, and a look is
 * good for a second, so upstream load grows with open charges, not with tabs. What a look shows is noted in the journal,
 * where it differs from what was known.
 */
import type {Charge, CryptoCharge} from '../../contract/index.js'
import type {WalletAssets} from '../assets/catalogue.js'
import {isOpened} from '../checkout/to-checkout.js'
import {CheckoutError, ServiceError} from '../errors.js'
import type {JournalRepository} from '../journal/repository.js'
import type {ChargeState, MintedCharge} from '../journal/state.js'
import {LruCache} from '../lru-cache.js'
import type {Logger} from '../logger.js'
import type {PollingClient} from './client.js'
import {detectChange, toSnapshot, type Snapshot} from './snapshot.js'

/** What a look showed, beside what the journal keeps. */
export interface PollResult {
  readonly assets: WalletAssets | undefined
  /** Undefined when this look had no need of it. */
  readonly charge: Charge | undefined
}

interface InFlight {
  readonly result: Promise<PollResult>
  /** The offers, as soon as there is no more point in waiting for the rest. */
  readonly assets: Promise<WalletAssets | undefined>
}

interface PollState {
  running: InFlight | undefined
  queued: Promise<PollResult> | undefined
  /** When the last one ended. A failed one counts too: a service that is down is not asked by every tab. */
  endedAt: number
  /** Why the last one failed, if it did. */
  failure: {readonly error: unknown} | undefined
  /** As last seen, with the text that said so: most looks get the same text again, and then nothing is to be read. */
  last: {readonly text: string | undefined; readonly snapshot: Snapshot} | undefined
}

const FRESH_MS = 1_000
/** How long a page waits for the payment charge when payments were seen already. */
const CHARGE_TIMEOUT_MS = 1_000
/** Characters of an answer that are kept to be held against the next one. */
const MAX_CACHED_CHARS = 32_768

export class ServicePoller {
  readonly #states: LruCache<PollState>

  /** @param onChange called after a shared look that changed the journal; those who `readNow` see for themselves */
  constructor(
    readonly service: PollingClient,
    readonly journals: JournalRepository,
    readonly logger: Logger,
    readonly onChange: (chargeId: string, charge: Charge | undefined) => void,
  ) {
    this.#states = new LruCache(journals.clock)
  }

  /** The last look, while it is good and none is running. */
  peekFresh(chargeId: string, now: number): Pick<PollState, 'last'> | undefined {
    const state = this.#states.get(chargeId)
    const isFresh = state && !state.running && !state.failure && now - state.endedAt < FRESH_MS
    return isFresh ? state : undefined
  }

  /**
   * Looks, unless somebody has within the second, and gives the offers once the journal tells what is to be seen.
   * Rejects with `ServiceError`.
   */
  async read(chargeId: string): Promise<WalletAssets | undefined> {
    const state = this.#states.get(chargeId)
    if (state?.running) return state.running.assets
    if (!state || this.journals.clock.now() - state.endedAt >= FRESH_MS)
      return this.#start(chargeId, false).assets
    if (state.failure) throw state.failure.error
    return state.last?.snapshot.assets
  }

  /** A look that began after this call, at the payment charge too. Rejects with `ServiceError`. */
  readNow(chargeId: string): Promise<PollResult> {
    const state = this.#states.get(chargeId)
    if (!state?.running) return this.#start(chargeId, true).result
    const next = () => {
      state.queued = undefined
      return this.#start(chargeId, true).result
    }
    return (state.queued ??= state.running.result.then(next, next))
  }

  /** Notes the crypto charge as it was minted. That is no look: a quote is held against what the service says later. */
  async record(chargeId: string, cryptoCharge: CryptoCharge, charge: Charge): Promise<void> {
    await this.#record(chargeId, toSnapshot(cryptoCharge), charge, true)
  }

  /** The assets as last seen, however long ago; undefined when this process has not looked yet. */
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
    let chargeTimeout: AbortController | undefined
    let waitForCharge: (assets: WalletAssets | undefined) => void = () => undefined
    const paymentsSeen = new Promise<WalletAssets | undefined>(resolve => {
      waitForCharge = assets => {
        chargeTimeout = new AbortController()
        void clock.sleep(CHARGE_TIMEOUT_MS, chargeTimeout.signal).then(() => resolve(assets))
      }
    })
    const result = this.#poll(chargeId, force, waitForCharge)
    const running = {result, assets: Promise.race([result.then(({assets}) => assets), paymentsSeen])}
    // Perhaps nobody waits for these: who does hears of a failure all the same.
    running.assets.catch(() => undefined)
    state.running = running
    const ended = (failure: PollState['failure']) => {
      chargeTimeout?.abort()
      if (state.running === running) state.running = undefined
      state.endedAt = clock.now()
      state.failure = failure
    }
    result.then(
      ({charge, isChange}) => {
        ended(undefined)
        if (isChange && !force) this.onChange(chargeId, charge)
      },
      (error: unknown) => ended({error}),
    )
    return running
  }

  /** @param onPayments called when payments were noted, and only the payment charge is waited for */
  async #poll(
    chargeId: string,
    force: boolean,
    onPayments: (assets: WalletAssets | undefined) => void,
  ): Promise<PollResult & {isChange: boolean}> {
    // Both at once: with Redis they travel together.
    const [{minted}, isPolledElsewhere] = await Promise.all([
      this.#latest(chargeId),
      !force && this.#isPolledElsewhere(chargeId),
    ])
    if (isPolledElsewhere) return {assets: this.lastAssets(chargeId), charge: undefined, isChange: false}
    const snapshot = minted && (await this.#snapshot(chargeId, minted))
    const assets = snapshot?.assets
    // Payments are noted before anything else is asked for: they were seen, whatever becomes of the rest.
    const recorded = snapshot && (await this.#record(chargeId, snapshot, undefined, force))
    const moneyCame =
      recorded !== undefined && (recorded.state.payments.size > 0 || recorded.state.status === 'pending')
    if (!force && minted && !moneyCame)
      return {assets, charge: undefined, isChange: recorded?.appended === true}
    if (moneyCame) onPayments(assets)
    // After the crypto charge: a payment that arrives between the two shows as `paid` early, not as a quote for zero.
    const charge = await this.#charge(chargeId)
    const {appended} = await this.#record(chargeId, snapshot, charge, force)
    return {assets, charge, isChange: appended || recorded?.appended === true}
  }

  /** What was minted stays so; what was not may have been since. */
  async #latest(chargeId: string): Promise<ChargeState> {
    const state = await this.journals.loadCached(chargeId)
    return state.minted ? state : this.journals.load(chargeId)
  }

  /** Another process has looked within the second: what it saw is in the journal, or will be in a moment. */
  async #isPolledElsewhere(chargeId: string): Promise<boolean> {
    const {store} = this.journals
    return store.lease !== undefined && !(await store.lease(`look:${chargeId}`, FRESH_MS))
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
    const response = await this.service.getCharge(chargeId)
    if (response._id !== chargeId) throw new ServiceError('getCharge', 'upstream_invalid', {outcome: 'none'})
    return response
  }

  /**
   * Notes what is new of what was seen. Nearly always nothing is, and then the journal as it was when the look began
   * says so as well.
   *
   * @param force holds it against the journal as it is now
   */
  async #record(
    chargeId: string,
    snapshot: Snapshot | undefined,
    charge: Charge | undefined,
    force: boolean,
  ): Promise<{state: ChargeState; appended: boolean}> {
    const {clock} = this.journals
    const detect = (state: ChargeState) => {
      if (!isOpened(state)) throw new CheckoutError('not_open')
      return detectChange(state, snapshot, charge, clock.now())
    }
    if (!force) {
      const state = await this.journals.loadCached(chargeId)
      if (!detect(state)) return {state, appended: false}
    }
    for (let hasChanged = false; ; hasChanged = true) {
      const {state, appended} = await this.journals.update(chargeId, detect)
      if (!appended) return {state, appended: hasChanged}
      const {status, rev} = state
      if (state.hasAddressMismatch)
        this.logger.error('the service changed a deposit address that was shown', {chargeId})
      else this.logger.info('status observed', {chargeId, status, rev})
    }
  }
}
