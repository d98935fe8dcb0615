/** Reading and changing a journal: when the store is asked again, who is woken, and who was faster. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {NewEntry} from '../../../src/server/journal/entry.js'
import {JournalRepository} from '../../../src/server/journal/repository.js'
import {memoryStore} from '../../../src/server/stores/memory-store.js'
import type {Store} from '../../../src/server/stores/store.js'
import {FakeClock, flushPromises} from '../../fake-clock.js'
import {startOfTest as at} from '../scripted-service.js'

const alarm: NewEntry = {kind: 'address_mismatch', asset: '825', network: 'bsc'}

/** A store that counts what it is asked; two processes may share it. */
function stand() {
  const kept = memoryStore()
  const clock = new FakeClock(at)
  const count = {reads: 0, watchers: 0}
  const hold: {next?: Promise<void>} = {}
  const store: Store = {
    ...kept,
    async read(chargeId, after) {
      count.reads += 1
      const texts = await kept.read(chargeId, after)
      const held = hold.next
      delete hold.next
      await held
      return texts
    },
    subscribe(chargeId, wake) {
      count.watchers += 1
      const unwatch = kept.subscribe?.(chargeId, wake)
      return () => {
        count.watchers -= 1
        unwatch?.()
      }
    },
  }
  const journals = new JournalRepository(store, clock)
  const other = new JournalRepository(kept, clock)
  return {kept, store, clock, count, hold, journals, other}
}

test('a change is stamped with the clock and tells whether it is the last; none leaves all as it was', async () => {
  const {kept, clock, journals} = stand()
  await clock.advance(7)
  const {state, appended} = await journals.update('c1', () => alarm)
  assert.deepEqual([state.rev, state.hasAddressMismatch, appended], [1, true, true])
  assert.deepEqual(await kept.read('c1'), [JSON.stringify({...alarm, at: at + 7})])
  const unchanged = await journals.update('c1', () => undefined)
  assert.deepEqual([unchanged.state.rev, unchanged.appended], [1, false])
  assert.equal((await kept.read('c1')).length, 1)
})

test('invariant 3: who was slower decides again, on what the faster one wrote', async () => {
  const {journals, other} = stand()
  const seen: number[] = []
  let isFirst = true
  const racing: Store = {
    ...journals.store,
    async append(chargeId, rev, entry) {
      if (isFirst) await other.update(chargeId, () => alarm)
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

test('only what is new is read from the store, and everything for support', async () => {
  const {store, other, clock} = stand()
  const asked: (number | undefined)[] = []
  const journals = new JournalRepository(
    {...store, read: (chargeId, after) => (asked.push(after), store.read(chargeId, after))},
    clock,
  )
  await journals.update('c1', () => alarm)
  await other.update('c1', () => alarm)
  assert.equal((await journals.load('c1')).rev, 2)
  assert.equal((await journals.load('c1')).rev, 2)
  assert.equal((await journals.entries('c1')).length, 2)
  assert.deepEqual(asked, [0, 1, 2, undefined])
})

test('a charge that is asked for again needs no other look at the store for a second', async () => {
  const {clock, count, journals} = stand()
  await journals.update('c1', () => alarm)
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
  assert.equal(count.reads, 1)
  assert.equal(count.watchers, 1)
})

test('a charge that is asked for once is not listened for, and one of which nothing is written is not remembered', async () => {
  const {count, journals, other} = stand()
  await journals.loadCached('c1')
  await journals.loadCached('c1')
  assert.equal(journals.peek('c1'), undefined)
  assert.deepEqual(count, {reads: 2, watchers: 0})
  await other.update('c1', () => alarm)
  assert.equal((await journals.loadCached('c1')).rev, 1)
  assert.equal(count.watchers, 0)
  assert.equal(journals.peek('c1')?.rev, 1)
})

test('what somebody else wrote is seen at once by who listens', async () => {
  const {count, journals, other} = stand()
  await journals.update('c1', () => alarm)
  await journals.loadCached('c1')
  count.reads = 0
  await other.update('c1', () => alarm)
  assert.equal((await journals.loadCached('c1')).rev, 2)
  assert.equal((await journals.loadCached('c1')).rev, 2)
  assert.equal(count.reads, 1)
})

test('a look during which the journal grew is not taken for the latest', async () => {
  const {clock, hold, journals, other} = stand()
  await journals.update('c1', () => alarm)
  await journals.loadCached('c1')
  await clock.advance(1_000)
  let arrive = () => {}
  hold.next = new Promise(resolve => (arrive = resolve))
  const look = journals.loadCached('c1')
  await flushPromises()
  await other.update('c1', () => alarm)
  arrive()
  assert.equal((await look).rev, 1)
  assert.equal(journals.peekFresh('c1', clock.now()), undefined)
  assert.equal((await journals.loadCached('c1')).rev, 2)
})

test('a look is as old as its beginning', async () => {
  const {clock, hold, journals} = stand()
  await journals.update('c1', () => alarm)
  let arrive = () => {}
  hold.next = new Promise(resolve => (arrive = resolve))
  const look = journals.loadCached('c1')
  await clock.advance(1_000)
  arrive()
  await look
  assert.equal(journals.peekFresh('c1', clock.now()), undefined)
})

test('invariant 5: of two looks that end in the other order, the later state stays', async () => {
  const {hold, journals, other} = stand()
  await other.update('c1', () => alarm)
  let arrive = () => {}
  hold.next = new Promise(resolve => (arrive = resolve))
  const early = journals.load('c1')
  await flushPromises()
  await other.update('c1', () => alarm)
  assert.equal((await journals.load('c1')).rev, 2)
  arrive()
  assert.equal((await early).rev, 2)
  assert.equal(journals.peek('c1')?.rev, 2)
})

test('once closed it listens for nothing any more, nor begins to', async () => {
  const {count, journals} = stand()
  await journals.update('c1', () => alarm)
  await journals.loadCached('c1')
  assert.equal(count.watchers, 1)
  journals.close()
  assert.equal(count.watchers, 0)
  await journals.loadCached('c1')
  await journals.loadCached('c1')
  assert.equal(count.watchers, 0)
})

test('what nobody asks for in five minutes is not listened for either', async () => {
  const {clock, count, journals} = stand()
  await journals.update('c1', () => alarm)
  await journals.loadCached('c1')
  await clock.advance(5 * 60_000)
  await journals.update('c2', () => alarm)
  assert.equal(count.watchers, 0)
  assert.equal(journals.peek('c1'), undefined)
})

test('who waits is woken by growth, by its own process even where the store tells nobody', async () => {
  const {kept, clock} = stand()
  const {subscribe: _, ...silent} = kept
  const journals = new JournalRepository(silent, clock)
  let woken = 0
  const unwatch = journals.subscribe('c1', () => (woken += 1))
  const unwatchOther = journals.subscribe('c1', () => (woken += 10))
  await journals.update('c1', () => alarm)
  assert.equal(woken, 11)
  await journals.update('c2', () => alarm)
  unwatch()
  await journals.update('c1', () => alarm)
  assert.equal(woken, 21)
  unwatchOther()
  await journals.update('c1', () => alarm)
  assert.equal(woken, 21)
})

test('who waits looks for itself after a tenth of a second, sooner where the time is shorter, and stops listening', async () => {
  const {clock, count, journals, other} = stand()
  const after = async (milliseconds: number, act?: () => Promise<unknown>) => {
    let isOver = false
    const waiting = journals.waitForChange('c1', milliseconds).then(() => (isOver = true))
    assert.equal(count.watchers, 1)
    const began = clock.now()
    await act?.()
    for (let step = 0; !isOver && step < 200; step++) {
      await flushPromises()
      if (!isOver) await clock.advance(1)
    }
    await waiting
    assert.equal(count.watchers, 0)
    return clock.now() - began
  }
  assert.equal(await after(5_000), 100)
  assert.equal(await after(30), 30)
  assert.equal(await after(5_000, () => other.update('c1', () => alarm)), 0)
  assert.equal(clock.sleepers, 0)
})
