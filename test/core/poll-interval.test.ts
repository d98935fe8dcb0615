import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import {advance, idle, type Action, type State} from '../../src/core/advance.js'
import {backoff, nextPollDelay, paceOf, type Pace} from '../../src/core/poll-interval.js'
import {browserProblem} from '../../src/core/problems.js'
import {checkout, quote} from './sample.js'

const minutes = (count: number) => count * 60_000

describe('nextPollDelay', () => {
  const rows: readonly (readonly [
    pace: Pace,
    ...schedule: [quietMinutes: number, seconds: number | null][],
  ])[] = [
    ['paying', [0, 2], [3, 5], [10, 15], [30, 30], [600, 30]],
    ['choosing', [0, 15], [10, 30], [600, 30]],
    ['ended', [0, 30], [30, null]],
    ['over', [0, null]],
  ]
  for (const [pace, ...schedule] of rows)
    it(`reads less often the longer the customer does nothing: ${pace}`, () => {
      let before: number | null | undefined
      for (const [quietMinutes, seconds] of schedule) {
        const expected = seconds === null ? null : seconds * 1_000
        assert.equal(nextPollDelay(pace, minutes(quietMinutes), 0.5), expected)
        if (before !== undefined) assert.equal(nextPollDelay(pace, minutes(quietMinutes) - 1, 0.5), before)
        before = expected
      }
    })

  it('has a jitter of 20 %', () => {
    assert.equal(nextPollDelay('paying', 0, 0), 1_600)
    assert.ok(Math.abs((nextPollDelay('paying', 0, 0.999999) ?? 0) - 2_400) < 1)
  })
})

describe('paceOf', () => {
  const after = (...actions: Action[]): State => actions.reduce(advance, idle)
  const start: Action = {kind: 'start', chargeId: checkout().chargeId}
  const opened = (changes: Parameters<typeof checkout>[0] = {}): Action => ({
    kind: 'opened',
    checkout: checkout(changes),
  })

  it('is quick only where money may be on its way, and ends when nothing can change', () => {
    const shown = opened({quote: quote()})
    const rows: readonly [Pace, State][] = [
      ['over', idle],
      ['opening', after(start)],
      ['opening', after(start, {kind: 'failed', problem: browserProblem('offline')})],
      ['choosing', after(start, opened())],
      ['paying', after(start, shown)],
      ['paying', after(start, opened({status: 'pending', payable: false}))],
      ['paying', after(start, opened({status: 'underpaid'}))],
      ['ended', after(start, opened({status: 'expired', payable: false}))],
      ['ended', after(start, opened({status: 'cancelled', payable: false}))],
      [
        'ended',
        after(start, shown, {kind: 'failed', problem: {...browserProblem('offline'), code: 'not_open'}}),
      ],
      ['over', after(start, opened({status: 'paid', payable: false}))],
      ['over', after(start, opened({status: 'overpaid', payable: false}))],
    ]
    for (const [pace, state] of rows) assert.equal(paceOf(state), pace)
  })

  it('stays quick when the customer goes back from an address, which may have been paid', () => {
    assert.equal(paceOf(after(start, opened({quote: quote()}), {kind: 'back'})), 'paying')
  })
})

describe('backoff', () => {
  it('doubles its bound from 2 s to 30 s, with full jitter', () => {
    const bounds = [1, 2, 3, 4, 5, 6, 50].map(failures => backoff(failures, 1))
    assert.deepEqual(bounds, [2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
    assert.equal(backoff(3, 0.25), 2_000)
    assert.equal(backoff(9, 0), 0)
  })

  it('waits at least for Retry-After, and at most ten minutes', () => {
    assert.equal(backoff(1, 0.5, 7), 7_000)
    assert.equal(backoff(5, 1, 7), 30_000)
    assert.equal(backoff(1, 0.5, 999_999), minutes(10))
  })
})
