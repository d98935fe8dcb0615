import {assert} from '@open-wc/testing'
import {CheckoutChangedEvent, CheckoutErrorEvent, CheckoutPaidEvent} from '../../src/element/index.js'
import type {CheckoutEventMap} from '../../src/element/events.js'
import {checkoutOf, container, Fixture, missing, part, passThrough, paying} from './fixture.js'

/** Listens outside, where the page does. */
function recordEvents() {
  const list: CheckoutEventMap[keyof CheckoutEventMap][] = []
  for (const name of ['changed', 'paid', 'underpaid', 'expired', 'cancelled', 'error'] as const)
    container().addEventListener(`checkout-${name}`, event => list.push(event))
  return list
}

const count = (list: readonly Event[], name: string) => list.filter(({type}) => type === name).length
const errorsIn = (list: readonly Event[]) => list.filter(event => event instanceof CheckoutErrorEvent)

/** A new charge, and the events since its element was mounted. */
async function mounted() {
  const fixture = new Fixture()
  const list = recordEvents()
  return {fixture, list, element: await fixture.mount(await fixture.charge())}
}

describe('events', () => {
  it('fire for each change of phase or checkout, with a frozen detail or null', async () => {
    const phases: unknown[] = []
    container().addEventListener('checkout-changed', ({target}) =>
      phases.push(target instanceof Element && target.getAttribute('phase')),
    )
    const {fixture, list, element} = await mounted()
    assert.deepEqual(phases, ['loading', 'choosing'], 'after the attribute has changed')
    assert.instanceOf(list[0], CheckoutChangedEvent)
    assert.isNull(list[0].detail)
    assert.equal(list[1]?.detail, element.checkout)
    assert.isFrozen(element.checkout)
    assert.isFrozen(element.checkout?.assets[0]?.networks)
    assert.isTrue(list.every(event => event.bubbles && event.composed && event.target === element))
    const time = checkoutOf(element).serverTime
    await fixture.pass(15_000, element)
    assert.notEqual(checkoutOf(element).serverTime, time)
    assert.lengthOf(list, 2, 'not for a read that changes only the time')
  })

  it('checkout-paid fires once per charge, also if the first response is already paid', async () => {
    const fixture = new Fixture()
    const list = recordEvents()
    const {chargeId, element} = await fixture.paying()
    await fixture.pay(element)
    assert.equal(count(list, 'checkout-paid'), 1)
    await fixture.pay(element)
    await element.refresh()
    for (const id of [null, chargeId]) {
      element.chargeId = id
      await fixture.quiet(element)
    }
    assert.equal(element.phase, 'overpaid')
    assert.equal(count(list, 'checkout-paid'), 1)
    element.remove()
    const other = await fixture.mount(chargeId)
    const paid = list.filter(event => event instanceof CheckoutPaidEvent)
    assert.lengthOf(paid, 2)
    assert.equal(paid[1]?.detail, other.checkout)
  })

  it('fire for an underpayment, an expiry and a cancellation', async () => {
    const fixture = new Fixture()
    const list = recordEvents()
    const {element} = await fixture.paying()
    await fixture.pay(element, {amount: 'less'})
    assert.equal(count(list, 'checkout-underpaid'), 1)
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
    const {fixture, list, element} = await mounted()
    for (const [intercept, codes] of [
      [missing, 'proxy_unreachable'],
      [() => Promise.resolve(new Response('?')), 'proxy_unreachable proxy_invalid'],
      [passThrough, 'proxy_unreachable proxy_invalid'],
      [missing, 'proxy_unreachable proxy_invalid proxy_unreachable'],
    ] as const) {
      fixture.intercept = intercept
      await fixture.pass(30_000, element)
      const reported = errorsIn(list).map(({detail}) => detail.code)
      assert.equal(reported.join(' '), codes)
    }
    assert.isFrozen(errorsIn(list)[0]?.detail)
  })

  it('checkout-error reports why a quote was rejected', async () => {
    const {fixture, list, element} = await mounted()
    fixture.sandbox.fault('convert', {kind: 'wrongCurrency'})
    await fixture.press(element, '[data-asset="1027"]')
    assert.equal(errorsIn(list)[0]?.detail.code, 'activation_failed')
  })

  it('report neither an error nor an alarm when a charge is opened again before a choice', async () => {
    const {fixture, list, element} = await mounted()
    fixture.proxy = fixture.newProxy()
    await fixture.pass(10_000, element)
    assert.equal(element.phase, 'choosing')
    assert.isNull(part(element, 'alarm'))
    assert.isEmpty(errorsIn(list))
  })

  it('invariant 8: the element ignores events that the page dispatches', async () => {
    const {fixture, element} = await paying()
    element.dispatchEvent(new CheckoutPaidEvent({...checkoutOf(element), status: 'paid'}))
    await fixture.pass(3_000, element)
    assert.equal(element.phase, 'paying')
  })
})
