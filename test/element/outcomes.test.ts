import {assert, expect} from '@open-wc/testing'
import {part, parts, container, press, Fixture, textOf} from './fixture.js'

describe('after a payment', () => {
  it('is accessible while confirming, underpaid, paid, overpaid, expired and cancelled', async () => {
    const pairs = {asset: '825', network: 'bsc'}
    const happenings: [string, (shop: Fixture, chargeId: string) => unknown][] = [
      ['confirming', (shop, id) => shop.sandbox.pay(id, {...pairs, confirmed: false})],
      ['underpaid', (shop, id) => shop.sandbox.pay(id, {...pairs, amount: 'less'})],
      ['paid', (shop, id) => shop.sandbox.pay(id, pairs)],
      ['overpaid', (shop, id) => shop.sandbox.pay(id, {...pairs, amount: 'more'})],
      ['expired', (shop, id) => shop.sandbox.expire(id)],
      ['cancelled', (shop, id) => shop.sandbox.cancel(id)],
    ]
    for (const [phase, happen] of happenings) {
      const shop = new Fixture()
      const {chargeId, element} = await shop.paying()
      happen(shop, chargeId)
      await shop.pass(3_000, element)
      assert.equal(element.phase, phase)
      assert.equal(element.getAttribute('phase'), phase)
      await expect(element).to.be.accessible()
      for (const name of ['address', 'amount', 'qr']) assert.isNull(part(element, name))
      element.remove()
    }
  })

  it('shows a receipt with every payment, linked where there is an explorer', async () => {
    const shop = new Fixture()
    const {chargeId, element} = await shop.paying()
    const {transactionId} = shop.sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
    await shop.pass(3_000, element)
    const receipt = textOf(element, 'receipt')
    for (const text of ['Two mugs', '$100.00', chargeId, transactionId, 'USDT', 'confirmed'])
      assert.include(receipt, text)
    const link = part(element, 'transaction')?.querySelector('a')
    assert.equal(link?.href, `https://bscscan.com/tx/${transactionId}`)
    assert.equal(link?.rel, 'noopener noreferrer')
    assert.equal(link?.target, '_blank')
    const back = part(element, 'continue')
    assert.equal(back?.getAttribute('href'), 'https://shop.example/thanks')
    assert.isEmpty(shop.visited)
  })

  it('copies the receipt as the language writes it, with the network’s own name', async () => {
    const shop = new Fixture()
    const {chargeId, element} = await shop.paying()
    element.locale = 'fr'
    const {transactionId} = shop.sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
    await shop.pass(3_000, element)
    const copied: string[] = []
    const {clipboard} = navigator
    const write = clipboard.writeText
    clipboard.writeText = text => Promise.resolve(void copied.push(text))
    try {
      press(element, 'copy-receipt')
      await shop.quiet(element)
    } finally {
      clipboard.writeText = write
    }
    const lines = copied.join().split('\n')
    assert.include(lines, `Numéro de paiement\u00a0: ${chargeId}`)
    assert.match(lines.at(-1) ?? '', new RegExp(`USDT \\(BNB Smart Chain\\), .+${transactionId}$`))
  })

  it('links nothing but https', async () => {
    const shop = new Fixture()
    const {chargeId, element} = await shop.paying()
    shop.between = async (_, next) => {
      const checkout = await (await next()).json()
      for (const payment of checkout.payments) payment.url = 'javascript:alert(1)'
      return Response.json({...checkout, redirectUrl: 'javascript:alert(1)'})
    }
    shop.sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
    await shop.pass(3_000, element)
    assert.equal(element.phase, 'paid')
    assert.isNull(element.renderRoot.querySelector('a'))
  })

  it('says when more was sent than asked', async () => {
    const shop = new Fixture()
    const {chargeId, element} = await shop.paying()
    shop.sandbox.pay(chargeId, {asset: '825', network: 'bsc', amount: 'more'})
    await shop.pass(3_000, element)
    assert.include(textOf(element, 'notice'), '$150.00')
  })

  it('asks for the rest of an underpaid charge only when told to, with what is due', async () => {
    const shop = new Fixture()
    const {chargeId, element} = await shop.paying()
    const full = textOf(element, 'amount')
    shop.sandbox.pay(chargeId, {asset: '825', network: 'bsc', amount: 'less'})
    await shop.pass(3_000, element)
    assert.equal(element.phase, 'underpaid')
    assert.equal(textOf(element, 'due'), '$40.00')
    await shop.pass(60_000, element)
    assert.equal(element.phase, 'underpaid')
    press(element, 'pay-remaining')
    await shop.quiet(element)
    assert.equal(element.phase, 'paying')
    assert.isBelow(Number(textOf(element, 'amount')), Number(full))
    assert.equal(textOf(element, 'due'), '$40.00')
    shop.sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
    await shop.pass(3_000, element)
    assert.equal(element.phase, 'paid')
    assert.lengthOf(parts(element, 'transaction'), 2)
  })

  it('pays the rest after a reload with the pair of the last payment, or any other', async () => {
    const shop = new Fixture()
    const {chargeId, element} = await shop.paying()
    shop.sandbox.pay(chargeId, {asset: '825', network: 'bsc', amount: 'less'})
    await shop.pass(3_000, element)
    element.remove()
    const again = await shop.mount(chargeId)
    assert.equal(again.phase, 'underpaid')
    press(again, 'pay-remaining')
    await shop.quiet(again)
    assert.equal(again.checkout?.quote?.network, 'bsc')
    press(again, 'back')
    await again.updateComplete
    assert.equal(again.phase, 'choosing')
    assert.equal(textOf(again, 'due'), '$40.00')
    press(again, '[data-asset="1027"]')
    await shop.quiet(again)
    assert.equal(again.phase, 'paying')
    assert.equal(again.checkout?.quote?.covers.amount, '40.00')
  })

  it('offers no rest when the time is over', async () => {
    const shop = new Fixture()
    const {chargeId, element} = await shop.paying()
    shop.sandbox.pay(chargeId, {asset: '825', network: 'bsc', amount: 'less'})
    await shop.pass(3_000, element)
    shop.sandbox.expire(chargeId)
    await shop.pass(3_000, element)
    assert.equal(element.phase, 'underpaid')
    assert.isNull(part(element, 'pay-remaining'))
    assert.include(textOf(element, 'notice'), 'contact the shop')
  })

  it('still shows a payment that comes after the end', async () => {
    const shop = new Fixture()
    const {chargeId, element} = await shop.paying()
    shop.sandbox.expire(chargeId)
    await shop.pass(3_000, element)
    assert.equal(element.phase, 'expired')
    shop.sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
    await shop.pass(31_000, element)
    assert.equal(element.phase, 'paid')
  })

  it('is whole from the start when it was paid before the page was opened', async () => {
    const shop = new Fixture()
    const {chargeId, element} = await shop.paying()
    shop.sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
    await shop.pass(3_000, element)
    const again = shop.element({chargeId})
    const receipts: (HTMLElement | null)[] = []
    again.addEventListener('checkout-paid', () => receipts.push(part(again, 'receipt')))
    container().append(again)
    await shop.quiet(again)
    assert.lengthOf(receipts, 1)
    assert.exists(receipts[0])
  })

  it('gives up waiting for what draws the receipt after ten seconds', async () => {
    const shop = new Fixture()
    const {chargeId, element} = await shop.paying()
    shop.sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
    await shop.pass(3_000, element)
    const environment = {...shop.element().environment, loadPayment: () => new Promise<never>(() => {})}
    const again = await shop.mount(chargeId, {environment: environment})
    assert.equal(again.phase, 'loading')
    await shop.pass(10_000, again)
    assert.equal(again.phase, 'paid')
    assert.equal(textOf(again, 'status'), 'Payment complete')
  })

  it('tells of the payment even when what draws the receipt cannot be loaded', async () => {
    const shop = new Fixture({environment: {loadPayment: () => Promise.reject(new Error('no network'))}})
    const chargeId = await shop.charge()
    const element = await shop.mount(chargeId)
    shop.between = async (_, next) => {
      const checkout = await (await next()).json()
      return Response.json({...checkout, status: 'paid', payable: false})
    }
    await shop.pass(3_000, element)
    assert.equal(element.phase, 'paid')
    assert.include(textOf(element, 'status'), 'Payment complete')
  })
})

describe('the way back to the shop', () => {
  async function paid(shop: Fixture) {
    const {chargeId, element} = await shop.paying('825', 'bsc', {autoRedirect: true})
    shop.sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
    await shop.pass(2_000, element)
    assert.equal(element.phase, 'paid')
    return element
  }

  it('is taken five seconds after the payment, once', async () => {
    const shop = new Fixture()
    const element = await paid(shop)
    assert.include(textOf(element), 'in 5 seconds')
    await expect(element).to.be.accessible()
    await shop.pass(4_000, element)
    assert.isEmpty(shop.visited)
    await shop.pass(1_000, element)
    assert.deepEqual(shop.visited, ['https://shop.example/thanks'])
    await shop.pass(60_000, element)
    await element.refresh()
    assert.lengthOf(shop.visited, 1)
  })

  it('can be stopped', async () => {
    const shop = new Fixture()
    const element = await paid(shop)
    press(element, 'stop-redirect')
    await shop.pass(60_000, element)
    assert.isEmpty(shop.visited)
    assert.isNull(part(element, 'stop-redirect'))
    assert.exists(part(element, 'continue'))
  })

  it('is not taken by an element that has left the page or may not any more', async () => {
    const shop = new Fixture()
    const element = await paid(shop)
    element.remove()
    await shop.pass(60_000, element)
    assert.isEmpty(shop.visited)
    const other = new Fixture()
    const second = await paid(other)
    second.autoRedirect = false
    await other.pass(60_000, second)
    assert.isEmpty(other.visited)
  })

  it('is not taken by itself unless the page asks for it', async () => {
    const shop = new Fixture()
    const {chargeId, element} = await shop.paying()
    shop.sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
    await shop.pass(60_000, element)
    assert.isEmpty(shop.visited)
  })
})
