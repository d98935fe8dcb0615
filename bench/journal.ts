/**
 * The time to load a journal of 10,000 entries of all frequent kinds: `npm run bench journal`. The goal is 100 ms. CPU time
 * is shown too, because it does not depend on other processes. With `single files` the file store's journal is not
 * compacted, as version 0.1.0 wrote it.
 */
import {mkdtemp, readdir, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {Redis} from 'ioredis'
import {systemClock} from '../src/contract/index.js'
import type {Entry} from '../src/server/journal/entry.js'
import {JournalRepository} from '../src/server/journal/repository.js'
import {fileStore} from '../src/server/stores/file-store.js'
import {memoryStore} from '../src/server/stores/memory-store.js'
import {redisStore} from '../src/server/stores/redis-store.js'
import type {Store} from '../src/server/stores/store.js'
import {skipWithout} from '../test/system/programs.js'
import {startRedis} from '../test/system/redis-server.js'

const ENTRIES = 10_000
const ROUNDS = 7
const texts = Array.from({length: ENTRIES}, (_, index) => JSON.stringify(entry(index)))

function entry(index: number): Entry {
  const at = 1_795_000_000_000 + index
  const money = {amount: '49.90', currency: 'USD'}
  const pair = {asset: '825', network: 'bsc'}
  const time = new Date(at).toISOString()
  if (index === 0)
    return {kind: 'opened', at, journal: 'j', price: money, createdAt: time, acceptsPartial: false}
  switch (index % 5) {
    case 0:
      return {kind: 'quoting', at, ...pair, covers: money, until: at + 15_000}
    case 1: {
      const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
      const names = {symbol: 'USDT', networkName: 'BNB Smart Chain'}
      const quote = {...pair, ...names, covers: money, amount: '49.95', address}
      return {kind: 'quoted', at, quote: {...quote, quotedAt: time, refreshAfter: time}}
    }
    case 2:
      return {kind: 'quote_selected', at, ...pair}
    case 3: {
      const amounts = {amount: '49.95', currency: 'USDT', local: money}
      const payment = {transactionId: `0x${index}`, network: 'bsc', status: 'CONFIRMED', confirmed: true}
      const payments = [{...payment, ...amounts, at: time}]
      return {kind: 'observed', at, status: 'open', cancelled: false, expiresAt: at, payments}
    }
    default:
      return {kind: 'notified', at, subject: `payment bsc:0x${index}:USDT`, done: true}
  }
}

async function fill(store: Store): Promise<Store> {
  for (const [index, text] of texts.entries()) await store.append('c1', index + 1, text)
  return store
}

/** Written directly, because the store compacts while it appends. */
async function singleFiles(folder: string): Promise<Store> {
  const store = fileStore(folder)
  await store.append('c1', 1, texts[0] ?? '')
  const id = (await readdir(folder, {recursive: true})).find(name => name.endsWith('/id')) ?? ''
  const write = (text: string, index: number) => writeFile(join(folder, id, '..', String(index + 1)), text)
  for (let first = 1; first < ENTRIES; first += 100)
    await Promise.all(texts.slice(first, first + 100).map((text, index) => write(text, first + index)))
  return store
}

async function measure(name: string, store: Store): Promise<void> {
  const times: number[] = []
  const cpuTimes: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const journals = new JournalRepository(store, systemClock)
    const startedAt = performance.now()
    const cpuAtStart = process.cpuUsage()
    const {rev} = await journals.load('c1')
    times.push(performance.now() - startedAt)
    const {user, system} = process.cpuUsage(cpuAtStart)
    cpuTimes.push((user + system) / 1000)
    if (rev !== ENTRIES) throw new Error(`${name}: ${rev} entries`)
  }
  const median = (values: number[]) => (values.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0).toFixed(0)
  console.log(`${name.padEnd(22)} median ${median(times)} ms, of this process's CPU ${median(cpuTimes)} ms`)
}

const folder = await mkdtemp(join(tmpdir(), 'bench-journal-'))
try {
  await measure('memory', await fill(memoryStore()))
  const single = await singleFiles(join(folder, 'single'))
  await measure('files, single files', single)
  await single.closeCharge('c1')
  await measure('files', single)
} finally {
  await rm(folder, {recursive: true})
}

if (skipWithout('redis-server') === false) {
  const redis = await startRedis({fsync: 'everysec'})
  const client = new Redis(redis.port, '127.0.0.1')
  await measure('Redis', await fill(redisStore(client)))
  client.disconnect()
  await redis.stop()
}
