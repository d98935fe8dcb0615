/**
 * What can happen to a checkout, as plain data: a history is JSON, so one that fails can be kept as it is. Every step
 * makes sense in every situation, if only by doing nothing; that lets a failing history shrink to its core.
 */
import fc from 'fast-check'
import type {Fault} from '../../src/sandbox/faults.js'
import type {Operation} from '../../src/sandbox/operations.js'
import {faults} from '../browser/fault-table.js'

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
  | {readonly do: 'open a tab'}
  | {readonly do: 'reload' | 'leave' | 'return' | 'hide' | 'show'; readonly tab: number}
  | {readonly do: 'go back' | 'ask' | 'refresh'; readonly tab: number}
  | {readonly do: 'choose'; readonly tab: number; readonly pair: number}
  | {readonly do: 'pay'; readonly tab: number; readonly amount: Amount; readonly confirmed: boolean}
  | {readonly do: 'pay on the wrong network'; readonly tab: number}
  | {readonly do: 'forge'; readonly pair: number}
  // The chain and the service
  | {readonly do: 'confirm' | 'expire' | 'cancel'}
  | {readonly do: 'move a price'; readonly pair: number; readonly factor: number}
  | {readonly do: 'disable'; readonly pair: number; readonly disabled: boolean}
  | {
      readonly do: 'fail'
      readonly operation: Operation | '*'
      readonly fault: Fault
      readonly times: number
    }
  | {readonly do: 'mend'}
  | {readonly do: 'webhooks'; readonly arrive: boolean}
  // The network between browser and proxy
  | {readonly do: 'disturb'; readonly how: NetworkFault; readonly times: number}
  // The merchant's servers
  | {readonly do: 'route'; readonly proxy: number}
  | {readonly do: 'kill'; readonly proxy: number}
  | {readonly do: 'lose the store'}
  | {readonly do: 'verify' | 'reconcile'}
  // Time
  | {readonly do: 'wait'; readonly ms: number}
  | {readonly do: 'sleep'; readonly ms: number}
  | {readonly do: 'skew'; readonly tab: number; readonly ms: number}

/** `late`: the answer comes, but other answers overtake it. `lost`: it was done, and nobody hears of it. */
export type NetworkFault = 'late' | 'drop' | 'lost' | 'garbage'

export interface History {
  /** Milliseconds that each request takes at most, on either side of the proxy. */
  readonly slowness: number
  readonly steps: readonly Step[]
}

const tab = fc.nat({max: 2})
const proxy = fc.nat({max: 1})
const pair = fc.oneof({weight: 3, arbitrary: fc.constant(0)}, {weight: 2, arbitrary: fc.nat({max: 3})})
const times = fc.integer({min: 1, max: 4})

const operations = ['getCharge', 'createCryptoCharge', 'convert', 'getCryptoCharge', '*'] as const

function one(
  weight: number,
  name: Step['do'],
  more?: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): {weight: number; arbitrary: fc.Arbitrary<Step>} {
  const fields = {do: fc.constant(name), ...more}
  return {weight, arbitrary: fc.record(fields) as fc.Arbitrary<unknown> as fc.Arbitrary<Step>}
}

const step: fc.Arbitrary<Step> = fc.oneof(
  one(3, 'open a tab'),
  one(3, 'reload', {tab}),
  one(1, 'leave', {tab}),
  one(1, 'return', {tab}),
  one(1, 'hide', {tab}),
  one(1, 'show', {tab}),
  one(14, 'choose', {tab, pair}),
  one(3, 'go back', {tab}),
  one(5, 'ask', {tab}),
  one(3, 'refresh', {tab}),
  one(10, 'pay', {
    tab,
    amount: fc.constantFrom<Amount>('shown', 'shown', 'shown', 'less', 'less', 'more', 'part', '0.01'),
    confirmed: fc.nat({max: 3}).map(chance => chance > 0),
  }),
  one(1, 'pay on the wrong network', {tab}),
  one(1, 'forge', {pair}),
  one(3, 'confirm'),
  one(1, 'expire'),
  one(1, 'cancel'),
  one(3, 'move a price', {pair, factor: fc.constantFrom(0.5, 0.97, 1.03, 2)}),
  one(1, 'disable', {pair, disabled: fc.boolean()}),
  one(8, 'fail', {operation: fc.constantFrom(...operations), fault: fc.constantFrom(...faults), times}),
  one(4, 'mend'),
  one(1, 'webhooks', {arrive: fc.boolean()}),
  one(6, 'disturb', {how: fc.constantFrom<NetworkFault>('late', 'late', 'drop', 'lost', 'garbage'), times}),
  one(3, 'route', {proxy}),
  one(3, 'kill', {proxy}),
  {weight: 1, arbitrary: fc.nat({max: 3}).map(chance => rarely(chance === 0))},
  one(2, 'verify'),
  one(2, 'reconcile'),
  one(14, 'wait', {ms: fc.constantFrom(0, 50, 700, 2_100, 2_100, 6_000, 11_000, 21_000)}),
  one(1, 'sleep', {ms: fc.constantFrom(5_000, 70_000, 400_000)}),
  one(1, 'skew', {tab, ms: fc.constantFrom(60_000, 86_400_000)}),
)

function rarely(now: boolean): Step {
  return now ? {do: 'lose the store'} : {do: 'wait', ms: 700}
}

/** Some customers open two tabs at once, and come by different servers of the merchant's. */
const beginnings: readonly (readonly Step[])[] = [[], [], [], [{do: 'route', proxy: 1}, {do: 'open a tab'}]]

export function histories(most: number): fc.Arbitrary<History> {
  const steps = fc.array(step, {minLength: 1, maxLength: most, size: 'max'})
  return fc.record({
    slowness: fc.constantFrom(0, 0, 300, 5_000),
    steps: fc.tuple(fc.constantFrom(...beginnings), steps).map(parts => parts.flat()),
  })
}
