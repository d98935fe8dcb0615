/** Reading and updating a journal: when the store is read again, who is notified, and who wins a race. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {NewEntry} from '../../../src/server/journal/entry.js'
import {JournalRepository} from '../../../src/server/journal/repository.js'
import {memoryStore} from '../../../src/server/stores/memory-store.js'
import type {Store} from '../../../src/server/stores/store.js'
import {FakeClock, flushPromises} from '../../fake-clock.js'
import {startOfTest as at} from '../scripted-service.js'

const mismatch: NewEntry = {kind: 'address_mismatch', asset: '825', network: 'bsc'}

/** Two instances over one store, which counts the calls of the first. */
function fixture() {
  const original = memoryStore()
  const clock = new FakeClock(at)
  const count = {reads: 0, subscribers: 0}
  let delayed: Promise<void> | undefined
  const store: Store = {
    ...original,
    async read(chargeId, after) {
      count.reads += 1
      const texts = await original.read(chargeId, after)
      const waiting = delayed
      delayed = undefined
      await waiting
      return texts
    },
    subscribe(chargeId, onChange) {
      count.subscribers += 1
      const unsubscribe = original.subscribe?.(chargeId, onChange)
      return () => {
        count.subscribers -= 1
        unsubscribe?.()
      }
    },
  }
  const journals = new JournalRepository(store, clock)
  const other = new JournalRepository(original, clock)
  /** Delays the response to the next read until the test sends it. */
  const holdRead = () => {
    let respond = () => {}
    delayed = new Promise(resolve => (respond = resolve))
    return respond
  }
  return {original, store, clock, count, holdRead, journals, other}
}

test('an update appends an entry with the time of the clock, or nothing', async () => {
  const {original, clock, journals} = fixture()
  await clock.advance(7)
  const {state, appended} = await journals.update('c1', () => mismatch)
  assert.deepEqual([state.rev, state.hasAddressMismatch, appended], [1, true, true])
  assert.deepEqual(await original.read('c1'), [JSON.stringify({...mismatch, at: at + 7})])
  const unchanged = await journals.update('c1', () => undefined)
  assert.deepEqual([unchanged.state.rev, unchanged.appended], [1, false])
  assert.equal((await original.read('c1')).length, 1)
})

test('invariant 3: an update that lost a race is computed again from the entry of the winner', async () => {
  const {journals, other} = fixture()
  const seen: number[] = []
  let isFirst = true
  const racing: Store = {
    ...journals.store,
    async append(chargeId, rev, entry) {
      if (isFirst) await other.update(chargeId, () => mismatch)
      isFirst = false
      return journals.store.append(chargeId, rev, entry)
    },
  }
  const slow = new JournalRepository(racing, journals.clock)
  const {state, appended} = await slow.update('c1', ({rev}) => {
    seen.push(rev)
    return {kind: 'alias', chargeId: 'c9'}
  })
  assert.deepEqual(seen, [0, 1])
  assert.deepEqual([state.rev, state.hasAddressMismatch, state.aliasOf, appended], [2, true, 'c9', true])
})

test('load reads new entries only, and entries reads all', async () => {
  const {store, other, clock} = fixture()
  const reads: (number | undefined)[] = []
  const journals = new JournalRepository(
    {...store, read: (chargeId, after) => (reads.push(after), store.read(chargeId, after))},
    clock,
  )
  await journals.update('c1', () => mismatch)
  await other.update('c1', () => mismatch)
  assert.equal((await journals.load('c1')).rev, 2)
  assert.equal((await journals.load('c1')).rev, 2)
  assert.equal((await journals.entries('c1')).length, 2)
  assert.deepEqual(reads, [0, 1, 2, undefined])
})

test('a loaded charge is cached for a second, or until an entry of another instance', async () => {
  const {clock, count, journals, other} = fixture()
  await journals.update('c1', () => mismatch)
  assert.equal(journals.peekFresh('c1', at), undefined)
  await journals.loadCached('c1')
  count.reads = 0
  await clock.advance(999)
  assert.equal((await journals.loadCached('c1')).rev, 1)
  assert.equal(journals.peekFresh('c1', clock.now())?.rev, 1)
  assert.equal(count.reads, 0)
  await clock.advance(1)
  assert.equal(journals.peekFresh('c1', clock.now()), undefined)
  await journals.loadCached('c1')
  assert.deepEqual(count, {reads: 1, subscribers: 1})
  await other.update('c1', () => mismatch)
  for (let times = 0; times < 2; times++) assert.equal((await journals.loadCached('c1')).rev, 2)
  assert.equal(count.reads, 2)
})

test('a charge that was loaded once is not subscribed to, and one without entries is not cached', async () => {
  const {count, journals, other} = fixture()
  await journals.loadCached('c1')
  await journals.loadCached('c1')
  assert.equal(journals.peek('c1'), undefined)
  assert.deepEqual(count, {reads: 2, subscribers: 0})
  await other.update('c1', () => mismatch)
  assert.equal((await journals.loadCached('c1')).rev, 1)
  assert.equal(count.subscribers, 0)
  assert.equal(journals.peek('c1')?.rev, 1)
})

test('a read during which the journal grew is not cached', async () => {
  const {clock, holdRead, journals, other} = fixture()
  await journals.update('c1', () => mismatch)
  await journals.loadCached('c1')
  await clock.advance(1_000)
  const respond = holdRead()
  const reading = journals.loadCached('c1')
  await flushPromises()
  await other.update('c1', () => mismatch)
  respond()
  assert.equal((await reading).rev, 1)
  assert.equal(journals.peekFresh('c1', clock.now()), undefined)
  assert.equal((await journals.loadCached('c1')).rev, 2)
})

test('a cached read is as old as its start', async () => {
  const {clock, holdRead, journals} = fixture()
  await journals.update('c1', () => mismatch)
  const respond = holdRead()
  const reading = journals.loadCached('c1')
  await clock.advance(1_000)
  respond()
  await reading
  assert.equal(journals.peekFresh('c1', clock.now()), undefined)
})

test('invariant 5: of two reads that end in reverse order, the later state stays', async () => {
  const {holdRead, journals, other} = fixture()
  await other.update('c1', () => mismatch)
  const respond = holdRead()
  const early = journals.load('c1')
  await flushPromises()
  await other.update('c1', () => mismatch)
  assert.equal((await journals.load('c1')).rev, 2)
  respond()
  assert.equal((await early).rev, 2)
  assert.equal(journals.peek('c1')?.rev, 2)
})

test('closing ends all subscriptions and allows no new ones', async () => {
  const {count, journals} = fixture()
  await journals.update('c1', () => mismatch)
  await journals.loadCached('c1')
  assert.equal(count.subscribers, 1)
  journals.close()
  assert.equal(count.subscribers, 0)
  await journals.loadCached('c1')
  await journals.loadCached('c1')
  assert.equal(count.subscribers, 0)
})

test('a charge that is not used for five minutes is evicted', async () => {
  const {clock, count, journals} = fixture()
  await journals.update('c1', () => mismatch)
  await journals.loadCached('c1')
  await clock.advance(5 * 60_000 + 1)
  await journals.update('c2', () => mismatch)
  assert.equal(count.subscribers, 0)
  assert.equal(journals.peek('c1'), undefined)
})

test('a subscriber is called for each entry, even where the store has no subscriptions', async () => {
  const {original, clock} = fixture()
  const {subscribe: _, ...silent} = original
  const journals = new JournalRepository(silent, clock)
  let calls = 0
  const unsubscribe = journals.subscribe('c1', () => (calls += 1))
  const unsubscribeOther = journals.subscribe('c1', () => (calls += 10))
  await journals.update('c1', () => mismatch)
  assert.equal(calls, 11)
  await journals.update('c2', () => mismatch)
  unsubscribe()
  await journals.update('c1', () => mismatch)
  assert.equal(calls, 21)
  unsubscribeOther()
  await journals.update('c1', () => mismatch)
  assert.equal(calls, 21)
})

test('waiting for a change ends after 100 ms at most, and unsubscribes', async () => {
  const {clock, count, journals, other} = fixture()
  const after = async (milliseconds: number, act?: () => Promise<unknown>) => {
    let isOver = false
    const waiting = journals.waitForChange('c1', milliseconds).then(() => (isOver = true))
    assert.equal(count.subscribers, 1)
    const began = clock.now()
    await act?.()
    for (let step = 0; !isOver && step < 200; step++) {
      await flushPromises()
      if (!isOver) await clock.advance(1)
    }
    await waiting
    assert.equal(count.subscribers, 0)
    return clock.now() - began
  }
  assert.equal(await after(5_000), 100)
  assert.equal(await after(30), 30)
  assert.equal(await after(5_000, () => other.update('c1', () => mismatch)), 0)
  assert.equal(clock.sleepers, 0)
})
