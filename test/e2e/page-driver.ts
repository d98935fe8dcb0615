/** Drives the demo shop in any engine, and records the exchanges between this browser and the shop. */
import assert from 'node:assert/strict'
import jsqr from 'jsqr'
import {PNG} from 'pngjs'
import type {Checkout} from '../../src/contract/checkout.js'
import {until, type Engine, type EnginePage} from '../engines/engine.js'
import type {RecordedExchange, RecordingProxy} from './recording-proxy.js'

/** For a phase that follows a payment. A page on a busy machine renders slowly. */
export const TIMEOUT_MS = 20_000
const STEP_TIMEOUT_MS = 10_000

export class PageDriver {
  readonly #from: number

  private constructor(
    private readonly proxy: RecordingProxy,
    readonly page: EnginePage,
  ) {
    this.#from = proxy.exchanges.length
  }

  static async open(engine: Engine, proxy: RecordingProxy): Promise<PageDriver> {
    return new PageDriver(proxy, await engine.openPage())
  }

  /** A second tab of the same browser, at the same address. */
  async secondTab(): Promise<PageDriver> {
    const second = new PageDriver(this.proxy, await this.page.openTab())
    await second.page.goto(await this.page.evaluate(() => location.href))
    return second
  }

  async close(): Promise<void> {
    await this.page.close()
  }

  /** With the shop and its proxy since this page opened, without the control API of the sandbox. */
  get exchanges(): readonly RecordedExchange[] {
    return this.proxy.exchanges
      .slice(this.#from)
      .filter(({path}) => !/^\/(sandbox|cdn)\/|\/events$/.test(path))
  }

  /** Orders, and waits for the asset picker. `prepare` runs in the page before. */
  async order(prepare: () => void = () => undefined): Promise<string> {
    await this.page.goto(this.proxy.url)
    await this.page.evaluate(prepare)
    await this.page.click('#pay')
    await this.untilPhase('choosing')
    return this.chargeId()
  }

  async choose(asset: string, network?: string): Promise<void> {
    await this.click(`[data-asset="${asset}"]`)
    if (network !== undefined) await this.click(`[data-network="${network}"]`)
  }

  /** Clicks in the shadow root of the element. */
  async click(selector: string): Promise<void> {
    await this.page.click(`crypto-checkout >>> ${selector}`)
  }

  /** A button of the sandbox wallet. */
  async clickWallet(action: string): Promise<void> {
    await this.page.click(`[data-act="${action}"]`)
  }

  async untilPhase(phase: string, timeout = STEP_TIMEOUT_MS): Promise<void> {
    const hasPhase = (wanted: string) =>
      document.querySelector('crypto-checkout')?.getAttribute('phase') === wanted
    if (!(await until(this.page, timeout, hasPhase, phase)))
      assert.fail(`the phase is ${await this.phase()} after ${timeout} ms, not ${phase}`)
  }

  /** Waits for an element of the page itself. */
  async untilExists(selector: string, timeout = STEP_TIMEOUT_MS): Promise<void> {
    const exists = (wanted: string) => document.querySelector(wanted) !== null
    if (!(await until(this.page, timeout, exists, selector)))
      assert.fail(`no ${selector} after ${timeout} ms; the phase is ${await this.phase()}`)
  }

  async phase(): Promise<string> {
    return this.page.evaluate(() => document.querySelector('crypto-checkout')!.phase)
  }

  async chargeId(): Promise<string> {
    return this.page.evaluate(() => document.querySelector('crypto-checkout')!.chargeId ?? '')
  }

  async checkout(): Promise<Checkout> {
    const checkout = await this.page.evaluate(() => document.querySelector('crypto-checkout')!.checkout)
    assert(checkout)
    return checkout
  }

  /** Fails without a quote. */
  async quote() {
    const {quote} = await this.checkout()
    assert(quote)
    return quote
  }

  /** The exact text of a part, or null without it. */
  async part(name: string): Promise<string | null> {
    return this.page.evaluate(
      part =>
        document.querySelector('crypto-checkout')?.shadowRoot?.querySelector(`[part~="${part}"]`)
          ?.textContent ?? null,
      name,
    )
  }

  async untilPart(name: string): Promise<void> {
    const hasPart = (part: string) =>
      document.querySelector('crypto-checkout')!.shadowRoot!.querySelector(`[part~="${part}"]`) !== null
    if (!(await until(this.page, STEP_TIMEOUT_MS, hasPart, name)))
      assert.fail(`no part ${name} after ${STEP_TIMEOUT_MS} ms; the phase is ${await this.phase()}`)
  }

  /** Amount and address as displayed. */
  async displayed(): Promise<{amount: string | null; address: string | null}> {
    return {amount: await this.part('amount'), address: await this.part('address')}
  }

  /** The whole page as text, shadow roots and attributes included. */
  async allText(): Promise<string> {
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

  /** Decodes the QR code of a screenshot. */
  async scan(): Promise<string> {
    await this.page.evaluate(async () => {
      document.querySelector('crypto-checkout')!.shadowRoot!.querySelector('[part~=qr]')!.scrollIntoView()
      // A screenshot shows the last painted frame.
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    })
    const {data, width, height} = PNG.sync.read(await this.page.screenshot())
    const code = jsqr(new Uint8ClampedArray(data), width, height)
    assert(code, 'no QR code on the screen')
    return code.data
  }

  /** Clicks a copy button, and returns the clipboard once it has changed. */
  async copied(part: 'copy-amount' | 'copy-address'): Promise<string> {
    await this.page.bringToFront()
    const before = await this.page.clipboard()
    await this.click(`[part~="${part}"]`)
    const end = performance.now() + STEP_TIMEOUT_MS
    for (;;) {
      const now = await this.page.clipboard()
      if (now !== before || performance.now() > end) return now
    }
  }

  /** Waits until the shop's server, not the element, reports the order as paid. */
  async untilShipped(): Promise<void> {
    await this.untilExists('#order-state[data-paid="true"]', TIMEOUT_MS)
  }
}
