import {assert} from '@open-wc/testing'
import type {CryptoCheckout} from '../../src/index.js'
import {announced, Fixture, part, press, textOf} from './fixture.js'

const tokenSecret = 'a secret of at least 32 characters'
const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const other = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'

/** A customer who has paid with USDT on BNB Smart Chain, and reads the result. */
async function paid(amount: string, proxy: {tokenSecret?: string} = {tokenSecret}) {
  const fixture = new Fixture({proxy})
  const chargeId = await fixture.charge()
  const token = proxy.tokenSecret === undefined ? null : fixture.proxy.createToken(chargeId)
  const element = await fixture.mount(chargeId, {asset: '825', network: 'bsc', token})
  await fixture.pay(element, {amount})
  return {fixture, chargeId, token, element}
}

async function createOrder({proxy, clock}: Fixture): Promise<string> {
  const creating = proxy.createOrder('order-7', {
    ...{amount: '49.90', currency: 'USD', country: 'GB'},
    customer: {name: 'Ada', phone: '', email: 'ada@shop.example'},
  })
  await clock.advance(2_000)
  return (await creating).chargeId
}

/** Submits as the Enter key does; the proxy waits a second between reads. */
async function send(fixture: Fixture, element: CryptoCheckout): Promise<void> {
  press(element, 'refund-send')
  await fixture.pass(2_000, element)
}

describe('where money goes back', () => {
  it('the customer who sent too much gives an address, which every page of the charge then knows of', async () => {
    const {fixture, chargeId, token, element} = await paid('120')
    assert.equal(element.checkout?.refund, 'possible')
    assert.include(textOf(element, 'notice'), 'You sent $20.03 more than was asked.')
    assert.notInclude(textOf(element, 'notice'), 'Contact the shop')
    assert.isFalse(part(element, 'refund')?.hasAttribute('open'))
    assert.include(textOf(element, 'refund'), 'Your address on BNB Smart Chain')
    const second = await fixture.mount(chargeId, {token})
    await fixture.type(element, 'refund-address', ` ${address.slice(0, 6)} ${address.slice(6)}\n`)
    assert.isNull(part(element, 'refund-again'))
    await send(fixture, element)
    assert.equal(element.checkout?.refund, 'asked')
    assert.include(textOf(element, 'refund'), `BNB Smart Chain: ${address}`)
    assert.include(announced(element) ?? '', 'The shop has your address.')
    // One that was slower, and one that is loaded later, know only that there is an address.
    await fixture.type(second, 'refund-address', other)
    await send(fixture, second)
    for (const page of [second, await fixture.mount(chargeId, {token})]) {
      assert.include(textOf(page, 'refund'), 'The shop has your address.')
      assert.notInclude(textOf(page, 'refund'), other)
    }
    for (const page of [element, second]) assert.isNull(page.renderRoot.querySelector('textarea'))
  })

  it('an address without a checksum is entered twice', async () => {
    const {fixture, element} = await paid('120')
    await fixture.type(element, 'refund-address', address.toLowerCase())
    const {length} = fixture.requests
    for (const wrong of ['', other]) {
      await fixture.type(element, 'refund-again', wrong)
      await send(fixture, element)
      assert.include(textOf(element, 'refund'), 'The two addresses differ.')
      assert.equal(part(element, 'refund-again')?.getAttribute('aria-invalid'), 'true')
    }
    assert.notInclude(fixture.requests.slice(length).join(), 'refund-address')
    await fixture.type(element, 'refund-again', address.toLowerCase())
    assert.notInclude(textOf(element, 'refund'), 'differ')
    await send(fixture, element)
    assert.equal(element.checkout?.refund, 'asked')
  })

  it('what the proxy refuses is said beside the field, which keeps it; whom to ask without client tokens', async () => {
    const {fixture, element} = await paid('120')
    for (const [typed, change, text] of [
      [address.replace('A', 'a'), undefined, 'Check the address: it cannot be used on BNB Smart Chain.'],
      [address, Response.error(), 'cannot be reached right now'],
    ] as const) {
      if (change) fixture.intercept = () => Promise.resolve(change)
      await fixture.type(element, 'refund-address', typed)
      await send(fixture, element)
      assert.include(textOf(element, 'refund'), text)
      assert.propertyVal(part(element, 'refund-address'), 'value', typed)
    }
    assert.equal(element.checkout?.refund, 'possible')
    const {element: withoutToken} = await paid('120', {})
    assert.isNull(part(withoutToken, 'refund'))
    assert.include(textOf(withoutToken, 'notice'), 'Contact the shop about the difference.')
  })

  it('says why it is offered for a payment in full: its order was cancelled before', async () => {
    const fixture = new Fixture({proxy: {tokenSecret}})
    const chargeId = await createOrder(fixture)
    const token = fixture.proxy.createToken(chargeId)
    const before = await fixture.mount(chargeId, {asset: '825', network: 'bsc', token})
    const cancelling = fixture.proxy.cancelOrder('order-7')
    await fixture.clock.advance(2_000)
    await cancelling
    await fixture.pay(before)
    before.remove()
    const element = await fixture.mount(chargeId, {token})
    assert.equal(element.phase, 'paid')
    const sentence = 'Your payment has arrived, but the shop no longer needs it.'
    assert.include(textOf(element), sentence)
    await fixture.type(element, 'refund-address', address)
    await send(fixture, element)
    assert.include(textOf(element), sentence)
  })

  it('is offered for a part, when the time to pay is over, on each network that has money', async () => {
    const {fixture, chargeId, element} = await paid('20')
    assert.isNull(part(element, 'refund'))
    await fixture.press(element, 'pay-remaining')
    await fixture.press(element, 'back')
    await fixture.choose(element, '825', 'ethereum')
    await fixture.pass(2_000, element)
    fixture.sandbox.pay(chargeId, {asset: '825', network: 'ethereum', amount: '20'})
    fixture.sandbox.expire(chargeId)
    await fixture.pass(20_000, element)
    assert.equal(element.phase, 'underpaid')
    const network = part(element, 'refund-network')
    if (!(network instanceof HTMLSelectElement)) assert.fail('nothing to choose from')
    assert.deepEqual(
      [...network.options].map(({value}) => value),
      ['bsc', 'ethereum'],
    )
    network.value = 'ethereum'
    network.dispatchEvent(new Event('change', {bubbles: true}))
    await fixture.type(element, 'refund-address', address)
    assert.include(textOf(element, 'refund'), 'Your address on Ethereum')
    await send(fixture, element)
    assert.include(textOf(element, 'refund'), `Ethereum: ${address}`)
  })
})

describe('the rest of an order', () => {
  it('the page says what was paid before, as long as money can be sent', async () => {
    const fixture = new Fixture()
    const create = () => createOrder(fixture)
    const first = await create()
    const before = await fixture.mount(first, {asset: '825', network: 'bsc'})
    await fixture.pay(before, {amount: '20'})
    assert.notInclude(textOf(before), 'pay the rest here')
    fixture.sandbox.expire(first)
    await fixture.pass(20_000, before)
    before.remove()
    const element = await fixture.mount(await create())
    const sentence = 'You have paid $20.00 of $49.90. The first time to pay is over; pay the rest here.'
    assert.equal(element.phase, 'choosing')
    assert.include(textOf(element, 'header'), sentence)
    assert.include(textOf(element, 'price'), '$29.90')
    await fixture.choose(element, '825', 'bsc')
    assert.equal(element.phase, 'paying')
    assert.include(textOf(element, 'header'), sentence)
    await fixture.pay(element)
    assert.equal(element.phase, 'paid')
    assert.notInclude(textOf(element), 'pay the rest here')
  })
})
