/**
 * Looking at the service. All readers of a charge share one look: at most one is running and one queued, and a look is
 * good for a second, so upstream load grows with open charges, not with tabs. What a look shows is noted in the journal,
 * where it differs from what was known.
 */
import type {Charge, CryptoCharge} from '../contract/index.js'
import {parseServiceDate} from '../contract/index.js'
import {sameAddress} from './chains/index.js'
import {isOpened, priceOf, type OpenedState} from './compose.js'
import {CheckoutError, ServiceError} from './errors.js'
import type {NewEntry, Offer} from './journal/entries.js'
import type {Journals} from './journal/journals.js'
import type {ChargeState} from './journal/state.js'
import type {Logger} from './log.js'
import {findPair, offersOf} from './offers.js'
import type {ServiceClient} from './service-client.js'
import {paymentSeen, standing, type Observation} from './status.js'

/** What a look showed, beside what the journal keeps. */
export interface Look {
  readonly offers: readonly Offer[] | undefined
  /** Undefined when this look had no need of it. */
  readonly charge: Charge | undefined
}

interface Shared {
  running: Promise<Look> | undefined
  queued: Promise<Look> | undefined
  /** The last one, and when it ended. A failed one counts too: a service that is down is not asked by every tab. */
  last: {readonly promise: Promise<Look>; readonly at: number; readonly succeeded: boolean} | undefined
  /** What the last successful one showed. */
  shown: Look | undefined
}

const GOOD_FOR = 1_000
const KEPT = 20_000

export class Reader {
  readonly #shared = new Map<string, Shared>()

  /** @param onNews called after a shared look that changed the journal; those who `readNow` see for themselves */
  constructor(
    readonly service: ServiceClient,
    readonly journals: Journals,
    readonly logger: Logger,
    readonly onNews: (chargeId: string, charge: Charge | undefined) => void,
  ) {}

  /** What a look of the last second showed; undefined when there was none, or it failed. */
  recent(chargeId: string): Look | undefined {
    const shared = this.#shared.get(chargeId)
    return shared?.last && this.#isGood(shared.last.at) && shared.last.succeeded ? shared.shown : undefined
  }

  /** A look that may be shared and up to a second old. Rejects with `ServiceError`. */
  read(chargeId: string): Promise<Look> {
    const shared = this.#of(chargeId)
    if (shared.running) return shared.running
    if (shared.last && this.#isGood(shared.last.at)) return shared.last.promise
    return this.#start(chargeId, shared, false)
  }

  /** A look that began after this call, at the payment charge too. Rejects with `ServiceError`. */
  readNow(chargeId: string): Promise<Look> {
    const shared = this.#of(chargeId)
    if (!shared.running) return this.#start(chargeId, shared, true)
    const next = () => {
      shared.queued = undefined
      return this.#start(chargeId, shared, true)
    }
    return (shared.queued ??= shared.running.then(next, next))
  }

  /** Notes the crypto charge as it was minted. That is no look: a quote is held against what the service says later. */
  async note(chargeId: string, cryptoCharge: CryptoCharge, charge: Charge): Promise<void> {
    await this.#observe(chargeId, cryptoCharge, offersOf(cryptoCharge.wallet), charge)
  }

  /** The assets as last seen, however long ago; undefined when this process has not looked yet. */
  lastOffers(chargeId: string): readonly Offer[] | undefined {
    return this.#shared.get(chargeId)?.shown?.offers
  }

  #isGood(at: number): boolean {
    return this.journals.clock.now() - at < GOOD_FOR
  }

  #of(chargeId: string): Shared {
    const shared = this.#shared.get(chargeId) ?? {
      running: undefined,
      queued: undefined,
      last: undefined,
      shown: undefined,
    }
    this.#shared.delete(chargeId)
    this.#shared.set(chargeId, shared)
    if (this.#shared.size > KEPT)
      for (const [id, {running, queued}] of this.#shared) {
        if (!running && !queued && id !== chargeId) this.#shared.delete(id)
        if (this.#shared.size <= KEPT) break
      }
    return shared
  }

  #start(chargeId: string, shared: Shared, thorough: boolean): Promise<Look> {
    const look = this.#look(chargeId, thorough).then(({isNews, ...look}) => {
      if (isNews && !thorough) this.onNews(chargeId, look.charge)
      return look
    })
    shared.running = look
    const ended = (shown: Look | undefined) => {
      if (shared.running === look) shared.running = undefined
      shared.last = {promise: look, at: this.journals.clock.now(), succeeded: shown !== undefined}
      if (shown) shared.shown = shown
    }
    look.then(ended, () => ended(undefined))
    return look
  }

  async #look(chargeId: string, thorough: boolean): Promise<Look & {isNews: boolean}> {
    const state = await this.journals.load(chargeId)
    if (!thorough && (await this.#isLookedAtElsewhere(chargeId)))
      return {offers: this.lastOffers(chargeId), charge: undefined, isNews: false}
    const cryptoCharge = state.minted && (await this.#cryptoCharge(state.minted.cryptoChargeId))
    const offers = cryptoCharge && offersOf(cryptoCharge.wallet)
    const moneyCame =
      state.payments.size > 0 || state.status === 'pending' || (cryptoCharge?.wallet.payments.length ?? 0) > 0
    try {
      // After the crypto charge: a payment that arrives between the two shows as `paid` early, not as a quote for zero.
      const charge = thorough || moneyCame || !state.minted ? await this.#charge(chargeId) : undefined
      const isNews = await this.#observe(chargeId, cryptoCharge, offers, charge)
      return {offers, charge, isNews}
    } catch (error) {
      // The payments were seen, whatever became of the rest.
      if (error instanceof ServiceError && cryptoCharge)
        await this.#observe(chargeId, cryptoCharge, offers, undefined)
      throw error
    }
  }

  /** Another process has looked within the second: what it saw is in the journal, or will be in a moment. */
  async #isLookedAtElsewhere(chargeId: string): Promise<boolean> {
    const {store} = this.journals
    return store.lease !== undefined && !(await store.lease(`look:${chargeId}`, GOOD_FOR))
  }

  async #cryptoCharge(cryptoChargeId: string): Promise<CryptoCharge> {
    const answer = await this.service.getCryptoCharge(cryptoChargeId)
    if (answer._id !== cryptoChargeId)
      throw new ServiceError('getCryptoCharge', 'upstream_invalid', {outcome: 'none'})
    return answer
  }

  async #charge(chargeId: string): Promise<Charge> {
    const answer = await this.service.getCharge(chargeId)
    if (answer._id !== chargeId) throw new ServiceError('getCharge', 'upstream_invalid', {outcome: 'none'})
    return answer
  }

  async #observe(
    chargeId: string,
    cryptoCharge: CryptoCharge | undefined,
    offers: readonly Offer[] | undefined,
    charge: Charge | undefined,
  ): Promise<boolean> {
    if (offers) await this.#compareAddresses(chargeId, offers)
    const {state, appended} = await this.journals.change(chargeId, state => {
      if (!isOpened(state)) throw new CheckoutError('not_open')
      return observed(state, cryptoCharge, charge, this.journals.clock.now())
    })
    if (appended) this.logger.info('status observed', {chargeId, status: state.status, rev: state.rev})
    return appended
  }

  /** Invariant 4: another address for a pair that was shown is an alarm, never an update. */
  async #compareAddresses(chargeId: string, offers: readonly Offer[]): Promise<void> {
    const {appended} = await this.journals.change(chargeId, state => {
      if (state.alarmed) return undefined
      const changed = changedPair(state, offers)
      return changed && {kind: 'alarmed', ...changed}
    })
    if (appended) this.logger.error('the service changed a deposit address that was shown', {chargeId})
  }
}

/** The first quoted pair whose address differs from what the service says now; a missing pair is no alarm. */
function changedPair(
  {quotes}: ChargeState,
  offers: readonly Offer[],
): {asset: string; network: string} | undefined {
  return quotes.find(({asset, network, address}) => {
    const pair = findPair(offers, asset, network)
    return pair !== undefined && !sameAddress(pair.network.address, address)
  })
}

function observed(
  state: OpenedState,
  cryptoCharge: CryptoCharge | undefined,
  charge: Charge | undefined,
  now: number,
): NewEntry | undefined {
  const price = priceOf(state)
  // A charge that was settled without a crypto charge of ours keeps its payments with itself.
  const payments = cryptoCharge?.wallet.payments ?? charge?.payments ?? []
  const observation: Observation = {
    cancelled: cryptoCharge?.is_cancelled === true,
    expiresAt: expiryOf(cryptoCharge),
    payments: payments.map(payment => paymentSeen(payment, price, now)),
    chargeStatus: charge?.status.value,
  }
  const next = standing(state, observation, now)
  const isNews =
    next.status !== state.status ||
    next.cancelled !== state.cancelled ||
    next.expiresAt !== state.expiresAt ||
    next.payments.length > 0
  return isNews ? {kind: 'observed', ...next, payments: [...next.payments]} : undefined
}

export function expiryOf(cryptoCharge: CryptoCharge | undefined): number | null {
  return parseServiceDate(cryptoCharge?.expires_at ?? '')
}
