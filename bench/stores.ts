/**
 * What a store's calls cost beside many rows: `npm run bench stores`. `STORES=files,postgres`, `ROWS=100000`, `SECONDS=3` for
 * each rate. A quarter of the rows are charges that are due later, and a quarter are payments of 90 days.
 */
import {openStore} from '../src/cli/open-store.js'
import type {Store} from '../src/contract/store.js'
import {databases} from '../test/stores/databases.js'
import {median} from './median.js'

const ROWS = Number(process.env['ROWS'] ?? 100_000)
const SECONDS = Number(process.env['SECONDS'] ?? 3)
const chosen = process.env['STORES']?.split(',')
const AT_ONCE = 16
const VALUE = JSON.stringify({document: 'x'.repeat(3_000)})
const PAYMENT = JSON.stringify({payment: 'x'.repeat(300)})
const FIRST_DAY = Date.UTC(2026, 0, 1)
const DAY_MS = 86_400_000
const DAYS = 90
/** After all rows that are there before. */
const NOW = Date.UTC(2026, 6, 1)
const OVERDUE = 100

/** Of charges that were updated. */
let versions = new Map<number, number>()
let calls = 0

const rows: Record<string, object> = {}
for (const {name, skip, start} of databases) {
  if (skip || (chosen && !chosen.includes(name.toLowerCase()))) continue
  const database = await start()
  const {store, close} = await openStore(database.url)
  rows[name] = await measure(store)
  await close()
  await database.stop()
}
console.table(rows)

async function measure(store: Store): Promise<object> {
  versions = new Map()
  const began = performance.now()
  await fill(store)
  const fillSeconds = (performance.now() - began) / 1000
  return {
    'rows/s while filled': Math.round(ROWS / fillSeconds),
    'puts/s, one at a time': await rate(1, index => update(store, index)),
    [`puts/s, ${AT_ONCE} at once`]: await rate(AT_ONCE, index => update(store, index)),
    'gets/s, one at a time': await rate(1, async index => void (await store.get(chargeKey(index)))),
    [`due, ${OVERDUE} keys, ms`]: await time(async () => {
      const keys = await store.due(NOW, OVERDUE)
      if (keys.length !== OVERDUE) throw new Error(`${keys.length} are due`)
    }),
    'payments of a day, ms': await time(async () => {
      const [from, until] = [dayOf(30), dayOf(31)]
      const keys = await store.keys(`payment/${from}`, `payment/${until}`, ROWS)
      if (keys.length < Math.floor(ROWS / 4 / DAYS)) throw new Error(`${keys.length} payments`)
    }),
    'first 500 charges, ms': await time(() => store.keys('charge/', 'charge0', 500)),
  }
}

async function fill(store: Store): Promise<void> {
  let next = 0
  const work = async () => {
    for (let row = next++; row < ROWS; row = next++) await putRow(store, row)
  }
  await Promise.all(Array.from({length: AT_ONCE}, work))
}

function putRow(store: Store, row: number): Promise<boolean> {
  const index = Math.floor(row / 4)
  switch (row % 4) {
    case 0:
      return store.put(chargeKey(index), 1, VALUE, index < OVERDUE ? NOW - index - 1 : NOW + index)
    case 1:
      return store.put(`order/O${index}`, 1, PAYMENT, null)
    case 2:
      return store.put(`crypto/${chargeKey(index)}`, 1, PAYMENT, null)
    default:
      return store.put(`payment/${dayOf(index % DAYS)}T12:00:00.000Z/${index}/1`, 1, PAYMENT, null)
  }
}

function chargeKey(index: number): string {
  return `charge/C${index}`
}

function dayOf(day: number): string {
  return new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10)
}

/** The next version of a charge that is due later, whose due time moves. */
async function update(store: Store, index: number): Promise<void> {
  const charge = OVERDUE + (index % (Math.floor(ROWS / 4) - OVERDUE))
  const version = (versions.get(charge) ?? 1) + 1
  versions.set(charge, version)
  if (!(await store.put(chargeKey(charge), version, VALUE, NOW + charge + version)))
    throw new Error(`version ${version} of ${charge} is not the next one`)
}

/** Calls a second. */
async function rate(atOnce: number, call: (index: number) => Promise<void>): Promise<number> {
  const [began, first] = [performance.now(), calls]
  const work = async () => {
    while (performance.now() - began < SECONDS * 1000) await call(calls++)
  }
  await Promise.all(Array.from({length: atOnce}, work))
  return Math.round(((calls - first) * 1000) / (performance.now() - began))
}

/** Milliseconds, the median of some. */
async function time(act: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  while (times.length < 9) {
    const began = performance.now()
    await act()
    times.push(performance.now() - began)
  }
  return Number(median(times).toFixed(1))
}
