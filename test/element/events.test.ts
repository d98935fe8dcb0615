import {assert} from '@open-wc/testing'
import {CheckoutChangedEvent, CheckoutErrorEvent, CheckoutPaidEvent} from '../../src/element/index.js'
import type {CheckoutEventMap} from '../../src/element/events.js'
import {container, Fixture, part, paying} from './fixture.js'

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
function recordEvents(): CheckoutEventMap[keyof CheckoutEventMap][] {
  const list: CheckoutEventMap[keyof CheckoutEventMap][] = []
  for (const name of names) container().addEventListener(name, event => list.push(event))
  return list
}

const typesOf = (list: readonly Event[]) => list.map(({type}) => type)
const count = (list: readonly Event[], type: string) => typesOf(list).filter(name => name === type).length

describe('events', () => {
  it('fire for each change of phase or checkout, with a frozen detail or null', async () => {
    const fixture = new Fixture()
    const list = recordEvents()
    const element = await fixture.mount(await fixture.charge())
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

  it('do not fire when a read changes nothing', async () => {
    const fixture = new Fixture()
    const list = recordEvents()
    const element = await fixture.mount(await fixture.charge())
    const before = list.length
    const time = element.checkout?.serverTime
    await fixture.pass(5_000, element)
    assert.notEqual(element.checkout?.serverTime, time)
    assert.lengthOf(list, before)
  })

  it('fire after the phase and the parts have been updated', async () => {
    const fixture = new Fixture()
    const seen: (string | null)[] = []
    container().addEventListener('checkout-changed', ({target}) => {
      if (target instanceof Element) seen.push(target.getAttribute('phase'))
    })
    await fixture.mount(await fixture.charge())
    assert.deepEqual(seen, ['loading', 'choosing'])
  })

  it('checkout-paid fires once per charge, also if the first response is already paid', async () => {
    const fixture = new Fixture()
    const list = recordEvents()
    const {chargeId, element} = await fixture.paying()
    await fixture.pay(element)
    assert.equal(count(list, 'checkout-paid'), 1)
    await fixture.pay(element)
    await element.refresh()
    assert.equal(element.phase, 'overpaid')
    element.chargeId = null
    await fixture.quiet(element)
    element.chargeId = chargeId
    await fixture.quiet(element)
    assert.equal(element.phase, 'overpaid')
    assert.equal(count(list, 'checkout-paid'), 1)
    element.remove()
    const other = await fixture.mount(chargeId)
    assert.equal(other.phase, 'overpaid')
    const paid = list.filter(event => event instanceof CheckoutPaidEvent)
    assert.lengthOf(paid, 2)
    assert.equal(paid[1]?.detail, other.checkout)
  })

  it('fire for an underpayment, an expiry and a cancellation', async () => {
    const fixture = new Fixture()
    const list = recordEvents()
    const {element} = await fixture.paying()
    await fixture.pay(element, {amount: 'less'})
    assert.include(typesOf(list), 'checkout-underpaid')
    for (const [act, type] of [
      ['expire', 'checkout-expired'],
      ['cancel', 'checkout-cancelled'],
    ] as const) {
      const {chargeId, element: other} = await fixture.paying()
      fixture.sandbox[act](chargeId)
      await fixture.pass(3_000, other)
      assert.equal(count(list, type), 1)
    }
  })

  it('checkout-error fires once per code until a read succeeds', async () => {
    const fixture = new Fixture()
    const list = recordEvents()
    const {element} = await fixture.paying()
    const errors = () => list.filter(event => event instanceof CheckoutErrorEvent)
    const codes = () => errors().map(({detail}) => detail.code)
    fixture.intercept = () => Promise.reject(new Error('down'))
    await fixture.pass(15_000, element)
    assert.deepEqual(codes(), ['proxy_unreachable'])
    assert.isFrozen(errors()[0]?.detail)
    fixture.intercept = () => Promise.resolve(new Response('?'))
    await fixture.pass(30_000, element)
    assert.deepEqual(codes(), ['proxy_unreachable', 'proxy_invalid'])
    fixture.intercept = (_, next) => next()
    await fixture.pass(30_000, element)
    fixture.intercept = () => Promise.reject(new Error('down'))
    await fixture.pass(5_000, element)
    assert.lengthOf(errors(), 3)
  })

  it('checkout-error reports why a quote was rejected', async () => {
    const fixture = new Fixture()
    const list = recordEvents()
    const element = await fixture.mount(await fixture.charge())
    fixture.sandbox.fault('convert', {kind: 'wrongCurrency'})
    await fixture.press(element, '[data-asset="1027"]')
    const [error] = list.filter(event => event instanceof CheckoutErrorEvent)
    assert.equal(error?.detail.code, 'activation_failed')
  })

  it('report neither an error nor an alarm when a charge is opened again before a choice', async () => {
    const fixture = new Fixture()
    const list = recordEvents()
    const element = await fixture.mount(await fixture.charge())
    fixture.proxy = fixture.newProxy()
    await fixture.pass(10_000, element)
    assert.equal(element.phase, 'choosing')
    assert.isNull(part(element, 'alarm'))
    assert.notInclude(typesOf(list), 'checkout-error')
  })

  it('invariant 8: the element ignores events that the page dispatches', async () => {
    const {fixture, element} = await paying()
    element.dispatchEvent(new CheckoutPaidEvent({...(element.checkout ?? assert.fail()), status: 'paid'}))
    await fixture.pass(3_000, element)
    assert.equal(element.phase, 'paying')
  })
})
