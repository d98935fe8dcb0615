import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import type {Problem} from '../../src/contract/problem.js'
import type {Phase} from '../../src/core/phase.js'
import {createPoller} from '../../src/core/poller.js'
import {FakeClock, flushPromises} from '../fake-clock.js'
import {FakeVisibility} from '../fake-visibility.js'

/** Records the reads, which end at once unless the test holds them. */
function startPoller(phase: Phase = 'paying', results: (Problem | null)[] = []) {
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
      age: () => NaN,
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
    phase,
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

describe('createPoller', () => {
  it('reads at once, then by the schedule', async () => {
    const {clock, reads} = startPoller()
    await clock.advance(69_000)
    assert.deepEqual(reads.slice(0, 4), [0, 2_000, 4_000, 6_000])
    assert.deepEqual(reads.slice(-2), [60_000, 65_000])
  })

  it('schedules the next read after the response, so reads never overlap', async () => {
    const {clock, reads, hold, release} = startPoller()
    await clock.advance(1_000)
    hold(true)
    await clock.advance(9_000)
    assert.deepEqual(reads, [0, 2_000])
    hold(false)
    release()
    await flushPromises()
    await clock.advance(2_000)
    assert.deepEqual(reads, [0, 2_000, 12_000])
  })

  it('restarts the schedule with each phase, also for a waiting read, but not for the same phase', async () => {
    const {clock, reads, poller} = startPoller()
    await clock.advance(301_000)
    const before = reads.length
    poller.setPhase('paying')
    await clock.advance(3_000)
    assert.equal(reads.length, before)
    poller.setPhase('confirming')
    await clock.advance(5_000)
    assert.equal(reads.length, before + 1)
    poller.setPhase('paid')
    await clock.advance(600_000)
    assert.equal(reads.length, before + 1)
    poller.setPhase('underpaid')
    await clock.advance(1)
    assert.equal(reads.length, before + 2)
  })

  it('reads 30 s apart while a stream is open, and close together when it ends', async () => {
    const {clock, reads, poller} = startPoller()
    poller.setStreaming(true)
    await clock.advance(60_000)
    const before = reads.length
    await clock.advance(29_000)
    assert.equal(reads.length, before)
    poller.setStreaming(false)
    await clock.advance(1)
    assert.equal(reads.length, before + 1)
  })

  it('backs off after failures, and restarts the schedule after a response', async () => {
    const down = problem('upstream_unavailable', 503)
    const {clock, reads} = startPoller('paying', [down, down, down, null])
    await clock.advance(11_000)
    assert.deepEqual(reads, [0, 1_000, 3_000, 7_000, 9_000, 11_000])
  })

  it('honours Retry-After', async () => {
    const {clock, reads} = startPoller('paying', [problem('rate_limited', 429, 20)])
    await clock.advance(19_999)
    assert.deepEqual(reads, [0])
    await clock.advance(1)
    assert.deepEqual(reads, [0, 20_000])
  })

  it('does not retry a problem that is not transient, unless readNow is called', async () => {
    const {clock, reads, poller} = startPoller('loading', [problem('unauthorized', 401)])
    await clock.advance(3_600_000)
    assert.deepEqual(reads, [0])
    void poller.readNow()
    await clock.advance(10_000)
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
      const {clock, reads, visibility} = startPoller('loading', [problem(code, status)])
      await clock.advance(1_000)
      visibility.change(false)
      visibility.change(true)
      await flushPromises()
      assert.equal(reads.length, count, code)
    }
  })

  it('pauses while the page is hidden, and reads at once when it is visible again', async () => {
    const {clock, reads, visibility} = startPoller()
    await clock.advance(1_000)
    visibility.change(false)
    await clock.advance(600_000)
    assert.deepEqual(reads, [0])
    visibility.change(true)
    await flushPromises()
    assert.deepEqual(reads, [0, 601_000])
  })

  it('reads once for several events within a second', async () => {
    const {clock, reads, visibility} = startPoller()
    visibility.change(false)
    await clock.advance(60_000)
    visibility.change(true)
    visibility.change()
    await flushPromises()
    visibility.change()
    await flushPromises()
    assert.deepEqual(reads, [0, 60_000])
    await clock.advance(1_000)
    visibility.change()
    await flushPromises()
    assert.deepEqual(reads, [0, 60_000, 61_000])
  })

  it('readNow reads at once, or once more after the current read, and resolves after it', async () => {
    const {clock, reads, hold, release, poller} = startPoller()
    await clock.advance(500)
    await poller.readNow()
    assert.deepEqual(reads, [0, 500])
    hold(true)
    void poller.readNow()
    await flushPromises()
    let isDone = false
    void poller.readNow().then(() => (isDone = true))
    assert.equal(reads.length, 3)
    release()
    await flushPromises()
    assert.equal(reads.length, 4)
    assert.equal(isDone, false)
    hold(false)
    release()
    await flushPromises()
    assert.equal(isDone, true)
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
