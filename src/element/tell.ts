/** What a change of state has to tell the page. Remembers what it has told, and only that. */
import type {Checkout} from '../contract/checkout.js'
import {checkoutOf, settled, type Event, type State} from '../core/advance.js'
import {phaseOf} from '../core/phase.js'
import {
  CheckoutCancelledEvent,
  CheckoutChangedEvent,
  CheckoutErrorEvent,
  CheckoutExpiredEvent,
  CheckoutPaidEvent,
  CheckoutUnderpaidEvent,
  type CheckoutEventMap,
} from './events.js'

export class Teller {
  #paid = new Set<string>()
  #problems = new Set<string>()

  tell(before: State, event: Event, after: State): CheckoutEventMap[keyof CheckoutEventMap][] {
    const told: CheckoutEventMap[keyof CheckoutEventMap][] = []
    const [last, checkout] = [checkoutOf(before), checkoutOf(after)]
    if (phaseOf(before) !== phaseOf(after) || differs(last, checkout))
      told.push(new CheckoutChangedEvent(checkout))
    if (checkout) told.push(...this.#milestone(last, checkout))
    if (event.type === 'failed' || event.type === 'refused') {
      // Nothing changed: the answer came too late. Loading: nothing was open, and nobody needs to know.
      const counts = after !== before && after.at !== 'loading' && !this.#problems.has(event.problem.code)
      if (counts) told.push(new CheckoutErrorEvent(event.problem))
      if (counts) this.#problems.add(event.problem.code)
    } else if (event.type === 'opened' || event.type === 'read' || event.type === 'follow') {
      this.#problems.clear()
    }
    return told
  }

  #milestone(last: Checkout | null, checkout: Checkout): CheckoutEventMap[keyof CheckoutEventMap][] {
    const {chargeId, status} = checkout
    const isNew = last?.chargeId !== chargeId || last.status !== status
    if (settled(status)) {
      if (this.#paid.has(chargeId)) return []
      this.#paid.add(chargeId)
      return [new CheckoutPaidEvent(checkout)]
    }
    if (status === 'underpaid' && (isNew || last.due.amount !== checkout.due.amount))
      return [new CheckoutUnderpaidEvent(checkout)]
    if (status === 'expired' && isNew) return [new CheckoutExpiredEvent(checkout)]
    if (status === 'cancelled' && isNew) return [new CheckoutCancelledEvent(checkout)]
    return []
  }
}

/** The time of the answer alone is no change. */
function differs(a: Checkout | null, b: Checkout | null): boolean {
  if (a === b) return false
  return !a || !b || JSON.stringify({...a, serverTime: ''}) !== JSON.stringify({...b, serverTime: ''})
}
