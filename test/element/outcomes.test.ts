import {assert, expect} from '@open-wc/testing'
import type {CryptoCheckout, Phase} from '../../src/element/index.js'
import {
  choosing,
  container,
  Fixture,
  part,
  parts,
  paying,
  press,
  recordClipboard,
  replaceUntilEnd,
  textOf,
} from './fixture.js'

describe('after a payment', () => {
  const outcomes: [phase: Phase, happen: (fixture: Fixture, element: CryptoCheckout) => unknown][] = [
    ['confirming', (fixture, element) => fixture.pay(element, {confirmed: false})],
    ['underpaid', (fixture, element) => fixture.pay(element, {amount: 'less'})],
    ['paid', (fixture, element) => fixture.pay(element)],
    ['overpaid', (fixture, element) => fixture.pay(element, {amount: 'more'})],
    ['expired', (fixture, {chargeId}) => fixture.sandbox.expire(chargeId ?? '')],
    ['cancelled', (fixture, {chargeId}) => fixture.sandbox.cancel(chargeId ?? '')],
  ]
  for (const [phase, happen] of outcomes)
    it(`shows ${phase}, without amount and address`, async () => {
      const {fixture, element} = await paying()
      await happen(fixture, element)
      await fixture.pass(3_000, element)
      assert.equal(element.phase, phase)
      assert.equal(element.getAttribute('phase'), phase)
      for (const name of ['address', 'amount', 'qr']) assert.isNull(part(element, name))
    })

  for (const end of ['expire', 'cancel'] as const)
    it(`promises nothing about money sent elsewhere (${end})`, async () => {
      const {fixture, chargeId, element} = await paying()
      fixture.sandbox[end](chargeId)
      await fixture.pass(3_000, element)
      assert.include(textOf(element), 'if coin, network and address were those shown here')
      assert.notInclude(textOf(element), 'still found')
    })

  for (const [phase, happen] of outcomes.filter(([name]) => /confirming|expired|cancelled/.test(name)))
    it(`leads back to the shop (${phase}), and is as high as its content`, async () => {
      const {fixture, element} = await paying()
      await happen(fixture, element)
      await fixture.pass(3_000, element)
      assert.equal(part(element, 'continue')?.getAttribute('href'), 'https://shop.example/thanks')
      assert.equal(!!element.renderRoot.querySelector('slot[name=ended]'), phase !== 'confirming')
      const view = element.renderRoot.querySelector('.view')
      assert.equal(getComputedStyle(view ?? assert.fail()).minBlockSize, '0px')
    })

  it('prints the receipt without the page around it', async () => {
    const {fixture, element} = await paying()
    await fixture.pay(element)
    const sheets = document.adoptedStyleSheets.length
    let printed = false
    const printing = {
      print: () => {
        printed = element.hasAttribute('data-printing') && document.adoptedStyleSheets.length === sheets + 1
        window.dispatchEvent(new Event('afterprint'))
      },
    }
    replaceUntilEnd(window, printing)
    await fixture.press(element, 'print')
    assert.isTrue(printed)
    assert.isFalse(element.hasAttribute('data-printing'))
    assert.lengthOf(document.adoptedStyleSheets, sheets)
  })

  it('shows a receipt with every payment, linked where there is an explorer', async () => {
    const {fixture, chargeId, element} = await paying()
    const transactionId = await fixture.pay(element)
    const receipt = textOf(element, 'receipt')
    for (const text of ['Two mugs', '$100.00', chargeId, transactionId, 'USDT', 'confirmed'])
      assert.include(receipt, text)
    const link = part(element, 'transaction')?.querySelector('a')
    assert.equal(link?.href, `https://bscscan.com/tx/${transactionId}`)
    assert.equal(link?.rel, 'noopener noreferrer')
    assert.equal(link?.target, '_blank')
    const back = part(element, 'continue')
    assert.equal(back?.getAttribute('href'), 'https://shop.example/thanks')
    assert.isEmpty(fixture.navigations)
  })

  it('copies the receipt as the language writes it, with the network’s own name', async () => {
    const {fixture, chargeId, element} = await paying()
    element.locale = 'fr'
    const transactionId = await fixture.pay(element)
    const copied = recordClipboard()
    await fixture.press(element, 'copy-receipt')
    const lines = copied.join().split('\n')
    assert.include(lines, `Numéro de paiement\u00a0: ${chargeId}`)
    assert.match(lines.at(-1) ?? '', new RegExp(`USDT \\(BNB Smart Chain\\), .+${transactionId}$`))
  })

  it('links only https URLs', async () => {
    const {fixture, element} = await paying()
    fixture.intercept = async (_, next) => {
      const checkout = await (await next()).json()
      for (const payment of checkout.payments) payment.url = 'javascript:alert(1)'
      return Response.json({...checkout, redirectUrl: 'javascript:alert(1)'})
    }
    await fixture.pay(element)
    assert.equal(element.phase, 'paid')
    assert.isNull(element.renderRoot.querySelector('a'))
  })

  it('says when more was sent than requested', async () => {
    const {fixture, element} = await paying()
    await fixture.pay(element, {amount: 'more'})
    assert.include(textOf(element, 'notice'), '$150.00')
  })

  it('quotes the remaining amount of an underpaid charge only when the customer asks', async () => {
    const {fixture, element} = await paying()
    const full = textOf(element, 'amount')
    await fixture.pay(element, {amount: 'less'})
    assert.equal(element.phase, 'underpaid')
    assert.equal(textOf(element, 'due'), '$40.00')
    await fixture.pass(60_000, element)
    assert.equal(element.phase, 'underpaid')
    await fixture.press(element, 'pay-remaining')
    assert.equal(element.phase, 'paying')
    assert.isBelow(Number(textOf(element, 'amount')), Number(full))
    assert.equal(textOf(element, 'due'), '$40.00')
    await fixture.pay(element)
    assert.equal(element.phase, 'paid')
    assert.lengthOf(parts(element, 'transaction'), 2)
  })

  it('pays the remaining amount after a reload with the pair of the last payment, or another', async () => {
    const {fixture, chargeId, element} = await paying()
    await fixture.pay(element, {amount: 'less'})
    element.remove()
    const again = await fixture.mount(chargeId)
    assert.equal(again.phase, 'underpaid')
    await fixture.press(again, 'pay-remaining')
    assert.equal(again.checkout?.quote?.network, 'bsc')
    await fixture.press(again, 'back')
    assert.equal(again.phase, 'choosing')
    assert.equal(textOf(again, 'due'), '$40.00')
    await fixture.press(again, '[data-asset="1027"]')
    assert.equal(again.phase, 'paying')
    assert.equal(again.checkout?.quote?.covers.amount, '40.00')
  })

  it('does not offer to pay the remaining amount after expiry', async () => {
    const {fixture, chargeId, element} = await paying()
    await fixture.pay(element, {amount: 'less'})
    fixture.sandbox.expire(chargeId)
    await fixture.pass(3_000, element)
    assert.equal(element.phase, 'underpaid')
    assert.isNull(part(element, 'pay-remaining'))
    assert.include(textOf(element, 'notice'), 'contact the shop')
  })

  it('renders the receipt at once when it was paid before the page was opened', async () => {
    const {fixture, chargeId, element} = await paying()
    await fixture.pay(element)
    const again = fixture.element({chargeId})
    const receipts: (HTMLElement | null)[] = []
    again.addEventListener('checkout-paid', () => receipts.push(part(again, 'receipt')))
    container().append(again)
    await fixture.quiet(again)
    assert.lengthOf(receipts, 1)
    assert.exists(receipts[0])
  })

  it('stops waiting for the payment chunk after ten seconds', async () => {
    const {fixture, chargeId, element} = await paying()
    await fixture.pay(element)
    const environment = {...fixture.element().environment, loadPayment: () => new Promise<never>(() => {})}
    const again = await fixture.mount(chargeId, {environment})
    assert.equal(again.phase, 'loading')
    await fixture.pass(10_000, again)
    assert.equal(again.phase, 'paid')
    assert.equal(textOf(again, 'status'), 'Payment complete')
  })

  it('fires checkout-paid even when the payment chunk cannot be loaded', async () => {
    const {fixture, element} = await choosing({
      environment: {loadPayment: () => Promise.reject(new Error('no network'))},
    })
    fixture.intercept = async (_, next) => {
      const checkout = await (await next()).json()
      return Response.json({...checkout, status: 'paid', payable: false})
    }
    await fixture.pass(3_000, element)
    assert.equal(element.phase, 'paid')
    assert.include(textOf(element, 'status'), 'Payment complete')
  })
})

describe('the redirect to the shop', () => {
  async function paid(fixture: Fixture) {
    const {chargeId, element} = await fixture.paying('825', 'bsc', {autoRedirect: true})
    fixture.sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
    await fixture.pass(2_000, element)
    assert.equal(element.phase, 'paid')
    return element
  }

  it('happens once, five seconds after the payment', async () => {
    const fixture = new Fixture()
    const element = await paid(fixture)
    assert.include(textOf(element), 'in 5 seconds')
    await expect(element).to.be.accessible()
    await fixture.pass(4_000, element)
    assert.isEmpty(fixture.navigations)
    await fixture.pass(1_000, element)
    assert.deepEqual(fixture.navigations, ['https://shop.example/thanks'])
    await fixture.pass(60_000, element)
    await element.refresh()
    assert.lengthOf(fixture.navigations, 1)
  })

  it('can be cancelled', async () => {
    const fixture = new Fixture()
    const element = await paid(fixture)
    press(element, 'stop-redirect')
    await fixture.pass(60_000, element)
    assert.isEmpty(fixture.navigations)
    assert.isNull(part(element, 'stop-redirect'))
    assert.exists(part(element, 'continue'))
  })

  it('does not happen after the element was removed or auto-redirect was switched off', async () => {
    const fixture = new Fixture()
    const element = await paid(fixture)
    element.remove()
    await fixture.pass(60_000, element)
    assert.isEmpty(fixture.navigations)
    const other = new Fixture()
    const second = await paid(other)
    second.autoRedirect = false
    await other.pass(60_000, second)
    assert.isEmpty(other.navigations)
  })
})
