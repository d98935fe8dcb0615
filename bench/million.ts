/**
 * The reconciliation of many open charges with the real code, simulated time and stores that create their journals when
 * they are read: `npm run bench million`. It prints the reads of the service a second, and the time until the last charge
 * was read. Instances on one store share its charges; shards are stores of their own, with their own instances.
 */
import type {Clock} from '../src/contract/index.js'
import type {Transport} from '../src/http/index.js'
import {createCheckoutCore} from '../src/server/create-checkout.js'
import {memoryStore, type Store} from '../src/server/index.js'
import {copyOf, idsOf, recordTemplate} from './template.js'

const template = await recordTemplate()

/** Ends each sleep at its due time, in order, as soon as nothing else is left to do. */
class SimulatedClock implements Clock {
  #now = Date.now()
  readonly #sleeps = new Set<{readonly due: number; readonly end: () => void}>()

  now(): number {
    return this.#now
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (milliseconds <= 0 || signal?.aborted) return Promise.resolve()
    return new Promise(resolve => {
      const end = () => {
        this.#sleeps.delete(sleep)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const sleep = {due: this.#now + milliseconds, end}
      this.#sleeps.add(sleep)
      signal?.addEventListener('abort', end)
    })
  }

  /** Runs until the work has ended. */
  async run(work: Promise<unknown>): Promise<void> {
    let isOver = false
    void work.finally(() => (isOver = true))
    for (;;) {
      await new Promise(resolve => setImmediate(resolve))
      if (isOver) return
      const due = Math.min(...[...this.#sleeps].map(sleep => sleep.due))
      if (due === Infinity) continue
      this.#now = Math.max(this.#now, due)
      for (const sleep of [...this.#sleeps]) if (sleep.due <= due) sleep.end()
    }
  }
}

/** A store with open charges, whose journals take no memory until they grow. */
function storeOf(charges: number, clock: Clock): Store {
  const grown = memoryStore()
  const leases = new Map<string, number>()
  const texts = (chargeId: string) =>
    template.entries.map(text => copyOf(template, text, parseInt(chargeId.slice(1), 16)))
  return {
    ...grown,
    read: async (chargeId, after = 0) =>
      chargeId.startsWith('c') ? texts(chargeId).slice(after) : grown.read(chargeId, after),
    async *openCharges() {
      for (let index = 0; index < charges; index++) yield idsOf(index).chargeId
    },
    lease(name, durationMs) {
      const isFree = (leases.get(name) ?? 0) <= clock.now()
      if (isFree) leases.set(name, clock.now() + durationMs)
      return Promise.resolve(isFree)
    },
  }
}

/** One pass of each instance. `rate` is `reconcileRate`. */
async function simulate(charges: number, instances: number, rate: number) {
  const clock = new SimulatedClock()
  const store = storeOf(charges, clock)
  const startedAt = clock.now()
  const unread = new Set(Array.from({length: charges}, (_, index) => idsOf(index).chargeId.slice(1)))
  let lastAt = NaN
  let reads = 0
  const transport: Transport = ({url}) => {
    reads += 1
    const suffix = url.slice(url.lastIndexOf('/') + 1).slice(1)
    if (unread.delete(suffix) && unread.size === 0) lastAt = clock.now()
    const {charge, cryptoCharge} = template.unpaid
    const text = url.includes('/pay/charge/') ? charge : cryptoCharge
    const headers = {'content-type': 'application/json', date: new Date(clock.now()).toUTCString()}
    return Promise.resolve({status: 200, headers, body: copyOf(template, text, parseInt(suffix, 16))})
  }
  const cores = Array.from({length: instances}, () =>
    createCheckoutCore({
      apiKey: 'TEST;PK;million',
      baseUrl: 'http://127.0.0.1:4010',
      store,
      transport,
      clock,
      reconcileEvery: 0,
      reconcileRate: rate,
    }),
  )
  const cpuBefore = process.cpuUsage()
  await clock.run(Promise.all(cores.map(core => core.reconcile())))
  const {user, system} = process.cpuUsage(cpuBefore)
  const seconds = (clock.now() - startedAt) / 1000
  for (const core of cores) void core.close()
  return {
    'reads of the service a second': Number((reads / seconds).toFixed(1)),
    'until the last charge': `${Math.round((lastAt - startedAt) / 1000)} s`,
    'reads a charge': Number((reads / charges).toFixed(2)),
    'CPU ms a charge': Number(((user + system) / 1000 / charges).toFixed(2)),
  }
}

const cases = (process.env['CASES'] ?? '1000:1:5,1000:2:5,1000:4:5,10000:1:50')
  .split(',')
  .map(each => each.split(':').map(Number) as [charges: number, instances: number, rate: number])
const rows: Record<string, object> = {}
for (const [charges, instances, rate] of cases)
  rows[`${charges} charges, ${instances} instances, reconcileRate ${rate}`] = await simulate(
    charges,
    instances,
    rate,
  )
console.table(rows)
