/**
 * Calls the merchant's handlers. Each notification is claimed in the journal, delivered, and recorded as done. So it is
 * delivered once, or again if its process crashes before recording or the handler fails.
 */
import {withTimeout, type Charge} from '../../contract/index.js'
import type {InFlight} from '../async/in-flight.js'
import {runExclusive} from '../async/run-exclusive.js'
import type {MintDeps} from '../charge/mint.js'
import {ChargeCache} from '../charge-cache.js'
import {fetchCharge} from '../charge/open.js'
import {isOpened, toCheckout, type OpenedState} from '../checkout/to-checkout.js'
import type {Diagnostics, HandlerName} from '../diagnostics.js'
import {CheckoutError, StoreError} from '../errors.js'
import type {ChargeState, Notification} from '../journal/state.js'
import {errorName} from '../logger.js'
import {nextAttemptAt, pendingNotifications, type Handlers, type PendingNotification} from './pending.js'

export interface NotifierOptions extends MintDeps {
  readonly handlers: Handlers
  /** Milliseconds after which a handler counts as failed. */
  readonly handlerTimeout: number
  /** Milliseconds after the first attempt until which a failed notification is retried; 0 for ever. */
  readonly retention: number
  /** The api-key is a test key. */
  readonly test: boolean
  readonly inFlight: InFlight
  readonly diagnostics: Diagnostics
}

export interface NotificationResult {
  readonly delivered: number
  readonly failed: number
  /** Milliseconds: the end of another process's claim on a notification that is still pending. */
  readonly claimedUntil: number | undefined
}

export interface NotifyOptions {
  /** The payment charge, if it was just read. */
  readonly charge?: Charge | undefined
  /** Retries failed notifications without their pause. */
  readonly force?: boolean
}

/** A claim outlasts its handler by this time. */
const CLAIM_MARGIN_MS = 30_000
/** Between two tries to record that a handler succeeded. */
const RECORD_INTERVAL_MS = 1_000

export class Notifier {
  /** Charges of which this process has not delivered everything that was due. */
  readonly unfinished = new Set<string>()
  readonly #queue = new Map<string, Promise<unknown>>()
  /** By charge and subject: when this process first saw the last entry, which was recorded `at`. A sweep keeps no state. */
  readonly #seen: ChargeCache<{readonly at: number; readonly seenAt: number}>

  /** Payment charges whose notifications are not finished: a retry does not need the service. */
  readonly #charges: ChargeCache<Charge>

  constructor(readonly options: NotifierOptions) {
    this.#seen = new ChargeCache(options.journals.clock)
    this.#charges = new ChargeCache(options.journals.clock)
  }

  /** Whether a notification is not done. One in progress counts, because its process may crash. */
  hasPending(chargeId: string, state: ChargeState): boolean {
    return this.#pending(chargeId, state).length > 0
  }

  /** Whether a notification can be delivered now. */
  hasDue(chargeId: string, state: ChargeState): boolean {
    return this.#pending(chargeId, state).some(({subject}) => this.#isDue(chargeId, state, subject, false))
  }

  /**
   * Delivers what is pending and not claimed. One run at a time within a charge, so that each caller knows whether an
   * earlier run succeeded. A handler that fails is counted and does not reject.
   */
  notify(chargeId: string, options: NotifyOptions = {}): Promise<NotificationResult> {
    const {inFlight} = this.options
    this.unfinished.add(chargeId)
    return inFlight.run('handlers', () =>
      runExclusive(this.#queue, chargeId, () => this.#notify(chargeId, options)),
    )
  }

  /** Delivers what is due, for a caller that does not wait. */
  notifyInBackground(chargeId: string, charge?: Charge): void {
    const state = this.options.journals.peek(chargeId)
    if (!state || this.#queue.has(chargeId) || !this.hasDue(chargeId, state)) return
    this.notify(chargeId, {charge}).catch((error: unknown) =>
      this.options.logger.error('notifying failed', {chargeId, error: errorName(error)}),
    )
  }

  async #notify(
    chargeId: string,
    {charge: known, force = false}: NotifyOptions,
  ): Promise<NotificationResult> {
    const {journals, poller, test} = this.options
    let delivered = 0
    let failed = 0
    let latest = known
    // Again until nothing is due: more may be recorded while a handler runs.
    for (;;) {
      const state = openedState(await journals.load(chargeId))
      const pending = this.#pending(chargeId, state)
      const due = pending.filter(({subject}) => this.#isDue(chargeId, state, subject, force))
      if (due.length === 0 || failed > 0) {
        const claims = pending.map(({subject}) => state.notifications.get(subject)?.until ?? 0)
        const claimedUntil = Math.max(0, ...claims) || undefined
        if (failed === 0 && claimedUntil === undefined) {
          this.unfinished.delete(chargeId)
          this.#charges.delete(chargeId)
        }
        return {delivered, failed, claimedUntil}
      }
      if (!latest && due.some(({subject}) => subject === 'expired' || subject === 'cancelled')) {
        // Only the payment charge shows that it was paid elsewhere, and the poll may not have read it.
        latest = (await poller.readNow(chargeId)).charge
        if (latest) continue
      }
      const charge = await this.#charge(chargeId, latest)
      const context = {now: journals.time.now(), stale: false, test}
      const checkout = toCheckout(chargeId, state, context, poller.lastAssets(chargeId))
      for (const notification of due) {
        const claim = await this.#claim(chargeId, notification.subject, force)
        if (claim === undefined) continue
        const call = (signal: AbortSignal) => notification.call(checkout, {charge, signal})
        if (await this.#deliver(chargeId, notification, claim, call)) delivered += 1
        else failed += 1
      }
      if (failed > 0) continue
      // What is recorded from now on is newer than this charge.
      latest = undefined
      this.#charges.delete(chargeId)
    }
  }

  /** @param latest the charge, if it was just read */
  async #charge(chargeId: string, latest: Charge | undefined): Promise<Charge> {
    const charge =
      latest ?? this.#charges.get(chargeId) ?? (await fetchCharge(chargeId, this.options.service))
    this.#charges.delete(chargeId)
    return this.#charges.getOrCreate(chargeId, () => charge)
  }

  #pending(chargeId: string, state: ChargeState): PendingNotification[] {
    const {handlers, journals, retention} = this.options
    return pendingNotifications(chargeId, state, handlers).filter(({subject}) => {
      const {failures = 0, since = 0} = state.notifications.get(subject) ?? {}
      return failures === 0 || retention === 0 || since + retention > journals.time.now()
    })
  }

  /** @param force ignores the pause after a failure */
  #isDue(chargeId: string, {notifications}: ChargeState, subject: string, force: boolean): boolean {
    const notification = notifications.get(subject)
    if (!notification) return true
    if (notification.done) return false
    const {time, clock} = this.options.journals
    const at = force ? notification.until : nextAttemptAt(notification)
    // Or the pause has passed on this process's own clock: another one may have recorded a wrong time.
    return (
      at <= time.now() ||
      clock.now() - this.#firstSeenAt(`${chargeId} ${subject}`, notification) >= at - notification.at
    )
  }

  #firstSeenAt(key: string, {at}: Notification): number {
    if (this.#seen.get(key)?.at !== at) this.#seen.delete(key)
    return this.#seen.getOrCreate(key, () => ({at, seenAt: this.options.journals.clock.now()})).seenAt
  }

  /** Returns the end of our claim, or undefined when the notification is done or claimed already. */
  async #claim(chargeId: string, subject: string, force: boolean): Promise<number | undefined> {
    const {journals, handlerTimeout} = this.options
    const until = journals.time.now() + handlerTimeout + CLAIM_MARGIN_MS
    const {appended} = await journals.update(chargeId, state =>
      this.#isDue(chargeId, state, subject, force)
        ? {kind: 'notified', subject, until, done: false}
        : undefined,
    )
    return appended ? until : undefined
  }

  async #deliver(
    chargeId: string,
    {subject, handler}: PendingNotification,
    claim: number,
    call: (signal: AbortSignal) => unknown,
  ): Promise<boolean> {
    const {journals, logger, handlerTimeout, diagnostics} = this.options
    try {
      await callHandler(handler, call, journals.clock, handlerTimeout, diagnostics)
    } catch (error) {
      logger.error('a handler failed and will be called again', {
        chargeId,
        subject,
        error: errorName(error),
      })
      await journals.update(chargeId, state =>
        state.notifications.get(subject)?.until === claim
          ? {kind: 'notified', subject, done: false}
          : undefined,
      )
      return false
    }
    await this.#recordDone(chargeId, subject)
    return true
  }

  /** Tries again while the store fails, because the handler would be called again. */
  async #recordDone(chargeId: string, subject: string): Promise<void> {
    const {journals} = this.options
    const {clock} = journals
    const deadline = clock.now() + CLAIM_MARGIN_MS
    for (;;)
      try {
        await journals.update(chargeId, ({notifications}) =>
          notifications.get(subject)?.done ? undefined : {kind: 'notified', subject, done: true},
        )
        return
      } catch (error) {
        if (!(error instanceof StoreError) || clock.now() >= deadline) throw error
        await clock.sleep(RECORD_INTERVAL_MS)
      }
  }
}

class HandlerTimeoutError extends Error {
  override readonly name = 'HandlerTimeoutError'
}

/** Rejects when the handler throws, rejects or takes too long. Then its signal is aborted. */
export function callHandler(
  handler: HandlerName,
  call: (signal: AbortSignal) => unknown,
  clock: Parameters<typeof withTimeout>[0],
  timeoutMs: number,
  diagnostics: Diagnostics,
): Promise<void> {
  const callWithTimeout = () =>
    withTimeout(
      clock,
      timeoutMs,
      async signal => {
        await call(signal)
      },
      () => {
        throw new HandlerTimeoutError()
      },
    )
  return diagnostics.trace('notify', {handler}, callWithTimeout, error =>
    error instanceof HandlerTimeoutError ? 'handler_timeout' : 'handler_failed',
  )
}

function openedState(state: ChargeState): OpenedState {
  if (!isOpened(state)) throw new CheckoutError('not_open')
  return state
}
