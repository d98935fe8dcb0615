/** At start, the log names a store that cannot be used. */
import assert from 'node:assert/strict'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'node:test'
import Libsql from 'libsql'
import {createCheckout, memoryStore, sqlStore, type Store} from '../../src/node/index.js'
import {FakeClock} from '../fake-clock.js'
import {repeatUntil} from './repeat-until.js'
import {recordingLogger} from './scripted-service.js'

function start(store: Store, clock = new FakeClock(), options: {apiKey?: string; baseUrl?: string} = {}) {
  const {logged, logger} = recordingLogger()
  const checkout = createCheckout({
    apiKey: 'TEST;PK;1',
    baseUrl: 'https://service.example',
    reconcileEvery: 0,
    store,
    logger,
    clock,
    ...options,
  })
  return {logged, checkout, clock}
}

async function causeOf(store: Store): Promise<unknown> {
  const {logged, checkout} = start(store)
  const line = () => logged.find(([message]) => message === 'the store cannot be used')
  await repeatUntil(() => line() !== undefined, 'the line')
  await checkout.close()
  const [, fields] = line() ?? []
  return fields && 'cause' in fields && fields.cause
}

test('a store that was used with another api-key or service is named in one line at start', async () => {
  const store = memoryStore()
  const linesAt = async (options: {apiKey?: string; baseUrl?: string} = {}) => {
    const {logged, checkout, clock} = start(store, new FakeClock(), options)
    await clock.advance(0)
    await checkout.close()
    return logged.map(([message, fields]) => [message, {...fields}])
  }
  const line = [
    'the store was used with another api-key or baseUrl: its charges may be unknown to this service',
    {code: 'store_of_another_service'},
  ]
  assert.deepEqual([await linesAt(), await linesAt()], [[], []])
  assert.deepEqual(await linesAt({apiKey: 'TEST;PK;2'}), [line])
  assert.deepEqual(await linesAt({baseUrl: 'https://other.example'}), [line])
  assert.deepEqual(await linesAt(), [line])
  const {value = ''} = (await store.get('service')) ?? {}
  assert.doesNotMatch(value, /PK|example/)
})

test('missing tables and a read-only database are named', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'read-only-')), 'shop.db')
  const missing = 'the table is missing: call migrate(), or run npx crypto-checkout schema'
  assert.equal(await causeOf(sqlStore(new Libsql(path))), missing)
  await sqlStore(new Libsql(path)).migrate()
  const readonly = new Libsql(path)
  readonly.exec('pragma query_only = 1')
  assert.equal(await causeOf(sqlStore(readonly)), 'a statement failed (SQLITE_READONLY)')
  rmSync(join(path, '..'), {recursive: true})
})

test('a store that does not respond delays nothing, and is named after five seconds', async () => {
  const clock = new FakeClock()
  const {logged} = start({...memoryStore(), get: () => new Promise(() => {})}, clock)
  await clock.advance(4_999)
  assert.deepEqual(logged, [])
  await clock.advance(1)
  assert.deepEqual(logged, [['the store cannot be used', {cause: 'the store does not respond'}]])
})

test('a store of the merchant that fails is named without its message, and of a store that works nothing is said', async () => {
  const failing = {...memoryStore(), put: () => Promise.reject(new RangeError('canary'))}
  assert.equal(await causeOf(failing), 'the store failed (RangeError)')
  const store = memoryStore()
  const clock = new FakeClock()
  const {logged} = start(store, clock)
  await clock.advance(5_000)
  assert.deepEqual(logged, [])
  assert.deepEqual(await store.due(Number.MAX_SAFE_INTEGER, 9), [])
})
