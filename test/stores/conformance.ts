/** The tests that every store must pass, run against a real one. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {Store} from '../../src/contract/store.js'

const EVER = Number.MAX_SAFE_INTEGER
/** After each printable character. */
const LAST = '\u007f'

/** @param connect returns a store over the same data for the same name, as another process would have it */
export function storeConformance(name: string, connect: (data: string) => Promise<Store> | Store): void {
  let data = 0
  const fresh = () => `data-${(data += 1)}`

  test(`${name}: a row is absent until its first version is stored`, async () => {
    const store = await connect(fresh())
    assert.equal(await store.get('charge/c1'), undefined)
    for (const version of [2, 3, 100]) assert.equal(await store.put('charge/c1', version, 'x', 1), false)
    assert.deepEqual(await everything(store), {due: [], keys: []})
    assert.equal(await store.put('charge/c1', 1, 'x', 1), true)
    assert.deepEqual(await store.get('charge/c1'), {version: 1, value: 'x'})
    assert.equal(await store.get('charge/c2'), undefined)
  })

  test(`${name}: a row is stored only after the version before it, and all instances read it`, async () => {
    const data = fresh()
    const [store, other] = [await connect(data), await connect(data)]
    for (let version = 1; version <= 12; version++) {
      assert.equal(await store.put('charge/c1', version, `value ${version}`, null), true)
      for (const each of [1, version - 1, version, version + 2])
        if (each > 0) assert.equal(await other.put('charge/c1', each, 'other', 1), false, `${each}`)
      // Sent again, as by a client that has lost the reply.
      assert.equal(await store.put('charge/c1', version, `value ${version}`, null), false)
      assert.deepEqual(await other.get('charge/c1'), {version, value: `value ${version}`})
    }
    assert.deepEqual(await everything(other), {due: [], keys: ['charge/c1']})
  })

  test(`${name}: of many instances that store one version, exactly one succeeds, and all read its value`, async () => {
    const data = fresh()
    const stores: Store[] = []
    while (stores.length < 5) stores.push(await connect(data))
    for (let version = 1; version <= 10; version++) {
      const won = await Promise.all(
        stores.map((store, index) => store.put('charge/c1', version, `${index}`, index)),
      )
      assert.equal(won.filter(Boolean).length, 1, won.join())
      const winner = won.indexOf(true)
      for (const store of stores)
        assert.deepEqual(await store.get('charge/c1'), {version, value: String(winner)})
      assert.deepEqual(await stores[0]!.due(winner, 10), [])
      assert.deepEqual(await stores[0]!.due(winner + 1, 10), ['charge/c1'])
    }
  })

  test(`${name}: keys that differ in letter case, or in an odd character, are different rows`, async () => {
    const store = await connect(fresh())
    for (const [index, key] of oddKeys.entries())
      assert.equal(await store.put(key, 1, `${index}`, index), true, key)
    for (const [index, key] of oddKeys.entries())
      assert.deepEqual(await store.get(key), {version: 1, value: String(index)}, key)
    assert.deepEqual(await everything(store), {due: oddKeys, keys: oddKeys.toSorted()})
    for (const key of oddKeys) assert.equal(await store.put(key, 2, 'x', null), true, key)
    assert.deepEqual(await everything(store), {due: [], keys: oddKeys.toSorted()})
  })

  test(`${name}: keys are listed in the order of their code units, from the first to below the last, up to the limit`, async () => {
    const store = await connect(fresh())
    const days = ['2025-12-31', '2026-01-01', '2026-01-02', '2026-02-01']
    const payments = days.flatMap(day =>
      ['T00:00:00.000Z/b/1', 'T00:00:00.000Z/B/1', 'T23:59:59.999Z/a/10', 'T23:59:59.999Z/a/2'].map(
        rest => `payment/${day}${rest}`,
      ),
    )
    const sorted = [...payments, 'charge/b', 'charge/a', 'ready', 'charge', 'charge0', 'charge-b/a'].sort()
    // At once, and in another order than theirs.
    for (const version of [1, 2]) {
      const stored = await Promise.all(sorted.toReversed().map(key => store.put(key, version, key, null)))
      assert.ok(stored.every(Boolean))
    }
    for (const value of sorted) assert.deepEqual(await store.get(value), {version: 2, value})
    assert.deepEqual(await store.keys('', LAST, 100), sorted)
    for (const from of ['', ...sorted, 'payment/2026-01', 'charge/', 'charge/aa', LAST])
      for (const until of ['', 'charge/b', 'charge0', 'payment/2026-01-02', sorted.at(-1)!, 'zzz']) {
        const expected = sorted.filter(key => key >= from && key < until)
        for (const limit of [1, 3, 100])
          assert.deepEqual(await store.keys(from, until, limit), expected.slice(0, limit), `${from} ${until}`)
      }
  })

  test(`${name}: what is due is listed from the earliest on, below the given time, up to the limit`, async () => {
    const store = await connect(fresh())
    const now = 1_700_000_000_000
    const keys = ['charge/c', 'order/B', 'ready', 'charge/a']
    for (const [index, key] of keys.entries()) await store.put(key, 1, key, now + index * 1_000)
    await store.put('charge/never', 1, 'x', null)
    await store.put('charge/zero', 1, 'x', 0)
    const due = ['charge/zero', ...keys]
    assert.deepEqual(await store.due(0, 10), [])
    assert.deepEqual(await store.due(now, 10), due.slice(0, 1))
    assert.deepEqual(await store.due(now + 1, 10), due.slice(0, 2))
    assert.deepEqual(await store.due(now + 3_000, 10), due.slice(0, 4))
    assert.deepEqual(await store.due(EVER, 10), due)
    for (const limit of [1, 2, 5]) assert.deepEqual(await store.due(EVER, limit), due.slice(0, limit))
  })

  test(`${name}: a due time moves with the row, stays, ends, and begins again`, async () => {
    const data = fresh()
    const [store, other] = [await connect(data), await connect(data)]
    let version = 0
    for (const due of [5_000, 5_000, 9_000, 1_000, null, null, 3_000, 3_000, null, 7_000]) {
      assert.equal(await store.put('charge/c1', ++version, `${version}`, due), true)
      assert.deepEqual(await other.due(EVER, 10), due === null ? [] : ['charge/c1'])
      assert.deepEqual(await other.due(due ?? EVER, 10), [])
      assert.deepEqual(await other.due((due ?? 0) + 1, 10), due === null ? [] : ['charge/c1'])
      // A put that is refused moves nothing.
      assert.equal(await other.put('charge/c1', version, 'late', 1), false)
      assert.deepEqual(await store.due(500, 10), [])
    }
  })

  test(`${name}: a large value is stored as it is, and so is one with unusual characters`, async () => {
    const store = await connect(fresh())
    const values = [
      JSON.stringify({text: 'x'.repeat(1_000_000)}),
      '\u0001\t\n\r\n\u001f \'"`\\%_$1?:a--/*;\u007f \n',
      '',
      ' ',
      '\n',
    ]
    for (const [index, value] of values.entries()) {
      assert.equal(await store.put('charge/c1', index + 1, value, index), true)
      assert.deepEqual(await store.get('charge/c1'), {version: index + 1, value})
    }
  })
}

/** Of 200 characters, the longest possible. */
const long = (head: string, character: string) => head + character.repeat(200 - head.length)

const oddKeys = [
  'charge/Ab',
  'charge/aB',
  'charge/ab',
  'Charge/ab',
  'ready',
  'READY',
  'charge',
  'charge/',
  'charge//',
  '/charge',
  '/',
  '//',
  '_',
  '_2f',
  '_/a',
  'charge/_41b',
  'charge/a b',
  'charge/ a',
  ' charge/a',
  'charge/.',
  'charge/..',
  '../charge/a',
  'charge/~a~b~',
  'charge/%_\\*?[a]{b}',
  `charge/'";--`,
  'charge/$1:a?<>|',
  '__proto__',
  'constructor',
  '-',
  'payment/2026-01-01T00:00:00.000Z/c1/1',
  'payment/2026-01-01t00:00:00.000z/c1/1',
  'payment/2026-01-01',
  'order/47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
  long('charge/', 'a'),
  long('charge/', 'A'),
  long('charge/a', 'A'),
  long('', 'K'),
  long('', 'k'),
  long('', 'A').replace(/A$/, '/'),
]

async function everything(store: Store) {
  return {due: await store.due(EVER, 1_000), keys: await store.keys('', LAST, 1_000)}
}
