/** A page with the HTML of `checkout.render`, and with the script tag of the build. */
import assert from 'node:assert/strict'
import {createServer} from 'node:http'
import {after, before, describe, test} from 'node:test'
import type {Browser, Page} from 'puppeteer-core'
import {createSandbox} from '../../src/sandbox/index.js'
import {createCheckout, memoryStore} from '../../src/server/index.js'
import {skipWithoutEngine} from '../engines/engine.js'
import {launchChromium} from '../engines/puppeteer.js'
import {closeServer, listen} from '../http/loopback.js'
import en from '../../src/translations/en.json' with {type: 'json'}
import {order} from '../server/order.js'

/** Its styles and scripts need a nonce. */
const POLICY =
  "default-src 'none'; connect-src 'self'; style-src 'nonce-abc'; script-src 'nonce-abc' 'strict-dynamic'; img-src data:"

describe('a page with a rendered checkout in Chromium', {skip: skipWithoutEngine('chromium')}, () => {
  const sandbox = createSandbox()
  const checkout = createCheckout({
    apiKey: sandbox.apiKey,
    baseUrl: 'http://127.0.0.1:4010',
    transport: sandbox.transport,
    clock: sandbox.clock,
    store: memoryStore(),
    reconcileEvery: 0,
  })
  let html = ''
  const server = createServer((req, res) => {
    void checkout.node(req, res, () => {
      res.setHeader('content-type', 'text/html; charset=utf-8')
      res.setHeader('content-security-policy', POLICY)
      res.end(`<!doctype html><link rel="icon" href="data:,">${html}<p id="after">After</p>`)
    })
  })
  let browser: Browser
  let url = ''
  before(async () => {
    url = `http://127.0.0.1:${await listen(server)}/`
    const {_id} = await checkout.service.createCharge(order())
    html = await checkout.render(_id, {nonce: 'abc'})
    browser = await launchChromium()
  })
  after(async () => {
    await browser.close()
    await checkout.close()
    await closeServer(server)
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
      await page.goto(url)
      await page.waitForSelector('crypto-checkout[phase=choosing]')
      await page.waitForFunction(() =>
        document.querySelector('crypto-checkout')!.shadowRoot!.querySelector('[data-asset="1027"] svg'),
      )
      const shift = await shiftOf(page)
      assert.ok(shift <= 0.01, `${shift} at ${width} px`)
      assert.deepEqual(messages, [])
      await page.close()
    }
  })

  test('a script that never comes leaves the height, the text, and a hint after eight seconds', async () => {
    const page = await browser.newPage()
    await page.setRequestInterception(true)
    page.on('request', request => void (request.url().endsWith('.js') ? request.abort() : request.continue()))
    await page.goto(url)
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

/** The sum of all layout shifts, the first part of the Cumulative Layout Shift. */
function shiftOf(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>(resolve => {
        let sum = 0
        const observer = new PerformanceObserver(list => {
          for (const entry of list.getEntries()) if ('value' in entry) sum += Number(entry.value)
        })
        observer.observe({type: 'layout-shift', buffered: true})
        requestAnimationFrame(() => setTimeout(() => resolve(sum), 100))
      }),
  )
}
