/**
 * What one open charge with three tabs costs for an hour: `npm run bench hour`. The tabs use the element's own poller and
 * event streams, over nginx and two proxies with one store. All clocks run `SPEED` times as fast: a process that is mostly
 * idle needs several times the CPU time for each request. It measures the first minute and some later ones (`MINUTES`),
 * and adds them up: once the first, and 59 times the mean of the others. Then it pays charges and sends their webhooks, and
 * measures until each tab has the news, in real milliseconds. `CHARGES`, `STORE=redis` or `postgres`,
 * and `ALIGN=0` for tabs that do not read at the same time.
 */
import type {ChildProcess} from 'node:child_process'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {Agent, request, type ClientRequest, type IncomingMessage} from 'node:http'
import type {Socket} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import type {Checkout} from '../src/contract/index.js'
import {createPoller, type Poller} from '../src/core/poller.js'
import {openStore} from '../src/cli/open-store.js'
import {startNginx} from '../test/system/nginx-server.js'
import {startDatabase} from './database.js'
import {fastClock, SPEED} from './fast-clock.js'
import {figuresOf, start, type Started} from './load-children.js'
import {fillStore, idsOf, recordTemplate} from './template.js'

const CHARGES = Number(process.env['CHARGES'] ?? 200)
const MINUTES = Number(process.env['MINUTES'] ?? 2)
const PAYMENTS = Number(process.env['PAYMENTS'] ?? 100)
const STORE = process.env['STORE'] ?? 'redis'
const TABS = 3
/** Whether the tabs of a charge read at the same time, as the element does. */
const ALIGN = process.env['ALIGN'] !== '0'
const MINUTE_MS = 60_000 / SPEED
const MAX_NEWS_MS = 45_000

const visibility = {isVisible: () => true, subscribe: () => () => undefined}
const sockets = new Set<Socket>()
let closedBytes = 0

/** A tab at the asset picker: reads by the element's schedule, and at once after each wake-up. */
class Tab {
  isPaid: Promise<void>
  #onPaid: () => void = () => undefined
  #etag: string | undefined
  #rev = 0
  #createdAt = NaN
  #server = {time: 0, at: 0}
  #stream: ClientRequest | undefined
  #poller: Poller | undefined

  constructor(
    readonly url: string,
    readonly agent: Agent,
    /** Of its own customer, because event streams are limited by address. */
    readonly localAddress: string,
  ) {
    this.isPaid = new Promise(resolve => (this.#onPaid = resolve))
  }

  open(): void {
    const poller = (this.#poller = createPoller(
      {
        clock: fastClock,
        random: Math.random,
        visibility,
        read: () =>
          this.#read().then(
            () => null,
            () => null,
          ),
        age: at => (ALIGN ? this.#server.time + at - this.#server.at - this.#createdAt : NaN),
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
      request(this.url, {agent: this.agent, headers}, resolve).on('socket', count).on('error', reject).end()
    })
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) text += String(chunk)
    const {etag, 'x-checkout-time': time} = response.headers
    this.#etag = etag
    if (response.statusCode === 304) this.#server = {time: Date.parse(String(time)), at: fastClock.now()}
    if (response.statusCode !== 200) return
    const checkout = JSON.parse(text) as Checkout
    this.#rev = checkout.rev
    this.#createdAt = Date.parse(checkout.createdAt)
    this.#server = {time: Date.parse(checkout.serverTime), at: fastClock.now()}
    if (checkout.status === 'paid') this.#onPaid()
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

function bytesReceived(): number {
  return [...sockets].reduce((sum, {bytesRead}) => sum + bytesRead, closedBytes)
}

const folder = await mkdtemp(join(tmpdir(), 'bench-hour-'))
const children: ChildProcess[] = []
const tabs: Tab[] = []
const database = await startDatabase(STORE)
try {
  const template = await recordTemplate()
  const templateFile = join(folder, 'template.json')
  await writeFile(templateFile, JSON.stringify(template))
  const {store, close} = await openStore(database.url)
  if ('migrate' in store) await store.migrate()
  await fillStore(store, template, CHARGES)
  await close()
  const service = await start(children, 'template', templateFile)
  const baseUrl = `http://127.0.0.1:${service.port}`
  const startProxy = () => start(children, 'proxy', 'TEST;PK;hour', baseUrl, database.url)
  const proxies = [await startProxy(), await startProxy()]
  const ports = proxies.map(({port}) => port)
  const nginx = await startNginx(ports, 'off')
  try {
    const mount = `http://127.0.0.1:${nginx.port}/crypto-checkout`
    await measure(mount, baseUrl, service, proxies)
  } finally {
    for (const tab of tabs) tab.close()
    await nginx.stop()
  }
} finally {
  for (const child of children) child.kill()
  await database.stop()
  await rm(folder, {recursive: true})
}

async function measure(mount: string, baseUrl: string, service: Started, proxies: readonly Started[]) {
  const agent = new Agent({keepAlive: true, maxSockets: 64})
  for (let index = 0; index < CHARGES; index++)
    for (let tab = 0; tab < TABS; tab++)
      tabs.push(
        new Tab(`${mount}/charges/${idsOf(index).chargeId}`, agent, `127.1.${index >> 8}.${index & 255}`),
      )
  const figures = async () => {
    const all = await Promise.all(proxies.map(({child}) => figuresOf(child)))
    const {upstreamReads} = await figuresOf(service.child)
    return {
      'CPU s': all.reduce((sum, {cpuMs}) => sum + cpuMs, 0) / 1000,
      'MB sent': bytesReceived() / 1e6,
      'upstream reads': upstreamReads,
    }
  }
  type Cost = Awaited<ReturnType<typeof figures>>
  const per = (map: (what: keyof Cost) => number): Cost => ({
    'CPU s': map('CPU s'),
    'MB sent': map('MB sent'),
    'upstream reads': map('upstream reads'),
  })
  const atStart = await figures()
  // The tabs of a charge were opened at different times.
  for (const tab of shuffled(tabs)) {
    tab.open()
    await setTimeout((MINUTE_MS * 0.1) / tabs.length)
  }
  await setTimeout(MINUTE_MS * 0.95)
  const afterFirst = await figures()
  // The polls of the tabs need a few rounds to align.
  await setTimeout(MINUTE_MS * 1.5)
  const before = await figures()
  await setTimeout(MINUTE_MS * MINUTES)
  const after = await figures()

  const first = per(what => (afterFirst[what] - atStart[what]) / CHARGES)
  const later = per(what => (after[what] - before[what]) / CHARGES / MINUTES)
  const format = (cost: Cost) => ({
    'CPU s': cost['CPU s'].toFixed(4),
    'MB sent': cost['MB sent'].toFixed(4),
    'upstream reads': cost['upstream reads'].toFixed(1),
  })
  console.log(`${STORE}, ${CHARGES} charges with ${TABS} tabs each; for one charge:`)
  console.table({
    'the first minute': format(first),
    'a later minute': format(later),
    'an hour': format(per(what => first[what] + 59 * later[what])),
  })

  const waits: number[] = []
  for (let index = 0; index < Math.min(PAYMENTS, CHARGES); index++) {
    await fetch(`${baseUrl}/pay/${index}`, {method: 'POST'})
    const sentAt = performance.now()
    void fetch(`${mount}/webhook`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({chargeId: idsOf(index).chargeId}),
    })
    const charge = tabs.slice(index * TABS, (index + 1) * TABS)
    const news = Promise.all(charge.map(tab => tab.isPaid.then(() => waits.push(performance.now() - sentAt))))
    await Promise.race([news, setTimeout(MAX_NEWS_MS)])
  }
  waits.sort((a, b) => a - b)
  const at = (share: number) => (waits[Math.ceil(waits.length * share) - 1] ?? NaN).toFixed(1)
  console.log(
    `from the webhook to the tab, ${waits.length} tabs: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, maximum ${at(1)} ms`,
  )
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map(item => ({item, order: Math.random()}))
    .sort((a, b) => a.order - b.order)
    .map(({item}) => item)
}
