/** What the customer sees: one phase, one face, and exactly what that face needs to be drawn. */
import type {Checkout} from '../contract/checkout.js'
import type {Problem} from '../contract/problem.js'
import type {AlarmReason, Following, Pair, Refusal, State, Way} from './advance.js'

export type Scene =
  | {readonly phase: 'idle'}
  | {readonly phase: 'loading'}
  | {readonly phase: 'unavailable'; readonly why: Trouble; readonly chargeId: string}
  | {
      readonly phase: 'choosing'
      readonly checkout: Checkout
      readonly asset: string | null
      readonly refused: Refusal | null
      /** The pair whose address this page showed last, if it did: money may be on its way there. */
      readonly earlier: Pair | null
      readonly problem: Problem | null
    }
  | {
      readonly phase: 'quoting'
      readonly checkout: Checkout
      readonly pair: Pair
      readonly earlier: Pair | null
      readonly problem: Problem | null
    }
  | {
      readonly phase: 'paying'
      readonly checkout: Checkout
      readonly way: Extract<Way, {step: 'paying'}>
      readonly problem: Problem | null
    }
  | {
      readonly phase: 'underpaid'
      readonly checkout: Checkout
      /** The pair that this page showed last, if it did. */
      readonly last: Pair | null
      readonly problem: Problem | null
    }
  | {
      readonly phase: 'confirming' | 'paid' | 'overpaid' | 'expired' | 'cancelled'
      readonly checkout: Checkout
      readonly problem: Problem | null
    }

export type Trouble =
  | {readonly kind: 'problem'; readonly problem: Problem}
  | {readonly kind: 'alarm'; readonly reason: AlarmReason; readonly addresses: readonly string[]}
  /** The proxy says that nothing may be paid, and gives no reason. */
  | {readonly kind: 'closed'}

export type Phase = Scene['phase']

export function phaseOf(state: State): Phase {
  return sceneOf(state).phase
}

export function sceneOf(state: State): Scene {
  switch (state.at) {
    case 'idle':
    case 'loading':
      return {phase: state.at}
    case 'unavailable':
      return {
        phase: 'unavailable',
        why: {kind: 'problem', problem: state.problem},
        chargeId: state.chargeId,
      }
    case 'alarmed':
      return {
        phase: 'unavailable',
        why: {kind: 'alarm', reason: state.reason, addresses: state.addresses},
        chargeId: state.checkout.chargeId,
      }
    case 'following':
      return followed(state)
  }
}

function followed(state: Following): Scene {
  const {checkout, problem} = state
  switch (checkout.status) {
    case 'pending':
      return {phase: 'confirming', checkout, problem}
    case 'open':
      return checkout.payable
        ? onTheWay(state)
        : {phase: 'unavailable', why: {kind: 'closed'}, chargeId: checkout.chargeId}
    case 'underpaid':
      return checkout.payable && state.way.step !== 'begin'
        ? onTheWay(state)
        : {phase: 'underpaid', checkout, last: state.shown.at(-1) ?? null, problem}
    default:
      return {phase: checkout.status, checkout, problem}
  }
}

function onTheWay({checkout, way, shown, problem}: Following): Scene {
  const earlier = shown.at(-1) ?? null
  switch (way.step) {
    case 'begin':
      return {phase: 'choosing', checkout, asset: null, refused: null, earlier, problem}
    case 'choosing':
      return {phase: 'choosing', checkout, asset: way.asset, refused: way.refused, earlier, problem}
    case 'quoting':
      return {phase: 'quoting', checkout, pair: way.pair, earlier, problem}
    case 'paying':
      return {phase: 'paying', checkout, way, problem}
  }
}
