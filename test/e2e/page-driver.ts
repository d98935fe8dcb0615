/** Drives the demo shop in any engine. */
import assert from 'node:assert/strict'
import jsqr from 'jsqr'
import {PNG} from 'pngjs'
import type {Quote} from '../../src/contract/checkout.js'
import {until, untilPhase, type Engine, type EnginePage} from '../engines/engine.js'

const SCREEN_TIMEOUT_MS = 60_000

export class PageDriver {
  private constructor(
    private readonly shop: string,
    readonly page: EnginePage,
  ) {}

  static async open(engine: Engine, shop: string): Promise<PageDriver> {
    return new PageDriver(shop, await engine.openPage())
  }

  async close(): Promise<void> {
    await this.page.close()
  }

  /** Orders, and waits for the asset picker. */
  async order(): Promise<string> {
    await this.page.goto(this.shop)
    await this.page.click('#pay')
    await untilPhase(this.page, 'choosing')
    return this.page.evaluate(() => document.querySelector('crypto-checkout')!.chargeId ?? '')
  }

  /** Clicks in the shadow root of the element. */
  async click(selector: string): Promise<void> {
    await this.page.click(`crypto-checkout >>> ${selector}`)
  }

  /** Fails without a quote. */
  async quote(): Promise<Quote> {
    const quote = await this.page.evaluate(() => document.querySelector('crypto-checkout')!.checkout?.quote)
    assert(quote)
    return quote
  }

  /** The exact text of amount and address, or null without them. */
  async displayed(): Promise<{amount: string | null; address: string | null}> {
    return this.page.evaluate(() => {
      const root = document.querySelector('crypto-checkout')!.shadowRoot!
      return {
        amount: root.querySelector('[part~="amount"]')?.textContent ?? null,
        address: root.querySelector('[part~="address"]')?.textContent ?? null,
      }
    })
  }

  /** Decodes the QR code of a screenshot. With `before`, waits until it is another one: a screenshot may show an earlier frame. */
  async scan(before?: string): Promise<string> {
    await this.page.evaluate(() =>
      document.querySelector('crypto-checkout')!.shadowRoot!.querySelector('[part~=qr]')!.scrollIntoView(),
    )
    const end = performance.now() + SCREEN_TIMEOUT_MS
    for (;;) {
      const {data, width, height} = PNG.sync.read(await this.page.screenshot())
      const code = jsqr(new Uint8ClampedArray(data), width, height)
      if (code && code.data !== before) return code.data
      assert(performance.now() < end, code ? 'the QR code did not change' : 'no QR code on the screen')
    }
  }

  /** Clicks a copy button, and returns the clipboard once it has changed. */
  async copied(part: 'copy-amount' | 'copy-address'): Promise<string> {
    await this.page.bringToFront()
    const before = await this.page.clipboard()
    await this.click(`[part~="${part}"]`)
    const end = performance.now() + SCREEN_TIMEOUT_MS
    for (;;) {
      const now = await this.page.clipboard()
      if (now !== before) return now
      assert(performance.now() < end, `${part} left "${now}" in the clipboard`)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }

  /** Waits until the shop's server, not the element, reports the order as paid. */
  async untilShipped(): Promise<void> {
    const isPaid = () => document.querySelector<HTMLElement>('#order-state')?.dataset['paid'] === 'true'
    await until(this.page, 'shipped', isPaid)
  }
}
