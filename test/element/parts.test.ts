import {assert} from '@open-wc/testing'
import type {CryptoCheckout} from '../../src/index.js'
import {announced, checkoutOf, Fixture, idOf, part, quoteOf, textOf} from './fixture.js'

async function choosingInParts(amount?: string, currency?: string) {
  const fixture = new Fixture()
  const chargeId = await fixture.charge(amount, currency, {pricing_type: 'fixed_or_partial_price'})
  const element = await fixture.mount(chargeId)
  return {fixture, chargeId, element}
}

async function typePart(fixture: Fixture, element: CryptoCheckout, text: string): Promise<void> {
  const field = part(element, 'part-amount')
  if (!(field instanceof HTMLInputElement)) assert.fail('no field for a part')
  field.value = text
  field.dispatchEvent(new InputEvent('input', {bubbles: true}))
  await fixture.quiet(element)
}

describe('A charge that accepts parts', () => {
  it('is paid in two parts', async () => {
    const {fixture, element} = await choosingInParts()
    await fixture.press(element, 'pay-part')
    assert.equal(element.shadowRoot?.activeElement, part(element, 'part-amount'))
    assert.include(textOf(element), 'up to $100.00')
    await typePart(fixture, element, '20')
    await fixture.press(element, '[data-asset="1839"]')
    assert.equal(element.phase, 'paying')
    assert.deepEqual(quoteOf(element).covers, {amount: '20.00', currency: 'USD'})
    assert.equal(textOf(element, 'amount'), quoteOf(element).amount)
    assert.equal(textOf(element, 'part-notice'), 'This is a part: $20.00 of $100.00.')
    await fixture.pay(element, {asset: '1839'})
    assert.equal(element.phase, 'underpaid')
    assert.include(textOf(element), 'You can pay the rest now or later')
    assert.equal(textOf(element, 'due'), '$80.00')

    await fixture.press(element, 'pay-part')
    await typePart(fixture, element, '80,00')
    await fixture.press(element, '[data-asset="1839"]')
    assert.isNull(part(element, 'part-notice'))
    await fixture.pay(element, {asset: '1839'})
    assert.equal(element.phase, 'paid')
  })

  it('requests nothing for a part that cannot be paid, and leads to its field', async () => {
    const {fixture, element} = await choosingInParts()
    await fixture.press(element, 'pay-part')
    for (const text of ['', '0', '100.01', 'ten']) {
      await typePart(fixture, element, text)
      assert.equal(part(element, 'part-amount')?.getAttribute('aria-invalid'), text ? 'true' : null)
      element.renderRoot.querySelector<HTMLElement>('[data-asset="1839"]')?.focus()
      await fixture.press(element, '[data-asset="1839"]')
      assert.equal(element.phase, 'choosing')
      assert.equal(element.shadowRoot?.activeElement, part(element, 'part-amount'))
    }
    assert.equal(fixture.sandbox.calls.convert, 0)
    await fixture.press(element, 'pay-in-full')
    await fixture.press(element, '[data-asset="1839"]')
    assert.equal(quoteOf(element).covers.amount, '100.00')
  })

  it('keeps the part for another coin, and after a reload', async () => {
    const {fixture, chargeId, element} = await choosingInParts()
    await fixture.press(element, 'pay-part')
    await typePart(fixture, element, '20')
    await fixture.press(element, '[data-asset="1839"]')
    await fixture.press(element, 'back')
    // Reads that must be new are a second apart.
    await fixture.pass(1_000, element)
    await fixture.press(element, '[data-asset="4030"]')
    assert.deepEqual(
      [idOf(null), quoteOf(element).asset, quoteOf(element).covers.amount],
      [null, '4030', '20.00'],
    )
    element.remove()
    const again = await fixture.mount(chargeId)
    assert.equal(textOf(again, 'part-notice'), 'This is a part: $20.00 of $100.00.')
    await fixture.pass(16 * 60_000, again)
    await fixture.press(again, 'renew')
    assert.equal(quoteOf(again).covers.amount, '20.00')
  })
})

it('A charge with a fixed price offers no part', async () => {
  const fixture = new Fixture()
  const element = await fixture.mount(await fixture.charge())
  assert.isNull(part(element, 'pay-part'))
  await fixture.press(element, '[data-asset="1839"]')
  await fixture.pay(element, {asset: '1839', amount: 'less'})
  assert.isNull(part(element, 'pay-part'))
})

it('A former charge of an order leads back to the shop', async () => {
  const fixture = new Fixture()
  const element = await fixture.mount(await fixture.charge())
  await fixture.report(element, {status: 'expired', payable: false, replacedBy: true})
  assert.include(textOf(element), 'A newer payment has replaced this one')
  assert.equal(announced(element), 'The time to pay has run out')
  assert.equal(checkoutOf(element).replacedBy, true)
})

it('The receipt has the reference, the tax and the country', async () => {
  const fixture = new Fixture()
  const element = await fixture.mount(await fixture.charge())
  await fixture.press(element, '[data-asset="1839"]')
  fixture.rewrite(() => ({vat: '7.5', country: 'NG'}))
  await fixture.pay(element, {asset: '1839'})
  for (const text of ['order-7', '7.5', 'Nigeria']) assert.include(textOf(element, 'receipt'), text)
})
