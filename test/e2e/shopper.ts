/**
 * A person in a real browser, and what passes between that browser and the shop. The person sees what is on screen;
 * a test may also look at the element's public properties and at every answer that came.
 */
import assert from 'node:assert/strict'
import jsqr from 'jsqr'
import {PNG} from 'pngjs'
import type {Browser, BrowserContext, HTTPRequest, HTTPResponse, Page} from 'puppeteer-core'
import type {Checkout} from '../../src/contract/checkout.js'

export interface Exchange {
  readonly method: string
  readonly path: string
  readonly sent: string
  readonly status: number
  readonly answer: string
}

/** What the phase has to become within, after the payment. */
export const SOON = 5_000

export class Shopper {
  /** All that the shop and its proxy answered to this browser; not the sandbox's control surface. */
  readonly exchanges: Exchange[] = []
  /** Errors on the console, and those that nobody caught. */
  readonly troubles: string[] = []

  private constructor(
    readonly shop: string,
    readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  /** A person with an empty browser. */
  static async arrive(browser: Browser, shop: string): Promise<Shopper> {
    const context = await browser.createBrowserContext()
    await context.setPermission(
      shop,
      {permission: {name: 'clipboard-read'}, state: 'granted'},
      {permission: {name: 'clipboard-write'}, state: 'granted'},
    )
    return Shopper.#open(shop, context)
  }

  static async #open(shop: string, context: BrowserContext): Promise<Shopper> {
    const page = await context.newPage()
    await page.setViewport({width: 1280, height: 900})
    const shopper = new Shopper(shop, context, page)
    page.on('response', response => void shopper.#keep(response))
    page.on('console', message => {
      if (message.type() === 'error' || message.type() === 'warn') shopper.troubles.push(message.text())
    })
    page.on('pageerror', error => shopper.troubles.push(String(error)))
    return shopper
  }

  /** A second tab of the same browser, at the same address. */
  async secondTab(): Promise<Shopper> {
    const second = await Shopper.#open(this.shop, this.context)
    await second.page.goto(this.page.url())
    return second
  }

  async leave(): Promise<void> {
    await this.context.close()
  }

  /** From the basket to the choice of coins. */
  async order(): Promise<string> {
    await this.page.goto(this.shop)
    await this.page.locator('#pay').click()
    await this.until('choosing')
    return this.chargeId()
  }

  async choose(asset: string, network?: string): Promise<void> {
    await this.press(`[data-asset="${asset}"]`)
    if (network !== undefined) await this.press(`[data-network="${network}"]`)
  }

  /** Waits for it to be there, to be enabled and to stand still, as a finger would. */
  async press(selector: string): Promise<void> {
    await this.page.locator(`crypto-checkout >>> ${selector}`).click()
  }

  /** A button of the sandbox wallet. */
  async wallet(act: string): Promise<void> {
    await this.page.locator(`[data-act="${act}"]`).click()
  }

  async until(phase: string, timeout = 10_000): Promise<void> {
    try {
      await this.page.waitForSelector(`crypto-checkout[phase="${phase}"]`, {timeout})
    } catch {
      assert.fail(`the phase is ${await this.phase()} after ${timeout} ms, not ${phase}`)
    }
  }

  async phase(): Promise<string> {
    return this.page.$eval('crypto-checkout', element => element.phase)
  }

  async chargeId(): Promise<string> {
    return this.page.$eval('crypto-checkout', element => element.chargeId ?? '')
  }

  async checkout(): Promise<Checkout> {
    const checkout = await this.page.$eval('crypto-checkout', element => element.checkout)
    assert(checkout)
    return checkout
  }

  /** The quote that the element has, which must be there. */
  async quote() {
    const {quote} = await this.checkout()
    assert(quote)
    return quote
  }

  /** The text of a part, exactly; null when it is not there. */
  async part(name: string): Promise<string | null> {
    return this.page.$eval(
      'crypto-checkout',
      (element, part) => element.shadowRoot?.querySelector(`[part~="${part}"]`)?.textContent ?? null,
      name,
    )
  }

  async untilPart(name: string, timeout = 10_000): Promise<void> {
    await this.page.waitForSelector(`crypto-checkout >>> [part~="${name}"]`, {timeout})
  }

  /** Amount and address as they are on screen. */
  async shown(): Promise<{amount: string | null; address: string | null}> {
    return {amount: await this.part('amount'), address: await this.part('address')}
  }

  /** The whole page as text, shadow roots and attributes included. */
  async everything(): Promise<string> {
    return this.page.evaluate(() => {
      const texts: string[] = []
      const roots: ParentNode[] = [document.documentElement]
      for (let root = roots.pop(); root; root = roots.pop()) {
        texts.push(root.textContent ?? '')
        for (const element of root.querySelectorAll('*')) {
          for (const {value} of element.attributes) texts.push(value)
          if (element.shadowRoot) roots.push(element.shadowRoot)
        }
      }
      return texts.join('\n')
    })
  }

  /** What a phone's camera reads off the screen. */
  async scan(): Promise<string> {
    // The camera is held to the checkout, whatever is on the rest of the screen.
    const place = await this.page.$('crypto-checkout')
    assert(place)
    const {data, width, height} = PNG.sync.read(Buffer.from(await place.screenshot({type: 'png'})))
    const code = jsqr(new Uint8ClampedArray(data), width, height)
    assert(code, 'there is a QR code on the screen')
    return code.data
  }

  /** Presses a copy button and reads the clipboard. */
  async copied(part: 'copy-amount' | 'copy-address'): Promise<string> {
    await this.page.bringToFront()
    await this.page.evaluate(() => navigator.clipboard.writeText(''))
    await this.press(`[part~="${part}"]`)
    await this.page.waitForFunction(async () => (await navigator.clipboard.readText()) !== '')
    return this.page.evaluate(() => navigator.clipboard.readText())
  }

  /** Resolves once the shop's own server, not the element, calls the order paid. */
  async untilShipped(): Promise<void> {
    await this.page.waitForSelector('#order-state[data-paid="true"]', {timeout: SOON})
  }

  async #keep(response: HTTPResponse): Promise<void> {
    const request: HTTPRequest = response.request()
    const path = request.url().slice(this.shop.length)
    if (path.startsWith('/sandbox/') || path.startsWith('/cdn/') || path.endsWith('/events')) return
    // A reload drops the bodies that were still on their way.
    const answer = await response.text().catch(() => '')
    const sent = (await request.fetchPostData()) ?? ''
    this.exchanges.push({method: request.method(), path, sent, status: response.status(), answer})
  }
}
