import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import type {Phase} from '../../src/core/phase.js'
import {keepStreamOpen, type StreamListener} from '../../src/core/stream.js'
import {FakeClock, flushPromises} from '../fake-clock.js'

/** A stream whose connections the test opens, feeds and ends. */
function streaming(phase: Phase = 'paying') {
  const clock = new FakeClock(0)
  const connections: {at: number; listener: StreamListener; end: () => void; signal: AbortSignal}[] = []
  const woken: number[] = []
  let isOpen = false
  let isVisible = true
  let changed: (() => void) | undefined
  const running = keepStreamOpen(
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
      listen: (listener, signal) =>
        new Promise(resolve => {
          connections.push({at: clock.now(), listener, end: resolve, signal})
          signal.addEventListener('abort', () => resolve())
        }),
      setStreaming: open => (isOpen = open),
      onWakeUp: rev => woken.push(rev),
    },
    phase,
  )
  return {
    clock,
    connections,
    woken,
    running,
    last: () => connections.at(-1) ?? assert.fail('no connection'),
    isOpen: () => isOpen,
    show(on: boolean) {
      isVisible = on
      changed?.()
    },
    attend: () => changed?.(),
    isAttending: () => changed !== undefined,
  }
}

describe('the stream', () => {
  it('wakes the reader, and says while it is open', async () => {
    const {last, isOpen, woken, running} = streaming()
    assert.equal(isOpen(), false)
    last().listener.onOpen()
    assert.equal(isOpen(), true)
    last().listener.onWakeUp(7)
    assert.deepEqual(woken, [7])
    last().end()
    await flushPromises()
    assert.equal(isOpen(), false)
    running.stop()
  })

  it('is opened again after it broke off, less and less eagerly, and given up after five failures', async () => {
    const {clock, connections, last, attend, running} = streaming()
    for (let count = 0; count < 9; count++) {
      last().end()
      await clock.advance(60_000)
    }
    assert.equal(connections.length, 5)
    attend()
    await flushPromises()
    assert.equal(connections.length, 5)
    running.stop()
  })

  it('comes back soon when it had been open', async () => {
    const {clock, connections, last, running} = streaming()
    last().listener.onOpen()
    last().end()
    await clock.advance(1_000)
    assert.equal(connections.length, 2)
    running.stop()
  })

  it('tries again at once when the network is back', async () => {
    const {clock, connections, last, attend, running} = streaming()
    last().end()
    await flushPromises()
    attend()
    await flushPromises()
    assert.equal(connections.length, 2)
    assert.equal(last().at, clock.now())
    running.stop()
  })

  it('counts as broken when it stays silent for longer than the proxy’s comments are apart', async () => {
    const {clock, connections, last, isOpen, running} = streaming()
    last().listener.onOpen()
    for (let count = 0; count < 5; count++) {
      await clock.advance(20_000)
      last().listener.onBytes()
    }
    assert.equal(connections.length, 1)
    await clock.advance(45_000)
    assert.equal(isOpen(), false)
    assert.equal(connections[0]?.signal.aborted, true)
    running.stop()
  })

  it('is open only while the page is seen and the phase has news', async () => {
    const {connections, last, isOpen, show, running} = streaming('expired')
    assert.equal(connections.length, 0)
    running.setPhase('paying')
    await flushPromises()
    last().listener.onOpen()
    show(false)
    await flushPromises()
    assert.equal(isOpen(), false)
    assert.equal(last().signal.aborted, true)
    show(true)
    await flushPromises()
    assert.equal(connections.length, 2)
    running.setPhase('confirming')
    await flushPromises()
    assert.equal(last().signal.aborted, false)
    running.setPhase('paid')
    await flushPromises()
    assert.equal(last().signal.aborted, true)
    assert.equal(connections.length, 2)
    running.stop()
  })

  it('has news in every phase before the money is settled, and in no other', async () => {
    for (const phase of ['choosing', 'quoting', 'paying', 'confirming', 'underpaid'] as const)
      assert.equal(streaming(phase).connections.length, 1, phase)
    for (const phase of [
      'idle',
      'loading',
      'unavailable',
      'paid',
      'overpaid',
      'expired',
      'cancelled',
    ] as const)
      assert.equal(streaming(phase).connections.length, 0, phase)
  })

  it('ends with its watch', async () => {
    const {clock, last, woken, isOpen, isAttending, running} = streaming()
    assert.equal(isAttending(), true)
    last().listener.onOpen()
    running.stop()
    await clock.advance(600_000)
    last().listener.onWakeUp(9)
    last().listener.onOpen()
    assert.deepEqual(woken, [])
    assert.equal(isOpen(), false)
    assert.equal(clock.sleepers, 0)
    assert.equal(isAttending(), false)
    assert.equal(last().signal.aborted, true)
  })
})
