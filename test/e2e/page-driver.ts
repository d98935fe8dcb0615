/**
 * A person in a real browser, whichever engine it has, and what passes between that browser and the shop. The person
 * sees what is on screen; a test may also look at the element's public properties and at every answer that came.
 */
import assert from 'node:assert/strict'
import jsqr from 'jsqr'
import {PNG} from 'pngjs'
import type {Checkout} from '../../src/contract/checkout.js'
import {until, type Engine, type EnginePage} from '../engines/engine.js'
import type {RecordedExchange, RecordingProxy} from './recording-proxy.js'

/** What the phase has to become within, after the payment; a busy machine takes long to draw a page. */
export const TIMEOUT_MS = 20_000
const PATIENCE = 10_000

export class PageDriver {
  readonly #from: number

  private constructor(
    private readonly proxy: RecordingProxy,
    readonly page: EnginePage,
  ) {
    this.#from = proxy.exchanges.length
  }

  /** A person with an empty browser, who comes by this proxy. */
  static async arrive(engine: Engine, proxy: RecordingProxy): Promise<PageDriver> {
    return new PageDriver(proxy, await engine.openPage())
  }

  /** A second tab of the same browser, at the same address. */
  async secondTab(): Promise<PageDriver> {
    const second = new PageDriver(this.proxy, await this.page.openTab())
    await second.page.goto(await this.page.evaluate(() => location.href))
    return second
  }

  async leave(): Promise<void> {
    await this.page.close()
  }

  /** All that the shop and its proxy have answered since; not the sandbox's control surface. */
  get exchanges(): readonly RecordedExchange[] {
    return this.proxy.exchanges.slice(this.#from).filter(({path}) => !/^\/(sandbox|cdn)\/|\/events$/.test(path))
  }

  /** From the basket to the choice of coins. `first` is done to the page before. */
  async order(first: () => void = () => undefined): Promise<string> {
    await this.page.goto(this.proxy.url)
    await this.page.evaluate(first)
    await this.page.click('#pay')
    await this.until('choosing')
    return this.chargeId()
  }

  async choose(asset: string, network?: string): Promise<void> {
    await this.press(`[data-asset="${asset}"]`)
    if (network !== undefined) await this.press(`[data-network="${network}"]`)
  }

  /** Waits for it to be there, to be enabled and to stand still, as a finger would. */
  async press(selector: string): Promise<void> {
    await this.page.click(`crypto-checkout >>> ${selector}`)
  }

  /** A button of the sandbox wallet. */
  async wallet(act: string): Promise<void> {
    await this.page.click(`[data-act="${act}"]`)
  }

  async until(phase: string, timeout = PATIENCE): Promise<void> {
    const isSo = await until(
      this.page,
      timeout,
      wanted => document.querySelector('crypto-checkout')?.getAttribute('phase') === wanted,
      phase,
    )
    if (!isSo) assert.fail(`the phase is ${await this.phase()} after ${timeout} ms, not ${phase}`)
  }

  /** Waits for an element of the page itself. */
  async untilThere(selector: string, timeout = PATIENCE): Promise<void> {
    const isThere = await until(
      this.page,
      timeout,
      wanted => document.querySelector(wanted) !== null,
      selector,
    )
    assert(isThere, `${selector} is not there after ${timeout} ms`)
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

  /** The quote that the element has, which must be there. */
  async quote() {
    const {quote} = await this.checkout()
    assert(quote)
    return quote
  }

  /** The text of a part, exactly; null when it is not there. */
  async part(name: string): Promise<string | null> {
    return this.page.evaluate(
      part =>
        document.querySelector('crypto-checkout')?.shadowRoot?.querySelector(`[part~="${part}"]`)
          ?.textContent ?? null,
      name,
    )
  }

  async untilPart(name: string): Promise<void> {
    const isThere = await until(
      this.page,
      PATIENCE,
      part =>
        document.querySelector('crypto-checkout')!.shadowRoot!.querySelector(`[part~="${part}"]`) !== null,
      name,
    )
    assert(isThere, `there is no ${name} after ${PATIENCE} ms`)
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
    await this.page.evaluate(async () => {
      document.querySelector('crypto-checkout')!.shadowRoot!.querySelector('[part~=qr]')!.scrollIntoView()
      // A screenshot shows the last painted frame.
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    })
    const {data, width, height} = PNG.sync.read(await this.page.screenshot())
    const code = jsqr(new Uint8ClampedArray(data), width, height)
    assert(code, 'there is a QR code on the screen')
    return code.data
  }

  /** Presses a copy button, and pastes. */
  async copied(part: 'copy-amount' | 'copy-address'): Promise<string> {
    await this.page.bringToFront()
    const before = await this.page.clipboard()
    await this.press(`[part~="${part}"]`)
    const end = performance.now() + PATIENCE
    for (;;) {
      const now = await this.page.clipboard()
      if (now !== before || performance.now() > end) return now
    }
  }

  /** Resolves once the shop's own server, not the element, calls the order paid. */
  async untilShipped(): Promise<void> {
    await this.untilThere('#order-state[data-paid="true"]', TIMEOUT_MS)
  }
}
