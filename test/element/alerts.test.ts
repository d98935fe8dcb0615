/** What the service reports about payments and prices: dropped payments, alerts that may end, settled elsewhere. */
import {assert} from '@open-wc/testing'
import {payment} from '../core/sample.js'
import {part, parts, paying, textOf} from './fixture.js'

const money = (amount: string) => ({amount, currency: 'USD'})
const unconfirmed = payment({status: 'PENDING', confirmed: false})
const dropped = {...unconfirmed, status: 'FAILED', dropped: true}

for (const [status, changes] of [
  ['underpaid', {paid: money('60.00'), due: money('40.00')}],
  ['expired', {payable: false}],
  ['paid', {payable: false, paid: money('100.00')}],
] as const)
  it(`a dropped payment is marked in the list of payments of a charge that is ${status}`, async () => {
    const {fixture, element} = await paying()
    await fixture.report(element, {...changes, status, payments: [dropped], quote: null})
    assert.equal(element.phase, status)
    assert.include(textOf(element, 'transaction'), 'failed or rejected')
    const text = textOf(element)
    assert.equal(text.includes('A payment did not arrive'), status !== 'paid')
    assert.equal(text.includes('you can pay again'), status === 'underpaid')
    assert.notInclude(text, 'What you sent has arrived')
  })

for (const [alert, reason] of [
  ['payment_unreadable', 'details of a payment cannot be read'],
  ['price_mismatch', 'different prices'],
] as const)
  it(`${alert} removes everything that could be paid, and ends with the next read without it`, async () => {
    const {fixture, chargeId, element} = await paying()
    const address = textOf(element, 'address')
    await fixture.report(element, {alert, payable: false, quote: null})
    assert.equal(element.phase, 'unavailable')
    for (const name of ['address', 'amount', 'qr', 'copy-address', 'copy-amount', 'back', 'countdown'])
      assert.isNull(part(element, name), name)
    assert.include(textOf(element, 'status'), 'Do not send any money')
    for (const text of [reason, 'Do not pay now', address]) assert.include(textOf(element, 'alarm'), text)
    assert.include(textOf(element), chargeId)
    await fixture.report(element, {})
    assert.equal(textOf(element, 'address'), address)
    assert.isNull(part(element, 'alarm'))
  })

it('the receipt of a charge that was settled elsewhere claims only what is known', async () => {
  const settled = {status: 'paid', payable: false, quote: null} as const
  const {fixture, chargeId, element} = await paying()
  await fixture.report(element, {...settled, paid: money('0.00')})
  assert.equal(element.phase, 'paid')
  assert.include(textOf(element), 'There is nothing more to pay')
  assert.include(textOf(element, 'receipt'), chargeId)
  assert.notInclude(textOf(element, 'receipt'), 'Received')
  assert.isEmpty(parts(element, 'transaction'))

  await fixture.report(element, {...settled, paid: money('99.98')})
  assert.notInclude(textOf(element), 'in full')
  assert.include(textOf(element, 'receipt'), '$99.98')

  // Of an asset and a network that the checkout does not offer.
  const foreign = {...unconfirmed, confirmed: true, network: 'polygon-pos', currency: 'MATIC'}
  await fixture.report(element, {...settled, paid: money('100.00'), payments: [foreign]})
  assert.include(textOf(element), 'arrived in full')
  for (const text of ['MATIC', 'polygon-pos']) assert.include(textOf(element, 'transaction'), text)

  await fixture.report(element, {...settled, status: 'overpaid', paid: money('0.00')})
  assert.isNull(part(element, 'notice'))
  assert.include(textOf(element), 'There is nothing more to pay')
})
