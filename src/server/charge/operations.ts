/** The operations of the checkout API on one charge. Each resolves to a `Checkout` as JSON. */
import {withTimeout, type QuoteRequest} from '../../contract/index.js'
import type {MaybePromise} from '../../http/index.js'
import type {WalletAssets} from '../assets/catalogue.js'
import {checkoutJson, type CheckoutJson} from '../checkout/checkout-json.js'
import type {ReadContext} from '../checkout/to-checkout.js'
import type {ServerContext} from '../context/context.js'
import {runExclusive} from '../base/in-flight.js'
import {CheckoutError, ServiceError, StoreError} from '../errors.js'
import type {Journal} from '../journal/journal.js'
import type {ChargeState, OpenedState} from '../journal/state.js'
import {isReadable, open} from './open.js'
import {blockingStatus} from './order-formers.js'
import {quote, type QuoteOptions} from './quote.js'
import type {SharedRead} from './shared-read.js'

/** Shorter than the ten seconds after which a page stops waiting. The read itself continues. */
const READ_TIMEOUT_MS = 7_000

export class ChargeOperations {
  readonly #opening = new Map<string, Promise<CheckoutJson>>()
  readonly #quoting = new Map<string, Promise<unknown>>()

  constructor(
    readonly context: ServerContext,
    readonly reads: SharedRead,
    readonly quoteOptions: QuoteOptions,
  ) {}

  /** Reads the charge, and mints or resumes its crypto charge. Concurrent calls share one run. */
  open(journal: Journal): Promise<CheckoutJson> {
    const running = this.#opening.get(journal.id)
    if (running) return running
    const started = this.#open(journal).finally(() => this.#opening.delete(journal.id))
    this.#opening.set(journal.id, started)
    return started
  }

  /** The current charge, or the last known one while the service cannot be read. Most reads return synchronously. */
  read(journal: Journal): MaybePromise<CheckoutJson> {
    const now = this.context.clock.now()
    const state = this.reads.isFresh(journal, now) ? journal.peekFresh(now) : undefined
    if (!state || !isReadable(state) || state.opened.formers) return this.#refresh(journal, this.reads.read)
    return this.#toJson(journal, state, {now: this.context.time.now(), stale: false})
  }

  /** One at a time within a charge, so that the last request makes the current quote. */
  quote(journal: Journal, request: QuoteRequest): Promise<CheckoutJson> {
    return runExclusive(this.#quoting, journal.id, async () => {
      const state = await quote(this.context, journal, request, this.reads, this.quoteOptions)
      return this.#toJson(journal, state, {now: this.context.time.now(), stale: false})
    })
  }

  async #open(journal: Journal): Promise<CheckoutJson> {
    const isNew = await open(this.context, journal, this.reads)
    return this.#refresh(journal, () =>
      isNew ? this.reads.readUrgently(journal) : this.reads.readWithCharge(journal),
    )
  }

  async #refresh(
    journal: Journal,
    read: (journal: Journal) => Promise<WalletAssets | undefined>,
  ): Promise<CheckoutJson> {
    const {time, logger} = this.context
    const cached = journal.peek()
    // A readable charge stays readable. Another process may have just opened one that was not.
    if (!cached || !isReadable(cached)) requireReadable(await journal.state())
    let stale = false
    try {
      await this.#withReadTimeout(read.call(this.reads, journal))
    } catch (error) {
      // A newer version may have recorded what this one cannot apply. What is known is shown.
      const isIncomplete = error instanceof StoreError && journal.peek()?.isIncomplete
      if (!(error instanceof ServiceError) && !isIncomplete) throw error
      logger.warn('reading failed', {
        chargeId: journal.id,
        code: error.code,
        ...(error instanceof ServiceError && {status: error.upstreamStatus}),
      })
      stale = true
    }
    const state = requireReadable(await journal.cachedState())
    const latest = time.now()
    // Before the first response of the service, our clock may be hours ahead, and a page keeps showing `expired`.
    const lastAt = time.isKnown ? undefined : journal.last?.at
    const isBlocked = (await blockingStatus(this.context, state)) !== undefined
    return this.#toJson(journal, state, {now: Math.min(latest, lastAt ?? latest), latest, stale, isBlocked})
  }

  #withReadTimeout(result: Promise<WalletAssets | undefined>): Promise<WalletAssets | undefined> {
    return withTimeout(
      this.context.clock,
      READ_TIMEOUT_MS,
      () => result,
      () => {
        throw new ServiceError('getCryptoCharge', 'upstream_timeout', {outcome: 'none'})
      },
    )
  }

  #toJson(journal: Journal, state: OpenedState, context: Omit<ReadContext, 'test' | 'offer'>): CheckoutJson {
    const stale = context.stale || state.isIncomplete
    const {test, offer} = this.context
    return checkoutJson(journal.id, state, {...context, stale, test, offer}, this.reads.lastAssets(journal))
  }
}

function requireReadable(state: ChargeState): OpenedState {
  if (!isReadable(state)) throw new CheckoutError('not_open')
  return state
}
