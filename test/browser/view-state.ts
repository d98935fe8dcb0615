/** One customer with one charge on a fake clock. An address monitor checks every response. */
import {assert, fixtureSync, html} from '@open-wc/testing'
import {browserEnvironment} from '../../src/element/browser-environment.js'
import type {CryptoCheckout} from '../../src/index.js'
import {part, parts, press, Fixture} from '../element/fixture.js'
import {flushPromises} from '../fake-clock.js'
import {AddressMonitor} from './address-monitor.js'

const STEP_MS = 2_500
/** The longest wait is the 20 s lock of a mint with an unknown outcome. */
const STEPS = 16

export const USDT_ON_BSC = {asset: '825', network: 'bsc'}

export class CheckoutPage {
  readonly fixture: Fixture = new Fixture({
    proxy: {transport: request => this.monitor.observe(this.fixture.sandbox.transport)(request)},
  })
  readonly monitor = new AddressMonitor((cryptoChargeId, asset, network) => {
    const cryptoCharges = this.fixture.sandbox.charges.flatMap(charge => charge.cryptoCharges)
    const activated = cryptoCharges.find(({id}) => id === cryptoChargeId)?.activated ?? []
    return activated.find(pair => pair.asset === asset && pair.network === network)?.address
  })
  chargeId = ''
  #element: CryptoCheckout | undefined

  constructor() {
    this.fixture.intercept = async (_, next) => this.monitor.checkResponse(await next())
  }

  get element(): CryptoCheckout {
    if (!this.#element) throw new Error('the page was not opened')
    return this.#element
  }

  async open(preselected: {asset?: string; network?: string} = {}): Promise<void> {
    this.#element = this.fixture.element({chargeId: this.chargeId, ...preselected})
    // Not waited for: that takes a frame, and a tab in the background draws none.
    fixtureSync(html`<div>${this.#element}</div>`)
    await this.#pass(0)
  }

  /** Does not wait for all requests, because some wait for the clock. */
  async #pass(milliseconds: number): Promise<void> {
    await this.fixture.clock.advance(milliseconds)
    for (let turn = 0; turn < 3; turn++) await flushPromises()
    await this.element.updateComplete
    this.monitor.checkPage(document.body)
  }

  /** Advances the clock until the condition holds, at most for the longest lock. Checks the page after each step. */
  async until(isSo: () => boolean, meanwhile: () => void = () => undefined): Promise<boolean> {
    for (let step = 0; step < STEPS && !isSo(); step++) {
      meanwhile()
      await this.#pass(0)
      if (!isSo()) await this.#pass(STEP_MS)
    }
    return isSo()
  }

  /** Chooses USDT on BNB Smart Chain, and retries. */
  readonly retryPayment = (): void => {
    const {element} = this
    if (part(element, 'retry')) press(element, 'retry')
    else if (element.phase !== 'choosing') return
    else if (element.renderRoot.querySelector('[data-network="bsc"]')) press(element, '[data-network="bsc"]')
    else press(element, '[data-asset="825"]')
  }

  /** The same, but who does not press what was refused. */
  readonly choose = (): void => {
    if (!part(this.element, 'retry')) this.retryPayment()
  }

  hasNotice(): boolean {
    return ['notice', 'alarm'].some(name =>
      parts(this.element, name).some(line => line.offsetHeight > 0 && line.textContent.trim() !== ''),
    )
  }

  isPaying(): boolean {
    return this.element.phase === 'paying' && part(this.element, 'address') !== null
  }

  displayed() {
    return {
      amount: part(this.element, 'amount')?.textContent,
      address: part(this.element, 'address')?.textContent,
    }
  }

  /** Sends what the page says to where the page says. It must not be lost. */
  pay(): void {
    const {amount, address} = this.displayed()
    if (!amount || !address) throw new Error(`there is nothing to pay in phase ${this.element.phase}`)
    const {recorded} = this.fixture.sandbox.pay(this.chargeId, {
      asset: '825',
      network: 'bsc',
      amount,
      address,
    })
    assert(recorded, 'the money is not lost')
  }

  /** From wherever the page is to a payment that is seen. */
  async recover(): Promise<void> {
    this.fixture.sandbox.clearFaults()
    assert(await this.until(() => this.isPaying(), this.retryPayment), `stays in phase ${this.element.phase}`)
    assert(await this.until(() => !this.hasNotice()), 'the notice is gone')
    await this.payAndConfirm()
  }

  async payAndConfirm(): Promise<void> {
    this.pay()
    assert(await this.until(() => this.element.phase === 'paid'), `stays in phase ${this.element.phase}`)
  }
}

/** A customer with a charge whose page is not open. */
export async function orderedPage(): Promise<CheckoutPage> {
  // The fake clock does not control this import.
  await browserEnvironment.loadPayment()
  const page = new CheckoutPage()
  page.chargeId = await page.fixture.charge()
  return page
}

/** A customer with address and amount on screen. */
export async function payingPage(): Promise<CheckoutPage> {
  const page = await orderedPage()
  await page.open()
  assert(await page.until(() => page.isPaying(), page.retryPayment))
  return page
}
