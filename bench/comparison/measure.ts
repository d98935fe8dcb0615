/** Measures checkouts in one browser. Each measurement has a browser context of its own. */
import type {Page} from 'puppeteer-core'
import {launchChromium} from '../../test/engines/puppeteer.js'
import {serveContenders} from './bench-server.js'
import type {Contender} from './contenders.js'
import type {Chosen, ListShown} from './page-script.js'

export interface Conditions {
  readonly cpuSlowdown: number
  /** `slow`: 1.6 Mbit/s, 150 ms for each request. */
  readonly network: 'local' | 'slow'
  /** `warm`: the page was visited before, so that its files are in the browser's cache. */
  readonly cache: 'cold' | 'warm'
}

export interface Measured {
  readonly list: ListShown
  /** From the last click, some time after the list was shown. Null for a checkout without a choice. */
  readonly choice: Chosen | null
  /** Bytes (gzip -9) loaded until the list was shown, and until the end. */
  readonly firstLoad: number
  readonly total: number
}

/** What is left in memory after mounting and removing. */
export interface Memory {
  readonly mounts: number
  readonly elements: number
  readonly nodes: number
  readonly bytesEach: number
}

const slowNetwork = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}
const MEMORY_SECONDS = 40
/** A customer reads the list before choosing, and lazy chunks load meanwhile. */
const READING_MS = 1_500

export async function openBrowser(contenders: readonly Contender[]) {
  const server = await serveContenders(contenders)
  const browser = await launchChromium('--js-flags=--expose-gc')

  async function withPage<Result>(use: (page: Page) => Promise<Result>): Promise<Result> {
    const context = await browser.createBrowserContext()
    try {
      const page = await context.newPage()
      await respondToOtherHosts(page)
      return await use(page)
    } finally {
      await context.close()
    }
  }

  return {
    /** `observe` is called before the page is opened, and what it returns when all is shown: such as to trace. */
    measure(
      contender: Contender,
      {cpuSlowdown, network, cache}: Conditions,
      observe?: (page: Page) => Promise<() => Promise<void>>,
    ): Promise<Measured> {
      return withPage(async page => {
        if (cache === 'warm') {
          await visit(page, server.url(contender), contender)
          await page.goto('about:blank')
        }
        const session = await page.createCDPSession()
        await session.send('Network.enable')
        if (network === 'slow') await session.send('Network.emulateNetworkConditions', slowNetwork)
        await page.emulateCPUThrottling(cpuSlowdown)
        server.takeRequestedBytes(contender)
        const finish = await observe?.(page)
        await page.goto(server.url(contender), {waitUntil: 'domcontentloaded'})
        const list = await page.evaluate(() => bench.shown)
        if (!list) throw new Error(`${contender.name} was not opened`)
        const firstLoad = server.takeRequestedBytes(contender)
        const choice = await choose(page, contender)
        await finish?.()
        return {list, choice, firstLoad, total: firstLoad + server.takeRequestedBytes(contender)}
      })
    },

    /** Milliseconds to evaluate the script, which was fetched before. */
    evaluation(contender: Contender, cpuSlowdown: number): Promise<number> {
      return withPage(async page => {
        await page.goto(server.url(contender, 'empty.html'))
        await page.emulateCPUThrottling(cpuSlowdown)
        return page.evaluate(entry => bench.evaluate(entry), contender.entry)
      })
    },

    /** Mounts and removes `mounts` times, or as often as the time limit allows. */
    measureMemory(contender: Contender, mounts: number): Promise<Memory> {
      return withPage(async page => {
        await page.goto(server.url(contender, 'mounts.html'))
        const mountAndRemove = (times: number) =>
          page.evaluate(
            (selector, times, seconds) => bench.mountAndRemove(selector, times, seconds),
            contender.usable,
            times,
            MEMORY_SECONDS,
          )
        await mountAndRemove(20)
        const before = await heap(page)
        const done = await mountAndRemove(mounts)
        const after = await heap(page)
        return {
          mounts: done,
          elements: after.elements,
          nodes: after.nodes - before.nodes,
          bytesEach: Math.round((after.bytes - before.bytes) / done),
        }
      })
    },

    /** Shows a checkout without limits, and returns what `inPage` returns before and after the choice. */
    inspect<Result>(contender: Contender, inPage: () => Result): Promise<{list: Result; paying: Result}> {
      return withPage(async page => {
        await page.goto(server.url(contender))
        await page.evaluate(() => bench.shown)
        const list = await page.evaluate(inPage)
        await choose(page, contender)
        return {list, paying: await page.evaluate(inPage)}
      })
    },

    async close() {
      await browser.close()
      server.close()
    },
  }
}

async function visit(page: Page, url: string, contender: Contender): Promise<void> {
  await page.goto(url)
  await page.evaluate(() => bench.shown)
  await choose(page, contender)
}

async function choose(page: Page, {choose}: Contender): Promise<Chosen | null> {
  if (!choose) return null
  await new Promise(resolve => setTimeout(resolve, READING_MS))
  return page.evaluate(({clicks, result}) => bench.choose([...clicks], result), choose)
}

/** Requests to other hosts get an empty response, without a delay. */
async function respondToOtherHosts(page: Page): Promise<void> {
  const session = await page.createCDPSession()
  session.on('Fetch.requestPaused', ({requestId}) => {
    const responseHeaders = [
      {name: 'content-type', value: 'application/json'},
      {name: 'access-control-allow-origin', value: '*'},
    ]
    const body = Buffer.from('{}').toString('base64')
    session
      .send('Fetch.fulfillRequest', {requestId, responseCode: 200, responseHeaders, body})
      .catch(() => undefined)
  })
  await session.send('Fetch.enable', {patterns: [{urlPattern: 'https://*'}]})
}

async function heap(page: Page) {
  const elements = await page.evaluate(() => bench.countUncollected())
  const {Nodes = 0, JSHeapUsedSize = 0} = await page.metrics()
  return {elements, nodes: Nodes, bytes: JSHeapUsedSize}
}
