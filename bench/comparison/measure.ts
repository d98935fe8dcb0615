/** Measures a page. Each measurement has a browser context of its own. */
import {setTimeout} from 'node:timers/promises'
import type {Browser, Page} from 'puppeteer-core'
import {PAYMENT, type Contender, type Snapshot} from './contenders.js'
import {servePage} from './page-server.js'
import type {Chosen, Shown} from './page-script.js'

export interface Conditions {
  /** `slow`: 1.6 Mbit/s, 150 ms for each request. */
  readonly network: 'local' | 'slow'
  /** `warm`: the page was visited before, so that its files are in the browser's cache. */
  readonly cache: 'cold' | 'warm'
}

export interface Measured {
  readonly list: Shown
  /** From the last click, some time after the list was shown. NaN for checkouts of others. */
  readonly choice: Chosen
}

export const CPU_SLOWDOWN = 4
const slowNetwork = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}
/** A customer reads the list before choosing, and lazy chunks load meanwhile. */
const READING_MS = 1_500

export type MeasuredPage = Awaited<ReturnType<typeof openPage>>

export async function openPage(browser: Browser, contender: Contender) {
  const server = await servePage(contender)
  const visit = async (page: Page): Promise<Shown> => {
    await page.goto(server.url, {waitUntil: 'domcontentloaded'})
    const list = await page.evaluate(() => bench.shown)
    if (!list) throw new Error(`${contender.name} was not opened`)
    return list
  }
  const choose = async (page: Page): Promise<Chosen> => {
    await setTimeout(READING_MS)
    if (contender.clicks.length === 0) return {shown: NaN, response: NaN}
    return page.evaluate((clicks, result) => bench.choose(clicks, result), [...contender.clicks], PAYMENT)
  }
  const withPage = async <Result>(use: (page: Page) => Promise<Result>): Promise<Result> => {
    const context = await browser.createBrowserContext()
    try {
      return await use(await context.newPage())
    } finally {
      await context.close()
    }
  }
  return {
    name: contender.name,
    measure: ({network, cache}: Conditions): Promise<Measured> =>
      withPage(async page => {
        if (cache === 'warm') {
          await visit(page)
          await choose(page)
          await page.goto('about:blank')
        }
        const session = await page.createCDPSession()
        await session.send('Network.enable')
        if (network === 'slow') await session.send('Network.emulateNetworkConditions', slowNetwork)
        await page.emulateCPUThrottling(CPU_SLOWDOWN)
        return {list: await visit(page), choice: await choose(page)}
      }),
    snapshots: (): Promise<[Snapshot, Snapshot]> =>
      withPage(async page => {
        const snapshot = () => page.evaluate(() => bench.snapshot('crypto-checkout'))
        await visit(page)
        const list = await snapshot()
        await choose(page)
        return [list, await snapshot()]
      }),
    /** Milliseconds of the main thread by function, until the list is shown. Builtins of V8 count to their caller. */
    profile: (): Promise<ReadonlyMap<string, number>> =>
      withPage(async page => {
        // The same process, which would otherwise change with the origin.
        await page.goto(`${server.url}none`)
        const session = await page.createCDPSession()
        await session.send('Profiler.enable')
        await session.send('Profiler.setSamplingInterval', {interval: 200})
        await page.emulateCPUThrottling(CPU_SLOWDOWN)
        await session.send('Profiler.start')
        await visit(page)
        const {nodes, samples = [], timeDeltas = []} = (await session.send('Profiler.stop')).profile
        const names = new Map(nodes.map(({id, callFrame}) => [id, callFrame.functionName || '(evaluation)']))
        const times = new Map<string, number>()
        for (const [index, id] of samples.entries()) {
          const name = names.get(id) ?? ''
          times.set(name, (times.get(name) ?? 0) + (timeDeltas[index + 1] ?? 0) / 1000)
        }
        return times
      }),
    close: () => server.close(),
  }
}
