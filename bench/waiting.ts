/**
 * What an open page costs while nothing happens, and a search among 10,000 assets: `npm run bench waiting`. In Chromium, over the
 * script tag's files. Milliseconds of the page's main thread and style recalculations, each a second.
 */
import {setTimeout} from 'node:timers/promises'
import type {CDPSession, Page} from 'puppeteer-core'
import {startPageShop} from '../test/e2e/page-shop.js'
import {launchChromium} from '../test/engines/puppeteer.js'
import {median} from './median.js'

const SECONDS = Math.min(Number(process.env['SECONDS'] ?? 20), 60)
const MANY = 10_000
const SEARCHES = ['t', 'to', 'token 77', 'token 777', '']
const pair = {asset: '825', network: 'bsc'}

const shop = await startPageShop({rateLimit: false}, (_, {searchParams}, res) => {
  const attributes = searchParams.has('paying') ? 'asset="825" network="bsc"' : ''
  res.writeHead(200, {'content-type': 'text/html'}).end(`<!doctype html><title>Pay</title>
    <meta name="viewport" content="width=device-width">
    <script type="module" src="/crypto-checkout/crypto-checkout.js"></script>
    <crypto-checkout id="pay" ${attributes}></crypto-checkout>`)
})
const browser = await launchChromium()
const rows: Record<string, object> = {}
const measured = async (name: string, page: Page) => {
  rows[name] = await idle(page)
  await page.close()
}
await measured('choosing', await open())
const many = await open('', MANY)
rows[`search, ${MANY} assets`] = await search(many)
await measured(`choosing, ${MANY} assets`, many)
await measured('paying', await open('paying'))
const confirming = await open('paying')
const chargeId = await confirming.evaluate(() => document.querySelector('crypto-checkout')!.chargeId!)
shop.sandbox.pay(chargeId, {...pair, confirmed: false})
await untilPhase(confirming, 'confirming')
await measured('confirming', confirming)
console.table(rows)
await browser.close()
await shop.close()

async function open(query = '', assets = 0): Promise<Page> {
  const page = await browser.newPage()
  await page.setViewport({width: 1280, height: 900})
  await page.goto(`${shop.url}/?${query}`)
  await page.evaluate(
    async (chargeId, assets) => {
      await customElements.whenDefined('crypto-checkout')
      const element = document.querySelector('crypto-checkout')!
      if (assets > 0)
        element.fetch = async (input, init) => {
          const response = await fetch(input, init)
          if (response.status !== 200) return response
          const checkout = await response.json()
          const more = Array.from({length: assets}, (_, index) => ({
            ...checkout.assets[0],
            id: `t${index}`,
            symbol: `T${index}`,
            name: `Token ${index}`,
          }))
          return Response.json({...checkout, assets: more}, response)
        }
      element.chargeId = chargeId
    },
    await shop.order(),
    assets,
  )
  await untilPhase(page, query || 'choosing')
  // Lazy chunks, icons, animations.
  await setTimeout(3_000)
  return page
}

async function untilPhase(page: Page, phase: string): Promise<void> {
  await page.waitForSelector(`crypto-checkout[phase=${phase}]`, {timeout: 60_000})
}

async function idle(page: Page): Promise<object> {
  const session = await page.createCDPSession()
  await session.send('Performance.enable')
  const before = await metricsOf(session)
  await setTimeout(SECONDS * 1_000)
  const after = await metricsOf(session)
  const perSecond = (name: string) => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) / SECONDS
  return {
    'CPU ms/s': (perSecond('TaskDuration') * 1_000).toFixed(1),
    'script ms/s': (perSecond('ScriptDuration') * 1_000).toFixed(1),
    'styles/s': perSecond('RecalcStyleCount').toFixed(1),
    'layouts/s': perSecond('LayoutCount').toFixed(1),
  }
}

async function metricsOf(session: CDPSession): Promise<Map<string, number>> {
  const {metrics} = await session.send('Performance.getMetrics')
  return new Map(metrics.map(({name, value}) => [name, value]))
}

/** From the key to the frame after the one that shows the results. */
async function search(page: Page): Promise<object> {
  const times = await page.evaluate(async searches => {
    const element = document.querySelector('crypto-checkout')!
    const field = element.renderRoot.querySelector<HTMLInputElement>('[part=search]')!
    const times: number[] = []
    for (const text of searches) {
      const from = performance.now()
      field.value = text
      field.dispatchEvent(new InputEvent('input', {bubbles: true}))
      await element.updateComplete
      await new Promise(resolve => requestAnimationFrame(() => window.setTimeout(resolve)))
      times.push(performance.now() - from)
    }
    return times
  }, SEARCHES)
  return {'median ms': Math.round(median(times)), 'slowest ms': Math.round(Math.max(...times))}
}
