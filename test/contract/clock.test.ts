import assert from 'node:assert/strict'
import {getEventListeners} from 'node:events'
import {mock, test} from 'node:test'
import {systemClock} from '../../src/contract/index.js'
import {flushPromises} from '../fake-clock.js'

/** The machine's timers stand still until the test moves them. */
async function withTimers(act: (timers: Timers) => Promise<void>): Promise<void> {
  const waiting = new Map<number, {due: number; wake: () => void}>()
  let now = 1_000
  let made = 0
  const mocks = [
    mock.method(Date, 'now', () => now),
    mock.method(globalThis, 'setTimeout', (wake: () => void, milliseconds: number) => {
      made += 1
      waiting.set(made, {due: now + milliseconds, wake})
      return made
    }),
    mock.method(globalThis, 'clearTimeout', (timer: number) => void waiting.delete(timer)),
  ]
  const tick = (milliseconds: number) => {
    now += milliseconds
    for (const {due, wake} of waiting.values()) if (due <= now) wake()
  }
  try {
    await act({tick, waiting})
  } finally {
    for (const {mock} of mocks) mock.restore()
  }
}

interface Timers {
  readonly tick: (milliseconds: number) => void
  readonly waiting: ReadonlyMap<number, unknown>
}

function watched(sleep: Promise<void>) {
  const state = {isOver: false}
  void sleep.then(() => (state.isOver = true))
  return state
}

function listenersOf(signal: AbortSignal): number {
  return getEventListeners(signal, 'abort').length
}

test('the system clock sleeps until the timer of the machine fires', () =>
  withTimers(async ({tick}) => {
    assert.equal(systemClock.now(), 1_000)
    const sleep = watched(systemClock.sleep(50))
    tick(49)
    await flushPromises()
    assert.equal(sleep.isOver, false)
    tick(1)
    await flushPromises()
    assert.equal(sleep.isOver, true)
    assert.equal(systemClock.now(), 1_050)
  }))

test('a sleep ends when its signal aborts, and leaves neither a timer nor a listener', () =>
  withTimers(async ({waiting}) => {
    const controller = new AbortController()
    const sleep = watched(systemClock.sleep(50, controller.signal))
    assert.equal(listenersOf(controller.signal), 1)
    controller.abort()
    await flushPromises()
    assert.equal(sleep.isOver, true)
    assert.equal(listenersOf(controller.signal), 0)
    assert.equal(waiting.size, 0)
  }))

test('a sleep that ended leaves no listener', () =>
  withTimers(async ({tick}) => {
    const {signal} = new AbortController()
    const sleep = watched(systemClock.sleep(50, signal))
    tick(50)
    await flushPromises()
    assert.equal(sleep.isOver, true)
    assert.equal(listenersOf(signal), 0)
  }))

test('a sleep with an aborted signal starts no timer', () =>
  withTimers(async ({waiting}) => {
    const controller = new AbortController()
    controller.abort()
    await systemClock.sleep(50, controller.signal)
    assert.equal(waiting.size, 0)
    assert.equal(listenersOf(controller.signal), 0)
  }))
