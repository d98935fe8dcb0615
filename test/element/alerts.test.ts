/** What the service reports about payments and prices: dropped payments, alerts that may end, settled elsewhere. */
import {assert, expect} from '@open-wc/testing'
import type {Checkout} from '../../src/contract/checkout.js'
import type {CryptoCheckout} from '../../src/index.js'
import {payment} from '../core/sample.js'
import {choosing, type Fixture, part, parts, paying, textOf} from './fixture.js'

/** Changes every checkout that the proxy returns from now on, and reads. */
async function rewrite(
  fixture: Fixture,
  element: CryptoCheckout,
  change: (checkout: Checkout) => Partial<Checkout>,
): Promise<void> {
  const {rev} = element.checkout ?? assert.fail()
  fixture.intercept = async (_, next) => {
    const checkout: Checkout = await (await next()).json()
    return Response.json({...checkout, rev: rev + 1, ...change(checkout)})
  }
  await element.refresh()
  await fixture.quiet(element)
}

const unconfirmed = payment({status: 'PENDING', confirmed: false})
const dropped = {...unconfirmed, status: 'FAILED', dropped: true}

async function confirming() {
  const shown = await paying()
  const pending = {status: 'pending', payable: false, quote: null, payments: [unconfirmed]} as const
  await rewrite(shown.fixture, shown.element, () => ({...pending, payments: [unconfirmed]}))
  assert.equal(shown.element.phase, 'confirming')
  return shown
}

describe('a dropped payment', () => {
  it('shows the address and the amount again, and says that the customer can pay again', async () => {
    const {fixture, element} = await paying()
    const [amount, address] = [textOf(element, 'amount'), textOf(element, 'address')]
    await rewrite(fixture, element, () => ({status: 'pending', payable: false, payments: [unconfirmed]}))
    assert.equal(element.phase, 'confirming')
    assert.isNull(part(element, 'address'))
    await rewrite(fixture, element, () => ({status: 'open', payable: true, payments: [dropped]}))
    assert.equal(element.phase, 'paying')
    assert.deepEqual([textOf(element, 'amount'), textOf(element, 'address')], [amount, address])
    assert.include(textOf(element, 'notice'), 'A payment did not arrive')
    assert.include(textOf(element, 'notice'), 'You can pay again')
    await expect(element).to.be.accessible()
    await fixture.press(element, 'back')
    assert.equal(element.phase, 'choosing')
    assert.include(textOf(element, 'notice'), 'You can pay again')
    await expect(element).to.be.accessible()
  })

  it('is marked in the list of payments of an underpaid, expired or paid charge', async () => {
    const changes = {
      underpaid: {
        payable: true,
        paid: {amount: '60.00', currency: 'USD'},
        due: {amount: '40.00', currency: 'USD'},
      },
      expired: {payable: false},
      paid: {payable: false, paid: {amount: '100.00', currency: 'USD'}},
    } as const
    for (const status of ['underpaid', 'expired', 'paid'] as const) {
      const {fixture, element} = await confirming()
      await rewrite(fixture, element, () => ({...changes[status], status, payments: [dropped], quote: null}))
      assert.equal(element.phase, status)
      assert.include(textOf(element, 'transaction'), 'failed or dropped')
      const text = textOf(element)
      assert.equal(text.includes('A payment did not arrive'), status !== 'paid')
      assert.equal(text.includes('You can pay again'), status === 'underpaid')
      assert.notInclude(text, 'What you sent has arrived')
      element.remove()
    }
  })
})

describe('an alert that may end', () => {
  const texts = {
    payment_unreadable: 'details of a payment cannot be read',
    price_mismatch: 'another price',
  }
  for (const alert of ['payment_unreadable', 'price_mismatch'] as const) {
    it(`${alert} removes everything that could be paid, and ends with the next read without it`, async () => {
      const {fixture, chargeId, element} = await paying()
      const address = textOf(element, 'address')
      await rewrite(fixture, element, () => ({alert, payable: false, quote: null}))
      assert.equal(element.phase, 'unavailable')
      for (const name of ['address', 'amount', 'qr', 'copy-address', 'copy-amount', 'back', 'countdown'])
        assert.isNull(part(element, name), name)
      assert.include(textOf(element, 'status'), 'Do not send any money')
      for (const text of [texts[alert], 'Do not pay now', address])
        assert.include(textOf(element, 'alarm'), text)
      assert.include(textOf(element), chargeId)
      await expect(element).to.be.accessible()
      await rewrite(fixture, element, () => ({}))
      assert.equal(element.phase, 'paying')
      assert.equal(textOf(element, 'address'), address)
      assert.isNull(part(element, 'alarm'))
    })
  }

  it('shows no address before one was displayed, and then lets the customer choose', async () => {
    const {fixture, element} = await choosing()
    await rewrite(fixture, element, () => ({alert: 'price_mismatch', payable: false}))
    assert.notInclude(textOf(element, 'alarm'), 'address')
    await rewrite(fixture, element, () => ({}))
    assert.equal(element.phase, 'choosing')
    await fixture.press(element, '[data-asset="1027"]')
    assert.equal(element.phase, 'paying')
  })
})

describe('a charge that was settled elsewhere', () => {
  const money = (amount: string) => ({amount, currency: 'USD'})
  const settled = {status: 'paid', payable: false, quote: null} as const

  it('has a receipt without payments and without an amount received', async () => {
    const {fixture, chargeId, element} = await paying()
    await rewrite(fixture, element, () => ({...settled, paid: money('0.00')}))
    assert.equal(element.phase, 'paid')
    assert.include(textOf(element), 'There is nothing more to pay')
    const receipt = textOf(element, 'receipt')
    assert.include(receipt, chargeId)
    assert.notInclude(receipt, 'Received')
    assert.isEmpty(parts(element, 'transaction'))
    await expect(element).to.be.accessible()
  })

  it('lists payments of assets and networks that the checkout does not offer', async () => {
    const {fixture, element} = await paying()
    const foreign = {...unconfirmed, confirmed: true, network: 'polygon-pos', currency: 'MATIC'}
    await rewrite(fixture, element, () => ({...settled, paid: money('100.00'), payments: [foreign]}))
    assert.include(textOf(element), 'arrived in full')
    assert.include(textOf(element, 'transaction'), 'MATIC')
    assert.include(textOf(element, 'transaction'), 'polygon-pos')
  })

  it('does not claim that everything arrived when less was received', async () => {
    const {fixture, element} = await paying()
    await rewrite(fixture, element, () => ({...settled, paid: money('99.98')}))
    assert.notInclude(textOf(element), 'in full')
    assert.include(textOf(element, 'receipt'), '$99.98')
  })

  it('does not name a difference that is not known', async () => {
    const {fixture, element} = await paying()
    await rewrite(fixture, element, () => ({...settled, status: 'overpaid', paid: money('0.00')}))
    assert.equal(element.phase, 'overpaid')
    assert.isNull(part(element, 'notice'))
    assert.include(textOf(element), 'There is nothing more to pay')
  })
})
