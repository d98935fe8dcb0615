/** What is on screen: the setup of the element, what the customer has done, and the theme. It is held in the URL. */
import {operations, faults} from '../../../demo/faults.js'
import type {Phase} from '../../../src/core/phase.js'
import {catalogue} from '../../../src/sandbox/catalogue.js'
import type {Operation} from '../../../src/sandbox/operations.js'
import {plainTheme, type Theme} from './theme.js'

export interface Pair {
  readonly asset: string
  readonly network: string
}

/** What the customer, the payment service or the time does, apart from the choice of a pair. */
export const acts = [
  'exact',
  'less',
  'more',
  'unconfirmed',
  'confirm',
  'fail',
  'drop',
  'late',
  'wrong',
  'elsewhere',
  'expire',
  'cancel',
  'minute',
  'quarter',
  'hour',
] as const

export type Act = (typeof acts)[number]
/** A pair: the customer requested its quote. */
export type Step = Act | Pair

export interface FaultChoice {
  readonly operation: Operation | '*'
  /** A key of `faults`. */
  readonly id: string
}

export const stacks = ['html', 'react', 'next', 'vue', 'svelte', 'angular'] as const
export type Stack = (typeof stacks)[number]

export const panels = ['customer', 'setup', 'theme', 'code'] as const
export type Panel = (typeof panels)[number]

/** Of the element, in px. Zero: as wide as the page allows. */
export const widths = [0, 280, 320, 360, 480, 720] as const

export interface PlaygroundState {
  /** False for the phase `idle`. */
  readonly hasCharge: boolean
  /** The preselected asset and network. */
  readonly pair: Pair | null
  /** In this order, from a new charge. */
  readonly steps: readonly Step[]
  /** Set after the steps. */
  readonly fault: FaultChoice | null
  /** Whether time stands still, for the element, the proxy and the service. */
  readonly isPaused: boolean
  /** A translation; empty for the language of the page. */
  readonly locale: string
  readonly direction: '' | 'ltr' | 'rtl'
  readonly colorScheme: 'auto' | 'light' | 'dark'
  readonly width: (typeof widths)[number]
  readonly qr: 'address' | 'request'
  readonly wallets: 'auto' | 'none'
  readonly autoRedirect: boolean
  readonly forget: boolean
  readonly modal: boolean
  readonly theme: Theme
  readonly stack: Stack
  readonly panel: Panel
}

export const initialState: PlaygroundState = {
  hasCharge: true,
  pair: null,
  steps: [],
  fault: null,
  isPaused: false,
  locale: '',
  direction: '',
  colorScheme: 'auto',
  width: 0,
  qr: 'address',
  wallets: 'auto',
  autoRedirect: false,
  forget: false,
  modal: false,
  theme: plainTheme,
  stack: 'html',
  panel: 'customer',
}

export const usdtOnBsc: Pair = {asset: '825', network: 'bsc'}

/** Every asset on each of its networks. */
export const pairs: readonly (Pair & {readonly name: string})[] = catalogue.flatMap(
  ({convertId, symbol, networks}) =>
    networks.map(network => ({
      asset: convertId,
      network: network.name,
      name: `${symbol} on ${network.name}`,
    })),
)

export function isSamePair(a: Pair | null, b: Pair | null): boolean {
  return a?.asset === b?.asset && a?.network === b?.network
}

export function isFaultChoice({operation, id}: {operation: string; id: string}): boolean {
  return Object.hasOwn(operations, operation) && Object.hasOwn(faults, id)
}

/** The pair of the last quote that the customer requested. */
export function lastQuoted(steps: readonly Step[]): Pair | null {
  return steps.findLast(step => typeof step === 'object') ?? null
}

/** How a charge reaches a phase. `quote`: with an address; `preselected`: the element requests it. */
const setups: Readonly<
  Record<
    Phase,
    {
      quote?: boolean
      preselected?: boolean
      act?: Act
      fault?: FaultChoice
    }
  >
> = {
  idle: {},
  loading: {fault: {operation: '*', id: 'delay-30'}},
  unavailable: {fault: {operation: '*', id: 'status-503'}},
  choosing: {},
  quoting: {preselected: true, fault: {operation: 'convert', id: 'delay-30'}},
  paying: {quote: true},
  confirming: {quote: true, act: 'unconfirmed'},
  underpaid: {quote: true, act: 'less'},
  paid: {quote: true, act: 'exact'},
  overpaid: {quote: true, act: 'more'},
  expired: {quote: true, act: 'expire'},
  cancelled: {quote: true, act: 'cancel'},
}

export const phases = Object.keys(setups).filter(isPhase)

export function isPhase(name: string): name is Phase {
  return Object.hasOwn(setups, name)
}

/** A new charge in this phase. Loading and quoting last only while time stands still. */
export function inPhase(state: PlaygroundState, phase: Phase): PlaygroundState {
  const {quote, preselected, act, fault = null} = setups[phase]
  const pair = state.pair ?? lastQuoted(state.steps) ?? usdtOnBsc
  return {
    ...state,
    hasCharge: phase !== 'idle',
    pair: preselected ? pair : quote ? state.pair : null,
    steps: [...(quote ? [pair] : []), ...(act ? [act] : [])],
    fault,
    isPaused: phase === 'loading' || phase === 'quoting',
  }
}

/** Preselects another pair, or none, for a new charge in which the customer does the same. */
export function withPair(state: PlaygroundState, pair: Pair | null): PlaygroundState {
  const last = lastQuoted(state.steps)
  const steps = state.steps.map(step =>
    pair && typeof step === 'object' && isSamePair(step, last) ? pair : step,
  )
  return {...state, pair, steps: pair ? steps : []}
}
