/**
 * The steps of a simulation as JSON, so that a failing history can be added to `regressions.json`. Every step is valid in
 * every state (some do nothing), so that a failing history can shrink.
 */
import fc from 'fast-check'
import type {Fault} from '../../src/sandbox/faults.js'
import type {Operation} from '../../src/sandbox/operations.js'
import {webhookFormats, type WebhookFormat} from '../../src/sandbox/webhook-formats.js'
import {faults, oddResponses} from './fault-table.js'

export const pairs = [
  {asset: '825', network: 'bsc'},
  {asset: '825', network: 'ethereum'},
  {asset: '1027', network: 'ethereum'},
  {asset: '4030', network: 'algorand'},
] as const

export type Amount = 'shown' | 'less' | 'more' | 'part' | '0.01'

/** `tab`, `pair` and `proxy` count from 0. */
export type Step =
  // The customer
  | {readonly kind: 'open a tab'}
  | {readonly kind: 'reload' | 'leave' | 'return' | 'hide' | 'show'; readonly tab: number}
  | {readonly kind: 'go back' | 'request a quote' | 'refresh'; readonly tab: number}
  | {readonly kind: 'choose'; readonly tab: number; readonly pair: number}
  | {readonly kind: 'pay'; readonly tab: number; readonly amount: Amount; readonly confirmed: boolean}
  | {readonly kind: 'pay on the wrong network'; readonly tab: number}
  | {readonly kind: 'forge'; readonly pair: number}
  | {
      readonly kind: 'pay elsewhere'
      readonly amount: 'exact' | 'less' | 'more'
      readonly confirmed: boolean
      readonly listed: boolean
    }
  // The chain and the service
  | {readonly kind: 'confirm' | 'fail a payment' | 'drop a payment' | 'expire' | 'cancel'}
  /** The service does not know the charge, or knows it again. */
  | {readonly kind: 'forget'; readonly forgotten: boolean}
  /** The service says `paid`, whatever was paid. */
  | {readonly kind: 'say paid'}
  /** From now on, the service writes `word` for this status of a payment. */
  | {readonly kind: 'say a word'; readonly status: PaymentState; readonly word: string}
  | {readonly kind: 'move a price'; readonly pair: number; readonly factor: number}
  | {readonly kind: 'disable'; readonly pair: number; readonly disabled: boolean}
  | {
      readonly kind: 'install a fault'
      readonly operation: Operation | '*'
      readonly fault: Fault
      readonly times: number
    }
  | {readonly kind: 'clear faults'}
  | {readonly kind: 'webhooks'; readonly arrive: boolean}
  | {readonly kind: 'format webhooks'; readonly format: WebhookFormat}
  // The network between browser and proxy
  | {readonly kind: 'fail the network'; readonly fault: NetworkFault; readonly times: number}
  // The merchant's servers
  | {readonly kind: 'route'; readonly proxy: number}
  | {readonly kind: 'kill'; readonly proxy: number}
  | {readonly kind: 'lose the store'}
  /** The document loses its last versions while the processes run. */
  | {readonly kind: 'lose versions'; readonly count: number}
  | {
      readonly kind: 'fail the store'
      /** A text in the key or the names of the fields that a write changes, or any operation. */
      readonly change: string | null
      readonly fault: StoreFault
      readonly times: number
    }
  /** By a process of a newer version. */
  | {readonly kind: 'write a newer format'}
  | {readonly kind: 'fail handlers'; readonly fault: HandlerFault; readonly times: number}
  | {readonly kind: 'verify' | 'reconcile'}
  // Time
  | {readonly kind: 'wait'; readonly ms: number}
  | {readonly kind: 'sleep'; readonly ms: number}
  | {readonly kind: 'skew the clock'; readonly tab: number; readonly ms: number}
  /** The wall clock of the server on which an instance runs. */
  | {readonly kind: 'set the clock'; readonly proxy: number; readonly ms: number}

/** `late`: other responses arrive first. `drop`: the request is lost. `lost`: the response is lost. */
export type NetworkFault = 'late' | 'drop' | 'lost' | 'garbage'

/**
 * `refuse`: nothing is done. `lose`: it is done, and the response is lost. `late`: it is done after it failed. `hang`: for
 * a while, nothing gets through, and each call ends at its deadline. `resend`: it is done, the response is lost, and the
 * client library sends it again and gets that it was not done.
 */
export type StoreFault = 'refuse' | 'lose' | 'late' | 'hang' | 'resend'

type PaymentState = 'PENDING' | 'CONFIRMED' | 'FAILED'

/** Means confirmed to the service, and nothing to the proxy. */
export const UNKNOWN_WORD = 'FINALISED'

const words: readonly (readonly [PaymentState, string])[] = [
  ['CONFIRMED', 'COMPLETED'],
  ['CONFIRMED', ' settled '],
  ['CONFIRMED', UNKNOWN_WORD],
  ['CONFIRMED', UNKNOWN_WORD],
  ['FAILED', 'Rejected'],
  ['PENDING', 'BROADCAST'],
]

/** Each change is a read and then a write, so a fault of any operation rarely reaches a write. */
const storeTargets = [
  null,
  'opened',
  'lock',
  'minted',
  'crypto/',
  'payment/',
  'quotes',
  'payments',
  'alerts',
  'notices',
  'told',
  'told',
]

/** `die`: the process is killed while it runs the handler. */
export type HandlerFault = 'throw' | 'hang' | 'die'

export interface History {
  /** By which the clock of each instance is ahead of the service's. Default: none. */
  readonly clockOffsetsMs?: readonly [number, number]
  /** By which the clock of one of three servers of the service is ahead. Default: none is wrong. */
  readonly wrongServerMs?: number
  /** The service writes the ids of transactions in any letter case, and several transfers as one transaction. */
  readonly hasOddLists?: boolean
  /** The longest network delay, on either side of the proxy. */
  readonly maxDelayMs: number
  readonly steps: readonly Step[]
}

const tab = fc.nat({max: 2})
const proxy = fc.nat({max: 1})
const pair = fc.oneof({weight: 3, arbitrary: fc.constant(0)}, {weight: 2, arbitrary: fc.nat({max: 3})})
const times = fc.integer({min: 1, max: 4})

const operations = ['getCharge', 'createCryptoCharge', 'convert', 'getCryptoCharge', '*'] as const

function weighted(
  weight: number,
  name: Step['kind'],
  more?: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): {weight: number; arbitrary: fc.Arbitrary<Step>} {
  const fields = {kind: fc.constant(name), ...more}
  return {weight, arbitrary: fc.record(fields) as fc.Arbitrary<unknown> as fc.Arbitrary<Step>}
}

const step: fc.Arbitrary<Step> = fc.oneof(
  weighted(3, 'open a tab'),
  weighted(3, 'reload', {tab}),
  weighted(1, 'leave', {tab}),
  weighted(1, 'return', {tab}),
  weighted(1, 'hide', {tab}),
  weighted(1, 'show', {tab}),
  weighted(14, 'choose', {tab, pair}),
  weighted(3, 'go back', {tab}),
  weighted(5, 'request a quote', {tab}),
  weighted(3, 'refresh', {tab}),
  weighted(10, 'pay', {
    tab,
    amount: fc.constantFrom<Amount>('shown', 'shown', 'shown', 'less', 'less', 'more', 'part', '0.01'),
    confirmed: fc.nat({max: 3}).map(number => number > 0),
  }),
  weighted(1, 'pay on the wrong network', {tab}),
  weighted(1, 'forge', {pair}),
  weighted(2, 'pay elsewhere', {
    amount: fc.constantFrom('exact', 'less', 'more'),
    confirmed: fc.boolean(),
    listed: fc.boolean(),
  }),
  weighted(3, 'confirm'),
  weighted(2, 'fail a payment'),
  weighted(1, 'drop a payment'),
  weighted(1, 'say paid'),
  weighted(1, 'forget', {forgotten: fc.boolean()}),
  {
    weight: 3,
    arbitrary: fc.constantFrom(...words).map(([status, word]): Step => ({kind: 'say a word', status, word})),
  },
  weighted(1, 'expire'),
  weighted(1, 'cancel'),
  weighted(3, 'move a price', {pair, factor: fc.constantFrom(0.5, 0.97, 1.03, 2)}),
  weighted(1, 'disable', {pair, disabled: fc.boolean()}),
  weighted(8, 'install a fault', {
    operation: fc.constantFrom(...operations),
    fault: fc.oneof(fc.constantFrom(...faults), fc.constantFrom(...oddResponses)),
    times,
  }),
  weighted(4, 'clear faults'),
  weighted(1, 'webhooks', {arrive: fc.boolean()}),
  weighted(1, 'format webhooks', {format: fc.constantFrom(...webhookFormats)}),
  weighted(4, 'fail the store', {
    change: fc.constantFrom(...storeTargets),
    fault: fc.constantFrom<StoreFault>('refuse', 'lose', 'late', 'hang', 'resend'),
    times,
  }),
  weighted(4, 'fail handlers', {fault: fc.constantFrom<HandlerFault>('throw', 'hang', 'die'), times}),
  weighted(6, 'fail the network', {
    fault: fc.constantFrom<NetworkFault>('late', 'late', 'drop', 'lost', 'garbage'),
    times,
  }),
  weighted(3, 'route', {proxy}),
  weighted(3, 'kill', {proxy}),
  {weight: 1, arbitrary: fc.nat({max: 8}).map(rarely)},
  weighted(2, 'verify'),
  weighted(2, 'reconcile'),
  weighted(14, 'wait', {ms: fc.constantFrom(0, 50, 700, 2_100, 2_100, 6_000, 11_000, 21_000)}),
  weighted(1, 'sleep', {ms: fc.constantFrom(5_000, 70_000, 400_000)}),
  weighted(1, 'skew the clock', {tab, ms: fc.constantFrom(60_000, 86_400_000)}),
  weighted(1, 'set the clock', {proxy, ms: fc.constantFrom(-3_600_000, 3_600_000)}),
)

function rarely(number: number): Step {
  if (number === 0) return {kind: 'lose the store'}
  if (number === 8) return {kind: 'write a newer format'}
  return number <= 2 ? {kind: 'lose versions', count: number === 1 ? 2 : 1_000} : {kind: 'wait', ms: 700}
}

/** Some histories start with two tabs on different instances. */
const initialSteps: readonly (readonly Step[])[] = [
  [],
  [],
  [],
  [{kind: 'route', proxy: 1}, {kind: 'open a tab'}],
]

export function histories(maxSteps: number): fc.Arbitrary<History> {
  const steps = fc.array(step, {minLength: 1, maxLength: maxSteps, size: 'max'})
  return fc.record({
    maxDelayMs: fc.constantFrom(0, 0, 300, 5_000),
    clockOffsetsMs: fc.constantFrom<[number, number]>([0, 0], [0, 0], [0, 7_200_000], [-7_200_000, 400_000]),
    wrongServerMs: fc.constantFrom(0, 0, 7_200_000),
    hasOddLists: fc.boolean(),
    steps: fc.tuple(fc.constantFrom(...initialSteps), steps).map(parts => parts.flat()),
  })
}
