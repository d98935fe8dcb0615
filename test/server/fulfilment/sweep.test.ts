/** The sweep over many open charges: what it reads, what it keeps in memory, and what it must still find. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {memoryStore} from '../../../src/stores/memory-store.js'
import type {Store} from '../../../src/contract/store.js'
import {opened, scripted} from '../scripted-service.js'
import {recordingHandlers} from './recording-handlers.js'

const SWEEP_MS = 30_000
/** After this time without a request, a charge leaves the memory. */
const CACHE_TTL_MS = 5 * 60_000

/** A charge that no page has read for longer than the caches keep it, and the reads of the store since. */
async function idleCharge() {
  const journal = memoryStore()
  const reads: (readonly [chargeId: string, after: number])[] = []
  const alerts: string[] = []
  let lost = 0
  let failures = 0
  const store: Store = {
    ...journal,
    async read(chargeId, after = 0) {
      reads.push([chargeId, after])
      if (failures-- > 0) throw new RangeError('canary')
      const entries = await journal.read(chargeId)
      return entries.slice(after, entries.length - lost)
    },
  }
  const {received, handlers, failNext} = recordingHandlers()
  const fixture = await opened({
    store,
    onAlert: ({kind}: {kind: string}) => alerts.push(kind),
    ...handlers,
  })
  await fixture.clock.advance(CACHE_TTL_MS + 2 * SWEEP_MS)
  const rev = (await journal.read('c1')).length
  reads.length = 0
  const lose = (entries: number) => (lost = entries)
  const failReads = (times: number) => (failures = times)
  return {...fixture, reads, received, failNext, alerts, lose, failReads, journal, rev}
}

test('a sweep reads only the last entry of a journal that has not grown', async () => {
  const {clock, reads, rev} = await idleCharge()
  await clock.advance(SWEEP_MS)
  assert.deepEqual(reads, [['c1', rev - 1]])
})

test('a sweep does not keep a charge in memory that no page reads', async () => {
  const {read, reads} = await idleCharge()
  assert.equal((await read()).status, 200)
  assert.deepEqual(reads[0], ['c1', 0])
})

test('a sweep notifies of what another process recorded since the last one', async () => {
  const {clock, service, journal, received} = await idleCharge()
  service.report('paid', {transaction_id: '0xa', local: 100})
  const withoutHandlers = scripted({store: journal, service, clock, reconcileEvery: 0})
  await withoutHandlers.webhook()
  assert.deepEqual(received, [])
  await clock.advance(SWEEP_MS)
  assert.deepEqual(received, ['payment 0xa 100.00', 'paid c1 paid'])
})

test('a sweep retries a notification that was not due at the last one', async () => {
  const {clock, service, webhook, received, failNext} = await idleCharge()
  service.report('underpaid', {transaction_id: '0xa', local: 40})
  failNext(6)
  assert.equal((await webhook()).status, 500)
  await clock.advance(60 * 60_000)
  assert.deepEqual(received, ['payment 0xa 40.00'])
})

test('a sweep reports a journal that has lost its last entry', async () => {
  const {clock, alerts, lose} = await idleCharge()
  lose(1)
  await clock.advance(SWEEP_MS)
  assert.deepEqual(alerts, ['store_lost'])
})

test('a sweep reports a journal that has lost an entry which this process added since the last one', async () => {
  const {clock, alerts, lose, quote} = await idleCharge()
  assert.equal((await quote()).status, 200)
  lose(2)
  await clock.advance(SWEEP_MS)
  assert.deepEqual(alerts, ['store_lost'])
})

test('a sweep logs a charge that cannot be read, and reads it again at the next one', async () => {
  const {clock, reads, rev, logged, failReads} = await idleCharge()
  const warnings = () => logged.filter(([message]) => message === 'delivering notifications failed')
  failReads(1)
  await clock.advance(SWEEP_MS)
  assert.deepEqual(
    [reads, warnings()],
    [
      [
        ['c1', rev - 1],
        ['c1', 0],
      ],
      [],
    ],
  )
  failReads(2)
  await clock.advance(SWEEP_MS)
  assert.deepEqual(
    warnings().map(([, fields]) => fields),
    [{chargeId: 'c1', error: 'StoreError'}],
  )
  reads.length = 0
  await clock.advance(SWEEP_MS)
  assert.deepEqual(reads, [['c1', 0]])
})

test('a sweep ends when the checkout is closed', async () => {
  const journal = memoryStore()
  let reads = 0
  let onRead = () => {}
  const store: Store = {
    ...journal,
    read(chargeId, after) {
      reads++
      onRead()
      return journal.read(chargeId, after)
    },
  }
  const {open, clock, checkout} = await opened({store})
  for (let count = 2; count <= 80; count++) await open(`c${count}`)
  await clock.advance(CACHE_TTL_MS)
  reads = 0
  onRead = () => void checkout.close()
  await clock.advance(SWEEP_MS)
  assert.ok(reads > 0 && reads < 80, String(reads))
})
