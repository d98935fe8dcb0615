/**
 * Finds out what was paid and notifies the merchant. A webhook, a read of a page, a pass over the open charges or the
 * merchant gives the reason to read; only the service's response is believed (invariant 8).
 */
import {isPaid, type Charge, type Checkout} from '../../contract/index.js'
import {readNowAndOpen} from '../charge/open.js'
import {blockingStatus} from '../charge/order-formers.js'
import type {SharedRead} from '../charge/shared-read.js'
import {toCheckout} from '../checkout/to-checkout.js'
import type {ServerContext} from '../context/context.js'
import type {InFlight} from '../base/in-flight.js'
import {errorName} from '../../contract/errors.js'
import {CheckoutError} from '../errors.js'
import type {Journal} from '../journal/journal.js'
import {requireOpened} from '../journal/state.js'
import {Archive, type ArchiveOptions} from './archive.js'
import {callHandler} from './handlers.js'
import {Notifier, type NotifierOptions} from './notifier.js'
import {OpenCharges} from './open-charges.js'
import {Reconciliation} from './reconciliation.js'
import {Sweep} from './sweep.js'
import {receiveWebhook, type WebhookWork} from './webhook.js'

export interface VerificationResult {
  /** Whether the charge is paid or overpaid, read just now. */
  readonly paid: boolean
  readonly checkout: Checkout
  readonly charge: Charge
}

export interface ReconcileResult {
  /** Charges that were read. */
  readonly read: number
  /** Notifications that this process has delivered meanwhile. */
  readonly delivered: number
}

export interface FulfilmentOptions extends NotifierOptions, ArchiveOptions {
  /** Charges per second that a reconciliation pass reads. */
  readonly reconcileRate: number
}

const SWEEP_INTERVAL_MS = 30_000

export class Fulfilment {
  readonly #notifier: Notifier
  readonly #openCharges: OpenCharges
  readonly #archive: Archive
  readonly #sweep: Sweep
  readonly #reconciliation: Reconciliation
  readonly #webhookWork: WebhookWork = new WeakMap()
  #archiving: Promise<void> | undefined

  constructor(
    readonly context: ServerContext,
    readonly reads: SharedRead,
    readonly options: FulfilmentOptions,
    readonly inFlight: InFlight,
  ) {
    this.#notifier = new Notifier(context, reads, options, inFlight)
    this.#openCharges = new OpenCharges(context, this.#notifier, options)
    this.#archive = new Archive(context, this.#notifier, options)
    this.#sweep = new Sweep(this.#openCharges)
    this.#reconciliation = new Reconciliation(this.#openCharges, reads, inFlight, options.reconcileRate)
    context.journals.listen({onLost: journal => this.#reportLostStore(journal)})
  }

  /** Reads the service now. Pending notifications are delivered in the background. */
  async verify(journal: Journal): Promise<VerificationResult> {
    const {time, test, offer} = this.context
    const {charge, assets} = await readNowAndOpen(this.context, journal, this.reads)
    const latest = await journal.state()
    this.deliverDue(journal)
    if (latest.archived) throw new CheckoutError('expired')
    const state = requireOpened(latest)
    if (!charge) throw new CheckoutError('internal')
    const isBlocked = (await blockingStatus(this.context, state)) !== undefined
    const checkout = toCheckout(
      journal.id,
      state,
      {now: time.now(), stale: false, test, offer, isBlocked},
      assets,
    )
    return {paid: isPaid(checkout.status), checkout, charge}
  }

  /** `receiveWebhook` says when it resolves. */
  receiveWebhook(body: string): Promise<void> {
    return receiveWebhook(this.context, body, this.reads, this.#notifier, this.#webhookWork)
  }

  /** Starts what is due for a charge that was read. */
  deliverDue(journal: Journal): void {
    this.#notifier.start(journal)
  }

  /** The merchant has settled all alerts of the charge. */
  async clearAlert(journal: Journal): Promise<void> {
    const {appended} = await journal.update(({alerts}) =>
      [...alerts.values()].some(({cleared}) => !cleared) ? {kind: 'alert_cleared'} : undefined,
    )
    if (appended) this.context.logger.info('alert cleared', {chargeId: journal.id})
  }

  /** Both passes, for a caller without timers. Failed notifications are retried without their pause. */
  async reconcile(): Promise<ReconcileResult> {
    const before = this.#notifier.delivered
    const [read] = await Promise.all([this.#reconcile(true), this.#sweep.run()])
    await this.#settle()
    return {read, delivered: this.#notifier.delivered - before}
  }

  /** Runs the passes until `closing`. */
  async runPasses(reconcileEvery: number): Promise<void> {
    await Promise.all([
      this.#repeat(SWEEP_INTERVAL_MS, () => this.#sweep.run()),
      reconcileEvery > 0 && this.#repeat(reconcileEvery, () => this.#reconcile(false)),
    ])
    await this.#settle()
  }

  /** Resolves when all is begun, to the number of charges that were read. */
  async #reconcile(force: boolean): Promise<number> {
    const {ids, charges} = await this.#openCharges.list()
    // Not awaited, because a handler that hangs must not delay the reads.
    this.#archiving ??= this.#archiveDue(ids)
    const read = await this.#reconciliation.run(charges, ids, force)
    this.context.logger.info('reconciled', {read})
    return read
  }

  async #settle(): Promise<void> {
    await Promise.all([this.#openCharges.settle(), this.#archiving])
  }

  async #archiveDue(ids: ReadonlySet<string>): Promise<void> {
    try {
      await this.#archive.run(ids)
    } catch (error) {
      this.context.logger.error('archiving charges failed', {error: errorName(error)})
    } finally {
      this.#archiving = undefined
    }
  }

  async #repeat(intervalMs: number, pass: () => Promise<unknown>): Promise<void> {
    const {clock, logger} = this.context
    const {closing} = this.options
    while (!closing.aborted) {
      await clock.sleep(intervalMs, closing, true)
      if (closing.aborted) break
      await pass().catch((error: unknown) =>
        logger.error('a pass over the open charges failed', {error: errorName(error)}),
      )
    }
  }

  /** The journal cannot record this notification. */
  #reportLostStore({id: chargeId}: Journal): void {
    const {diagnostics, logger} = this.context
    const {handlers, handlerTimeout} = this.options
    const {onAlert} = handlers
    diagnostics.publish('alert', {kind: 'store_lost'})
    if (!onAlert) return
    this.inFlight
      .run('handlers', () =>
        callHandler(this.context, 'onAlert', handlerTimeout, signal =>
          onAlert({kind: 'store_lost', chargeId}, {id: `${chargeId} store_lost`, signal}),
        ),
      )
      .catch((error: unknown) => logger.error('a handler failed', {chargeId, error: errorName(error)}))
  }
}
