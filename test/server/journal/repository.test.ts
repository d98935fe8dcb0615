import {hasAlert} from '../../../src/server/journal/state.js'
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
  assert.deepEqual([state.rev, hasAlert(state, 'address_mismatch'), appended], [1, true, true])
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
  assert.deepEqual([seen, state.rev, state.aliasOf, appended], [[0, 1], 2, 'c9', true])
  assert.ok(hasAlert(state, 'address_mismatch'))
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
  // The last known entry is read again.
  assert.deepEqual(reads, [0, 0, 1, undefined])
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

/** A store whose journals can lose their last entries, as after a failover. */
function losing() {
  const {original, clock} = fixture()
  const logged: unknown[] = []
  const lost: string[] = []
  const log = (...line: unknown[]) => void logged.push(line)
  const journals = new JournalRepository(original, clock, {
    logger: {info: log, warn: log, error: log},
    onStoreLost: chargeId => void lost.push(chargeId),
    retention: 90 * 24 * 3_600_000,
  })
  /** Keeps the first entries only. */
  const truncate = async (chargeId: string, count: number) => {
    const texts = (await original.read(chargeId)).slice(0, count)
    await original.delete(chargeId)
    for (const [index, text] of texts.entries()) await original.append(chargeId, index + 1, text)
  }
  const update = () => journals.update('c1', ({rev}) => ({kind: 'alias', chargeId: `c${rev}`}))
  return {original, clock, logged, lost, journals, truncate, update}
}

const isStoreLost = {code: 'store_lost', status: 500}

for (const minutes of [0, 6])
  for (const count of [0, 2])
    test(`a journal with ${count} of 3 entries left is lost, ${minutes} minutes after it was read`, async () => {
      const {original, clock, logged, lost, journals, truncate, update} = losing()
      for (let rev = 1; rev <= 3; rev++) await update()
      const complete = await original.read('c1')
      await clock.advance(minutes * 60_000)
      await truncate('c1', count)
      for (let times = 0; times < 2; times++) {
        await assert.rejects(update(), isStoreLost)
        await assert.rejects(journals.load('c1'), isStoreLost)
        await assert.rejects(journals.loadCached('c1'), isStoreLost)
      }
      assert.equal((await original.read('c1')).length, count, 'nothing is written')
      assert.deepEqual(logged, [['the store has lost entries of a charge', {chargeId: 'c1', rev: 3}]])
      assert.deepEqual(lost, ['c1'])

      for (const [index, text] of complete.entries()) await original.append('c1', index + 1, text)
      assert.equal((await journals.load('c1')).rev, 3)
      assert.equal((await update()).state.rev, 4)
      await truncate('c1', 3)
      await assert.rejects(journals.load('c1'), isStoreLost)
      assert.equal(lost.length, 2)
    })

for (const minutes of [0, 6])
  test(`another entry in place of the last known one is a lost store, ${minutes} minutes later`, async () => {
    const {original, clock, journals, truncate, update} = losing()
    for (let rev = 1; rev <= 3; rev++) await update()
    await clock.advance(minutes * 60_000)
    await truncate('c1', 2)
    for (const rev of [3, 4, 5]) await original.append('c1', rev, JSON.stringify({...mismatch, at}))
    await assert.rejects(journals.load('c1'), isStoreLost)
  })

test('a store that accepts no entry and shows no other is lost: an update ends', async () => {
  const {original, clock, update, journals} = losing()
  await update()
  const stuck = new JournalRepository({...original, append: () => Promise.resolve(false)}, clock)
  const append = (chargeId: string) => stuck.update(chargeId, () => mismatch)
  await assert.rejects(append('c1'), isStoreLost)
  await assert.rejects(append('c2'), {code: 'store_unavailable'})
  assert.equal((await journals.load('c1')).rev, 1)
})

test('a journal that this process deletes is not lost, nor one that another deletes after the retention', async () => {
  const {original, clock, lost, journals, update} = losing()
  await update()
  await journals.delete('c1')
  assert.equal((await journals.load('c1')).rev, 0)
  assert.equal((await update()).state.rev, 1)
  await original.delete('c1')
  await clock.advance(90 * 24 * 3_600_000)
  assert.equal((await journals.load('c1')).rev, 0)
  assert.deepEqual(lost, [])
})

test('a journal that has only lost entries is lost, also after the retention', async () => {
  const {clock, journals, truncate, update} = losing()
  for (let rev = 1; rev <= 3; rev++) await update()
  await clock.advance(90 * 24 * 3_600_000)
  await truncate('c1', 2)
  await assert.rejects(journals.load('c1'), isStoreLost)
})

test('a callback that throws changes nothing, and is logged', async () => {
  const {original, clock} = fixture()
  const logged: unknown[] = []
  const log = (...line: unknown[]) => void logged.push(line)
  const journals = new JournalRepository(original, clock, {
    logger: {info: log, warn: log, error: log},
    onStoreLost: () => {
      throw new RangeError('canary')
    },
  })
  await journals.update('c1', () => mismatch)
  await original.delete('c1')
  await assert.rejects(journals.load('c1'), isStoreLost)
  assert.deepEqual(logged.at(-1), ['reporting a lost store failed', {chargeId: 'c1', error: 'RangeError'}])
})

test('any error of a store is store_unavailable, without its message', async () => {
  const {original, clock} = fixture()
  const broken = () => Promise.reject(new TypeError('redis://user:canary@host'))
  const {store} = new JournalRepository(
    {...original, append: broken, read: broken, closeCharge: broken, delete: broken, lease: broken},
    clock,
  )
  const calls = [
    store.append('c1', 1, 'x'),
    store.read('c1'),
    store.closeCharge('c1'),
    store.delete('c1'),
    store.lease?.('x', 1) ?? broken(),
  ]
  const expected = {code: 'store_unavailable', status: 503, message: 'the store failed (TypeError)'}
  for (const call of calls) await assert.rejects(call, expected)
})
