/** A payment in a browser without JavaScript: Chromium with scripts turned off. */
import assert from 'node:assert/strict'
import {mkdirSync} from 'node:fs'
import {after, describe, test} from 'node:test'
import jsqr from 'jsqr'
import {PNG} from 'pngjs'
import type {Browser, Page} from 'puppeteer-core'
import {skipWithoutEngine} from '../engines/engine.js'
import {renderer} from '../../src/pages/render/index.js'
import {startPageShop, useChromium} from './page-shop.js'

/** Where the pictures of the documentation go, if they are made. */
const pictures = process.env['PICTURES']
const shop = await startPageShop({
  renderer,
  hostedPage: {name: 'Halm & Oak', supportUrl: 'mailto:help@halm.example'},
  tokenSecret: 'a secret of at least 32 characters',
})
after(() => shop.close())

describe('a payment in Chromium without scripts', {skip: skipWithoutEngine('chromium')}, () => {
  const browser = useChromium()

  test('goes from the link with a token over the rest of an amount to the receipt', async () => {
    const page = await openPage(browser())
    const id = await shop.order()
    // From another site, as a link in a mail: Chromium would send no strict cookie after a redirect.
    const link = shop.url + shop.checkout.payUrl(id, {plain: true})
    await page.goto(`data:text/html,<a href="${link}">Pay</a>`)
    await page.click('a')
    await page.waitForSelector('form button')
    assert.doesNotMatch(page.url(), /\d{10}\./, 'the token stays in the address bar')
    await follow(page, 'form button')
    await follow(page, '[part=asset][name=asset]')
    await picture(page, 'plain-choose')
    await follow(page, '[part=network]')
    const shown = await displayed(page)
    const {asset, network, amount} = Object.fromEntries(new URL(page.url()).searchParams)
    assert(asset && network)
    const current = shop.sandbox.charge(id)
    assert.match(JSON.stringify(current), new RegExp(shown.address, 'i'))
    assert.equal(shown.amount, amount)
    assert.equal(await scan(page), shown.address)
    await picture(page, 'plain-pay')

    for (const amount of ['1', '2', '3', '4', '5']) shop.sandbox.pay(id, {asset, network, amount})
    await shop.checkout.verify(id)
    await page.reload()
    assert.deepEqual(await displayed(page), {amount: '', address: ''})
    await follow(page, '.primary')
    assert.notEqual((await displayed(page)).amount, shown.amount)
    assert.equal((await displayed(page)).address, shown.address)

    shop.sandbox.pay(id, {asset, network})
    await shop.checkout.verify(id)
    // It notices the payment by itself.
    await page.waitForSelector('[phase=paid]', {timeout: 30_000})
    await picture(page, 'plain-paid')
    assert.equal((await shop.checkout.verify(id)).paid, true)
    const withScripts = await browser().newPage()
    await withScripts.goto(shop.url + shop.checkout.payUrl(id))
    await withScripts.waitForSelector('crypto-checkout[phase=paid]')
    for (const receipt of [page, withScripts]) assert.equal(await printedPages(receipt), 1, receipt.url())
  })
})

async function openPage(browser: Browser): Promise<Page> {
  const page = await (await browser.createBrowserContext()).newPage()
  const session = await page.createCDPSession()
  await session.send('Emulation.setScriptExecutionDisabled', {value: true})
  await page.setViewport({width: 390, height: 780, deviceScaleFactor: pictures ? 2 : 1})
  return page
}

async function follow(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.click(selector)])
}

async function displayed(page: Page): Promise<{amount: string; address: string}> {
  const content = await page.content()
  const textOf = (pattern: RegExp) => pattern.exec(content)?.[1]?.replaceAll(/<[^>]*>/g, '') ?? ''
  return {
    amount: textOf(/part="amount"[^>]*>(.*?)<\/span>/),
    address: textOf(/part="address"[^>]*>(.*?)<\/code>/),
  }
}

async function scan(page: Page): Promise<string | undefined> {
  const code = await page.$('.qr')
  assert(code)
  const {data, width, height} = PNG.sync.read(Buffer.from(await code.screenshot()))
  return jsqr(new Uint8ClampedArray(data), width, height)?.data
}

async function printedPages(page: Page): Promise<number | undefined> {
  // Without scripts, the page cannot tell that its fonts are loaded.
  const pdf = await page.pdf({format: 'letter', margin: {top: '1cm', bottom: '1cm'}, waitForFonts: false})
  return Buffer.from(pdf)
    .toString('latin1')
    .match(/\/Type \/Page\b/g)?.length
}

async function picture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return
  mkdirSync(pictures, {recursive: true})
  await page.screenshot({path: `${pictures}/${name}.png`, fullPage: name !== 'plain-choose'})
}
