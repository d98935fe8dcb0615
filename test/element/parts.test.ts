import {assert} from '@open-wc/testing'
import {announced, checkoutOf, choosing, part, quoteOf, textOf} from './fixture.js'

const inParts = {charge: ['100', 'USD', 'fixed_or_partial_price']} satisfies Parameters<typeof choosing>[0]

describe('a charge that accepts parts', () => {
  it('is paid in two parts', async () => {
    const {fixture, element} = await choosing(inParts)
    await fixture.press(element, 'pay-part')
    assert.equal(element.shadowRoot?.activeElement, part(element, 'part-amount'))
    assert.include(textOf(element), 'up to $100.00')
    await fixture.type(element, 'part-amount', '20')
    await fixture.choose(element, '1839')
    assert.equal(element.phase, 'paying')
    assert.deepEqual(quoteOf(element).covers, {amount: '20.00', currency: 'USD'})
    assert.equal(textOf(element, 'amount'), quoteOf(element).amount)
    assert.equal(textOf(element, 'part-notice'), 'This is a part: $20.00 of $100.00.')
    await fixture.pay(element, {asset: '1839'})
    assert.equal(element.phase, 'underpaid')
    assert.include(textOf(element), 'You can pay the rest now or later')
    assert.equal(textOf(element, 'due'), '$80.00')

    await fixture.press(element, 'pay-part')
    await fixture.type(element, 'part-amount', '80,00')
    await fixture.choose(element, '1839')
    assert.isNull(part(element, 'part-notice'))
    await fixture.pay(element, {asset: '1839'})
    assert.equal(element.phase, 'paid')
  })

  it('requests nothing for a part that cannot be paid, and leads to its field', async () => {
    const {fixture, element} = await choosing(inParts)
    await fixture.press(element, 'pay-part')
    for (const text of ['', '100.01']) {
      await fixture.type(element, 'part-amount', text)
      assert.equal(part(element, 'part-amount')?.getAttribute('aria-invalid'), text ? 'true' : null)
      element.renderRoot.querySelector<HTMLElement>('[data-asset="1839"]')?.focus()
      await fixture.choose(element, '1839')
      assert.equal(element.phase, 'choosing')
      assert.equal(element.shadowRoot?.activeElement, part(element, 'part-amount'))
    }
    assert.equal(fixture.sandbox.calls.convert, 0)
    await fixture.press(element, 'pay-in-full')
    await fixture.choose(element, '1839')
    assert.equal(quoteOf(element).covers.amount, '100.00')
  })

  it('keeps the part for another coin, and after a reload', async () => {
    const {fixture, chargeId, element} = await choosing(inParts)
    await fixture.press(element, 'pay-part')
    await fixture.type(element, 'part-amount', '20')
    await fixture.choose(element, '1839')
    await fixture.press(element, 'back')
    // Reads that must be new are a second apart.
    await fixture.pass(1_000, element)
    await fixture.choose(element, '4030')
    assert.deepEqual([quoteOf(element).asset, quoteOf(element).covers.amount], ['4030', '20.00'])
    element.remove()
    const again = await fixture.mount(chargeId)
    assert.equal(textOf(again, 'part-notice'), 'This is a part: $20.00 of $100.00.')
    await fixture.pass(16 * 60_000, again)
    await fixture.press(again, 'renew')
    assert.equal(quoteOf(again).covers.amount, '20.00')
  })
})

it('a charge with a fixed price offers no part', async () => {
  const {fixture, element} = await choosing()
  assert.isNull(part(element, 'pay-part'))
  await fixture.choose(element, '1839')
  await fixture.pay(element, {asset: '1839', amount: 'less'})
  assert.isNull(part(element, 'pay-part'))
})

it('a former charge of an order leads back to the shop', async () => {
  const {fixture, element} = await choosing()
  await fixture.report(element, {status: 'expired', payable: false, replacedBy: true})
  assert.include(textOf(element), 'A newer payment has replaced this one')
  assert.equal(announced(element), 'The time to pay has run out')
  assert.equal(checkoutOf(element).replacedBy, true)
})
