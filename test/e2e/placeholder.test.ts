/** Pages before the script has loaded: with the placeholder of `checkout.render`, and with the fallback of docs/element.md. */
import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {after, before, describe, test} from 'node:test'
import type {Browser, Page} from 'puppeteer-core'
import {skipWithoutEngine} from '../engines/engine.js'
import {launchChromium} from '../engines/puppeteer.js'
import en from '../../src/translations/en.json' with {type: 'json'}
import {layoutShifts, NONCE_POLICY, startPageShop, type PageShop} from './page-shop.js'

const section = /## Fallback content([^]+?)\n## /.exec(readFileSync('docs/element.md', 'utf8'))?.[1] ?? ''
const [, styles = ''] = /```css\n([^]+?)```/.exec(section) ?? []
const [, markup = ''] = /```html\n([^]+?)```/.exec(section) ?? []
const STYLE_SHEET = '/shop.css'
const FALLBACK = '/fallback'

describe('before the script in Chromium', {skip: skipWithoutEngine('chromium')}, () => {
  let shop: PageShop
  let browser: Browser
  let html = ''
  before(async () => {
    shop = await startPageShop({}, (_, {pathname}, res) => {
      const isStyleSheet = pathname === STYLE_SHEET
      const policy = pathname === FALLBACK ? "default-src 'none'; style-src 'self'" : NONCE_POLICY
      const head = `<!doctype html><link rel="icon" href="data:,"><link rel="stylesheet" href="${STYLE_SHEET}">`
      const page = pathname === FALLBACK ? `${head}${markup}` : html
      res.setHeader('content-type', isStyleSheet ? 'text/css' : 'text/html; charset=utf-8')
      res.setHeader('content-security-policy', policy)
      res.end(isStyleSheet ? styles : `${page}<p id="after">After</p>`)
    })
    const rendered = await shop.checkout.render(await shop.order(), {nonce: 'abc'})
    html = `<!doctype html><link rel="icon" href="data:,">${rendered}`
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

  for (const path of ['/', FALLBACK])
    test(`a script that never comes leaves the height, the text, and a hint after eight seconds: ${path}`, async () => {
      const page = await browser.newPage()
      await page.setRequestInterception(true)
      page.on('request', request =>
        request.url().endsWith('.js') ? void request.abort() : void request.continue(),
      )
      await page.goto(shop.url + path)
      const [early, late] = [await textAt(page, 7_999), await textAt(page, 8_001)]
      assert.equal(early, en.status.loading)
      assert.ok(late.startsWith(early) && late.length > early.length, late)
      assert.ok(
        await page.evaluate(() => document.querySelector('#after')!.getBoundingClientRect().top > 600),
      )
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
