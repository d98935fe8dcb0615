/**
 * Tells the merchant. A notice is claimed in its document, the handler is called, and then the notice becomes one of those
 * that were told. So it is told once, or again if its process dies before recording it or the handler fails. A handler that
 * hangs or fails delays no other notice.
 */
import {monotonic} from '../../contract/index.js'
import {runExclusive, type InFlight} from '../base/in-flight.js'
import {errorName} from '../../contract/errors.js'
import {isOpened, type ChargeDocument, type Notice} from '../charges/document.js'
import {isNewer} from '../charges/documents.js'
import {withLine} from '../charges/log.js'
import {retryAt} from '../charges/notices.js'
import {newWriteId} from '../charges/stored.js'
import {hasMoneyElsewhere} from '../charge/formers.js'
import {shownDocument} from '../charge/archived-money.js'
import {viewOf} from '../charge/view-of.js'
import type {Reader} from '../charge/reader.js'
import {toCheckout} from '../checkout/to-checkout.js'
import type {ServerContext} from '../context.js'
import {CheckoutError, StoreError} from '../errors.js'
import {orderOf, settleOrder, withoutNotice} from '../orders/settle-order.js'
import {callHandler, tell, type Handlers, type Told} from './handlers.js'

export interface NotifierOptions {
  readonly handlers: Handlers
  /** Milliseconds after which a handler counts as failed. */
  readonly handlerTimeout: number
  /** Milliseconds after the first attempt until which a failed notice is retried; 0 for ever. */
  readonly retention: number
}

/** A claim outlasts its handler by this time. */
const CLAIM_MARGIN_MS = 30_000
/** Between two tries to record that a handler succeeded. */
const RECORD_INTERVAL_MS = 1_000

export class Notifier {
  /** The number of notices that this process has told. */
  delivered = 0
  /** Handlers that this process calls now, with their charges. */
  readonly #running = new Map<Promise<boolean>, string>()
  readonly #beginning = new Map<string, Promise<unknown>>()

  constructor(
    readonly context: ServerContext,
    readonly reader: Reader,
    readonly options: NotifierOptions,
    readonly inFlight: InFlight,
  ) {}

  /** Tells what is due, for a caller that need not wait. Never rejects. */
  async start(chargeId: string, force: boolean): Promise<void> {
    try {
      await this.inFlight.run('handlers', () => this.notify(chargeId, force))
    } catch (error) {
      this.context.logger.error('notifying failed', {chargeId, error: errorName(error)})
    }
  }

  /**
   * Tells what is due and not claimed. Resolves when the handlers that this process calls have ended, to whether all
   * succeeded. Rejects with `CheckoutError` when the charge cannot be read or stored.
   *
   * @param force tries also what has failed and waits
   */
  async notify(chargeId: string, force = false): Promise<boolean> {
    await runExclusive(this.#beginning, chargeId, () => this.#begin(chargeId, force))
    const running = [...this.#running].filter(([, id]) => id === chargeId)
    const results = await Promise.all(running.map(([telling]) => telling))
    return results.every(Boolean)
  }

  /** Resolves when the handlers are called. */
  async #begin(chargeId: string, force: boolean): Promise<void> {
    const {document} = await this.context.charges.load(chargeId)
    if (!document || isNewer(document)) return
    await this.#dropUnhandled(chargeId, document)
    if (!this.#hasDue(document, force)) return
    const failure = await this.#prepare(chargeId, document).then(
      () => undefined,
      (error: unknown) => ({error}),
    )
    // An alert may be that the charge cannot be read.
    const told = await this.#claim(chargeId, force, !failure)
    for (const notice of told.notices) this.#track(chargeId, this.#tell(chargeId, notice, told))
    if (failure) throw failure.error
  }

  /** A result that cannot be recorded counts as a failure: the handler is called again. */
  #track(chargeId: string, telling: Promise<boolean>): void {
    const running = telling
      .catch((error: unknown) => {
        this.context.logger.error('a result could not be recorded', {chargeId, error: errorName(error)})
        return false
      })
      .finally(() => this.#running.delete(running))
    this.#running.set(running, chargeId)
  }

  #hasDue({notices}: ChargeDocument, force: boolean): boolean {
    return notices.some(notice => this.#isDue(notice, force))
  }

  /** Another process of the merchant may have other handlers. */
  handles({handler}: Notice): boolean {
    return this.options.handlers[handler] !== undefined
  }

  /** A claim of another process has to end, whoever asks. */
  #isDue(notice: Notice, force: boolean): boolean {
    const {at, claim} = notice
    return this.handles(notice) && (at <= this.context.time.now() || (force && claim === undefined))
  }

  /** A handler that no process has had for the retention does not come back. Its notice would keep the charge for ever. */
  async #dropUnhandled(chargeId: string, {notices}: ChargeDocument): Promise<void> {
    const now = this.context.time.now()
    const {retention} = this.options
    const isOver = (notice: Notice) =>
      retention > 0 && !this.handles(notice) && notice.at <= now && now - notice.since >= retention
    if (!notices.some(isOver)) return
    await this.context.charges.update(chargeId, latest =>
      latest?.notices.filter(isOver).reduce((next, {subject}) => withoutNotice(next, subject, now), latest),
    )
  }

  /** Reads what the handlers get, and decides whether an order is paid or has ended. */
  async #prepare(chargeId: string, document: ChargeDocument): Promise<void> {
    const {context, reader} = this
    const newest = Math.max(...document.notices.map(({rev}) => rev))
    if (document.notices.every(({handler}) => handler === 'onAlert')) return
    if (!reader.lastSince(chargeId, newest)) await reader.read(chargeId, {maxAgeMs: 0})
    if (!isOpened(document) || !document.order) return
    const {order} = document
    if (hasNotice(document, 'onPaid') && document.paysOrder === undefined)
      await settleOrder(context, chargeId, {...document, order})
    const endings = document.notices.filter(
      ({handler}) => handler === 'onExpired' || handler === 'onCancelled',
    )
    if (endings.length === 0) return
    const isLeft = (await orderOf(context, document))?.chargeId !== chargeId
    if (!isLeft && !(await hasMoneyElsewhere(context, reader, document))) return
    await context.charges.update(
      chargeId,
      latest =>
        latest &&
        endings.reduce((next, {subject}) => withoutNotice(next, subject, context.time.now()), latest),
    )
  }

  /** Claims what is due; only alerts if the charge could not be read. The others are tried later. */
  async #claim(
    chargeId: string,
    force: boolean,
    isRead: boolean,
  ): Promise<
    Told & {readonly document: ChargeDocument; readonly notices: readonly Notice[]; readonly claim: string}
  > {
    const {charges, time} = this.context
    const claim = newWriteId()
    const until = time.now() + this.options.handlerTimeout + CLAIM_MARGIN_MS
    const {document, rev} = await charges.update(chargeId, latest => {
      if (!latest || !this.#hasDue(latest, force)) return undefined
      const notices = latest.notices.map(notice => {
        if (!this.#isDue(notice, force)) return notice
        if (isRead || notice.handler === 'onAlert') return {...notice, at: until, claim}
        return this.#failed(notice)
      })
      return {...latest, notices}
    })
    if (!document) throw new CheckoutError('not_open')
    const notices = document.notices.filter(notice => notice.claim === claim)
    return {document, claim, notices, ...(await this.#found(chargeId, document, rev))}
  }

  async #found(chargeId: string, document: ChargeDocument, rev: number): Promise<Told> {
    const read = this.reader.lastSince(chargeId, 0)
    const shown = shownDocument({...read, document})
    const view = shown && (await viewOf(this.context, chargeId, shown))
    const checkout = view && toCheckout(chargeId, shown, rev, view, read?.assets)
    return {charge: read?.charge, checkout, order: await orderOf(this.context, document)}
  }

  async #tell(
    chargeId: string,
    notice: Notice,
    told: Told & {readonly document: ChargeDocument; readonly claim: string},
  ): Promise<boolean> {
    const {context, options} = this
    const {subject, handler} = notice
    try {
      await callHandler(context, handler, options.handlerTimeout, signal =>
        tell(options.handlers, chargeId, told.document, notice, told, signal),
      )
    } catch (error) {
      context.logger.error('a handler failed and will be called again', {
        chargeId,
        subject,
        error: errorName(error),
        // It is the merchant's own, and says what to mend.
        ...(error instanceof Error && {cause: error.message, stack: error.stack}),
      })
      await this.#recordFailure(chargeId, subject, told.claim)
      return false
    }
    await this.#recordTold(chargeId, subject)
    this.delivered += 1
    return true
  }

  async #recordFailure(chargeId: string, subject: string, claim: string): Promise<void> {
    const {charges, time} = this.context
    await charges.update(chargeId, latest => {
      const failed = latest?.notices.find(notice => notice.subject === subject && notice.claim === claim)
      if (!latest || !failed) return undefined
      const next = this.#failed(failed)
      const isOver = this.options.retention > 0 && next.at - next.since > this.options.retention
      if (isOver) return withoutNotice(latest, subject, time.now())
      const notices = latest.notices.map(notice => (notice === failed ? next : notice))
      return withLine({...latest, notices}, time.now(), 'handler_failed', {subject})
    })
  }

  #failed({claim: _, ...notice}: Notice): Notice {
    return {...notice, at: retryAt(notice, this.context.time.now()), failures: notice.failures + 1}
  }

  /** Tries again while the store fails, because the handler would be called again. */
  async #recordTold(chargeId: string, subject: string): Promise<void> {
    const {charges, clock, time} = this.context
    const deadline = monotonic(clock) + CLAIM_MARGIN_MS
    for (;;)
      try {
        await charges.update(chargeId, latest => {
          if (!latest?.notices.some(notice => notice.subject === subject)) return undefined
          const notices = latest.notices.filter(notice => notice.subject !== subject)
          return withLine({...latest, notices, told: [...latest.told, subject]}, time.now(), 'told', {
            subject,
          })
        })
        return
      } catch (error) {
        if (!(error instanceof StoreError) || monotonic(clock) >= deadline) throw error
        await clock.sleep(RECORD_INTERVAL_MS)
      }
  }
}

function hasNotice({notices}: ChargeDocument, handler: Notice['handler']): boolean {
  return notices.some(notice => notice.handler === handler)
}
