/**
 * Looking at the service. All readers of a charge share one look: at most one is running and one queued, and a look is
 * good for a second, so upstream load grows with open charges, not with tabs. What a look shows is noted in the journal,
 * where it differs from what was known.
 */
import type {Charge, CryptoCharge} from '../contract/index.js'
import type {Offers} from './catalogue.js'
import {isOpened} from './compose.js'
import {CheckoutError, ServiceError} from './errors.js'
import type {Journals} from './journal/journals.js'
import type {ChargeState, MintedCharge} from './journal/state.js'
import {Kept} from './kept.js'
import type {Logger} from './log.js'
import type {ReadingClient} from './service-client.js'
import {newsIn, sightOf, type Sight} from './sight.js'

/** What a look showed, beside what the journal keeps. */
export interface Look {
  readonly offers: Offers | undefined
  /** Undefined when this look had no need of it. */
  readonly charge: Charge | undefined
}

interface Running {
  readonly look: Promise<Look>
  /** The offers, as soon as there is no more point in waiting for the rest. */
  readonly offers: Promise<Offers | undefined>
}

interface Shared {
  running: Running | undefined
  queued: Promise<Look> | undefined
  /** When the last one ended. A failed one counts too: a service that is down is not asked by every tab. */
  endedAt: number
  /** Why the last one failed, if it did. */
  failure: {readonly error: unknown} | undefined
  /** As last seen, with the text that said so: most looks get the same text again, and then nothing is to be read. */
  seen: {readonly text: string | undefined; readonly sight: Sight} | undefined
}

const GOOD_FOR = 1_000
/** How long a page waits for the payment charge when payments were seen already. */
const CHARGE_WAITS = 1_000
/** Characters of an answer that are kept to be held against the next one. */
const LONGEST_KEPT = 32_768

export class Reader {
  readonly #shared: Kept<Shared>

  /** @param onNews called after a shared look that changed the journal; those who `readNow` see for themselves */
  constructor(
    readonly service: ReadingClient,
    readonly journals: Journals,
    readonly logger: Logger,
    readonly onNews: (chargeId: string, charge: Charge | undefined) => void,
  ) {
    this.#shared = new Kept(journals.clock)
  }

  /** The last look, while it is good and none is running. */
  fresh(chargeId: string, now: number): Pick<Shared, 'seen'> | undefined {
    const shared = this.#shared.get(chargeId)
    const isGood = shared && !shared.running && !shared.failure && now - shared.endedAt < GOOD_FOR
    return isGood ? shared : undefined
  }

  /**
   * Looks, unless somebody has within the second, and gives the offers once the journal tells what is to be seen.
   * Rejects with `ServiceError`.
   */
  async read(chargeId: string): Promise<Offers | undefined> {
    const shared = this.#shared.get(chargeId)
    if (shared?.running) return shared.running.offers
    if (!shared || this.journals.clock.now() - shared.endedAt >= GOOD_FOR)
      return this.#start(chargeId, false).offers
    if (shared.failure) throw shared.failure.error
    return shared.seen?.sight.offers
  }

  /** A look that began after this call, at the payment charge too. Rejects with `ServiceError`. */
  readNow(chargeId: string): Promise<Look> {
    const shared = this.#shared.get(chargeId)
    if (!shared?.running) return this.#start(chargeId, true).look
    const next = () => {
      shared.queued = undefined
      return this.#start(chargeId, true).look
    }
    return (shared.queued ??= shared.running.look.then(next, next))
  }

  /** Notes the crypto charge as it was minted. That is no look: a quote is held against what the service says later. */
  async note(chargeId: string, cryptoCharge: CryptoCharge, charge: Charge): Promise<void> {
    await this.#observe(chargeId, sightOf(cryptoCharge), charge, true)
  }

  /** The assets as last seen, however long ago; undefined when this process has not looked yet. */
  lastOffers(chargeId: string): Offers | undefined {
    return this.#shared.get(chargeId)?.seen?.sight.offers
  }

  #start(chargeId: string, thorough: boolean): Running {
    const shared = this.#shared.use(chargeId, () => ({
      running: undefined,
      queued: undefined,
      endedAt: -Infinity,
      failure: undefined,
      seen: undefined,
    }))
    const {clock} = this.journals
    let charged: AbortController | undefined
    let waitForCharge: (offers: Offers | undefined) => void = () => undefined
    const paymentsSeen = new Promise<Offers | undefined>(resolve => {
      waitForCharge = offers => {
        charged = new AbortController()
        void clock.sleep(CHARGE_WAITS, charged.signal).then(() => resolve(offers))
      }
    })
    const look = this.#look(chargeId, thorough, waitForCharge)
    const running = {look, offers: Promise.race([look.then(({offers}) => offers), paymentsSeen])}
    // Perhaps nobody waits for these: who does hears of a failure all the same.
    running.offers.catch(() => undefined)
    shared.running = running
    const ended = (failure: Shared['failure']) => {
      charged?.abort()
      if (shared.running === running) shared.running = undefined
      shared.endedAt = clock.now()
      shared.failure = failure
    }
    look.then(
      ({charge, isNews}) => {
        ended(undefined)
        if (isNews && !thorough) this.onNews(chargeId, charge)
      },
      (error: unknown) => ended({error}),
    )
    return running
  }

  /** @param seen called when payments were noted, and only the payment charge is waited for */
  async #look(
    chargeId: string,
    thorough: boolean,
    seen: (offers: Offers | undefined) => void,
  ): Promise<Look & {isNews: boolean}> {
    // Both at once: with Redis they travel together.
    const [{minted}, isElsewhere] = await Promise.all([
      this.#latest(chargeId),
      !thorough && this.#isLookedAtElsewhere(chargeId),
    ])
    if (isElsewhere) return {offers: this.lastOffers(chargeId), charge: undefined, isNews: false}
    const sight = minted && (await this.#sight(chargeId, minted))
    const offers = sight?.offers
    // Payments are noted before anything else is asked for: they were seen, whatever becomes of the rest.
    const noted = sight && (await this.#observe(chargeId, sight, undefined, thorough))
    const moneyCame =
      noted !== undefined && (noted.state.payments.size > 0 || noted.state.status === 'pending')
    if (!thorough && minted && !moneyCame)
      return {offers, charge: undefined, isNews: noted?.appended === true}
    if (moneyCame) seen(offers)
    // After the crypto charge: a payment that arrives between the two shows as `paid` early, not as a quote for zero.
    const charge = await this.#charge(chargeId)
    const {appended} = await this.#observe(chargeId, sight, charge, thorough)
    return {offers, charge, isNews: appended || noted?.appended === true}
  }

  /** What was minted stays so; what was not may have been since. */
  async #latest(chargeId: string): Promise<ChargeState> {
    const state = await this.journals.recent(chargeId)
    return state.minted ? state : this.journals.load(chargeId)
  }

  /** Another process has looked within the second: what it saw is in the journal, or will be in a moment. */
  async #isLookedAtElsewhere(chargeId: string): Promise<boolean> {
    const {store} = this.journals
    return store.lease !== undefined && !(await store.lease(`look:${chargeId}`, GOOD_FOR))
  }

  async #sight(chargeId: string, {cryptoChargeId, offers}: MintedCharge): Promise<Sight> {
    const answer = await this.service.readCryptoCharge(cryptoChargeId)
    const shared = this.#shared.get(chargeId)
    if (shared?.seen?.text === answer.text) return shared.seen.sight
    const sight = sightOf(answer.read(), offers)
    if (sight.cryptoChargeId !== cryptoChargeId)
      throw new ServiceError('getCryptoCharge', 'upstream_invalid', {outcome: 'none'})
    const text = answer.text.length > LONGEST_KEPT ? undefined : answer.text
    if (shared) shared.seen = {text, sight}
    return sight
  }

  async #charge(chargeId: string): Promise<Charge> {
    const answer = await this.service.getCharge(chargeId)
    if (answer._id !== chargeId) throw new ServiceError('getCharge', 'upstream_invalid', {outcome: 'none'})
    return answer
  }

  /**
   * Notes what is new of what was seen. Nearly always nothing is, and then the journal as it was when the look began
   * says so as well.
   *
   * @param thorough holds it against the journal as it is now
   */
  async #observe(
    chargeId: string,
    sight: Sight | undefined,
    charge: Charge | undefined,
    thorough: boolean,
  ): Promise<{state: ChargeState; appended: boolean}> {
    const {clock} = this.journals
    const news = (state: ChargeState) => {
      if (!isOpened(state)) throw new CheckoutError('not_open')
      return newsIn(state, sight, charge, clock.now())
    }
    if (!thorough) {
      const state = await this.journals.recent(chargeId)
      if (!news(state)) return {state, appended: false}
    }
    for (let hasNews = false; ; hasNews = true) {
      const {state, appended} = await this.journals.change(chargeId, news)
      if (!appended) return {state, appended: hasNews}
      const {status, rev} = state
      if (state.alarmed) this.logger.error('the service changed a deposit address that was shown', {chargeId})
      else this.logger.info('status observed', {chargeId, status, rev})
    }
  }
}
