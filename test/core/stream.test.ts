import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import type {Phase} from '../../src/core/phase.js'
import {stream, type Listener} from '../../src/core/stream.js'
import {HeldClock, settle} from '../held-clock.js'

/** A stream whose connections the test opens, feeds and ends. */
function streaming(phase: Phase = 'paying') {
  const clock = new HeldClock(0)
  const connections: {at: number; listener: Listener; end: () => void; signal: AbortSignal}[] = []
  const woken: number[] = []
  let isOpen = false
  let isVisible = true
  let changed: (() => void) | undefined
  const running = stream(
    {
      time: clock,
      random: () => 0.5,
      attention: {
        visible: () => isVisible,
        listen(callback) {
          changed = callback
          return () => (changed = undefined)
        },
      },
      listen: (listener, signal) =>
        new Promise(resolve => {
          connections.push({at: clock.now(), listener, end: resolve, signal})
          signal.addEventListener('abort', () => resolve())
        }),
      streaming: open => (isOpen = open),
      woken: rev => woken.push(rev),
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
    last().listener.opened()
    assert.equal(isOpen(), true)
    last().listener.woken(7)
    assert.deepEqual(woken, [7])
    last().end()
    await settle()
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
    await settle()
    assert.equal(connections.length, 5)
    running.stop()
  })

  it('comes back soon when it had been open', async () => {
    const {clock, connections, last, running} = streaming()
    last().listener.opened()
    last().end()
    await clock.advance(1_000)
    assert.equal(connections.length, 2)
    running.stop()
  })

  it('tries again at once when the network is back', async () => {
    const {clock, connections, last, attend, running} = streaming()
    last().end()
    await settle()
    attend()
    await settle()
    assert.equal(connections.length, 2)
    assert.equal(last().at, clock.now())
    running.stop()
  })

  it('counts as broken when it stays silent for longer than the proxy’s comments are apart', async () => {
    const {clock, connections, last, isOpen, running} = streaming()
    last().listener.opened()
    for (let count = 0; count < 5; count++) {
      await clock.advance(20_000)
      last().listener.alive()
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
    running.enter('paying')
    await settle()
    last().listener.opened()
    show(false)
    await settle()
    assert.equal(isOpen(), false)
    assert.equal(last().signal.aborted, true)
    show(true)
    await settle()
    assert.equal(connections.length, 2)
    running.enter('confirming')
    await settle()
    assert.equal(last().signal.aborted, false)
    running.enter('paid')
    await settle()
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
    last().listener.opened()
    running.stop()
    await clock.advance(600_000)
    last().listener.woken(9)
    last().listener.opened()
    assert.deepEqual(woken, [])
    assert.equal(isOpen(), false)
    assert.equal(clock.sleepers, 0)
    assert.equal(isAttending(), false)
    assert.equal(last().signal.aborted, true)
  })
})
