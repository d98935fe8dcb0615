import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import {backoff, nextPollDelay} from '../../src/core/poll-interval.js'
import type {Phase} from '../../src/core/phase.js'

const minutes = (count: number) => count * 60_000
const delay = (phase: Phase, elapsedMs: number, isStreaming = false, jitter = 0.5) =>
  nextPollDelay({phase, elapsedMs, isStreaming, jitter, ageMs: NaN})

describe('nextPollDelay', () => {
  const minute = minutes(1)
  const rows: readonly (readonly [
    phases: readonly Phase[],
    ...schedule: [elapsedMs: number, delay: number | null][],
  ])[] = [
    [
      ['choosing', 'quoting', 'paying', 'underpaid'],
      [0, 2_000],
      [minute - 1, 2_000],
      [minute, 5_000],
      [5 * minute - 1, 5_000],
      [5 * minute, 10_000],
    ],
    [['confirming'], [0, 5_000], [5 * minute - 1, 5_000], [5 * minute, 10_000]],
    [
      ['expired', 'cancelled', 'unavailable'],
      [30 * minute - 1, 30_000],
      [30 * minute, null],
    ],
    [
      ['paid', 'overpaid', 'idle'],
      [0, null],
    ],
  ]
  for (const [phases, ...schedule] of rows)
    it(`reads less often the longer it lasts, in ${phases.join(', ')}`, () => {
      for (const phase of phases)
        for (const [elapsedMs, expected] of schedule) assert.equal(delay(phase, elapsedMs), expected)
    })

  it('slows to 30 s while a stream is open', () => {
    assert.equal(delay('paying', 0, true), 30_000)
    assert.equal(delay('paying', minutes(1), true), 30_000)
    assert.equal(delay('confirming', minutes(9), true), 30_000)
    assert.equal(delay('paid', 0, true), null)
  })

  it('aligns the reads of all tabs of a charge while a stream is open, by at most 20 %', () => {
    const delayAt = (ageMs: number) =>
      nextPollDelay({phase: 'paying', elapsedMs: minutes(2), isStreaming: true, jitter: 0.9, ageMs}) ?? 0
    assert.deepEqual(
      [0, 6_000, 15_000, 18_000, 27_000].map(age => Math.round(delayAt(age))),
      [30_000, 27_600, 36_000, 34_800, 31_200],
    )
    for (let firstAge = 60_000; firstAge < 90_000; firstAge += 500) {
      let ageMs = firstAge
      for (let read = 0; read < 6; read++) ageMs += delayAt(ageMs)
      const distance = Math.abs(ageMs - 30_000 * Math.round(ageMs / 30_000))
      // A shared poll of the service is used for a second.
      assert.ok(distance < 1_000, String(firstAge))
    }
  })

  it('does not align reads without a stream, nor by an unknown age', () => {
    for (const [elapsedMs, isStreaming, ageMs, expected] of [
      [minutes(2), false, 1_234, 5_000],
      [minutes(2), true, NaN, 30_000],
    ] as const)
      assert.equal(nextPollDelay({phase: 'paying', elapsedMs, isStreaming, jitter: 0.5, ageMs}), expected)
  })

  it('has a jitter of 20 %', () => {
    assert.equal(delay('paying', 0, false, 0), 1_600)
    assert.equal(delay('paying', minutes(2), true, 0), 24_000)
    assert.ok(Math.abs((delay('paying', 0, false, 0.999999) ?? 0) - 2_400) < 1)
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
