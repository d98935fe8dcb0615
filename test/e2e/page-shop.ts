/** The proxy over the sandbox, with a page of the shop, on a port of its own. */
import assert from 'node:assert/strict'
import {createServer, type ServerResponse} from 'node:http'
import {after, before} from 'node:test'
import {createSandbox} from '../../src/sandbox/index.js'
import {createCheckout, memoryStore, type CheckoutOptions} from '../../src/node/index.js'
import type {Browser, Page} from 'puppeteer-core'
import {launchChromium} from '../engines/puppeteer.js'
import {closeServer, listen} from '../http/loopback.js'
import {order} from '../server/order.js'

export type PageShop = Awaited<ReturnType<typeof startPageShop>>

/** @param respond to requests that are not for the proxy */
export async function startPageShop(
  options: Partial<CheckoutOptions> = {},
  respond?: (shop: PageShop, url: URL, res: ServerResponse) => unknown,
) {
  const sandbox = createSandbox()
  const checkout = createCheckout({
    apiKey: sandbox.apiKey,
    baseUrl: 'http://127.0.0.1:4010',
    transport: sandbox.transport,
    clock: sandbox.clock,
    store: memoryStore(),
    logger: {info() {}, warn() {}, error() {}},
    reconcileEvery: 0,
    ...options,
  })
  const server = createServer((req, res) => {
    const next = respond && (() => void respond(shop, new URL(req.url ?? '/', shop.url), res))
    void checkout.node(req, res, next)
  })
  const url = `http://127.0.0.1:${await listen(server)}`
  const shop = {
    url,
    sandbox,
    checkout,
    /** Resolves to the id of a new charge. */
    async order(amount?: string) {
      return (await checkout.service.createCharge(order(amount)))._id
    },
    async close() {
      await checkout.close()
      await closeServer(server)
    },
  }
  return shop
}

/** Starts a shop, whose page has the charge of its query, and Chromium for the tests of a suite. */
export function useShopInChromium(html: (chargeId: string | null) => string) {
  const chromium = useChromium()
  let shop: PageShop | undefined
  before(async () => {
    shop = await startPageShop({}, (_, url, res) =>
      res.writeHead(200, {'content-type': 'text/html'}).end(html(url.searchParams.get('charge'))),
    )
  })
  after(() => shop?.close())
  return {
    get shop(): PageShop {
      return shop ?? assert.fail('the suite has not begun')
    },
    get browser(): Browser {
      return chromium()
    },
  }
}

/** Starts Chromium for the tests of a suite. */
export function useChromium(): () => Browser {
  let browser: Browser | undefined
  before(async () => void (browser = await launchChromium()))
  after(() => browser?.close())
  return () => browser ?? assert.fail('the suite has not begun')
}

interface Shift {
  readonly value: number
  readonly hadRecentInput: boolean
  readonly startTime: number
  /** What moved, from and to where. */
  readonly sources: readonly string[]
}

/** All layout shifts of a page, also those that follow an input. */
export function layoutShifts(page: Page): Promise<readonly Shift[]> {
  return page.evaluate(
    () =>
      new Promise<readonly Shift[]>(resolve => {
        const shifts: Shift[] = []
        const observer = new PerformanceObserver(list => {
          for (const entry of list.getEntries() as (PerformanceEntry & LayoutShift)[]) {
            const sources = entry.sources.map(({node, previousRect: before, currentRect: now}) =>
              [node?.textContent, before.y, now.y, before.height, now.height].join(' '),
            )
            shifts.push({...(entry.toJSON() as Shift), sources})
          }
        })
        observer.observe({type: 'layout-shift', buffered: true})
        requestAnimationFrame(() => setTimeout(() => resolve(shifts), 100))
      }),
  )
}

/** Which TypeScript does not know. */
interface LayoutShift {
  readonly sources: readonly {
    readonly node: Node | null
    readonly previousRect: DOMRect
    readonly currentRect: DOMRect
  }[]
}
