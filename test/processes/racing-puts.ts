/**
 * One of several processes that store the next versions of the same rows at the same time. A row holds who has stored each of
 * its versions. Prints the versions that it stored. Kills itself with SIGKILL after put number `dieAt`.
 */
import {openStore} from '../../src/cli/open-store.js'
import {StoreError} from '../../src/contract/errors.js'

const [where = '', name = '', keys = '', versions = '', dieAt = ''] = process.argv.slice(2)
const {store, close} = await openStore(where)
const PROCESSES = 4
const CONCURRENCY = 8
const PADDING = 'x'.repeat(3_000)
let puts = 0

async function storeAll(key: string): Promise<void> {
  for (;;) {
    const row = await read(key)
    const history = row ? (JSON.parse(row.value) as {history: string[]}).history : []
    const version = history.length + 1
    if (version > Number(versions)) return
    const value = JSON.stringify({history: [...history, name], padding: PADDING})
    // Writing to a pipe is synchronous, so the line is written before the process is killed.
    if (await put(key, version, value)) process.stdout.write(`${key} ${version} ${name}\n`)
    if (++puts === Number(dieAt)) process.kill(process.pid, 'SIGKILL')
  }
}

/** On a busy machine a call may take too long. */
async function read(key: string) {
  for (;;)
    try {
      return await store.get(key)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
    }
}

/** Then its outcome is unknown, and the row says whose it is. */
async function put(key: string, version: number, value: string): Promise<boolean> {
  try {
    return await store.put(key, version, value, version)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const row = await read(key)
    const history = row ? (JSON.parse(row.value) as {history: string[]}).history : []
    return history[version - 1] === name
  }
}

const waiting = Array.from({length: Number(keys)}, (_, index) => `charge/${String(index).padStart(4, '0')}`)
async function work(): Promise<void> {
  for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) await storeAll(key)
}
// Otherwise the first one that starts may be done before the last one has started.
await put(`started/${name}`, 1, '{"history": []}')
while ((await store.keys('started/', 'started0', PROCESSES)).length < PROCESSES);
await Promise.all(Array.from({length: CONCURRENCY}, work))
await close()
