/**
 * Merchant notifications: `onPayment` for each confirmed payment, `onPaid` once the charge is paid. Each one is claimed
 * in the journal, delivered, and recorded as done. So it is delivered once, or twice if a process crashes between
 * delivering and recording. If the handler throws, it stays pending.
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

/** After this time another process may deliver a claimed notification. */
const CLAIM_MS = 60_000
const PAID_SUBJECT = 'paid'

/** True while a notification is not done. One in progress counts, because its process may crash. */
export function hasPendingNotifications(state: ChargeState, handlers: Handlers): boolean {
  return pendingNotifications(state, handlers).length > 0
}

/** Delivers what is pending and not claimed. A handler that throws is counted, and does not reject. */
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
    }
  }
  return {delivered, failed}

  /** Returns the end of our claim, or undefined when the notification is done or claimed already. */
  async function claimSubject(subject: string): Promise<number | undefined> {
    const until = journals.time.now() + CLAIM_MS
    const {appended} = await journals.update(chargeId, state =>
      isUnclaimed(state, subject, journals.time.now())
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

function isUnclaimed({notifications}: ChargeState, subject: string, now: number): boolean {
  const last = notifications.get(subject)
  return !last || (!last.done && last.until <= now)
}
