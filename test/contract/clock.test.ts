import assert from 'node:assert/strict'
import {getEventListeners} from 'node:events'
import {test} from 'node:test'
import {monotonic, systemClock, withTimeout} from '../../src/contract/index.js'
import {FakeClock, flushPromises} from '../fake-clock.js'

const timers = () => process.getActiveResourcesInfo().filter(type => type === 'Timeout').length
const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length

test('the system clock sleeps until the timer of the machine fires, and leaves no listener', async t => {
  t.mock.timers.enable({apis: ['setTimeout']})
  const {signal} = new AbortController()
  let isOver = false
  const sleep = systemClock.sleep(50, signal).then(() => (isOver = true))
  t.mock.timers.tick(49)
  await flushPromises()
  assert.equal(isOver, false)
  t.mock.timers.tick(1)
  await sleep
  assert.equal(listeners(signal), 0)
})

test('a sleep ends when its signal aborts, and leaves neither a timer nor a listener', async () => {
  const before = timers()
  const controller = new AbortController()
  const sleep = systemClock.sleep(3_600_000, controller.signal)
  assert.deepEqual([timers(), listeners(controller.signal)], [before + 1, 1])
  controller.abort()
  assert.deepEqual([timers(), listeners(controller.signal)], [before, 0])
  await sleep
  await systemClock.sleep(3_600_000, controller.signal)
  assert.deepEqual([timers(), listeners(controller.signal)], [before, 0])
})

/** Work that takes until the test ends it, under a timeout of 50 ms. */
function timed(signal?: AbortSignal) {
  const clock = new FakeClock()
  const work: {resolve?: (value: string) => void; reject?: (error: Error) => void; signal?: AbortSignal} = {}
  const result = withTimeout(
    clock,
    50,
    workSignal => {
      work.signal = workSignal
      return new Promise<string>((resolve, reject) => Object.assign(work, {resolve, reject}))
    },
    () => 'fallback',
    signal,
  )
  return {clock, work, result}
}

test('withTimeout has the result or the error of work that ends in time, and leaves no timer', async () => {
  for (const isSuccessful of [true, false]) {
    const {clock, work, result} = timed()
    await clock.advance(49)
    assert.equal(work.signal?.aborted, false)
    if (isSuccessful) work.resolve?.('result')
    else work.reject?.(new RangeError('failed'))
    if (isSuccessful) assert.equal(await result, 'result')
    else await assert.rejects(result, RangeError)
    assert.equal(clock.sleepers, 0)
  }
})

test('withTimeout has the fallback after the time, aborts the work, and ignores its late result or rejection', async () => {
  for (const isSuccessful of [true, false]) {
    const {clock, work, result} = timed()
    await clock.advance(50)
    assert.equal(await result, 'fallback')
    assert.equal(work.signal?.aborted, true)
    if (isSuccessful) work.resolve?.('late')
    else work.reject?.(new RangeError('late'))
    // An unhandled rejection would fail this test.
    await flushPromises()
  }
})

test('withTimeout has the fallback when the outer signal aborts, and leaves no listener on it', async () => {
  const controller = new AbortController()
  const {clock, work, result} = timed(controller.signal)
  assert.equal(listeners(controller.signal), 1)
  controller.abort()
  assert.equal(await result, 'fallback')
  assert.equal(work.signal?.aborted, true)
  assert.deepEqual([clock.sleepers, listeners(controller.signal)], [0, 0])
})

test('the monotonic clock goes on when the clock of the machine is set back', t => {
  const before = monotonic(systemClock)
  assert.ok(Math.abs(systemClock.now() - Date.now()) < 60_000)
  t.mock.method(Date, 'now', () => 0)
  assert.equal(systemClock.now(), 0)
  assert.ok(monotonic(systemClock) >= before)
})
