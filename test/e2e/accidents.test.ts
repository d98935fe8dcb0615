/** Input for what was on screen before, with the browser's own mouse and keys. */
import assert from 'node:assert/strict'
import {beforeEach, describe, it} from 'node:test'
import type {Page} from 'puppeteer-core'
import {skipWithoutEngine} from '../engines/engine.js'
import {useShopInChromium} from './page-shop.js'

declare global {
  interface Window {
    /** Methods that the wallet was asked for. */
    asked: string[]
  }
}

const LAST_USED = 'crypto-checkout >>> [part=last-used]'
/** Waited for by frames: Puppeteer does not observe shadow roots. */
const WALLET = 'crypto-checkout >>> [part=wallet]'

const html = (charge: string | null) => `<!doctype html><title>Pay</title>
  <script>
    window.asked = []
    const provider = {request: ({method}) => (window.asked.push(method), new Promise(() => undefined))}
    const info = {uuid: 'x', rdns: 'dev.crypto-checkout.sandbox', name: 'Sandbox wallet', icon: ''}
    const announce = () =>
      dispatchEvent(new CustomEvent('eip6963:announceProvider', {detail: {info, provider}}))
    addEventListener('eip6963:requestProvider', announce)
    localStorage.setItem('crypto-checkout:last', '825 bsc')
  </script>
  <script type="module" src="/crypto-checkout/crypto-checkout.js"></script>
  <crypto-checkout charge-id="${charge}"></crypto-checkout>`

describe('accidents', {skip: skipWithoutEngine('chromium')}, () => {
  const suite = useShopInChromium(html)
  let page: Page

  beforeEach(async () => {
    page = await suite.browser.newPage()
    await page.goto(`${suite.shop.url}/?charge=${await suite.shop.order()}`)
    await page.waitForSelector('crypto-checkout >>> [part=asset]', {visible: true})
  })

  it('a double click on the last used coin, or a click at once, does not ask the wallet that has just appeared', async () => {
    await page.locator(LAST_USED).click({count: 2, delay: 20})
    const wallet = await page.waitForSelector(WALLET, {visible: true})
    await wallet?.click()
    assert.deepEqual(await page.evaluate(() => window.asked), [])
    const since = await page.evaluate(() => performance.now())
    await page.waitForFunction((since: number) => performance.now() - since > 600, {}, since)
    await wallet?.click()
    await page.waitForFunction(() => window.asked.length > 0)
  })

  it('a double click on a coin shows its networks, and a held Enter chooses none', async () => {
    const asset = page.locator('crypto-checkout >>> [data-asset="825"]')
    await asset.click({count: 2, delay: 20})
    const isExpanded = () =>
      document.querySelector('crypto-checkout')!.shadowRoot!.querySelector('[part=network]') !== null
    assert.equal(await page.evaluate(isExpanded), true)
    await asset.click()
    // Puppeteer repeats a key that is down already.
    for (let times = 0; times < 4; times++) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    assert.equal(await page.evaluate(isExpanded), true)
    assert.equal(await page.evaluate(() => document.querySelector('crypto-checkout')!.phase), 'choosing')
  })
})
