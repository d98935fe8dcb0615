/** One person and one charge, on one clock that the test holds, with a witness on every wire. */
import {assert, fixtureSync, html} from '@open-wc/testing'
import {browserEnvironment} from '../../src/element/browser-environment.js'
import type {CryptoCheckout} from '../../src/index.js'
import {part, parts, press, Fixture} from '../element/fixture.js'
import {flushPromises} from '../fake-clock.js'
import {AddressMonitor} from './address-monitor.js'

const STEP = 2_500
/** The longest wait is for the lock of a mint whose outcome nobody knows: 20 s. */
const STEPS = 16

export const USDT_ON_BSC = {asset: '825', network: 'bsc'}

export class CheckoutPage {
  readonly shop: Fixture = new Fixture({
    proxy: {transport: request => this.witness.listen(this.shop.sandbox.transport)(request)},
  })
  readonly witness = new AddressMonitor((cryptoChargeId, asset, network) => {
    const cryptoCharges = this.shop.sandbox.charges.flatMap(charge => charge.cryptoCharges)
    const activated = cryptoCharges.find(({id}) => id === cryptoChargeId)?.activated ?? []
    return activated.find(pair => pair.asset === asset && pair.network === network)?.address
  })
  chargeId = ''
  #element: CryptoCheckout | undefined

  constructor() {
    this.shop.between = async (_, next) => this.witness.hear(await next())
  }

  get element(): CryptoCheckout {
    if (!this.#element) throw new Error('nobody has opened the page yet')
    return this.#element
  }

  async open(preselected: {asset?: string; network?: string} = {}): Promise<void> {
    this.#element = this.shop.element({chargeId: this.chargeId, ...preselected})
    // Not waited for: that takes a frame, and a tab in the background draws none.
    fixtureSync(html`<div>${this.#element}</div>`)
    await this.#pass(0)
  }

  /** Requests may hang here until the clock has moved on, so nobody waits for all of them. */
  async #pass(milliseconds: number): Promise<void> {
    await this.shop.clock.advance(milliseconds)
    for (let turn = 0; turn < 3; turn++) await flushPromises()
    await this.element.updateComplete
    this.witness.look(document.body)
  }

  /** Lets time pass until it is so, or for as long as anything here can last. Looks at the page all the while. */
  async until(isSo: () => boolean, meanwhile: () => void = () => undefined): Promise<boolean> {
    for (let step = 0; step < STEPS && !isSo(); step++) {
      meanwhile()
      await this.#pass(0)
      if (!isSo()) await this.#pass(STEP)
    }
    return isSo()
  }

  /** A person who wants to pay with USDT on BNB Smart Chain, and tries again when told to. */
  readonly persist = (): void => {
    const {element} = this
    if (part(element, 'retry')) press(element, 'retry')
    else if (element.phase !== 'choosing') return
    else if (element.renderRoot.querySelector('[data-network="bsc"]')) press(element, '[data-network="bsc"]')
    else press(element, '[data-asset="825"]')
  }

  /** The same, but who does not press what was refused. */
  readonly begin = (): void => {
    if (!part(this.element, 'retry')) this.persist()
  }

  isTold(): boolean {
    return ['notice', 'alarm'].some(name =>
      parts(this.element, name).some(line => line.offsetHeight > 0 && line.textContent.trim() !== ''),
    )
  }

  isPaying(): boolean {
    return this.element.phase === 'paying' && part(this.element, 'address') !== null
  }

  shown() {
    return {
      amount: part(this.element, 'amount')?.textContent,
      address: part(this.element, 'address')?.textContent,
    }
  }

  /** Sends what the page says to where the page says. It must not be lost. */
  pay(): void {
    const {amount, address} = this.shown()
    if (!amount || !address) throw new Error(`there is nothing to pay in phase ${this.element.phase}`)
    const {recorded} = this.shop.sandbox.pay(this.chargeId, {asset: '825', network: 'bsc', amount, address})
    assert(recorded, 'the money is not lost')
  }

  /** From wherever the page is to a payment that is seen. */
  async recover(): Promise<void> {
    this.shop.sandbox.clearFaults()
    assert(await this.until(() => this.isPaying(), this.persist), `stays in phase ${this.element.phase}`)
    assert(await this.until(() => !this.isTold()), 'the notice is gone')
    await this.payAndBeSeen()
  }

  async payAndBeSeen(): Promise<void> {
    this.pay()
    assert(await this.until(() => this.element.phase === 'paid'), `stays in phase ${this.element.phase}`)
  }
}

/** Somebody who has ordered, and has not opened the page yet. */
export async function ordered(): Promise<CheckoutPage> {
  // Over the real network, which the held clock knows nothing of.
  await browserEnvironment.loadPayment()
  const scene = new CheckoutPage()
  scene.chargeId = await scene.shop.charge()
  return scene
}

/** Somebody who has the address and the amount on screen. */
export async function paying(): Promise<CheckoutPage> {
  const scene = await ordered()
  await scene.open()
  assert(await scene.until(() => scene.isPaying(), scene.persist))
  return scene
}
