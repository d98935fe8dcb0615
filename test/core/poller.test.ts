import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import type {Problem} from '../../src/contract/problem.js'
import type {Pace} from '../../src/core/poll-interval.js'
import {createPoller} from '../../src/core/poller.js'
import {FakeClock, flushPromises} from '../fake-clock.js'
import {FakeVisibility} from '../fake-visibility.js'

/** Records the reads, which end at once unless the test holds them. */
function startPoller(pace: Pace = 'paying', results: (Problem | null)[] = []) {
  const clock = new FakeClock(0)
  const reads: number[] = []
  let isHeld = false
  let release = () => {}
  const visibility = new FakeVisibility()
  const poller = createPoller(
    {
      clock,
      random: () => 0.5,
      visibility,
      async read(signal) {
        reads.push(clock.now())
        if (isHeld)
          await new Promise<void>(resolve => {
            release = resolve
            signal.addEventListener('abort', () => resolve())
          })
        return results.shift() ?? null
      },
    },
    pace,
  )
  return {
    clock,
    reads,
    poller,
    visibility,
    hold: (on: boolean) => (isHeld = on),
    release: () => release(),
  }
}

function problem(code: string, status: number, retryAfter?: number): Problem {
  return {type: '', title: '', status, code, requestId: '', ...(retryAfter !== undefined && {retryAfter})}
}

/** Several events are gathered for this time. */
const SOON = 50

describe('createPoller', () => {
  it('reads at once, then by the schedule', async () => {
    const {clock, reads} = startPoller()
    await clock.advance(189_000)
    assert.deepEqual(reads.slice(0, 4), [0, 2_000, 4_000, 6_000])
    assert.deepEqual(reads.slice(-2), [180_000, 185_000])
  })

  it('restarts the schedule when the phase changes or the customer is active, also for a waiting read', async () => {
    const {clock, reads, poller} = startPoller()
    await clock.advance(1_800_000)
    const before = reads.length
    await clock.advance((reads.at(-1) ?? 0) + 10_000 - clock.now())
    poller.restart('paying')
    await clock.advance(1)
    assert.equal(reads.length, before + 1)
    await clock.advance(2_000)
    assert.equal(reads.length, before + 2)
    poller.restart('over')
    await clock.advance(600_000)
    assert.equal(reads.length, before + 2)
    poller.restart('ended')
    await clock.advance(1)
    assert.equal(reads.length, before + 3)
  })

  it('backs off after failures, at least for Retry-After, and restarts the schedule after a response', async () => {
    const down = problem('upstream_unavailable', 503)
    const limited = problem('rate_limited', 429, 20)
    for (const [failures, expected] of [
      [
        [down, down, down],
        [0, 1_000, 3_000, 7_000, 9_000, 11_000],
      ],
      [[limited], [0, 20_000, 22_000]],
    ] as const) {
      const {clock, reads} = startPoller('paying', [...failures])
      await clock.advance(expected.at(-1) ?? 0)
      assert.deepEqual(reads, expected)
    }
  })

  it('does not retry a problem that is not transient, unless readNow is called', async () => {
    const {clock, reads, poller} = startPoller('opening', [problem('unauthorized', 401)])
    await clock.advance(3_600_000)
    assert.deepEqual(reads, [0])
    void poller.readNow()
    await clock.advance(30_000)
    assert.equal(reads.length, 3)
  })

  it('reads every 30 seconds after the token has expired while the customer pays', async () => {
    const {clock, reads} = startPoller('paying', Array(3).fill(problem('unauthorized', 401)))
    await clock.advance(60_000)
    assert.deepEqual(reads, [0, 30_000, 60_000])
  })

  it('reads again when the page is shown, except after a permanent problem', async () => {
    for (const [code, status, count] of [
      ['unauthorized', 401, 2],
      ['charge_not_found', 404, 1],
    ] as const) {
      const {clock, reads, visibility} = startPoller('opening', [problem(code, status)])
      await clock.advance(1_000)
      visibility.change(false)
      visibility.change(true)
      await clock.advance(SOON)
      assert.equal(reads.length, count, code)
    }
  })

  it('pauses while the page is hidden, reads at once when it is visible again, and starts the schedule over', async () => {
    const {clock, reads, visibility} = startPoller()
    await clock.advance(1_000)
    visibility.change(false)
    await clock.advance(2_000_000)
    assert.deepEqual(reads, [0])
    visibility.change(true)
    await clock.advance(SOON)
    assert.deepEqual(reads, [0, 2_001_000 + SOON])
    await clock.advance(2_000)
    assert.equal(reads.length, 3)
  })

  it('reads once for several events that come together', async () => {
    const {clock, reads, visibility} = startPoller()
    visibility.change(false)
    await clock.advance(60_000)
    visibility.change(true)
    visibility.change()
    await clock.advance(SOON - 1)
    visibility.change()
    await clock.advance(1_000)
    assert.deepEqual(reads, [0, 60_000 + SOON])
  })

  it('counts no read that began before the event: a machine may have slept since, and its clock stood still', async () => {
    for (const sinceRead of [100, 600, 1_500]) {
      const {clock, reads, visibility} = startPoller()
      await clock.advance(sinceRead)
      visibility.change()
      await clock.advance(SOON)
      assert.deepEqual(reads, [0, sinceRead + SOON])
    }
  })

  it('does not read when the page was hidden without an event', async () => {
    const {clock, reads, visibility} = startPoller()
    await clock.advance(1_000)
    visibility.isVisible = () => false
    await clock.advance(600_000)
    assert.deepEqual(reads, [0])
  })

  it('stop ends every wait and every request', async () => {
    for (const isReading of [true, false]) {
      const {clock, reads, hold, visibility, poller} = startPoller()
      await clock.advance(500)
      hold(isReading)
      void poller.readNow()
      await flushPromises()
      const before = reads.length
      const pending = poller.readNow()
      poller.stop()
      await pending
      await clock.advance(600_000)
      assert.equal(reads.length - before <= (isReading ? 0 : 1), true)
      assert.equal(clock.sleepers, 0)
      assert.equal(visibility.listeners, 0)
      await poller.readNow()
    }
  })
})
