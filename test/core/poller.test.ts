import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import type {Problem} from '../../src/contract/problem.js'
import type {Phase} from '../../src/core/phase.js'
import {createPoller} from '../../src/core/poller.js'
import {FakeClock, flushPromises} from '../fake-clock.js'

/** A watch whose reads are counted, and answered at once unless the test holds them. */
function watching(phase: Phase = 'paying', answers: (Problem | null)[] = []) {
  const clock = new FakeClock(0)
  const reads: number[] = []
  let isVisible = true
  let isHeld = false
  let release = () => {}
  let changed: (() => void) | undefined
  const watcher = createPoller(
    {
      clock,
      random: () => 0.5,
      visibility: {
        isVisible: () => isVisible,
        subscribe(callback) {
          changed = callback
          return () => (changed = undefined)
        },
      },
      async read(signal) {
        reads.push(clock.now())
        if (isHeld)
          await new Promise<void>(resolve => {
            release = resolve
            signal.addEventListener('abort', () => resolve())
          })
        return answers.shift() ?? null
      },
    },
    phase,
  )
  return {
    clock,
    reads,
    watcher,
    hold: (on: boolean) => (isHeld = on),
    release: () => release(),
    show(on: boolean) {
      isVisible = on
      changed?.()
    },
    attend: () => changed?.(),
    isAttending: () => changed !== undefined,
  }
}

function problem(code: string, status: number, retryAfter?: number): Problem {
  return {type: '', title: '', status, code, requestId: '', ...(retryAfter !== undefined && {retryAfter})}
}

describe('the watch', () => {
  it('reads at once, then as the ladder says', async () => {
    const {clock, reads, watcher} = watching()
    await clock.advance(69_000)
    assert.deepEqual(reads.slice(0, 4), [0, 2_000, 4_000, 6_000])
    assert.deepEqual(reads.slice(-2), [60_000, 65_000])
    watcher.stop()
  })

  it('plans the next read after the answer, so reads never overlap', async () => {
    const {clock, reads, hold, release, watcher} = watching()
    await clock.advance(1_000)
    hold(true)
    await clock.advance(9_000)
    assert.deepEqual(reads, [0, 2_000])
    hold(false)
    release()
    await flushPromises()
    await clock.advance(2_000)
    assert.deepEqual(reads, [0, 2_000, 12_000])
    watcher.stop()
  })

  it('begins the ladder anew with each phase, and replans a read that waits', async () => {
    const {clock, reads, watcher} = watching()
    await clock.advance(301_000)
    const before = reads.length
    watcher.setPhase('confirming')
    await clock.advance(5_000)
    assert.equal(reads.length, before + 1)
    watcher.setPhase('paid')
    await clock.advance(600_000)
    assert.equal(reads.length, before + 1)
    watcher.setPhase('underpaid')
    await clock.advance(1)
    assert.equal(reads.length, before + 2)
    watcher.stop()
  })

  it('reads 30 s apart while a stream is open, and close together when it ends', async () => {
    const {clock, reads, watcher} = watching()
    watcher.setStreaming(true)
    await clock.advance(60_000)
    const before = reads.length
    await clock.advance(29_000)
    assert.equal(reads.length, before)
    watcher.setStreaming(false)
    await clock.advance(1)
    assert.equal(reads.length, before + 1)
    watcher.stop()
  })

  it('backs off after failures, and is quick again after an answer', async () => {
    const down = problem('upstream_unavailable', 503)
    const {clock, reads, watcher} = watching('paying', [down, down, down, null])
    await clock.advance(11_000)
    assert.deepEqual(reads, [0, 1_000, 3_000, 7_000, 9_000, 11_000])
    watcher.stop()
  })

  it('honours Retry-After', async () => {
    const {clock, reads, watcher} = watching('paying', [problem('rate_limited', 429, 20)])
    await clock.advance(19_999)
    assert.deepEqual(reads, [0])
    await clock.advance(1)
    assert.deepEqual(reads, [0, 20_000])
    watcher.stop()
  })

  it('does not repeat a request that is wrong in itself, until somebody wants it', async () => {
    const {clock, reads, watcher} = watching('loading', [problem('unauthorized', 401)])
    await clock.advance(3_600_000)
    assert.deepEqual(reads, [0])
    void watcher.readNow()
    await clock.advance(10_000)
    assert.equal(reads.length, 3)
    watcher.stop()
  })

  it('pauses while the page is hidden, and reads at once when it is seen again', async () => {
    const {clock, reads, show, watcher} = watching()
    await clock.advance(1_000)
    show(false)
    await clock.advance(600_000)
    assert.deepEqual(reads, [0])
    show(true)
    await flushPromises()
    assert.deepEqual(reads, [0, 601_000])
    watcher.stop()
  })

  it('reads at once when the network is back, unless it has just read', async () => {
    const {clock, reads, attend, watcher} = watching('confirming')
    await clock.advance(1_000)
    attend()
    await flushPromises()
    assert.deepEqual(reads, [0, 1_000])
    attend()
    await flushPromises()
    assert.deepEqual(reads, [0, 1_000])
    watcher.stop()
  })

  it('goes on with the ladder when the same phase is said again', async () => {
    const {clock, reads, watcher} = watching()
    await clock.advance(301_000)
    const before = reads.length
    watcher.setPhase('paying')
    await clock.advance(4_000)
    assert.equal(reads.length, before)
    watcher.stop()
  })

  it('makes one read of several reasons to look again', async () => {
    const {clock, reads, show, attend, watcher} = watching()
    show(false)
    await clock.advance(60_000)
    show(true)
    attend()
    attend()
    await flushPromises()
    attend()
    await flushPromises()
    assert.deepEqual(reads, [0, 60_000])
    watcher.stop()
  })

  it('reads now when asked, once more when a read is under way, and says when it is done', async () => {
    const {clock, reads, hold, release, watcher} = watching()
    await clock.advance(500)
    await watcher.readNow()
    assert.deepEqual(reads, [0, 500])
    hold(true)
    void watcher.readNow()
    await flushPromises()
    let isDone = false
    void watcher.readNow().then(() => (isDone = true))
    assert.equal(reads.length, 3)
    release()
    await flushPromises()
    assert.equal(reads.length, 4)
    assert.equal(isDone, false)
    hold(false)
    release()
    await flushPromises()
    assert.equal(isDone, true)
    watcher.stop()
  })

  it('ends every wait and every request when it is stopped', async () => {
    for (const isReading of [true, false]) {
      const {clock, reads, hold, isAttending, watcher} = watching()
      await clock.advance(500)
      hold(isReading)
      void watcher.readNow()
      await flushPromises()
      const before = reads.length
      const asked = watcher.readNow()
      watcher.stop()
      await asked
      await clock.advance(600_000)
      assert.equal(reads.length - before <= (isReading ? 0 : 1), true)
      assert.equal(clock.sleepers, 0)
      assert.equal(isAttending(), false)
      await watcher.readNow()
    }
  })
})
