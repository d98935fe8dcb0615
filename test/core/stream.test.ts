import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import type {Phase} from '../../src/core/phase.js'
import {keepStreamOpen, type StreamListener} from '../../src/core/stream.js'
import {FakeClock, flushPromises} from '../fake-clock.js'
import {FakeVisibility} from '../fake-visibility.js'

/** The test opens, feeds and ends the connections. */
function startStream(phase: Phase = 'paying') {
  const clock = new FakeClock(0)
  const connections: {at: number; listener: StreamListener; end: () => void; signal: AbortSignal}[] = []
  const wakeUps: number[] = []
  let isOpen = false
  const visibility = new FakeVisibility()
  const stream = keepStreamOpen(
    {
      clock,
      random: () => 0.5,
      visibility,
      listen: (listener, signal) =>
        new Promise(resolve => {
          connections.push({at: clock.now(), listener, end: resolve, signal})
          signal.addEventListener('abort', () => resolve())
        }),
      setStreaming: open => (isOpen = open),
      onWakeUp: rev => wakeUps.push(rev),
    },
    phase,
  )
  return {
    clock,
    connections,
    wakeUps,
    stream,
    last: () => connections.at(-1) ?? assert.fail('no connection'),
    isOpen: () => isOpen,
    visibility,
  }
}

describe('keepStreamOpen', () => {
  it('reports wake-ups, and whether it is open', async () => {
    const {last, isOpen, wakeUps} = startStream()
    assert.equal(isOpen(), false)
    last().listener.onOpen()
    assert.equal(isOpen(), true)
    last().listener.onWakeUp(7)
    assert.deepEqual(wakeUps, [7])
    last().end()
    await flushPromises()
    assert.equal(isOpen(), false)
  })

  it('reconnects with backoff, and gives up after five failures', async () => {
    const {clock, connections, last, visibility} = startStream()
    for (let count = 0; count < 9; count++) {
      last().end()
      await clock.advance(60_000)
    }
    assert.equal(connections.length, 5)
    visibility.change()
    await flushPromises()
    assert.equal(connections.length, 5)
  })

  it('reconnects within a second after an open connection', async () => {
    const {clock, connections, last} = startStream()
    last().listener.onOpen()
    last().end()
    await clock.advance(1_000)
    assert.equal(connections.length, 2)
  })

  it('reconnects at once when the network is back', async () => {
    const {clock, connections, last, visibility} = startStream()
    last().end()
    await flushPromises()
    visibility.change()
    await flushPromises()
    assert.equal(connections.length, 2)
    assert.equal(last().at, clock.now())
  })

  it('closes a connection without data for longer than two keep-alive intervals', async () => {
    const {clock, connections, last, isOpen} = startStream()
    last().listener.onOpen()
    for (let count = 0; count < 5; count++) {
      await clock.advance(20_000)
      last().listener.onBytes()
    }
    assert.equal(connections.length, 1)
    await clock.advance(45_000)
    assert.equal(isOpen(), false)
    assert.equal(connections[0]?.signal.aborted, true)
  })

  it('is open only while the page is visible and the phase needs it', async () => {
    const {connections, last, isOpen, visibility, stream} = startStream('expired')
    assert.equal(connections.length, 0)
    stream.setPhase('paying')
    await flushPromises()
    last().listener.onOpen()
    visibility.change(false)
    await flushPromises()
    assert.equal(isOpen(), false)
    assert.equal(last().signal.aborted, true)
    visibility.change(true)
    await flushPromises()
    assert.equal(connections.length, 2)
    stream.setPhase('confirming')
    await flushPromises()
    assert.equal(last().signal.aborted, false)
    stream.setPhase('paid')
    await flushPromises()
    assert.equal(last().signal.aborted, true)
    assert.equal(connections.length, 2)
  })

  it('opens in every phase before the payment is final, and in no other', async () => {
    for (const phase of ['choosing', 'quoting', 'paying', 'confirming', 'underpaid'] as const)
      assert.equal(startStream(phase).connections.length, 1, phase)
    const others = ['idle', 'loading', 'unavailable', 'paid', 'overpaid', 'expired', 'cancelled'] as const
    for (const phase of others) assert.equal(startStream(phase).connections.length, 0, phase)
  })

  it('stop closes the connection and ignores later data', async () => {
    const {clock, last, wakeUps, isOpen, visibility, stream} = startStream()
    last().listener.onOpen()
    stream.stop()
    await clock.advance(600_000)
    last().listener.onWakeUp(9)
    last().listener.onOpen()
    assert.deepEqual(wakeUps, [])
    assert.equal(isOpen(), false)
    assert.deepEqual([clock.sleepers, visibility.listeners, last().signal.aborted], [0, 0, true])
  })
})
