/** The tests that every store must pass, run against a real one. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {Store} from '../../src/contract/store.js'

/** @param connect returns a store over the same data for the same name, as another process would have it */
export function storeConformance(name: string, connect: (data: string) => Promise<Store> | Store): void {
  let data = 0
  const fresh = () => `data-${(data += 1)}`

  test(`${name}: entries are read in order, whole, after any number`, async () => {
    const store = await connect(fresh())
    for (const after of [undefined, 7]) assert.deepEqual(await store.read('unknown', after), [])
    const entries = Array.from(
      {length: 25},
      (_, index) => `{"n":${index},"text":"ünïcode\\n${'x'.repeat(500)}"}`,
    )
    for (const [index, entry] of entries.entries())
      assert.equal(await store.append('c1', index + 1, entry), true)
    assert.deepEqual(await store.read('c1'), entries)
    assert.deepEqual(await store.read('c1', 1), entries.slice(1))
    assert.deepEqual(await store.read('c1', 20), entries.slice(20))
    assert.deepEqual(await store.read('c1', 25), [])
  })

  test(`${name}: of several appends of one number, exactly one succeeds, and all instances read its entry`, async () => {
    const data = fresh()
    const stores: Store[] = []
    while (stores.length < 5) stores.push(await connect(data))
    for (let rev = 1; rev <= 10; rev++) {
      const won = await Promise.all(stores.map((store, index) => store.append('c1', rev, `${index}`)))
      assert.equal(won.filter(Boolean).length, 1)
      assert.equal(await stores[0]?.append('c1', rev, 'late'), false)
      for (const store of stores) assert.deepEqual(await store.read('c1', rev - 1), [`${won.indexOf(true)}`])
    }
  })

  test(`${name}: ids may differ in letter case only, or be words with a meaning elsewhere`, async () => {
    const store = await connect(fresh())
    const ids = ['Charge', 'charge', '__proto__', 'constructor', 'open', '-', 'a'.repeat(64)]
    for (const id of ids) assert.equal(await store.append(id, 1, id), true, id)
    for (const id of ids) assert.deepEqual(await store.read(id), [id])
  })

  test(`${name}: a charge is open from its first entry until it is closed, and keeps its journal`, async () => {
    const store = await connect(fresh())
    for (const id of ['c1', 'c2', 'c3']) await store.append(id, 1, 'x')
    await store.append('c1', 2, 'y')
    assert.deepEqual(await openOf(store), ['c1', 'c2', 'c3'])
    await store.closeCharge('c2')
    await store.closeCharge('c2')
    await store.closeCharge('never-seen')
    assert.deepEqual(await openOf(store), ['c1', 'c3'])
    assert.deepEqual(await store.read('c2'), ['x'])
    await store.append('c2', 2, 'late')
    assert.deepEqual(await openOf(store), ['c1', 'c3'])
  })

  test(`${name}: an entry is rejected if the one before it is absent`, async () => {
    const store = await connect(fresh())
    assert.equal(await store.append('c1', 2, 'x'), false)
    assert.deepEqual([await store.read('c1'), await openOf(store)], [[], []])
    await store.append('c1', 1, 'x')
    assert.equal(await store.append('c1', 3, 'z'), false)
    assert.equal(await store.append('c1', 2, 'y'), true)
    assert.deepEqual(await store.read('c1'), ['x', 'y'])
  })

  test(`${name}: closing keeps all entries in order, and later ones continue after them`, async () => {
    const data = fresh()
    const [store, other] = [await connect(data), await connect(data)]
    const entries: string[] = []
    const append = async (entry: string) => {
      entries.push(entry)
      assert.equal(await other.append('c1', entries.length, entry), true)
    }
    for (let rev = 1; rev <= 5; rev++) await append(`before ${rev}\n"`)
    for (let round = 0; round < 3; round++) {
      await store.closeCharge('c1')
      for (let rev = 1; rev <= entries.length; rev++)
        assert.equal(await other.append('c1', rev, 'taken'), false, `${rev}`)
      assert.equal(await other.append('c1', entries.length + 2, 'gap'), false)
      await append(`late ${round}`)
      assert.deepEqual(await other.read('c1'), entries)
      for (let after = 0; after <= entries.length; after++)
        assert.deepEqual(await store.read('c1', after), entries.slice(after))
    }
    assert.deepEqual(await openOf(store), [])
  })

  test(`${name}: a deleted charge has no journal, is not open, and can start again`, async () => {
    const store = await connect(fresh())
    for (const id of ['c1', 'c2', 'c3']) for (const rev of [1, 2, 3]) await store.append(id, rev, `${rev}`)
    await store.closeCharge('c2')
    assert.equal(await store.delete('c1', 2), false)
    for (const id of ['c1', 'c2']) assert.equal(await store.delete(id, 3), true)
    for (const [id, rev] of [
      ['c2', 3],
      ['never-seen', 0],
      ['never-seen', 1],
    ] as const)
      assert.equal(await store.delete(id, rev), false)
    for (const rev of [1, 2]) await store.append('c4', rev, `${rev}`)
    for (const expected of [true, false]) assert.equal(await store.delete('c4'), expected)
    assert.deepEqual(await store.read('c4'), [])
    assert.deepEqual(await openOf(store), ['c3'])
    for (const id of ['c1', 'c2']) {
      assert.deepEqual(await store.read(id), [])
      assert.equal(await store.append(id, 4, 'late'), false)
      assert.equal(await store.append(id, 1, 'again'), true)
      assert.deepEqual(await store.read(id), ['again'])
    }
    assert.deepEqual(await openOf(store), ['c1', 'c2', 'c3'])
    assert.deepEqual(await store.read('c3'), ['1', '2', '3'])
  })

  test(`${name}: a tombstone takes the place of all entries, unless one was added, and later ones follow it`, async () => {
    const data = fresh()
    const [store, other] = [await connect(data), await connect(data)]
    for (const count of [1, 3]) {
      const id = `c${count}`
      for (let rev = 1; rev <= count; rev++) await store.append(id, rev, `${rev}`)
      if (count === 3) await store.closeCharge(id)
      for (const rev of [0, count - 1, count + 1]) assert.equal(await store.delete(id, rev, 'x'), false)
      assert.equal((await other.read(id)).length, count)
      assert.equal(await store.delete(id, count, 'tombstone'), true)
      assert.equal(await other.delete(id, count, 'another'), false)
      for (const rev of [1, count, count + 1, count + 3])
        assert.equal(await other.append(id, rev, 'x'), false, `${rev}`)
      for (let after = 0; after <= count; after++)
        assert.deepEqual(await other.read(id, after), ['tombstone'])
      assert.deepEqual(await other.read(id, count + 1), [])
      assert.deepEqual(await openOf(store), [])
      for (const rev of [count + 2, count + 3]) assert.equal(await other.append(id, rev, `${rev}`), true)
      await store.closeCharge(id)
      assert.deepEqual(await store.read(id), ['tombstone', `${count + 2}`, `${count + 3}`])
      assert.deepEqual(await store.read(id, count + 2), [`${count + 3}`])
    }
  })

  test(`${name}: of an append and a tombstone at the same time, one wins`, async () => {
    const data = fresh()
    const [store, other] = [await connect(data), await connect(data)]
    for (let round = 1; round <= 10; round++) {
      const id = `c${round}`
      await store.append(id, 1, '1')
      const [appended, deleted] = await Promise.all([
        other.append(id, 2, '2'),
        store.delete(id, 1, 'tombstone'),
      ])
      assert.equal(appended, !deleted)
      assert.deepEqual(await store.read(id), deleted ? ['tombstone'] : ['1', '2'])
    }
  })
}

export async function openOf(store: Store): Promise<string[]> {
  const ids: string[] = []
  for await (const id of store.openCharges()) ids.push(id)
  return ids.sort()
}
