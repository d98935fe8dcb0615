import {assert, expect} from '@open-wc/testing'
import type {CryptoCheckout} from '../../src/index.js'
import {decoded} from './qr-scanner.js'
import {checkoutOf, part, press, Fixture, textOf} from './fixture.js'

function quoteOf(element: CryptoCheckout) {
  return checkoutOf(element).quote ?? assert.fail('no quote')
}

/** Quotes may be renewed after ten seconds. */
const quickly = {proxy: {quoteTtl: 10_000}}

describe('paying', () => {
  it('is accessible, in both forms, when the price may have moved, and while the proxy is down', async () => {
    const shop = new Fixture(quickly)
    const {element} = await shop.paying()
    await expect(element).to.be.accessible()
    press(element, 'qr-switch')
    await element.updateComplete
    await expect(element).to.be.accessible()
    await shop.pass(11_000, element)
    assert.exists(part(element, 'renew'))
    await expect(element).to.be.accessible()
    shop.between = () => Promise.reject(new Error('down'))
    await shop.pass(11_000, element)
    assert.exists(part(element, 'notice'))
    await expect(element).to.be.accessible()
  })

  it('invariant 2: amount and address on screen are exactly those of the quote, without white space', async () => {
    const shop = new Fixture()
    for (const [asset, network] of [
      ['825', 'bsc'],
      ['3408', 'algorand'],
      ['1027', 'ethereum'],
    ]) {
      const {element} = await shop.paying(asset, network)
      assert.equal(part(element, 'amount')?.textContent, quoteOf(element).amount)
      assert.equal(part(element, 'address')?.textContent, quoteOf(element).address)
    }
  })

  it('invariant 2: the QR code holds exactly the address, or the request for exactly the amount', async () => {
    const shop = new Fixture()
    const {element} = await shop.paying()
    assert.equal(await decoded(element), quoteOf(element).address)
    press(element, 'qr-switch')
    await element.updateComplete
    assert.equal(await decoded(element), quoteOf(element).uri)
    press(element, 'qr-switch')
    await element.updateComplete
    assert.equal(await decoded(element), quoteOf(element).address)
  })

  it('invariant 2: what is copied is what is shown, and it is said to eye and ear', async () => {
    const shop = new Fixture()
    const {element} = await shop.paying()
    const copied: string[] = []
    const {clipboard} = navigator
    const write = clipboard.writeText
    clipboard.writeText = text => Promise.resolve(void copied.push(text))
    try {
      press(element, 'copy-amount')
      await shop.quiet(element)
      assert.equal(textOf(element, 'copy-amount'), 'Copied')
      assert.equal(part(element, 'copy-amount')?.ariaLabel, null)
      assert.equal(element.renderRoot.querySelector('[role=status]')?.textContent, 'Amount copied')
      press(element, 'copy-address')
      await shop.quiet(element)
      assert.equal(part(element, 'copy-amount')?.ariaLabel, 'Copy amount')
      assert.equal(textOf(element, 'copy-address'), 'Copied')
      await shop.pass(2_000, element)
      assert.equal(part(element, 'copy-address')?.ariaLabel, 'Copy address')
    } finally {
      clipboard.writeText = write
    }
    assert.deepEqual(copied, [quoteOf(element).amount, quoteOf(element).address])
  })

  it('copies the old way when the clipboard is refused, and else leaves the text selected', async () => {
    const shop = new Fixture()
    const {element} = await shop.paying()
    const {clipboard} = navigator
    const write = clipboard.writeText
    clipboard.writeText = () => Promise.reject(new Error('refused'))
    const command = document.execCommand.bind(document)
    let selected = ''
    try {
      document.execCommand = () => {
        const field = element.shadowRoot?.activeElement
        selected = field instanceof HTMLTextAreaElement ? field.value : ''
        return true
      }
      press(element, 'copy-address')
      await shop.quiet(element)
      assert.equal(selected, quoteOf(element).address)
      assert.equal(textOf(element, 'copy-address'), 'Copied')
      document.execCommand = () => false
      press(element, 'copy-amount')
      await shop.quiet(element)
      assert.equal(textOf(element, 'copy-amount'), 'Copy')
      assert.include(textOf(element), 'Copying was refused')
      assert.include(element.renderRoot.querySelector('[role=status]')?.textContent, 'copy it')
    } finally {
      clipboard.writeText = write
      document.execCommand = command
    }
    assert.equal(part(element, 'address')?.textContent, quoteOf(element).address)
  })

  it('draws the code dark on light, with a quiet zone, and describes it with amount and address', async () => {
    const shop = new Fixture()
    const {element} = await shop.paying('825', 'bsc', {theme: 'dark'})
    const svg = part(element, 'qr')
    assert.equal(svg?.getAttribute('role'), 'img')
    const label = svg?.getAttribute('aria-label') ?? ''
    assert.include(label, quoteOf(element).amount)
    assert.include(label, quoteOf(element).address)
    const [light, dark] = [...(svg?.querySelectorAll('path') ?? [])]
    assert.equal(light?.getAttribute('fill'), '#fff')
    assert.equal(dark?.getAttribute('fill'), '#000')
    assert.isTrue(dark?.getAttribute('d')?.startsWith('M4 4h7'))
  })

  it('begins with the form that the attribute names, where there is a request', async () => {
    const shop = new Fixture()
    const {element} = await shop.paying('825', 'bsc', {qr: 'request'})
    assert.equal(await decoded(element), quoteOf(element).uri)
    assert.include(textOf(element), 'Your wallet must show this very address')
  })

  it('names the network on the code’s frame, with the standard of tokens, and warns of the others', async () => {
    const shop = new Fixture()
    const {element} = await shop.paying('52', 'bsc')
    assert.equal(part(element, 'network')?.textContent, 'BNB Smart Chain')
    assert.include(textOf(element), 'Send only XRP on BNB Smart Chain (BEP-20)')
    assert.include(textOf(element), 'not XRP on its own chain')
    const eth = (await shop.paying('1027', 'ethereum')).element
    assert.include(textOf(eth), 'Send only ETH on Ethereum.')
  })

  it('says after refreshAfter that the price may have moved, and changes nothing by itself', async () => {
    const shop = new Fixture(quickly)
    const {element} = await shop.paying('1027', 'ethereum')
    const {amount} = quoteOf(element)
    shop.sandbox.setPrice('1027', 1_000)
    await shop.pass(9_000, element)
    assert.isNull(part(element, 'renew'))
    await shop.pass(2_000, element)
    assert.exists(part(element, 'renew'))
    assert.equal(textOf(element, 'amount'), amount)
  })

  it('invariant 4: renews by the customer’s own action only, keeps the address, and says what the amount was', async () => {
    const shop = new Fixture(quickly)
    const {element} = await shop.paying('1027', 'ethereum')
    const {amount, address} = quoteOf(element)
    shop.sandbox.setPrice('1027', 1_000)
    await shop.pass(11_000, element)
    press(element, 'renew')
    await element.updateComplete
    assert.equal(element.phase, 'paying')
    assert.equal(textOf(element, 'amount'), amount)
    await shop.quiet(element)
    assert.notEqual(textOf(element, 'amount'), amount)
    assert.equal(textOf(element, 'address'), address)
    assert.include(textOf(element, 'notice'), `it was ${amount}`)
  })

  it('keeps the old amount when a new one cannot be had', async () => {
    const shop = new Fixture(quickly)
    const {element} = await shop.paying('1027', 'ethereum')
    const {amount} = quoteOf(element)
    await shop.pass(11_000, element)
    shop.sandbox.fault('convert', {kind: 'status', status: 500})
    press(element, 'renew')
    for (let tries = 0; tries < 20; tries++) await shop.pass(1_000, element)
    assert.equal(element.phase, 'paying')
    assert.equal(textOf(element, 'amount'), amount)
    assert.exists(part(element, 'renew'))
  })

  it('invariant 4: another tab’s choice replaces neither pair nor amount; a new amount is offered', async () => {
    const shop = new Fixture(quickly)
    const {chargeId, element} = await shop.paying('1027', 'ethereum')
    const {amount, address} = quoteOf(element)
    const other = await shop.mount(chargeId)
    assert.equal(textOf(other, 'amount'), amount)
    press(other, 'back')
    await other.updateComplete
    press(other, '[data-asset="1839"]')
    await shop.quiet(other)
    await shop.pass(5_000, element)
    assert.equal(textOf(element, 'amount'), amount)
    assert.equal(textOf(element, 'address'), address)
    shop.sandbox.setPrice('1027', 1_000)
    await shop.pass(11_000, element)
    press(other, 'back')
    await other.updateComplete
    press(other, '[data-asset="1027"]')
    await shop.quiet(other)
    await shop.pass(15_000, element)
    assert.notEqual(textOf(other, 'amount'), amount)
    assert.equal(textOf(element, 'amount'), amount)
    assert.include(textOf(element, 'notice'), 'newer amount')
  })

  it('invariant 3: resumes the same quote after a reload', async () => {
    const shop = new Fixture()
    const {chargeId, element} = await shop.paying()
    const before = quoteOf(element)
    element.remove()
    const again = await shop.mount(chargeId)
    assert.equal(again.phase, 'paying')
    assert.equal(textOf(again, 'address'), before.address)
    assert.equal(textOf(again, 'amount'), before.amount)
  })

  it('invariant 5: keeps the address on screen while proxy or service are down, and through a reload then', async () => {
    const shop = new Fixture()
    const {chargeId, element} = await shop.paying()
    const {address} = quoteOf(element)
    shop.between = () => Promise.reject(new TypeError('down'))
    await shop.pass(20_000, element)
    assert.equal(textOf(element, 'address'), address)
    assert.include(textOf(element, 'notice'), 'proxy_unreachable')
    shop.between = (_, next) => next()
    await shop.pass(15_000, element)
    assert.isNull(part(element, 'notice'))
    shop.sandbox.fault('*', {kind: 'drop'})
    const again = await shop.mount(chargeId)
    for (let tries = 0; tries < 15; tries++) await shop.pass(1_000, again)
    assert.isTrue(again.checkout?.stale)
    assert.equal(textOf(again, 'address'), address)
    assert.include(textOf(again, 'notice'), 'cannot be reached')
  })

  it('invariant 1: a part that cannot be loaded leaves nothing activated that nobody can see', async () => {
    const shop = new Fixture({environment: {loadPayment: () => Promise.reject(new Error('no network'))}})
    const element = await shop.mount(await shop.charge())
    press(element, '[data-asset="1027"]')
    await shop.quiet(element)
    assert.equal(shop.sandbox.calls.convert, 0)
    assert.equal(element.phase, 'choosing')
    assert.include(textOf(element, 'notice'), 'load_failed')
  })

  it('says so when what draws a resumed quote cannot be loaded', async () => {
    const shop = new Fixture()
    const {chargeId} = await shop.paying()
    const element = await shop.mount(chargeId, {
      environment: {
        ...shop.element().environment,
        loadPayment: () => Promise.reject(new Error('no network')),
      },
    })
    assert.equal(element.phase, 'unavailable')
    assert.include(textOf(element, 'notice'), 'load_failed')
    element.environment = shop.element().environment
    await shop.pass(2_000, element)
    assert.equal(element.phase, 'paying')
  })

  it('goes back to the choice, and forgets neither address nor amount', async () => {
    const shop = new Fixture()
    const {element} = await shop.paying()
    const {address} = quoteOf(element)
    press(element, 'back')
    await shop.quiet(element)
    assert.equal(element.phase, 'choosing')
    assert.notInclude(element.shadowRoot?.innerHTML, address)
    press(element, '[data-asset="825"]')
    await element.updateComplete
    press(element, '[data-network="bsc"]')
    await shop.quiet(element)
    assert.equal(textOf(element, 'address'), address)
  })
})

describe('an alarm', () => {
  it('is accessible, takes amount, code and copy buttons away, and keeps the address as plain text', async () => {
    const shop = new Fixture()
    const {chargeId, element} = await shop.paying()
    const {address, amount} = quoteOf(element)
    shop.sandbox.fault('getCryptoCharge', {kind: 'swappedAddress'})
    await shop.pass(5_000, element)
    assert.equal(element.phase, 'unavailable')
    await expect(element).to.be.accessible()
    assert.equal(element.checkout?.alert, 'address_mismatch')
    for (const name of ['amount', 'address', 'qr', 'copy-amount', 'copy-address'])
      assert.isNull(part(element, name))
    assert.include(textOf(element, 'alarm'), address)
    assert.include(textOf(element), chargeId)
    assert.notInclude(textOf(element), amount)
  })

  it('comes when the proxy speaks from another journal, or knows nothing, while an address is on screen', async () => {
    for (const isOpened of [true, false]) {
      const shop = new Fixture()
      const {chargeId, element} = await shop.paying()
      const {address} = quoteOf(element)
      const opens = shop.requests.filter(
        request => request === `POST /crypto-checkout/charges/${chargeId}`,
      ).length
      shop.proxy = shop.newProxy()
      if (isOpened) await shop.mount(chargeId)
      await shop.pass(3_000, element)
      assert.equal(element.phase, 'unavailable')
      assert.include(textOf(element, 'alarm'), address)
      await shop.pass(120_000, element)
      assert.equal(element.phase, 'unavailable')
      const now = shop.requests.filter(
        request => request === `POST /crypto-checkout/charges/${chargeId}`,
      ).length
      assert.equal(now, opens + (isOpened ? 1 : 0))
    }
  })

  it('is none while no address was shown: the charge is opened again', async () => {
    const shop = new Fixture()
    const element = await shop.mount(await shop.charge())
    shop.proxy = shop.newProxy()
    await shop.pass(10_000, element)
    assert.equal(element.phase, 'choosing')
    assert.isNull(part(element, 'alarm'))
  })
})
