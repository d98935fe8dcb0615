import {assert} from '@open-wc/testing'
import type {CryptoCheckout, Phase} from '../../src/element/index.js'
import {
  container,
  type Fixture,
  hanging,
  missing,
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
      assert.equal(element.getAttribute('phase'), phase)
      for (const name of ['address', 'amount', 'qr']) assert.isNull(part(element, name))
      if (phase === 'underpaid') return
      assert.equal(part(element, 'continue')?.getAttribute('href'), 'https://shop.example/thanks')
      const hasEnded = phase === 'expired' || phase === 'cancelled'
      assert.equal(!!element.renderRoot.querySelector('slot[name=ended]'), hasEnded)
      assert.equal(
        textOf(element).includes('if you used the coin, network and address this page gave you'),
        hasEnded,
        'promises nothing about money sent elsewhere',
      )
      if (phase === 'overpaid') assert.include(textOf(element, 'notice'), '$50.00')
      if (!phase.endsWith('paid')) {
        const view = element.renderRoot.querySelector('.view') ?? assert.fail()
        assert.equal(getComputedStyle(view).minBlockSize, '0px', 'is as high as its content')
      }
    })

  it('prints the receipt without the page around it', async () => {
    const {fixture, element} = await paying()
    await fixture.pay(element)
    const sheets = document.adoptedStyleSheets.length
    let printed = false
    const print = () => {
      printed = element.hasAttribute('data-printing') && document.adoptedStyleSheets.length === sheets + 1
      window.dispatchEvent(new Event('afterprint'))
    }
    replaceUntilEnd(window, {print})
    await fixture.press(element, 'print')
    assert.isTrue(printed)
    assert.isFalse(element.hasAttribute('data-printing'))
    assert.lengthOf(document.adoptedStyleSheets, sheets)
  })

  it('shows a receipt with every payment, linked where there is an explorer, whose shortened id is copied in full', async () => {
    const {fixture, chargeId, element} = await paying()
    fixture.rewrite(() => ({vat: '7.5', country: 'NG'}))
    const transactionId = await fixture.pay(element)
    const receipt = textOf(element, 'receipt')
    for (const text of [
      'Two mugs',
      'order-7',
      '$100.00',
      '7.5',
      'Nigeria',
      chargeId,
      transactionId,
      'confirmed',
    ])
      assert.include(receipt, text)
    const item = part(element, 'transaction') ?? assert.fail()
    const {href, rel, target} = item.querySelector('a') ?? assert.fail('no link')
    assert.deepEqual(
      [href, rel, target],
      [`https://bscscan.com/tx/${transactionId}`, 'noopener noreferrer', '_blank'],
    )
    const middle = item.querySelector('.middle')
    assert.equal(middle?.textContent, transactionId.slice(8, -6))
    assert.equal(middle?.getBoundingClientRect().width, 0)
    assert.include(item.innerText, transactionId)
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
    const url = 'javascript:alert(1)'
    fixture.rewrite(({payments}) => ({redirectUrl: url, payments: payments.map(one => ({...one, url}))}))
    await fixture.pay(element)
    assert.equal(element.phase, 'paid')
    assert.isNull(element.renderRoot.querySelector('a'))
  })

  it('quotes the remaining amount of an underpaid charge when the customer asks, and not after expiry', async () => {
    const {fixture, chargeId, element} = await paying()
    const full = textOf(element, 'amount')
    await fixture.pay(element, {amount: 'less'})
    await fixture.pass(60_000, element)
    assert.equal(element.phase, 'underpaid')
    assert.equal(textOf(element, 'due'), '$40.00')
    await fixture.press(element, 'pay-remaining')
    assert.equal(element.phase, 'paying')
    assert.isBelow(Number(textOf(element, 'amount')), Number(full))
    assert.equal(textOf(element, 'due'), '$40.00')
    await fixture.pay(element, {amount: '1'})
    assert.lengthOf(parts(element, 'transaction'), 2)
    fixture.sandbox.expire(chargeId)
    await fixture.pass(3_000, element)
    assert.equal(element.phase, 'underpaid')
    for (const name of ['pay-remaining', 'due']) assert.isNull(part(element, name))
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

  it('is complete even when the payment chunk cannot be loaded, or takes more than ten seconds', async () => {
    for (const [loadPayment, seconds] of [
      [missing, 0],
      [hanging, 10],
    ] as const) {
      const {fixture, chargeId, element} = await paying()
      await fixture.pay(element)
      const environment = {...fixture.element().environment, loadPayment}
      const again = await fixture.mount(chargeId, {environment})
      assert.equal(again.phase, seconds ? 'loading' : 'paid')
      await fixture.pass(seconds * 1_000, again)
      assert.equal(again.phase, 'paid')
      assert.equal(textOf(again, 'status'), 'Payment complete')
    }
  })
})

describe('the redirect to the shop', () => {
  async function redirecting() {
    const {fixture, element} = await paying({}, '825', 'bsc', {autoRedirect: true, modal: true})
    element.show()
    await fixture.quiet(element)
    fixture.sandbox.pay(element.chargeId ?? '', {asset: '825', network: 'bsc'})
    await fixture.pass(2_000, element)
    assert.equal(element.phase, 'paid')
    return {fixture, element}
  }

  it('happens once, five seconds after the payment', async () => {
    const {fixture, element} = await redirecting()
    assert.include(textOf(element), 'in 5 seconds')
    await fixture.pass(4_000, element)
    assert.isEmpty(fixture.navigations)
    await fixture.pass(1_000, element)
    assert.deepEqual(fixture.navigations, ['https://shop.example/thanks'])
    await fixture.pass(60_000, element)
    await element.refresh()
    assert.lengthOf(fixture.navigations, 1)
  })

  for (const [reason, stop] of [
    ['the customer stops it', element => press(element, 'stop-redirect')],
    ['the dialog is closed', element => element.close()],
    ['the element is removed', element => element.remove()],
    ['auto-redirect is switched off', element => (element.autoRedirect = false)],
  ] satisfies [string, (element: CryptoCheckout) => unknown][])
    it(`does not happen when ${reason}`, async () => {
      const {fixture, element} = await redirecting()
      stop(element)
      await fixture.pass(60_000, element)
      assert.isEmpty(fixture.navigations)
      assert.exists(part(element, 'continue'))
    })
})
