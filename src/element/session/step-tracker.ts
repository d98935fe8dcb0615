import {isPaid} from '../../contract/checkout.js'
import {checkoutOf, type Action, type Pair, type State} from '../../core/advance.js'
import {CheckoutStepEvent, type CheckoutStep, type StepName} from '../events.js'

/** Maps what happens to the steps of a funnel. A step that is also the last one is not reported again. */
export class StepTracker {
  #last = ''
  /** The charge and the step, of those that each charge reaches once. */
  readonly #once = new Set<string>()

  eventsFor(before: State, action: Action, after: State): CheckoutStepEvent[] {
    if (action.kind === 'start') this.#last = ''
    const [last, checkout] = [checkoutOf(before), checkoutOf(after)]
    if (!checkout) return []
    const [from, to] = [choiceOf(before), choiceOf(after)]
    const isChoice = action.kind === 'expandAsset' || action.kind === 'requestQuote'
    const isAssetNew = isChoice && !!to.asset && to.asset !== from.asset
    const isNetworkNew = isChoice && !!to.network && (isAssetNew || to.network !== from.network)
    const isQuoted = action.kind === 'quoted' || action.kind === 'opened'
    const reached: [StepName, boolean][] = [
      ['opened', this.#isFirst(checkout.chargeId, 'opened')],
      ['asset', isAssetNew],
      ['network', isNetworkNew],
      ['quoted', isQuoted && quotedAt(after) !== undefined && quotedAt(after) !== quotedAt(before)],
      ['seen', !isPaid(last?.status) && checkout.payments.length > (last?.payments.length ?? 0)],
      ['paid', isPaid(checkout.status) && this.#isFirst(checkout.chargeId, 'paid')],
    ]
    return reached.flatMap(([step, isReached]) => (isReached ? this.eventFor(step, to) : []))
  }

  /** Nothing if it is the last step. */
  eventFor(step: StepName, {asset, network}: Partial<Pair>): CheckoutStepEvent[] {
    const key = `${step} ${asset} ${network}`
    if (key === this.#last) return []
    this.#last = key
    const detail: CheckoutStep = {step, ...(asset && {asset}), ...(network && {network})}
    return [new CheckoutStepEvent(Object.freeze(detail))]
  }

  #isFirst(chargeId: string, step: StepName): boolean {
    const key = `${step} ${chargeId}`
    return !this.#once.has(key) && !!this.#once.add(key)
  }
}

/** What is chosen now, else the pair that was shown last. */
function choiceOf(state: State): Partial<Pair> {
  if (state.kind !== 'active') return {}
  const {step, displayed} = state
  if (step.kind === 'choosing') return step.asset === null ? {} : {asset: step.asset}
  if (step.kind === 'quoting') return step.pair
  return (step.kind === 'paying' ? step.quote : displayed.at(-1)) ?? {}
}

function quotedAt(state: State): string | undefined {
  return state.kind === 'active' && state.step.kind === 'paying' ? state.step.quote.quotedAt : undefined
}
