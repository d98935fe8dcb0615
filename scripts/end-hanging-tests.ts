/**
 * Ends the process of mutated tests when no test begins or ends for five seconds. A worker watches, because a mutated loop may
 * never return to the event loop. Stryker itself waits for longer than all tests take.
 */
import {afterEach, beforeEach} from 'node:test'
import {Worker} from 'node:worker_threads'

/** Stryker counts a process as failed, and not as broken, if it reports a failed test. */
const end = `process.getBuiltinModule('node:fs').writeSync(1, '\\nnot ok - a test hangs\\n'); process.exit(1)`

/** The count of tests that began or ended. The worker waits for it to change. */
const count = new Int32Array(new SharedArrayBuffer(4))
const watch = `
  const {Session} = require('node:inspector')
  const {workerData: count} = require('node:worker_threads')
  while (Atomics.wait(count, 0, Atomics.load(count, 0), 5_000) !== 'timed-out');
  const session = new Session()
  session.connectToMainThread()
  session.post('Runtime.evaluate', {expression: ${JSON.stringify(end)}})
`
new Worker(watch, {eval: true, workerData: count}).unref()

const report = (): void => {
  Atomics.add(count, 0, 1)
  Atomics.notify(count, 0)
}
beforeEach(report)
afterEach(report)
