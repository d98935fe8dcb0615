/** One customer with one charge on a fake clock. An address monitor checks every response. */
import {assert} from '@open-wc/testing'
import {browserEnvironment} from '../../src/element/browser-environment.js'
import type {CryptoCheckout} from '../../src/index.js'
import {container, part, parts, press, Fixture} from '../element/fixture.js'
import {AddressMonitor} from './address-monitor.js'

const STEP_MS = 2_500
/** The longest wait is the 20 s lock of a mint with an unknown outcome. */
const STEPS = 16

class CheckoutPage {
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

  async open(): Promise<void> {
    this.#element?.remove()
    this.#element = this.fixture.element({chargeId: this.chargeId})
    container().append(this.#element)
    await this.#pass(0)
  }

  async #pass(milliseconds: number): Promise<void> {
    await this.fixture.clock.advance(milliseconds)
    await this.fixture.quiet(this.element)
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

  /** Chooses, but does not retry. */
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

  /** Sends the displayed amount to the displayed address. Returns the id of the transaction. */
  pay(confirmed = true): string {
    const {amount, address} = this.displayed()
    if (!amount || !address) throw new Error(`nothing to pay in phase ${this.element.phase}`)
    const {recorded, transactionId} = this.fixture.sandbox.pay(this.chargeId, {
      asset: '825',
      network: 'bsc',
      amount,
      address,
      confirmed,
    })
    assert(recorded, 'the payment is lost')
    return transactionId
  }

  /** Ends the fault, and pays. The page does not retry a permanent problem, so the customer reloads it. */
  async recover(): Promise<void> {
    this.fixture.sandbox.clearFaults()
    // A failure counts for a second.
    await this.fixture.clock.advance(1_000)
    if (this.element.phase === 'unavailable' && !part(this.element, 'retry')) await this.open()
    assert(await this.until(() => this.isPaying(), this.retryPayment), `stays in phase ${this.element.phase}`)
    assert(await this.until(() => !this.hasNotice()), 'the notice stays')
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
