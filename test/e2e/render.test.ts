/** A page with the HTML of `checkout.render`, and with the script tag of the build. */
import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import type {Browser, Page} from 'puppeteer-core'
import {skipWithoutEngine} from '../engines/engine.js'
import {launchChromium} from '../engines/puppeteer.js'
import en from '../../src/translations/en.json' with {type: 'json'}
import {layoutShifts, NONCE_POLICY, startPageShop, type PageShop} from './page-shop.js'

describe('a page with a rendered checkout in Chromium', {skip: skipWithoutEngine('chromium')}, () => {
  let shop: PageShop
  let browser: Browser
  let html = ''
  before(async () => {
    shop = await startPageShop({}, (_, _url, res) => {
      res.setHeader('content-type', 'text/html; charset=utf-8')
      res.setHeader('content-security-policy', NONCE_POLICY)
      res.end(`<!doctype html><link rel="icon" href="data:,">${html}<p id="after">After</p>`)
    })
    html = await shop.checkout.render(await shop.order(), {nonce: 'abc'})
    browser = await launchChromium()
  })
  after(async () => {
    await browser.close()
    await shop.close()
  })

  test('almost nothing moves from the placeholder to the list, and the policy is kept', async () => {
    for (const [width, height] of [
      [390, 844],
      [1280, 1200],
    ] as const) {
      const page = await browser.newPage()
      const messages: string[] = []
      page.on('console', message => messages.push(message.text()))
      await page.setViewport({width, height})
      await page.goto(shop.url)
      await page.waitForSelector('crypto-checkout[phase=choosing]')
      await page.waitForFunction(() =>
        document.querySelector('crypto-checkout')!.shadowRoot!.querySelector('[data-asset="1027"] svg'),
      )
      const shift = (await layoutShifts(page)).reduce((sum, {value}) => sum + value, 0)
      assert.ok(shift <= 0.01, `${shift} at ${width} px`)
      assert.deepEqual(messages, [])
      await page.close()
    }
  })

  test('a script that never comes leaves the height, the text, and a hint after eight seconds', async () => {
    const page = await browser.newPage()
    await page.setRequestInterception(true)
    page.on('request', request => void (request.url().endsWith('.js') ? request.abort() : request.continue()))
    await page.goto(shop.url)
    const [early, late] = [await textAt(page, 7_999), await textAt(page, 8_001)]
    assert.equal(early, en.status.loading)
    assert.ok(late.startsWith(early) && late.length > early.length, late)
    assert.ok(await page.evaluate(() => document.querySelector('#after')!.getBoundingClientRect().top > 600))
    await page.close()
  })
})

/** The visible text at a time of the animation. */
function textAt(page: Page, ms: number): Promise<string> {
  return page.evaluate(at => {
    for (const animation of document.getAnimations()) animation.currentTime = at
    return document.querySelector('crypto-checkout')!.innerText.trim()
  }, ms)
}
