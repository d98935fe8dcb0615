import {isPaid, type Checkout} from '../contract/checkout.js'
import type {Problem} from '../contract/problem.js'
import {
  addressesOf,
  type AlarmReason,
  type Active,
  type Choice,
  type Pair,
  type Refusal,
  type State,
  type Step,
} from './advance.js'

/** A phase, and what its view needs. */
export type ViewState =
  | {readonly phase: 'idle'}
  | {readonly phase: 'loading'}
  | ({readonly phase: 'unavailable'; readonly reason: UnavailableReason} & OrderOf)
  | (Latest & ChoosingState)
  | (Latest & {readonly phase: 'paying'; readonly step: Extract<Step, {kind: 'paying'}>})
  /** `last`: the pair whose address was displayed last. */
  | (Latest & {readonly phase: 'underpaid'; readonly last: Pair | null})
  | (Latest & {readonly phase: 'confirming' | 'paid' | 'overpaid' | 'expired' | 'cancelled'})

type Latest = Pick<Active, 'checkout' | 'problem'>

/** What the customer can tell the shop, and where the shop is; only the id before the first checkout. */
type OrderOf = Pick<Checkout, 'chargeId' | 'reference' | 'redirectUrl'>

/** `earlier`: the pair whose address was displayed last: money may have been sent to it. */
type ChoosingState = {readonly earlier: Pair | null} & (
  | {
      readonly phase: 'choosing'
      readonly asset: string | null
      readonly refused: Refusal | null
      readonly part: string | null
    }
  | {readonly phase: 'quoting'; readonly pair: Choice}
)

export type UnavailableReason =
  | {readonly kind: 'problem'; readonly problem: Problem}
  /** `addresses`: those that were displayed. */
  | {readonly kind: 'alarm'; readonly reason: AlarmReason; readonly addresses: readonly string[]}
  | {readonly kind: 'alert'; readonly alert: Alert; readonly addresses: readonly string[]}
  /** Not payable, without a reason from the proxy. */
  | {readonly kind: 'closed'}

/** The alerts that may end. */
export type Alert = Exclude<NonNullable<Checkout['alert']>, AlarmReason>

export type Phase = ViewState['phase']

export function phaseOf(state: State): Phase {
  return viewStateOf(state).phase
}

export function viewStateOf(state: State): ViewState {
  switch (state.kind) {
    case 'idle':
    case 'loading':
      return {phase: state.kind}
    case 'unavailable':
      return {
        phase: 'unavailable',
        reason: {kind: 'problem', problem: state.problem},
        chargeId: state.chargeId,
      }
    case 'alarmed':
      return {
        phase: 'unavailable',
        reason: {kind: 'alarm', reason: state.reason, addresses: state.addresses},
        ...orderOf(state.checkout),
      }
    case 'active':
      return activeViewState(state)
  }
}

function activeViewState(state: Active): ViewState {
  const {checkout, problem} = state
  const {alert} = checkout
  if (alert && alert !== 'address_mismatch' && !isPaid(checkout.status))
    return {
      phase: 'unavailable',
      reason: {kind: 'alert', alert, addresses: addressesOf(state.displayed)},
      ...orderOf(checkout),
    }
  switch (checkout.status) {
    case 'pending':
      return {phase: 'confirming', checkout, problem}
    case 'open':
      return checkout.payable
        ? payableViewState(state)
        : {phase: 'unavailable', reason: {kind: 'closed'}, ...orderOf(checkout)}
    case 'underpaid':
      return checkout.payable && state.step.kind !== 'initial'
        ? payableViewState(state)
        : {phase: 'underpaid', checkout, last: state.displayed.at(-1) ?? null, problem}
    default:
      return {phase: checkout.status, checkout, problem}
  }
}

function orderOf({chargeId, reference, redirectUrl}: Checkout): OrderOf {
  return {
    chargeId,
    ...(reference !== undefined && {reference}),
    ...(redirectUrl !== undefined && {redirectUrl}),
  }
}

function payableViewState({checkout, step, displayed, problem}: Active): ViewState {
  const earlier = displayed.at(-1) ?? null
  switch (step.kind) {
    case 'initial':
      return {phase: 'choosing', checkout, asset: null, refused: null, part: null, earlier, problem}
    case 'choosing':
      return {
        phase: 'choosing',
        checkout,
        asset: step.asset,
        refused: step.refused,
        part: step.part,
        earlier,
        problem,
      }
    case 'quoting':
      return {phase: 'quoting', checkout, pair: step.pair, earlier, problem}
    case 'paying':
      return {phase: 'paying', checkout, step, problem}
  }
}
