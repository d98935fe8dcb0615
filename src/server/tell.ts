/**
 * Telling the merchant about money: `onPayment` for each confirmed payment, `onPaid` once the charge is paid. Each is
 * claimed in the journal, then handed over, then noted as done; so it happens once, and twice only where a process died
 * between handing over and noting. A handler that throws leaves it untold.
 */
import type {Charge, Checkout, PaymentSeen} from '../contract/index.js'
import type {Journals} from './journal/journals.js'
import {paymentKey, type ChargeState} from './journal/state.js'
import {errorKind, type Logger} from './log.js'

/** `charge` is the payment charge as the service has it, with the merchant's own `metadata` and `ref_id`. */
export interface Handlers {
  onPaid?: (checkout: Checkout, context: {charge: Charge}) => unknown
  onPayment?: (payment: PaymentSeen, context: {checkout: Checkout; charge: Charge}) => unknown
}

export interface Telling extends Handlers {
  readonly journals: Journals
  readonly logger: Logger
}

export interface Told {
  readonly delivered: number
  readonly failed: number
}

/** How long a claim holds before another process may finish it. */
const CLAIMED_FOR = 60_000
const ABOUT_PAID = 'paid'

/** Whether there is something left to tell. What is being told just now is: its process may die before it has. */
export function hasUntold(state: ChargeState, handlers: Handlers): boolean {
  return untold(state, handlers).length > 0
}

/** Hands over all that is untold and not claimed. Never rejects because of a handler: it counts. */
export async function tell(checkout: Checkout, charge: Charge, telling: Telling): Promise<Told> {
  const {journals, logger} = telling
  const {chargeId} = checkout
  let delivered = 0
  let failed = 0
  for (const {about, payment} of untold(await journals.load(chargeId), telling)) {
    const claim = await claimed(about)
    if (claim === undefined) continue
    try {
      if (payment) await telling.onPayment?.(payment, {checkout, charge})
      else await telling.onPaid?.(checkout, {charge})
      await journals.change(chargeId, () => ({kind: 'told', about, done: true}))
      delivered += 1
    } catch (error) {
      failed += 1
      logger.error('a handler failed; it will be tried again', {chargeId, about, error: errorKind(error)})
      await journals.change(chargeId, state =>
        state.told.get(about)?.until === claim ? {kind: 'told', about, done: false} : undefined,
      )
    }
  }
  return {delivered, failed}

  /** @returns the end of our claim, or undefined when it is told or claimed already */
  async function claimed(about: string): Promise<number | undefined> {
    const until = journals.clock.now() + CLAIMED_FOR
    const {appended} = await journals.change(chargeId, state =>
      isFree(state, about, journals.clock.now()) ? {kind: 'told', about, until, done: false} : undefined,
    )
    return appended ? until : undefined
  }
}

function untold(state: ChargeState, {onPaid, onPayment}: Handlers): {about: string; payment?: PaymentSeen}[] {
  const isPaid = state.status === 'paid' || state.status === 'overpaid'
  return [
    ...[...state.payments.values()]
      .filter(payment => onPayment && payment.confirmed)
      .map(payment => ({about: `payment ${paymentKey(payment)}`, payment})),
    ...(onPaid && isPaid ? [{about: ABOUT_PAID}] : []),
  ].filter(({about}) => !state.told.get(about)?.done)
}

function isFree({told}: ChargeState, about: string, now: number): boolean {
  const last = told.get(about)
  return !last || (!last.done && last.until <= now)
}
