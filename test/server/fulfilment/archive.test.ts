/** Retention: which charges are deleted, when, and what happens when a step fails or a payment arrives late. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {Archive} from '../../../src/server/fulfilment/archive.js'
import {addToIndex, indexIdOf, parseIndexId} from '../../../src/server/journal/charge-index.js'
import type {JournalEntry} from '../../../src/server/journal/export.js'
import {noDiagnostics, type Diagnostics} from '../../../src/server/base/diagnostics.js'
import type {Journal} from '../../../src/server/journal/journal.js'
import {memoryStore} from '../../../src/stores/memory-store.js'
import type {Store} from '../../../src/contract/store.js'
import {FakeClock} from '../../fake-clock.js'
import {recordingLogger} from '../scripted-service.js'
import {testContext} from '../test-context.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const retention = 90 * DAY
const price = {amount: '100.00', currency: 'USD'}

interface FixtureOptions {
  retention?: number
  onArchive?: ((chargeId: string, entries: JournalEntry[]) => unknown) | undefined
}

/** Charge c1 with its alias k1, and an archive that counts the charges that it archives. */
async function fixture(options: FixtureOptions = {}) {
  const original = memoryStore()
  let deleted = 0
  const store: Store = {
    ...original,
    async delete(...args) {
      const isDeleted = await original.delete(...args)
      if (args[0].startsWith('c') && isDeleted) deleted += 1
      return isDeleted
    },
  }
  const clock = new FakeClock('2026-11-22T05:30:00Z')
  const {logged, logger} = recordingLogger()
  const pending = new Set<string>()
  const archived: [string, string[]][] = []
  const traced: unknown[] = []
  const closing = new AbortController()
  const diagnostics: Diagnostics = {
    ...noDiagnostics,
    trace: (name, context, work) => (traced.push([name, context]), work()),
  }
  const instance = (given = store) => {
    const context = testContext({store: given, clock, logger, diagnostics})
    const notifier = {hasPending: ({id}: Journal) => pending.has(id)}
    const archive = new Archive(context, notifier, {
      retention,
      handlerTimeout: 60_000,
      onArchive: (chargeId, entries) => void archived.push([chargeId, entries.map(({kind}) => kind)]),
      closing: closing.signal,
      ...options,
    })
    return {journals: context.journals, archive}
  }
  const {journals, archive} = instance()
  const charge = journals.of('c1')
  const opened = {kind: 'opened', journal: 'j', price, createdAt: '', acceptsPartial: false} as const
  await charge.update(() => opened)
  const minted = {kind: 'minted', cryptoChargeId: 'k1', price, expiresAt: null} as const
  await charge.update(() => ({...minted, assets: []}))
  await journals.of('k1').update(() => ({kind: 'alias', chargeId: 'c1'}))
  await store.closeCharge('k1')
  const close = async (chargeId: string) => {
    if (options.retention !== 0) await addToIndex(journals, indexIdOf('closed', clock.now()), chargeId)
    await store.closeCharge(chargeId)
  }
  const open = async () => {
    const ids: string[] = []
    for await (const id of store.openCharges()) ids.push(id)
    return ids
  }
  /** Returns the number of deleted charges. */
  const pass = async (by = archive) => {
    const before = deleted
    await by.run(['c1', ...(await open())])
    return deleted - before
  }
  return {store, clock, logged, pending, archived, traced, closing, instance, journals, close, open, pass}
}

test('a closed charge is archived after the retention, and not before: a tombstone and its alias stay', async () => {
  const {store, clock, archived, traced, close, open, pass} = await fixture()
  await close('c1')
  assert.deepEqual(await open(), ['.closed-2026-11-22T05'])
  await clock.advance(HOUR / 2 + retention - 1)
  assert.equal(await pass(), 0)
  assert.equal((await store.read('c1')).length, 2)
  await clock.advance(1)
  assert.equal(await pass(), 1)
  assert.deepEqual(archived, [['c1', ['opened', 'minted']]])
  assert.deepEqual(traced, [['notify', {handler: 'onArchive'}]])
  assert.deepEqual(await store.read('.closed-2026-11-22T05'), [])
  assert.equal((await store.read('k1')).length, 1)
  const tombstone = {
    kind: 'archived',
    rev: 3,
    status: 'open',
    paid: {amount: '0.00', currency: 'USD'},
    cryptoChargeId: 'k1',
    at: clock.now(),
  }
  assert.deepEqual(await store.read('c1'), [JSON.stringify(tombstone)])
  assert.deepEqual(await open(), [])
  assert.equal(await pass(), 0)
})

test('with a retention of 0 charges are kept forever, also those that were closed before it was 0', async () => {
  const {store, clock, journals, close, open, pass} = await fixture({retention: 0})
  await close('c1')
  assert.deepEqual(await open(), [])
  await addToIndex(journals, indexIdOf('closed', clock.now()), 'c1')
  await clock.advance(10 * retention)
  assert.equal(await pass(), 0)
  assert.equal((await store.read('c1')).length, 2)
})

test('an index that is not due is not read, and charges are ignored', async () => {
  const {store, instance} = await fixture()
  const reads: string[] = []
  const {archive} = instance({...store, read: (id, after) => (reads.push(id), store.read(id, after))})
  await archive.run(['c1', '.closed-2026-11-22T05', 'k1'])
  assert.deepEqual(reads, [])
  const ids = [
    'closed-2026-11-22T05',
    '.closed-2026',
    'c1',
    '.other',
    'x.late-2026-11-22T05',
    '.late-2026-11-22T05x',
  ]
  assert.deepEqual(
    ids.map(parseIndexId),
    ids.map(() => undefined),
  )
})

test('an entry of another kind in an index names no charge', async () => {
  const {store, clock, archived, close, pass} = await fixture()
  await close('c1')
  await store.append('.closed-2026-11-22T05', 2, JSON.stringify({kind: 'alias', at: 0, chargeId: 'k1'}))
  await clock.advance(HOUR + retention)
  assert.equal(await pass(), 1)
  assert.deepEqual(archived, [['c1', ['opened', 'minted']]])
})

test('a charge is kept while onArchive fails, and archived on a later pass', async () => {
  let isFailing = true
  const calls: string[] = []
  const {store, clock, logged, close, open, pass} = await fixture({
    onArchive(chargeId) {
      calls.push(chargeId)
      if (isFailing) throw new TypeError('canary')
    },
  })
  await close('c1')
  await clock.advance(HOUR + retention)
  assert.equal(await pass(), 0)
  assert.deepEqual(logged.at(-1), ['archiving a charge failed', {chargeId: 'c1', error: 'TypeError'}])
  assert.equal((await store.read('c1')).length, 2)
  isFailing = false
  assert.equal(await pass(), 1)
  assert.deepEqual([calls, await open()], [['c1', 'c1'], []])
})

test('an onArchive that never returns counts as failed after the handler timeout', async () => {
  const {store, clock, close, pass} = await fixture({onArchive: () => new Promise(() => undefined)})
  await close('c1')
  await clock.advance(HOUR + retention)
  const passing = pass()
  await clock.advance(60_000)
  assert.equal(await passing, 0)
  assert.equal((await store.read('c1')).length, 2)
})

test('a charge with a pending notification is kept for another retention', async () => {
  const {store, clock, pending, close, open, pass} = await fixture()
  await close('c1')
  await clock.advance(HOUR + retention)
  pending.add('c1')
  assert.equal(await pass(), 0)
  assert.deepEqual(await open(), ['.closed-2027-02-20T06'])
  assert.equal((await store.read('c1')).length, 2)
  pending.clear()
  await clock.advance(HOUR + retention)
  assert.equal(await pass(), 1)
})

test('a charge that got a late payment is kept until the retention after it', async () => {
  const {clock, journals, close, open, pass} = await fixture()
  await close('c1')
  await clock.advance(80 * DAY)
  await journals.of('c1').update(() => ({kind: 'notified', subject: 'paid', done: true}))
  await clock.advance(10 * DAY + HOUR)
  assert.equal(await pass(), 0)
  assert.deepEqual(await open(), ['.closed-2027-02-10T05'])
  await clock.advance(80 * DAY)
  assert.equal(await pass(), 1)
  assert.deepEqual(await open(), [])
})

test('a charge is archived when its last entry is exactly as old as the retention', async () => {
  const {clock, journals, close, pass} = await fixture()
  await close('c1')
  await clock.advance(HOUR / 2)
  await journals.of('c1').update(() => ({kind: 'notified', subject: 'paid', done: true}))
  await clock.advance(retention)
  assert.equal(await pass(), 1)
})

test('a charge that was never minted is archived, also without onArchive', async () => {
  const {store, clock, traced, journals, close, open, pass} = await fixture({onArchive: undefined})
  await journals.of('c2').update(() => ({
    kind: 'opened',
    journal: 'j',
    price,
    createdAt: '',
    acceptsPartial: false,
  }))
  await close('c2')
  await clock.advance(HOUR + retention)
  assert.equal(await pass(), 1)
  assert.equal((await store.read('c2')).length, 1)
  assert.deepEqual([await open(), traced], [['c1'], []])
})

test('an index of late payments is deleted a day after its hour, when no notification is pending', async () => {
  const {clock, pending, journals, close, open, pass} = await fixture()
  await close('c1')
  for (const chargeId of ['c1', 'c2']) await addToIndex(journals, indexIdOf('late', clock.now()), chargeId)
  const indexes = ['.closed-2026-11-22T05', '.late-2026-11-22T05']
  pending.add('c2')
  await clock.advance(HOUR / 2 + DAY - 1)
  await pass()
  pending.clear()
  await pass()
  assert.deepEqual((await open()).toSorted(), indexes)
  pending.add('c2')
  await clock.advance(1)
  await pass()
  assert.deepEqual((await open()).toSorted(), indexes)
  pending.clear()
  await pass()
  assert.deepEqual(await open(), indexes.slice(0, 1))
})

test('a charge that changes while it is archived is kept', async () => {
  let change = async () => {}
  const {store, clock, logged, journals, close, pass} = await fixture({onArchive: () => change()})
  change = async () => {
    await journals.of('c1').update(() => ({kind: 'lookup', result: 'found'}))
  }
  await close('c1')
  await clock.advance(HOUR + retention)
  assert.equal(await pass(), 0)
  assert.equal((await store.read('c1')).length, 3)
  assert.deepEqual(logged.at(-1)?.[1], {chargeId: 'c1', error: 'ChangedError'})
})

test('each step can be repeated after a crash, and by another instance', async () => {
  const {store, clock, archived, close, instance, open, pass} = await fixture()
  await close('c1')
  await close('c1')
  const other = instance()
  await other.journals.of('c1').state()
  await clock.advance(HOUR + retention)
  assert.equal(await pass(), 1)
  // The index is still there after a crash, and its charges are archived.
  await store.append('.closed-2026-11-22T05', 1, JSON.stringify({kind: 'indexed', at: 0, chargeId: 'c1'}))
  assert.equal(await pass(other.archive), 0)
  assert.deepEqual([archived.length, await open()], [1, []])
})

test('a pass ends when the checkout is closed, and keeps the index', async () => {
  const {clock, closing, close, open, pass} = await fixture()
  await close('c1')
  await clock.advance(HOUR + retention)
  closing.abort()
  assert.equal(await pass(), 0)
  assert.deepEqual(await open(), ['.closed-2026-11-22T05'])
})
