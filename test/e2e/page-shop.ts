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

/** Of a page whose styles and scripts need the nonce `abc`. */
export const NONCE_POLICY =
  "default-src 'none'; connect-src 'self'; style-src 'nonce-abc'; script-src 'nonce-abc' 'strict-dynamic'; img-src data:"

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
  const running: {shop?: PageShop; browser?: Browser} = {}
  before(async () => {
    running.shop = await startPageShop({}, (_, url, res) =>
      res.writeHead(200, {'content-type': 'text/html'}).end(html(url.searchParams.get('charge'))),
    )
    running.browser = await launchChromium()
  })
  after(async () => {
    await running.browser?.close()
    await running.shop?.close()
  })
  return {
    get shop(): PageShop {
      return running.shop ?? assert.fail('the suite has not begun')
    },
    get browser(): Browser {
      return running.browser ?? assert.fail('the suite has not begun')
    },
  }
}

/** All layout shifts of a page, also those that follow an input. */
export function layoutShifts(page: Page): Promise<{readonly value: number}[]> {
  return page.evaluate(
    () =>
      new Promise<{readonly value: number}[]>(resolve => {
        const shifts: {readonly value: number}[] = []
        const observer = new PerformanceObserver(list => {
          for (const entry of list.getEntries()) shifts.push(entry.toJSON())
        })
        observer.observe({type: 'layout-shift', buffered: true})
        requestAnimationFrame(() => setTimeout(() => resolve(shifts), 100))
      }),
  )
}
