/** Nothing moves by itself while a customer pays, as Chromium measures it: only what follows an input may move. */
import assert from 'node:assert/strict'
import {setTimeout} from 'node:timers/promises'
import {describe, it} from 'node:test'
import type {Page} from 'puppeteer-core'
import {skipWithoutEngine} from '../engines/engine.js'
import {layoutShifts, useShopInChromium} from './page-shop.js'

declare global {
  interface Window {
    announceWallet(): void
  }
}

const pair = {asset: '825', network: 'bsc'}
/** Then what follows was not caused by the last input. */
const INPUT_MS = 600
const windows = [
  {width: 390, height: 664, isMobile: true, hasTouch: true},
  {width: 768, height: 1024, isMobile: true, hasTouch: true},
  {width: 1280, height: 720},
]

const html = (charge: string | null) => `<!doctype html><title>Pay</title>
  <meta name="viewport" content="width=device-width">
  <style>body { margin: 0 }</style>
  <script>
    const info = {uuid: 'x', rdns: 'dev.crypto-checkout.sandbox', name: 'Sandbox wallet', icon: ''}
    const provider = {request: () => new Promise(() => undefined)}
    window.announceWallet = () =>
      dispatchEvent(new CustomEvent('eip6963:announceProvider', {detail: {info, provider}}))
  </script>
  <script type="module" src="/crypto-checkout/crypto-checkout.js"></script>
  <crypto-checkout></crypto-checkout>
  <script type="module">
    const checkout = document.querySelector('crypto-checkout')
    // A new price is offered after some seconds.
    checkout.fetch = async (input, init) => {
      const response = await fetch(String(input).replace(/known=[^&]*/, ''), init)
      const {quote, ...rest} = await response.json()
      const refreshAfter = quote && new Date(Date.parse(quote.quotedAt) + 5_000).toISOString()
      return Response.json({...rest, quote: quote && {...quote, refreshAfter}})
    }
    checkout.chargeId = '${charge}'
  </script>
`

describe('from choosing to paid, nothing moves', {skip: skipWithoutEngine('chromium')}, () => {
  const suite = useShopInChromium(html)

  for (const viewport of windows)
    it(`at ${viewport.width}×${viewport.height}`, async () => {
      const page = await suite.browser.newPage()
      await page.setViewport(viewport)
      const chargeId = await suite.shop.order()
      await page.goto(`${suite.shop.url}/?charge=${chargeId}`)
      await visible(page, '[part=asset]')
      await setTimeout(INPUT_MS)
      const begin = await page.evaluate(() => performance.now())
      for (const control of ['[data-asset="825"]', '[data-network="bsc"]'])
        await page.locator(`crypto-checkout >>> ${control}`).click()
      await untilPhase(page, 'paying')
      await setTimeout(INPUT_MS)
      await page.evaluate(() => window.announceWallet())
      await visible(page, '[part=wallet]')
      await page.setOfflineMode(true)
      await visible(page, '.note [part=notice]')
      await page.setOfflineMode(false)
      await visible(page, '[part=renew]')
      const {transactionId} = suite.shop.sandbox.pay(chargeId, {...pair, confirmed: false})
      await untilPhase(page, 'confirming')
      suite.shop.sandbox.confirm(transactionId)
      await untilPhase(page, 'paid')
      await setTimeout(INPUT_MS)
      const shifts = await layoutShifts(page)
      assert.deepEqual(
        shifts.filter(({hadRecentInput, startTime}) => !hadRecentInput && startTime > begin),
        [],
      )
      await page.close()
    })
})

function visible(page: Page, control: string): Promise<unknown> {
  return page.waitForSelector(`crypto-checkout >>> ${control}`, {visible: true})
}

function untilPhase(page: Page, phase: string): Promise<unknown> {
  return page.waitForSelector(`crypto-checkout[phase=${phase}]`, {timeout: 60_000})
}
