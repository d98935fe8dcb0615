/**
 * What one open charge with three tabs costs for an hour: `npm run bench hour`. The tabs use the element's own poller and
 * event streams, over nginx and two proxies with one store. It measures the first minute and some later ones (`MINUTES`),
 * and adds them up: once the first, and 59 times the mean of the others. `CHARGES`, and `STORE=redis` or `postgres`.
 */
import {Agent, request, type ClientRequest, type IncomingMessage} from 'node:http'
import type {Socket} from 'node:net'
import {setTimeout} from 'node:timers/promises'
import {systemClock, type Checkout} from '../src/contract/index.js'
import {createPoller, type Poller} from '../src/core/poller.js'
import {databaseNames, startCluster} from './cluster.js'
import {cpuMsOf, figuresOf, startService} from './processes.js'
import {fillStore, idsOf} from './processes/template.js'

const CHARGES = Number(process.env['CHARGES'] ?? 200)
const MINUTES = Number(process.env['MINUTES'] ?? 2)
const TABS = 3
const MINUTE_MS = 60_000

const visibility = {isVisible: () => true, subscribe: () => () => undefined}
const agent = new Agent({keepAlive: true, maxSockets: 64})
const sockets = new Set<Socket>()
let closedBytes = 0

/** A tab at the asset picker: reads by the element's schedule, and at once after each wake-up. */
class Tab {
  #etag: string | undefined
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
    const poller = (this.#poller = createPoller(
      {
        clock: systemClock,
        random: Math.random,
        visibility,
        read: () =>
          this.#read().then(
            () => null,
            () => null,
          ),
        age: at => this.#server.time + at - this.#server.at - this.#createdAt,
      },
      'choosing',
    ))
    this.#stream = request(
      `${this.url}/events`,
      {agent: new Agent(), localAddress: this.localAddress},
      response => {
        if (response.statusCode !== 200) throw new Error(`the stream returned ${response.statusCode}`)
        poller.setStreaming(true)
        response.setEncoding('utf8').on('data', (text: string) => {
          const rev = Number(/"rev":(\d+)/.exec(text)?.[1] ?? this.#rev)
          if (rev !== this.#rev) void poller.readNow()
        })
      },
    )
    this.#stream
      .on('socket', count)
      .on('error', () => undefined)
      .end()
  }

  close(): void {
    this.#poller?.stop()
    this.#stream?.destroy()
  }

  async #read(): Promise<void> {
    const headers = this.#etag === undefined ? {} : {'if-none-match': this.#etag}
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(this.url, {agent, headers}, resolve).on('socket', count).on('error', reject).end()
    })
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) text += String(chunk)
    const {etag, 'x-checkout-time': time} = response.headers
    this.#etag = etag
    if (response.statusCode === 304) this.#server = {time: Date.parse(String(time)), at: systemClock.now()}
    if (response.statusCode !== 200) return
    const checkout = JSON.parse(text) as Checkout
    this.#rev = checkout.rev
    this.#createdAt = Date.parse(checkout.createdAt)
    this.#server = {time: Date.parse(checkout.serverTime), at: systemClock.now()}
  }
}

function count(socket: Socket): void {
  if (sockets.has(socket)) return
  sockets.add(socket)
  socket.once('close', () => {
    closedBytes += socket.bytesRead
    sockets.delete(socket)
  })
}

const [store = 'redis'] = databaseNames(process.env['STORE'] ?? 'redis')
const service = await startService()
const {baseUrl, template} = service
const cluster = await startCluster({store, baseUrl, fill: to => fillStore(to, template, CHARGES)})
const mount = `http://127.0.0.1:${cluster.port}/crypto-checkout`
const tabs = Array.from({length: CHARGES * TABS}, (_, index) => {
  const charge = Math.floor(index / TABS)
  return new Tab(`${mount}/charges/${idsOf(charge).chargeId}`, `127.1.${charge >> 8}.${charge & 255}`)
})
try {
  await measureCosts()
} finally {
  for (const tab of tabs) tab.close()
  service.child.kill()
  await cluster.stop()
}

/** CPU seconds, megabytes sent, reads of the service. */
type Cost = readonly [number, number, number]

async function measureCosts(): Promise<void> {
  const total = async (): Promise<Cost> => {
    const bytes = [...sockets].reduce((sum, {bytesRead}) => sum + bytesRead, closedBytes)
    const {upstreamReads} = await figuresOf(service.child)
    return [cpuMsOf(await cluster.figures()) / 1000, bytes / 1e6, upstreamReads]
  }
  const perCharge = (from: Cost, to: Cost, minutes = 1): Cost => {
    const cost = (index: 0 | 1 | 2) => (to[index] - from[index]) / CHARGES / minutes
    return [cost(0), cost(1), cost(2)]
  }
  const atStart = await total()
  // The tabs of a charge are opened at different times.
  for (let index = 0; index < tabs.length; index++) {
    tabs[(index % CHARGES) * TABS + Math.floor(index / CHARGES)]?.open()
    await setTimeout((MINUTE_MS * 0.1) / tabs.length)
  }
  await setTimeout(MINUTE_MS * 0.95)
  const first = perCharge(atStart, await total())
  // The polls of the tabs need a few rounds to align.
  await setTimeout(MINUTE_MS * 1.5)
  const before = await total()
  await setTimeout(MINUTE_MS * MINUTES)
  const later = perCharge(before, await total(), MINUTES)
  const hour: Cost = [first[0] + 59 * later[0], first[1] + 59 * later[1], first[2] + 59 * later[2]]
  const row = ([cpu, megabytes, reads]: Cost) => ({
    'CPU s': cpu.toFixed(4),
    'MB sent': megabytes.toFixed(4),
    'upstream reads': reads.toFixed(1),
  })
  console.log(`${store}, ${CHARGES} charges with ${TABS} tabs each; for one charge:`)
  console.table({'the first minute': row(first), 'a later minute': row(later), 'an hour': row(hour)})
}
