/**
 * What one open charge with three tabs costs for an hour, and the memory that it takes: `npm run bench hour`. The tabs use the
 * element's own poller and event streams, over nginx and two proxies with one store. It measures the first minute and some
 * later ones (`MINUTES`), and adds them up: once the first, and 59 times the mean of the others. `CHARGES`, and `STORE=redis`
 * or `postgres`.
 */
import {Agent, request, type ClientRequest} from 'node:http'
import {setTimeout} from 'node:timers/promises'
import {systemClock, type Checkout} from '../src/contract/index.js'
import {createPoller, type Poller} from '../src/core/poller.js'
import {databaseNames, startCluster} from './cluster.js'
import {cpuMsOf, figuresOf, heapBytesOf, startService} from './processes.js'
import {fillStore, idsOf} from './processes/template.js'

const CHARGES = Number(process.env['CHARGES'] ?? 200)
const MINUTES = Number(process.env['MINUTES'] ?? 2)
const TABS = 3
const MINUTE_MS = 60_000

const visibility = {isVisible: () => true, subscribe: () => () => undefined}

/** A tab at the asset picker: reads by the element's schedule, and at once after each wake-up. */
class Tab {
  #etag = ''
  #rev = 0
  #createdAt = NaN
  #server = {time: 0, at: 0}
  #stream: ClientRequest | undefined
  #poller: Poller | undefined

  constructor(
    readonly url: string,
    /** Of its own customer, because event streams are limited by address. */
    readonly localAddress: string,
  ) {}

  open(): void {
    const read = async () => {
      await this.#read().catch(() => undefined)
      return null
    }
    const age = (at: number) => this.#server.time + at - this.#server.at - this.#createdAt
    const poller = createPoller({clock: systemClock, random: Math.random, visibility, read, age}, 'choosing')
    this.#poller = poller
    const options = {agent: new Agent(), localAddress: this.localAddress}
    this.#stream = request(`${this.url}/events`, options, response => {
      if (response.statusCode !== 200) throw new Error(`the stream returned ${response.statusCode}`)
      poller.setStreaming(true)
      response.setEncoding('utf8').on('data', (text: string) => {
        const rev = Number(/"rev":(\d+)/.exec(text)?.[1] ?? this.#rev)
        if (rev !== this.#rev) void poller.readNow()
      })
    })
    this.#stream.on('error', () => undefined).end()
  }

  close(): void {
    this.#poller?.stop()
    this.#stream?.destroy()
  }

  async #read(): Promise<void> {
    const response = await fetch(this.url, {headers: {'if-none-match': this.#etag}})
    const text = await response.text()
    const at = systemClock.now()
    if (response.status === 304)
      this.#server = {time: Date.parse(response.headers.get('x-checkout-time') ?? ''), at}
    if (response.status !== 200) return
    const checkout = JSON.parse(text) as Checkout
    this.#etag = response.headers.get('etag') ?? ''
    this.#rev = checkout.rev
    this.#createdAt = Date.parse(checkout.createdAt)
    this.#server = {time: Date.parse(checkout.serverTime), at}
  }
}

const [store = 'redis'] = databaseNames(process.env['STORE'] ?? 'redis')
const service = await startService()
const {baseUrl, template} = service
const cluster = await startCluster({store, baseUrl, fill: to => fillStore(to, template, CHARGES)})
const mount = `http://127.0.0.1:${cluster.port}/crypto-checkout`
const tabs = Array.from({length: CHARGES * TABS}, (_, index) => {
  // The tabs of a charge are opened at different times.
  const charge = index % CHARGES
  return new Tab(`${mount}/charges/${idsOf(charge).chargeId}`, `127.1.${charge >> 8}.${charge & 255}`)
})
try {
  await measureCosts()
} finally {
  for (const tab of tabs) tab.close()
  service.child.kill()
  await cluster.stop()
}

/** CPU seconds, reads of the service. */
type Cost = readonly [number, number]

async function measureCosts(): Promise<void> {
  const total = async (): Promise<Cost> => {
    const {upstreamReads} = await figuresOf(service.child)
    return [cpuMsOf(await cluster.figures()) / 1000, upstreamReads]
  }
  const perCharge = (from: Cost, to: Cost, minutes = 1): Cost => {
    const cost = (index: 0 | 1) => (to[index] - from[index]) / CHARGES / minutes
    return [cost(0), cost(1)]
  }
  const heapBefore = heapBytesOf(await cluster.figures(true))
  const atStart = await total()
  for (const tab of tabs) {
    tab.open()
    await setTimeout((MINUTE_MS * 0.1) / tabs.length)
  }
  await setTimeout(MINUTE_MS * 0.95)
  const first = perCharge(atStart, await total())
  // The polls of the tabs need a few rounds to align.
  await setTimeout(MINUTE_MS * 1.5)
  const before = await total()
  await setTimeout(MINUTE_MS * MINUTES)
  const later = perCharge(before, await total(), MINUTES)
  const heap = heapBytesOf(await cluster.figures(true)) - heapBefore
  const row = ([cpu, reads]: Cost) => ({'CPU s': cpu.toFixed(4), 'upstream reads': reads.toFixed(1)})
  const hour: Cost = [first[0] + 59 * later[0], first[1] + 59 * later[1]]
  console.log(`${store}, ${CHARGES} charges with ${TABS} tabs each; for one charge:`)
  console.table({'the first minute': row(first), 'a later minute': row(later), 'an hour': row(hour)})
  console.log(`${Math.round(heap / CHARGES / 2)} bytes of heap in each process`)
}
