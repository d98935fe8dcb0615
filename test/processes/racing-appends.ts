/**
 * One of several processes that append the same entries at the same time, over one store. Prints the entries that it
 * won. Kills itself with SIGKILL after append number `dieAt`, between two statements.
 */
import {StoreError} from '../../src/server/errors.js'
import {openStore} from '../../src/cli/open-store.js'

const [where = '', , , name = '', charges = '', entries = '', dieAt = ''] = process.argv.slice(2)
const {store, close} = await openStore(where)
const CONCURRENCY = 8
let appends = 0

async function appendAll(chargeId: string): Promise<void> {
  for (let rev = 1; rev <= Number(entries); rev++) {
    const entry = `${chargeId} ${rev} ${name}`
    // Writing to a pipe is synchronous, so the line is written before the process is killed.
    if (await append(chargeId, rev, entry)) process.stdout.write(`${entry}\n`)
    if (++appends === Number(dieAt)) process.kill(process.pid, 'SIGKILL')
  }
}

/** On a busy machine an operation may take too long. Then its outcome is unknown, and the entry says whose it is. */
async function append(chargeId: string, rev: number, entry: string): Promise<boolean> {
  for (let isRepeated = false; ; isRepeated = true)
    try {
      if (await store.append(chargeId, rev, entry)) return true
      return isRepeated && (await store.read(chargeId, rev - 1))[0] === entry
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
    }
}

const waiting = Array.from({length: Number(charges)}, (_, index) => `charge-${index}`)
async function work(): Promise<void> {
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) await appendAll(id)
}
await Promise.all(Array.from({length: CONCURRENCY}, work))
await close()
