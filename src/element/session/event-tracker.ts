import {isPaid, type Checkout} from '../../contract/checkout.js'
import {checkoutOf, type Action, type State} from '../../core/advance.js'
import {phaseOf} from '../../core/phase.js'
import {
  CheckoutCancelledEvent,
  CheckoutChangedEvent,
  CheckoutErrorEvent,
  CheckoutExpiredEvent,
  CheckoutPaidEvent,
  CheckoutUnderpaidEvent,
  type CheckoutEventMap,
} from '../events.js'

/** Maps a state transition to DOM events, and suppresses duplicates. */
export class EventTracker {
  #paid = new Set<string>()
  #problems = new Set<string>()

  eventsFor(before: State, action: Action, after: State): CheckoutEventMap[keyof CheckoutEventMap][] {
    const sent: CheckoutEventMap[keyof CheckoutEventMap][] = []
    const [last, checkout] = [checkoutOf(before), checkoutOf(after)]
    if (phaseOf(before) !== phaseOf(after) || differs(last, checkout))
      sent.push(new CheckoutChangedEvent(checkout))
    if (checkout) sent.push(...this.#milestone(last, checkout))
    if (action.kind === 'failed' || action.kind === 'refused') {
      // An unchanged state means a late response. In `loading` the charge starts over silently.
      const counts = after !== before && after.kind !== 'loading' && !this.#problems.has(action.problem.code)
      if (counts) sent.push(new CheckoutErrorEvent(action.problem))
      if (counts) this.#problems.add(action.problem.code)
    } else if (action.kind === 'opened' || action.kind === 'read' || action.kind === 'start') {
      this.#problems.clear()
    }
    return sent
  }

  #milestone(last: Checkout | null, checkout: Checkout): CheckoutEventMap[keyof CheckoutEventMap][] {
    const {chargeId, status} = checkout
    const isNew = last?.chargeId !== chargeId || last.status !== status
    if (isPaid(status)) {
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

/** Whether two checkouts differ in anything but `serverTime`. */
function differs(a: Checkout | null, b: Checkout | null): boolean {
  if (a === b) return false
  return !a || !b || JSON.stringify({...a, serverTime: ''}) !== JSON.stringify({...b, serverTime: ''})
}
