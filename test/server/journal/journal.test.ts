/** Reading and updating a journal: when the store is read again, and who wins a race. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {NewEntry} from '../../../src/server/journal/entry.js'
import {hasAlert} from '../../../src/server/journal/state.js'
import {reportStoreErrors} from '../../../src/server/base/report-store-errors.js'
import {memoryStore} from '../../../src/stores/memory-store.js'
import type {Store} from '../../../src/contract/store.js'
import {FakeClock, flushPromises} from '../../fake-clock.js'
import {startOfTest as at} from '../scripted-service.js'
import {testContext} from '../test-context.js'

const mismatch: NewEntry = {kind: 'address_mismatch', asset: '825', network: 'bsc'}

/** Two instances over one store, which counts the calls of the first. */
function fixture() {
  const original = memoryStore()
  const clock = new FakeClock(at)
  const count = {reads: 0}
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
  }
  const journals = testContext({store, clock}).journals
  const other = testContext({store: original, clock}).journals
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
  const {state, appended} = await journals.of('c1').update(() => mismatch)
  assert.deepEqual([state.rev, hasAlert(state, 'address_mismatch'), appended], [1, true, true])
  assert.deepEqual(await original.read('c1'), [JSON.stringify({v: 1, ...mismatch, at: at + 7})])
  const unchanged = await journals.of('c1').update(() => undefined)
  assert.deepEqual([unchanged.state.rev, unchanged.appended], [1, false])
  assert.equal((await original.read('c1')).length, 1)
})

test('invariant 3: an update that lost a race is computed again from the entry of the winner', async () => {
  const {store, clock, other} = fixture()
  const seen: number[] = []
  let isFirst = true
  const racing: Store = {
    ...store,
    async append(chargeId, rev, entry) {
      if (isFirst) await other.of(chargeId).update(() => mismatch)
      isFirst = false
      return store.append(chargeId, rev, entry)
    },
  }
  const slow = testContext({store: racing, clock}).journals
  const {state, appended} = await slow.of('c1').update(({rev}) => {
    seen.push(rev)
    return {kind: 'alias', chargeId: 'c9'}
  })
  assert.deepEqual([seen, state.rev, state.aliasOf, appended], [[0, 1], 2, 'c9', true])
  assert.ok(hasAlert(state, 'address_mismatch'))
})

test('load reads new entries only, and entries reads all', async () => {
  const {store, other, clock} = fixture()
  const reads: (number | undefined)[] = []
  const journals = testContext({
    clock,
    store: {...store, read: (chargeId, after) => (reads.push(after), store.read(chargeId, after))},
  }).journals
  await journals.of('c1').update(() => mismatch)
  await other.of('c1').update(() => mismatch)
  assert.equal((await journals.of('c1').state()).rev, 2)
  assert.equal((await journals.of('c1').state()).rev, 2)
  assert.equal((await journals.of('c1').texts()).length, 2)
  // The last known entry is read again.
  assert.deepEqual(reads, [0, 0, 1, undefined])
})

test('a loaded charge is cached for a second, and then the entry of another instance is seen', async () => {
  const {clock, count, journals, other} = fixture()
  await other.of('c1').update(() => mismatch)
  assert.equal(journals.of('c1').peekFresh(at), undefined)
  await journals.of('c1').cachedState()
  await other.of('c1').update(() => mismatch)
  count.reads = 0
  await clock.advance(999)
  assert.equal((await journals.of('c1').cachedState()).rev, 1)
  assert.equal(journals.of('c1').peekFresh(clock.now())?.rev, 1)
  assert.equal(count.reads, 0)
  await clock.advance(1)
  assert.equal(journals.of('c1').peekFresh(clock.now()), undefined)
  for (let times = 0; times < 2; times++) assert.equal((await journals.of('c1').cachedState()).rev, 2)
  assert.equal(count.reads, 1)
})

test('an entry of this instance is in the cached state at once', async () => {
  const {journals} = fixture()
  for (const rev of [1, 2, 3]) {
    await journals.of('c1').update(() => mismatch)
    assert.equal((await journals.of('c1').cachedState()).rev, rev)
  }
  assert.equal(journals.of('c1').peekFresh(at)?.rev, 3)
})

test('an entry that another handle of this instance has appended is seen at once', async () => {
  const {journals} = fixture()
  const early = journals.of('c1')
  await early.state()
  await journals.of('c1').update(() => mismatch)
  assert.notEqual(early, journals.of('c1'))
  await early.update(() => mismatch)
  assert.equal((await journals.of('c1').cachedState()).rev, 2)
})

test('a charge without entries is not cached', async () => {
  const {count, journals, other} = fixture()
  await journals.of('c1').cachedState()
  await journals.of('c1').cachedState()
  assert.equal(journals.of('c1').peek(), undefined)
  assert.equal(count.reads, 2)
  await other.of('c1').update(() => mismatch)
  assert.equal((await journals.of('c1').cachedState()).rev, 1)
  assert.equal(journals.of('c1').peek()?.rev, 1)
})

test('a cached read is as old as its start', async () => {
  const {clock, holdRead, journals} = fixture()
  await journals.of('c1').update(() => mismatch)
  const respond = holdRead()
  const reading = journals.of('c1').cachedState()
  await clock.advance(1_000)
  respond()
  await reading
  assert.equal(journals.of('c1').peekFresh(clock.now()), undefined)
})

test('invariant 5: of two reads that end in reverse order, the later state stays', async () => {
  const {holdRead, journals, other} = fixture()
  await other.of('c1').update(() => mismatch)
  const respond = holdRead()
  const early = journals.of('c1').state()
  await flushPromises()
  await other.of('c1').update(() => mismatch)
  assert.equal((await journals.of('c1').state()).rev, 2)
  respond()
  assert.equal((await early).rev, 2)
  assert.equal(journals.of('c1').peek()?.rev, 2)
})

test('a charge that is not used for five minutes is evicted', async () => {
  const {clock, journals} = fixture()
  await journals.of('c1').update(() => mismatch)
  await clock.advance(5 * 60_000 + 1)
  await journals.of('c2').update(() => mismatch)
  assert.equal(journals.of('c1').peek(), undefined)
})

test('waiting for a change ends after 100 ms at most', async () => {
  const {clock, journals} = fixture()
  for (const [milliseconds, expected] of [
    [5_000, 100],
    [30, 30],
  ] as const) {
    let isOver = false
    void journals
      .of('c1')
      .waitForChange(milliseconds)
      .then(() => (isOver = true))
    await clock.advance(expected - 1)
    assert.equal(isOver, false)
    await clock.advance(1)
    assert.equal(isOver, true)
  }
})

/** A store whose journals can lose their last entries, as after a failover. */
function losing() {
  const {original, clock} = fixture()
  const logged: unknown[] = []
  const lost: string[] = []
  const log = (...line: unknown[]) => void logged.push(line)
  const journals = testContext({
    store: original,
    clock,
    logger: {info: log, warn: log, error: log},
  }).journals
  journals.listen({onLost: ({id}) => void lost.push(id)})
  /** Keeps the first entries only. */
  const truncate = async (chargeId: string, count: number) => {
    const texts = await original.read(chargeId)
    await original.delete(chargeId, texts.length)
    for (const [index, text] of texts.slice(0, count).entries())
      await original.append(chargeId, index + 1, text)
  }
  const update = () => journals.of('c1').update(({rev}) => ({kind: 'alias', chargeId: `c${rev}`}))
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
        await assert.rejects(journals.of('c1').state(), isStoreLost)
        await assert.rejects(journals.of('c1').cachedState(), isStoreLost)
      }
      assert.equal((await original.read('c1')).length, count, 'nothing is written')
      assert.deepEqual(logged, [['the store has lost entries of a charge', {chargeId: 'c1', rev: 3}]])
      assert.deepEqual(lost, ['c1'])

      for (const [index, text] of complete.entries()) await original.append('c1', index + 1, text)
      assert.equal((await journals.of('c1').state()).rev, 3)
      assert.equal((await update()).state.rev, 4)
      await truncate('c1', 3)
      await assert.rejects(journals.of('c1').state(), isStoreLost)
      assert.equal(lost.length, 2)
    })

for (const minutes of [0, 6])
  test(`another entry in place of the last known one is a lost store, ${minutes} minutes later`, async () => {
    const {original, clock, journals, truncate, update} = losing()
    for (let rev = 1; rev <= 3; rev++) await update()
    await clock.advance(minutes * 60_000)
    await truncate('c1', 2)
    for (const rev of [3, 4, 5]) await original.append('c1', rev, JSON.stringify({...mismatch, at}))
    await assert.rejects(journals.of('c1').state(), isStoreLost)
  })

test('a store that accepts no entry and shows no other is lost: an update ends', async () => {
  const {original, clock, update, journals} = losing()
  await update()
  const stuck = testContext({store: {...original, append: () => Promise.resolve(false)}, clock}).journals
  const append = (chargeId: string) => stuck.of(chargeId).update(() => mismatch)
  await assert.rejects(append('c1'), isStoreLost)
  await assert.rejects(append('c2'), {code: 'store_unavailable'})
  assert.equal((await journals.of('c1').state()).rev, 1)
})

const tombstone = {kind: 'archived', status: 'paid', paid: {amount: '100.00', currency: 'USD'}} as const

for (const isSeen of [true, false])
  test(`an archived journal is not lost, and goes on after its tombstone, ${isSeen ? 'seen' : 'not seen'} before`, async () => {
    const {original, lost, journals, update} = losing()
    for (let rev = 1; rev <= 3; rev++) await update()
    const archived = {...tombstone, rev: 4}
    const others = testContext({store: original}).journals
    if (isSeen) assert.equal((await others.of('c1').state()).rev, 3)
    assert.equal(await journals.of('c1').delete(2, archived), false)
    assert.equal(await journals.of('c1').delete(3, archived), true)
    for (const {of} of [journals, others].map(each => ({of: () => each.of('c1')}))) {
      const {rev, aliasOf, archived} = await of().state()
      assert.deepEqual([rev, aliasOf, archived?.status, archived?.rev], [4, undefined, 'paid', 4])
    }
    assert.equal((await update()).state.rev, 5)
    assert.deepEqual((await others.of('c1').state()).aliasOf, 'c4')
    const texts = await original.read('c1')
    assert.equal(texts.length, 2)
    assert.ok((texts[0]?.length ?? 0) < 200)
    // Lost after the tombstone, which alone is no longer what was seen.
    await original.delete('c1', 5, texts[0])
    await assert.rejects(others.of('c1').state(), isStoreLost)
    assert.deepEqual(lost, [])
  })

test('a tombstone beside the entries that it replaces hides them', async () => {
  const {original, journals, update} = losing()
  for (let rev = 1; rev <= 2; rev++) await update()
  await original.append('c1', 3, JSON.stringify({...tombstone, rev: 3, at}))
  for (const state of [await journals.of('c1').state(), await journals.peek('c1').state()])
    assert.deepEqual([state.rev, state.aliasOf, state.archived?.status], [3, undefined, 'paid'])
})

test('an index that any process deletes is not lost', async () => {
  const {original, lost, journals} = losing()
  const index = () => journals.of('.closed-2026-11-22T05')
  for (const isOwn of [true, false]) {
    await index().update(() => ({kind: 'indexed', chargeId: 'c1'}))
    assert.equal(isOwn ? await index().delete(1) : await original.delete(index().id, 1), true)
    assert.equal((await index().state()).rev, 0)
  }
  assert.deepEqual(lost, [])
})

test('a journal that has only lost entries is lost, also after the retention', async () => {
  const {clock, journals, truncate, update} = losing()
  for (let rev = 1; rev <= 3; rev++) await update()
  await clock.advance(90 * 24 * 3_600_000)
  await truncate('c1', 2)
  await assert.rejects(journals.of('c1').state(), isStoreLost)
})

test('any error of a store is store_unavailable, without its message', async () => {
  const {original} = fixture()
  const broken = () => Promise.reject(new TypeError('redis://user:canary@host'))
  const store = reportStoreErrors({
    ...original,
    append: broken,
    read: broken,
    closeCharge: broken,
    delete: broken,
    lease: broken,
  })
  const calls = [
    store.append('c1', 1, 'x'),
    store.read('c1'),
    store.closeCharge('c1'),
    store.delete('c1', 1),
    store.lease?.('x', 1) ?? broken(),
  ]
  const expected = {code: 'store_unavailable', status: 503, message: 'the store failed (TypeError)'}
  for (const call of calls) await assert.rejects(call, expected)
})
