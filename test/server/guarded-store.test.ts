import assert from 'node:assert/strict'
import {test} from 'node:test'
import {noDiagnostics} from '../../src/server/base/diagnostics.js'
import {guardedStore} from '../../src/server/base/guarded-store.js'
import {memoryStore} from '../../src/stores/memory-store.js'
import {FakeClock} from '../fake-clock.js'

test('a call to the store takes at most five seconds, and while a thousand wait, others are refused at once', async () => {
  const clock = new FakeClock()
  const hanging = {...memoryStore(), get: () => new Promise<never>(() => {})}
  const store = guardedStore(hanging, clock, noDiagnostics)
  const codeOf = (call: Promise<unknown>) =>
    call.then(String, (error: unknown) => (error as {code: string}).code)
  let ended = 0
  const waiting = Array.from({length: 1_000}, () => codeOf(store.get('a')).finally(() => (ended += 1)))
  assert.equal(await codeOf(store.due(1, 1)), 'store_unavailable')
  await clock.advance(4_999)
  assert.equal(ended, 0)
  await clock.advance(1)
  assert.deepEqual(new Set(await Promise.all(waiting)), new Set(['store_unavailable']))
  assert.deepEqual(await store.due(1, 1), [])
})

test('an error of the store is told without its message', async () => {
  const failing = {...memoryStore(), put: () => Promise.reject(new RangeError('redis://user:canary@host'))}
  const store = guardedStore(failing, new FakeClock(), noDiagnostics)
  await assert.rejects(store.put('a', 1, '', null), {
    code: 'store_unavailable',
    message: 'the store failed (RangeError)',
  })
})
