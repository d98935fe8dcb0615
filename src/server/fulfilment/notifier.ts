/**
 * Calls the merchant's handlers. Each notification is claimed in the journal, delivered, and recorded as done. So it is
 * delivered once, or again if its process crashes before recording or the handler fails. An entry about what the service
 * said starts it; the sweep retries.
 */
import {LRUCache} from 'lru-cache'
import type {Checkout} from '../../contract/index.js'
import type {SharedRead} from '../charge/shared-read.js'
import {toCheckout} from '../checkout/to-checkout.js'
import type {ServerContext} from '../context/context.js'
import type {InFlight} from '../base/in-flight.js'
import {errorName} from '../../contract/errors.js'
import {StoreError} from '../errors.js'
import type {Journal} from '../journal/journal.js'
import {isOpened, type ChargeState, type Notification, type OpenedState} from '../journal/state.js'
import {hasMoneyElsewhere, mustSettleOrder, orderOf, settleOrder} from '../orders/settle-order.js'
import {callHandler, type Handlers} from './handlers.js'
import {nextAttemptAt, pendingNotifications, type CallContext, type PendingNotification} from './pending.js'

export interface NotifierOptions {
  readonly handlers: Handlers
  /** Milliseconds after which a handler counts as failed. */
  readonly handlerTimeout: number
  /** Milliseconds after the first attempt until which a failed notification is retried; 0 for ever. */
  readonly retention: number
}

export interface NotificationResult {
  /** A handler failed in this run. */
  readonly hasFailed: boolean
  /** What is still pending after it. */
  readonly pending: readonly Pick<Notification, 'until' | 'at' | 'failures'>[]
}

interface Run {
  /** Retries what has failed without its pause. */
  force: boolean
}

/** A claim outlasts its handler by this time. */
const CLAIM_MARGIN_MS = 30_000
/** Between two tries to record that a handler succeeded. */
const RECORD_INTERVAL_MS = 1_000
const MAX_FIRST_SEEN = 20_000
const neverTried = {until: 0, at: 0, failures: 0}

export class Notifier {
  /** The number of notifications that this process has delivered. */
  delivered = 0
  /** Charges for which this process still has notifications to deliver. */
  readonly unfinished = new Set<string>()
  readonly #runs = new Map<string, {readonly run: Run; readonly result: Promise<NotificationResult>}>()
  /** By charge and subject: when this process first saw the last entry, which was recorded `at`. */
  readonly #firstSeen = new LRUCache<string, {readonly at: number; readonly seenAt: number}>({
    // Unlike `max`, this reserves no memory in advance.
    maxSize: MAX_FIRST_SEEN,
    sizeCalculation: () => 1,
  })

  constructor(
    readonly context: ServerContext,
    readonly reads: SharedRead,
    readonly options: NotifierOptions,
    readonly inFlight: InFlight,
  ) {
    context.journals.listen({
      onAppend: (journal, _before, after) => {
        if (after.observedRev === after.rev) this.start(journal, after)
      },
    })
  }

  /** Whether a notification is not done. One in progress counts, because its process may crash. */
  hasPending(journal: Journal, state: ChargeState): boolean {
    return mustSettleOrder(state) || this.#pending(journal, state).length > 0
  }

  /** Whether a notification can be delivered now. */
  hasDue(journal: Journal, state: ChargeState): boolean {
    return mustSettleOrder(state) || this.#due(journal, state, false).length > 0
  }

  /** Delivers what is due, for a caller that does not wait. */
  start(journal: Journal, state = journal.peek()): void {
    if (!state || !this.hasDue(journal, state)) return
    this.notify(journal).catch((error: unknown) =>
      this.context.logger.error('notifying failed', {chargeId: journal.id, error: errorName(error)}),
    )
  }

  /**
   * Delivers what is due and not claimed. One run at a time within a charge. A handler that fails does not reject.
   *
   * @param force retries what has failed without its pause
   */
  notify(journal: Journal, force = false): Promise<NotificationResult> {
    const running = this.#runs.get(journal.id)
    if (running) {
      running.run.force ||= force
      return running.result
    }
    this.unfinished.add(journal.id)
    const run = {force}
    const result = this.inFlight.run('handlers', () => this.#run(journal, run))
    this.#runs.set(journal.id, {run, result})
    return result
  }

  async #run(journal: Journal, run: Run): Promise<NotificationResult> {
    let hasFailed = false
    try {
      // Again until nothing is due: more may be recorded while a handler runs.
      for (;;) {
        await this.reads.ended(journal)
        const state = await journal.state()
        if (mustSettleOrder(state)) {
          await settleOrder(this.context, journal)
          continue
        }
        let due = this.#due(journal, state, run.force)
        if (due.length === 0 || hasFailed) {
          const pending = this.#pending(journal, state)
          if (pending.length === 0) this.unfinished.delete(journal.id)
          return {
            hasFailed,
            pending: pending.map(({subject}) => state.notifications.get(subject) ?? neverTried),
          }
        }
        const charge = this.reads.chargeFor(journal, state)
        if (!charge && !state.archived)
          try {
            // It may also find that an expired or cancelled charge was paid elsewhere.
            await this.reads.readNow(journal)
            continue
          } catch (error) {
            // An alert may be that the charge cannot be read.
            due = due.filter(({handler}) => handler === 'onAlert')
            if (due.length === 0) throw error
          }
        const checkout = isOpened(state) ? this.#toCheckout(journal, state) : undefined
        const order = await orderOf(this.context, state)
        for (const notification of due) {
          if (hasEnded(notification) && (await hasMoneyElsewhere(this.context, state, this.reads))) {
            await this.#recordDone(journal, notification.subject, true)
            continue
          }
          const outcome = await this.#deliver(journal, notification, run, {checkout, charge, order})
          if (outcome === 'delivered') this.delivered += 1
          if (outcome === 'failed') hasFailed = true
        }
      }
    } finally {
      this.#runs.delete(journal.id)
    }
  }

  #toCheckout(journal: Journal, state: OpenedState): Checkout {
    const {time, test, offer} = this.context
    const context = {now: time.now(), stale: false, test, offer}
    return toCheckout(journal.id, state, context, this.reads.lastAssets(journal))
  }

  #pending(journal: Journal, state: ChargeState): PendingNotification[] {
    const {handlers, retention} = this.options
    // A newer version has to deliver them.
    if (state.isIncomplete) return []
    return pendingNotifications(journal.id, state, handlers).filter(({subject}) => {
      const {failures = 0, since = 0} = state.notifications.get(subject) ?? {}
      return failures === 0 || retention === 0 || since + retention > this.context.time.now()
    })
  }

  #due(journal: Journal, state: ChargeState, force: boolean): PendingNotification[] {
    return this.#pending(journal, state).filter(({subject}) => this.#isDue(journal, state, subject, force))
  }

  /** @param force ignores the pause after a failure */
  #isDue(journal: Journal, {notifications}: ChargeState, subject: string, force: boolean): boolean {
    const notification = notifications.get(subject)
    if (!notification) return true
    if (notification.done) return false
    const {time, clock} = this.context
    const at = force ? notification.until : nextAttemptAt(notification)
    // Or the pause has passed on this process's own clock: another one may have recorded a wrong time.
    const pauseMs = at - notification.at
    return at <= time.now() || clock.now() - this.#firstSeenAt(journal, subject, notification) >= pauseMs
  }

  #firstSeenAt(journal: Journal, subject: string, {at}: Notification): number {
    const key = `${journal.id} ${subject}`
    let first = this.#firstSeen.get(key)
    if (first?.at !== at) {
      first = {at, seenAt: this.context.clock.now()}
      this.#firstSeen.set(key, first)
    }
    return first.seenAt
  }

  /** `claimed`: by another process, or done already. */
  async #deliver(
    journal: Journal,
    {subject, handler, call}: PendingNotification,
    {force}: Run,
    found: Omit<CallContext, 'id' | 'signal'>,
  ): Promise<'delivered' | 'failed' | 'claimed'> {
    const {context} = this
    const {handlerTimeout} = this.options
    const until = context.time.now() + handlerTimeout + CLAIM_MARGIN_MS
    const {appended} = await journal.update(state =>
      this.#isDue(journal, state, subject, force)
        ? {kind: 'notified', subject, until, done: false}
        : undefined,
    )
    if (!appended) return 'claimed'
    try {
      const id = `${journal.id} ${subject}`
      await callHandler(context, handler, handlerTimeout, signal => call({...found, id, signal}))
    } catch (error) {
      context.logger.error('a handler failed and will be called again', {
        chargeId: journal.id,
        subject,
        error: errorName(error),
        // It is the merchant's own, and says what to mend.
        ...(error instanceof Error && {cause: error.message, stack: error.stack}),
      })
      await journal.update(({notifications}) =>
        notifications.get(subject)?.until === until ? {kind: 'notified', subject, done: false} : undefined,
      )
      return 'failed'
    }
    await this.#recordDone(journal, subject)
    return 'delivered'
  }

  /** Tries again while the store fails, because the handler would be called again. */
  async #recordDone(journal: Journal, subject: string, skipped = false): Promise<void> {
    const {clock} = this.context
    const deadline = clock.now() + CLAIM_MARGIN_MS
    for (;;)
      try {
        await journal.update(({notifications}) =>
          notifications.get(subject)?.done
            ? undefined
            : {kind: 'notified', subject, done: true, ...(skipped && {skipped})},
        )
        return
      } catch (error) {
        if (!(error instanceof StoreError) || clock.now() >= deadline) throw error
        await clock.sleep(RECORD_INTERVAL_MS)
      }
  }
}

/** Whether the notification says that the charge cannot be paid any more. */
function hasEnded({handler}: PendingNotification): boolean {
  return handler === 'onExpired' || handler === 'onCancelled'
}
