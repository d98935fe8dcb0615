/**
 * Telling the merchant about money: `onPayment` for each confirmed payment, `onPaid` once the charge is paid. Each is
 * claimed in the journal, then handed over, then noted as done; so it happens once, and twice only where a process died
 * between handing over and noting. A handler that throws leaves it untold.
 */
import {isPaid, type Charge, type Checkout, type ObservedPayment} from '../../contract/index.js'
import type {JournalRepository} from '../journal/repository.js'
import {paymentKey, type ChargeState} from '../journal/state.js'
import {errorName, type Logger} from '../logger.js'

/** `charge` is the payment charge as the service has it, with the merchant's own `metadata` and `ref_id`. */
export interface Handlers {
  onPaid?: (checkout: Checkout, context: {charge: Charge}) => unknown
  onPayment?: (payment: ObservedPayment, context: {checkout: Checkout; charge: Charge}) => unknown
}

export interface NotifyDeps extends Handlers {
  readonly journals: JournalRepository
  readonly logger: Logger
}

export interface NotificationResult {
  readonly delivered: number
  readonly failed: number
}

/** How long a claim holds before another process may finish it. */
const CLAIM_MS = 60_000
const PAID_SUBJECT = 'paid'

/** Whether there is something left to tell. What is being told just now is: its process may die before it has. */
export function hasPendingNotifications(state: ChargeState, handlers: Handlers): boolean {
  return pendingNotifications(state, handlers).length > 0
}

/** Hands over all that is untold and not claimed. Never rejects because of a handler: it counts. */
export async function notifyMerchant(
  checkout: Checkout,
  charge: Charge,
  deps: NotifyDeps,
): Promise<NotificationResult> {
  const {journals, logger} = deps
  const {chargeId} = checkout
  let delivered = 0
  let failed = 0
  for (const {subject, payment} of pendingNotifications(await journals.load(chargeId), deps)) {
    const claim = await claimSubject(subject)
    if (claim === undefined) continue
    try {
      if (payment) await deps.onPayment?.(payment, {checkout, charge})
      else await deps.onPaid?.(checkout, {charge})
      await journals.update(chargeId, () => ({kind: 'notified', subject, done: true}))
      delivered += 1
    } catch (error) {
      failed += 1
      logger.error('a handler failed; it will be tried again', {
        chargeId,
        about: subject,
        error: errorName(error),
      })
      await journals.update(chargeId, state =>
        state.notifications.get(subject)?.until === claim
          ? {kind: 'notified', subject, done: false}
          : undefined,
      )
    }
  }
  return {delivered, failed}

  /** @returns the end of our claim, or undefined when it is told or claimed already */
  async function claimSubject(subject: string): Promise<number | undefined> {
    const until = journals.clock.now() + CLAIM_MS
    const {appended} = await journals.update(chargeId, state =>
      isUnclaimed(state, subject, journals.clock.now())
        ? {kind: 'notified', subject, until, done: false}
        : undefined,
    )
    return appended ? until : undefined
  }
}

function pendingNotifications(
  state: ChargeState,
  {onPaid, onPayment}: Handlers,
): {subject: string; payment?: ObservedPayment}[] {
  return [
    ...[...state.payments.values()]
      .filter(payment => onPayment && payment.confirmed)
      .map(payment => ({subject: `payment ${paymentKey(payment)}`, payment})),
    ...(onPaid && isPaid(state.status) ? [{subject: PAID_SUBJECT}] : []),
  ].filter(({subject}) => !state.notifications.get(subject)?.done)
}

function isUnclaimed({notifications: told}: ChargeState, subject: string, now: number): boolean {
  const last = told.get(subject)
  return !last || (!last.done && last.until <= now)
}
