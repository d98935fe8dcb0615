/** What must hold of every store. Each store's test runs this against a real one. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {Store} from '../../../src/server/stores/store.js'

/** @param make a store over the same data each time it is called with the same name, as another process would */
export function storeConformance(
  name: string,
  make: (data: string) => Promise<Store> | Store,
  {wakes}: {wakes: boolean},
): void {
  let data = 0
  const fresh = () => `data-${(data += 1)}`

  test(`${name}: an unknown charge has an empty journal`, async () => {
    const store = await make(fresh())
    assert.deepEqual(await store.read('c1'), [])
    assert.deepEqual(await store.read('c1', 7), [])
  })

  test(`${name}: entries are read back in order, whole, from any number on`, async () => {
    const store = await make(fresh())
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

  test(`${name}: a number that is taken stays as it was`, async () => {
    const store = await make(fresh())
    assert.equal(await store.append('c1', 1, 'first'), true)
    assert.equal(await store.append('c1', 1, 'second'), false)
    assert.deepEqual(await store.read('c1'), ['first'])
  })

  test(`${name}: of many who want the same number exactly one gets it`, async () => {
    const data = fresh()
    const stores: Store[] = []
    while (stores.length < 5) stores.push(await make(data))
    for (let rev = 1; rev <= 10; rev++) {
      const won = await Promise.all(stores.map((store, who) => store.append('c1', rev, `${who}`)))
      assert.equal(won.filter(Boolean).length, 1)
      const entries = await stores[0]?.read('c1')
      assert.equal(entries?.[rev - 1], String(won.indexOf(true)))
    }
  })

  test(`${name}: another instance sees what one wrote`, async () => {
    const data = fresh()
    const [one, other] = [await make(data), await make(data)]
    await one.append('c1', 1, 'a')
    assert.deepEqual(await other.read('c1'), ['a'])
    assert.equal(await other.append('c1', 2, 'b'), true)
    assert.deepEqual(await one.read('c1', 1), ['b'])
  })

  test(`${name}: charges whose ids differ in letter case only are two`, async () => {
    const store = await make(fresh())
    await store.append('Charge', 1, 'upper')
    await store.append('charge', 1, 'lower')
    assert.deepEqual(await store.read('Charge'), ['upper'])
    assert.deepEqual(await store.read('charge'), ['lower'])
  })

  test(`${name}: ids that mean something elsewhere are ordinary here`, async () => {
    const store = await make(fresh())
    for (const id of ['__proto__', 'constructor', 'open', '-', 'a'.repeat(64)]) {
      assert.equal(await store.append(id, 1, id), true, id)
      assert.deepEqual(await store.read(id), [id])
    }
  })

  test(`${name}: a charge is open from its first entry until it is closed, and keeps its journal`, async () => {
    const store = await make(fresh())
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
    const store = await make(fresh())
    assert.equal(await store.append('c1', 2, 'x'), false)
    assert.deepEqual([await store.read('c1'), await openOf(store)], [[], []])
    await store.append('c1', 1, 'x')
    assert.equal(await store.append('c1', 3, 'z'), false)
    assert.equal(await store.append('c1', 2, 'y'), true)
    assert.deepEqual(await store.read('c1'), ['x', 'y'])
  })

  test(`${name}: closing keeps all entries in order, and later ones continue after them`, async () => {
    const data = fresh()
    const [store, other] = [await make(data), await make(data)]
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
    const store = await make(fresh())
    for (const id of ['c1', 'c2', 'c3']) for (const rev of [1, 2, 3]) await store.append(id, rev, `${rev}`)
    await store.closeCharge('c2')
    for (const id of ['c1', 'c2', 'c2', 'never-seen']) await store.delete(id)
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

  if (!wakes) return

  test(`${name}: those who watch are woken by another instance, until they stop`, async () => {
    const data = fresh()
    const [one, other] = [await make(data), await make(data)]
    await one.append('c1', 1, 'x')
    let stop = () => {}
    // A subscription may take a moment to stand: the other goes on writing until it is heard.
    await new Promise<void>(resolve => {
      let heard = false
      stop =
        one.subscribe?.('c1', () => {
          heard = true
          resolve()
        }) ?? stop
      void (async () => {
        for (let rev = 2; !heard; rev++) {
          await other.append('c1', rev, 'x')
          await new Promise(setImmediate)
        }
      })()
    })
    stop()
  })
}

async function openOf(store: Store): Promise<string[]> {
  const ids: string[] = []
  for await (const id of store.openCharges()) ids.push(id)
  return ids.sort()
}
