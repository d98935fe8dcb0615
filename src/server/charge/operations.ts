/** The operations of the checkout API on one charge. Each resolves to a `Checkout` as JSON. */
import {withTimeout, type Charge, type QuoteRequest, type RefundRequest} from '../../contract/index.js'
import {runExclusive} from '../base/in-flight.js'
import {requireOpened, type ChargeDocument} from '../charges/document.js'
import {checkoutJson, type CheckoutJson} from '../checkout/checkout-json.js'
import type {ServerContext} from '../context.js'
import {CheckoutError, ServiceError} from '../errors.js'
import {shownDocument} from './archived-money.js'
import {blockingStatus, loadFormers, readFormers} from './formers.js'
import {isReadable, open, PAGE_AGE_MS} from './open.js'
import {quote, type QuoteOptions} from './quote.js'
import type {ReadBudget} from './read-budget.js'
import type {Reader} from './reader.js'
import {giveRefundAddress} from './refund-address.js'
import {viewOf} from './view-of.js'

/** Shorter than the ten seconds after which a page stops waiting. The read itself continues. */
const READ_TIMEOUT_MS = 7_000

interface Shown {
  readonly document: ChargeDocument
  readonly rev: number
  /** As it was just read. */
  readonly charge?: Charge
}

export class ChargeOperations {
  readonly #opening = new Map<string, Promise<CheckoutJson>>()
  readonly #quoting = new Map<string, Promise<unknown>>()

  constructor(
    readonly context: ServerContext,
    readonly reader: Reader,
    readonly budget: ReadBudget,
    readonly quoteOptions: QuoteOptions,
  ) {}

  /** Reads the charge, and mints or resumes its crypto charge. Concurrent calls share one run. */
  open(chargeId: string): Promise<CheckoutJson> {
    const running = this.#opening.get(chargeId)
    if (running) return running
    const started = this.#orLast(chargeId, () => open(this.context, this.reader, chargeId)).finally(() =>
      this.#opening.delete(chargeId),
    )
    this.#opening.set(chargeId, started)
    return started
  }

  /** The current charge, or the last known one while the service cannot be read. */
  async read(chargeId: string): Promise<CheckoutJson> {
    const fresh = this.reader.fresh(chargeId)
    if (fresh && !fresh.document.order) return this.#toJson(chargeId, fresh, false)
    if (!this.reader.isCurrent(chargeId) && !this.#mayRead(chargeId)) return this.#stored(chargeId, false)
    return this.#orLast(chargeId, () => this.reader.read(chargeId, {maxAgeMs: PAGE_AGE_MS}))
  }

  /** The same with what another process has stored meanwhile, such as the form before this page. */
  async readStored(chargeId: string): Promise<CheckoutJson> {
    const {stale} = await this.read(chargeId)
    return this.#stored(chargeId, stale)
  }

  /** One at a time within a charge, so that the last request makes the current quote. */
  quote(chargeId: string, request: QuoteRequest): Promise<CheckoutJson> {
    return runExclusive(this.#quoting, chargeId, async () => {
      const quoted = await quote(this.context, this.reader, chargeId, request, this.quoteOptions)
      return this.#toJson(chargeId, quoted, false)
    })
  }

  /** Records where the customer wants money back. */
  async giveRefundAddress(chargeId: string, request: RefundRequest): Promise<CheckoutJson> {
    const given = await giveRefundAddress(this.context, this.reader, chargeId, request)
    return this.#toJson(chargeId, given, false)
  }

  /** Pages cause only so many reads of the service. Begins the reads whose turn it is. */
  #mayRead(chargeId: string): boolean {
    const due = this.budget.next(chargeId, this.reader.endedAt(chargeId))
    for (const id of due) this.reader.read(id, {maxAgeMs: PAGE_AGE_MS}).catch(() => undefined)
    return due.includes(chargeId)
  }

  /** What webhooks, the worker and other pages keep current. */
  async #stored(chargeId: string, stale: boolean): Promise<CheckoutJson> {
    const {document, rev} = await this.context.charges.load(chargeId)
    return this.#toJson(chargeId, {document: requireOpened(document), rev}, stale)
  }

  async #orLast(chargeId: string, read: () => Promise<Shown>): Promise<CheckoutJson> {
    const reading = read()
    try {
      return await this.#toJson(chargeId, await this.#inTime(reading), false)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const {document, rev} = await this.context.charges.load(chargeId)
      // A mint takes longer, and nothing can be shown before.
      if (!isReadable(document)) return this.#toJson(chargeId, await reading, false)
      const {code, upstreamStatus: status} = error
      this.context.logger.warn('reading failed', {chargeId, code, status})
      return this.#toJson(chargeId, {document, rev}, true)
    }
  }

  #inTime(reading: Promise<Shown>): Promise<Shown> {
    return withTimeout(
      this.context.clock,
      READ_TIMEOUT_MS,
      () => reading,
      () => {
        throw new ServiceError('getCharge', 'upstream_timeout', {outcome: 'none'})
      },
    )
  }

  async #toJson(chargeId: string, read: Shown, stale: boolean): Promise<CheckoutJson> {
    const document = shownDocument(read)
    const {rev} = read
    if (!isReadable(document)) throw new CheckoutError(read.document.archived ? 'expired' : 'not_open')
    // Another process may have written it. The last read of this one shows nothing older from now on.
    this.reader.onChange(chargeId, read.document, rev)
    const isBlocked = await this.#isBlocked(document, stale)
    const view = await viewOf(this.context, chargeId, document, {stale, isBlocked})
    return checkoutJson(chargeId, document, rev, view, this.reader.lastAssets(chargeId))
  }

  async #isBlocked(document: ChargeDocument, stale: boolean): Promise<boolean> {
    const formers = stale
      ? await loadFormers(this.context, document)
      : await readFormers(this.context, this.reader, document)
    return blockingStatus(this.context, formers) !== undefined
  }
}
