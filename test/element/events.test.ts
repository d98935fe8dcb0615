import {assert} from '@open-wc/testing'
import {
  CheckoutChangedEvent,
  CheckoutClosedEvent,
  CheckoutErrorEvent,
  CheckoutPaidEvent,
  type CryptoCheckout,
} from '../../src/element/index.js'
import type {CheckoutEventMap} from '../../src/element/events.js'
import {container, press, Fixture} from './fixture.js'

const names = [
  'checkout-changed',
  'checkout-paid',
  'checkout-underpaid',
  'checkout-expired',
  'checkout-cancelled',
  'checkout-error',
  'checkout-closed',
] as const

/** Listens outside, where the page does. */
function heard(): CheckoutEventMap[keyof CheckoutEventMap][] {
  const list: CheckoutEventMap[keyof CheckoutEventMap][] = []
  for (const name of names) container().addEventListener(name, event => list.push(event))
  return list
}

const typesOf = (list: readonly Event[], ...without: string[]) =>
  list.map(({type}) => type).filter(type => !without.includes(type))

async function paidBy(shop: Fixture, element: CryptoCheckout, amount = 'exact'): Promise<void> {
  shop.sandbox.pay(element.chargeId ?? '', {asset: '825', network: 'bsc', amount})
  await shop.pass(3_000, element)
}

describe('events', () => {
  it('tell each change of phase or checkout, with a frozen detail, null while there is none', async () => {
    const shop = new Fixture()
    const list = heard()
    const element = await shop.mount(await shop.charge())
    assert.deepEqual(typesOf(list), ['checkout-changed', 'checkout-changed'])
    assert.instanceOf(list[0], CheckoutChangedEvent)
    assert.isNull(list[0].detail)
    const detail = list[1]?.detail
    assert.equal(detail, element.checkout)
    assert.isFrozen(detail)
    assert.isFrozen(element.checkout?.assets[0]?.networks)
    assert.isTrue(list.every(event => event.bubbles && event.composed))
    assert.equal(list[0].target, element)
  })

  it('say nothing when a read brings nothing new', async () => {
    const shop = new Fixture()
    const list = heard()
    const element = await shop.mount(await shop.charge())
    const before = list.length
    const time = element.checkout?.serverTime
    await shop.pass(5_000, element)
    assert.notEqual(element.checkout?.serverTime, time)
    assert.lengthOf(list, before)
  })

  it('are told when phase and parts are already as they say', async () => {
    const shop = new Fixture()
    const seen: (string | null)[] = []
    container().addEventListener('checkout-changed', ({target}) => {
      if (target instanceof Element) seen.push(target.getAttribute('phase'))
    })
    await shop.mount(await shop.charge())
    assert.deepEqual(seen, ['loading', 'choosing'])
  })

  it('tell of the payment once for each charge, also when it was paid from the first answer on', async () => {
    const shop = new Fixture()
    const list = heard()
    const {chargeId, element} = await shop.paying()
    await paidBy(shop, element)
    assert.lengthOf(
      typesOf(list).filter(type => type === 'checkout-paid'),
      1,
    )
    await paidBy(shop, element)
    await element.refresh()
    assert.equal(element.phase, 'overpaid')
    element.chargeId = null
    await shop.quiet(element)
    element.chargeId = chargeId
    await shop.quiet(element)
    assert.equal(element.phase, 'overpaid')
    assert.lengthOf(
      typesOf(list).filter(type => type === 'checkout-paid'),
      1,
    )
    element.remove()
    const other = await shop.mount(chargeId)
    assert.equal(other.phase, 'overpaid')
    const paid = list.filter(event => event instanceof CheckoutPaidEvent)
    assert.lengthOf(paid, 2)
    assert.equal(paid[1]?.detail, other.checkout)
  })

  it('tell of a part payment, an expiry and a cancellation', async () => {
    const shop = new Fixture()
    const list = heard()
    const {element} = await shop.paying()
    await paidBy(shop, element, 'less')
    assert.include(typesOf(list), 'checkout-underpaid')
    for (const [act, type] of [
      ['expire', 'checkout-expired'],
      ['cancel', 'checkout-cancelled'],
    ] as const) {
      const {chargeId, element: other} = await shop.paying()
      shop.sandbox[act](chargeId)
      await shop.pass(3_000, other)
      assert.lengthOf(
        typesOf(list).filter(name => name === type),
        1,
      )
    }
  })

  it('tell of a problem once for its code, until a read succeeds', async () => {
    const shop = new Fixture()
    const list = heard()
    const {element} = await shop.paying()
    const errors = () => list.filter(event => event instanceof CheckoutErrorEvent)
    shop.between = () => Promise.reject(new Error('down'))
    await shop.pass(15_000, element)
    assert.deepEqual(
      errors().map(({detail}) => detail.code),
      ['proxy_unreachable'],
    )
    assert.isFrozen(errors()[0]?.detail)
    shop.between = () => Promise.resolve(new Response('?'))
    await shop.pass(30_000, element)
    assert.deepEqual(
      errors().map(({detail}) => detail.code),
      ['proxy_unreachable', 'proxy_invalid'],
    )
    shop.between = (_, next) => next()
    await shop.pass(30_000, element)
    shop.between = () => Promise.reject(new Error('down'))
    await shop.pass(5_000, element)
    assert.lengthOf(errors(), 3)
  })

  it('tell why a choice was refused', async () => {
    const shop = new Fixture()
    const list = heard()
    const element = await shop.mount(await shop.charge())
    shop.sandbox.fault('convert', {kind: 'wrongCurrency'})
    press(element, '[data-asset="1027"]')
    await shop.quiet(element)
    const [error] = list.filter(event => event instanceof CheckoutErrorEvent)
    assert.equal(error?.detail.code, 'activation_failed')
  })

  it('say nothing of a charge that had to be opened again', async () => {
    const shop = new Fixture()
    const list = heard()
    const element = await shop.mount(await shop.charge())
    shop.proxy = shop.newProxy()
    await shop.pass(10_000, element)
    assert.equal(element.phase, 'choosing')
    assert.notInclude(typesOf(list), 'checkout-error')
  })

  it('are classes, and all that they tell is in the property as well', async () => {
    const shop = new Fixture()
    const {element} = await shop.paying()
    await paidBy(shop, element)
    assert.equal(element.checkout?.status, 'paid')
    assert.isTrue(new CheckoutClosedEvent(null) instanceof CustomEvent)
    assert.equal(new CheckoutPaidEvent(element.checkout ?? assert.fail()).type, 'checkout-paid')
  })

  it('invariant 8: a page that takes the word of an event can be fooled, so the element never acts on one', async () => {
    const shop = new Fixture()
    const {element} = await shop.paying()
    element.dispatchEvent(new CheckoutPaidEvent({...(element.checkout ?? assert.fail()), status: 'paid'}))
    await shop.pass(3_000, element)
    assert.equal(element.phase, 'paying')
  })
})
