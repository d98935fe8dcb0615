import {expect} from '@open-wc/testing'
import {checkoutOf, part, press, Shop, textOf} from './shop.js'

describe('the main path', () => {
  it('is accessible in every phase of a payment', async () => {
    const shop = new Shop()
    const chargeId = await shop.charge()
    const element = await shop.mount(chargeId)
    expect(element.phase).to.equal('choosing')
    await expect(element).to.be.accessible()
    press(element, '[data-asset="825"]')
    await shop.quiet(element)
    await expect(element).to.be.accessible()
    press(element, '[data-network="bsc"]')
    await shop.quiet(element)
    expect(element.phase).to.equal('paying')
    await expect(element).to.be.accessible()
    shop.sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
    await shop.pass(3_000, element)
    expect(element.phase).to.equal('paid')
    await expect(element).to.be.accessible()
    expect(textOf(element, 'receipt')).to.contain('Received')
    expect(part(element, 'address')).to.equal(null)
    expect(checkoutOf(element).status).to.equal('paid')
  })
})
