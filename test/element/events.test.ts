import {assert} from '@open-wc/testing'
import {CheckoutChangedEvent, CheckoutErrorEvent, CheckoutPaidEvent} from '../../src/element/index.js'
import type {CheckoutEventMap} from '../../src/element/events.js'
import {
  checkoutOf,
  container,
  Fixture,
  missing,
  passThrough,
  paying,
  recordClipboard,
  replaceUntilEnd,
} from './fixture.js'

/** Listens outside, where the page does. */
function recordEvents() {
  const list: CheckoutEventMap[keyof CheckoutEventMap][] = []
  for (const name of ['changed', 'paid', 'underpaid', 'expired', 'cancelled', 'error'] as const)
    container().addEventListener(`checkout-${name}`, event => list.push(event))
  return list
}

/** As `step asset network`. */
function recordSteps(): string[] {
  const steps: string[] = []
  container().addEventListener('checkout-step', event => {
    assert.isTrue(event.bubbles && event.composed && Object.isFrozen(event.detail))
    assert.includeMembers(['step', 'asset', 'network'], Object.keys(event.detail), 'no amount, address or id')
    const {step, asset, network} = event.detail
    steps.push([step, asset, network].filter(Boolean).join(' '))
  })
  return steps
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

  it('invariant 8: the element ignores events that the page dispatches', async () => {
    const {fixture, element} = await paying()
    element.dispatchEvent(new CheckoutPaidEvent({...checkoutOf(element), status: 'paid'}))
    await fixture.pass(3_000, element)
    assert.equal(element.phase, 'paying')
  })
})

describe('checkout-step', () => {
  it('fires once for each step of a customer who chooses, copies and pays', async () => {
    const steps = recordSteps()
    const copied = recordClipboard()
    const {fixture, element} = await mounted()
    for (const selector of ['[data-asset="825"]', '[data-network="bsc"]', 'copy-amount', 'copy-address'])
      await fixture.press(element, selector)
    assert.lengthOf(copied, 2)
    await fixture.pass(3_000, element)
    await fixture.pay(element)
    await fixture.pay(element)
    await element.refresh()
    await fixture.quiet(element)
    assert.equal(element.phase, 'overpaid')
    assert.deepEqual(steps, [
      'opened',
      'asset 825',
      'network 825 bsc',
      'quoted 825 bsc',
      'copied 825 bsc',
      'seen 825 bsc',
      'paid 825 bsc',
    ])
  })

  it('fires again for another choice, and for each charge', async () => {
    const steps = recordSteps()
    const {fixture, element} = await mounted()
    for (const selector of ['[data-asset="1027"]', 'back', '[data-asset="825"]', '[data-network="bsc"]']) {
      await fixture.press(element, selector)
      await fixture.pass(3_000, element)
    }
    await fixture.pay(element, {confirmed: false})
    element.chargeId = await fixture.charge()
    await fixture.quiet(element)
    assert.deepEqual(steps, [
      'opened',
      'asset 1027 ethereum',
      'network 1027 ethereum',
      'quoted 1027 ethereum',
      'asset 825',
      'network 825 bsc',
      'quoted 825 bsc',
      'seen 825 bsc',
      'opened',
    ])
  })

  it('tells what a reloaded page shows, not that it was chosen again', async () => {
    const {fixture, chargeId, element} = await paying()
    element.remove()
    const steps = recordSteps()
    await fixture.mount(chargeId)
    assert.deepEqual(steps, ['opened 825 bsc', 'quoted 825 bsc'])
  })

  it('does not fire for a copy that the browser refused, or of a receipt', async () => {
    const {fixture, element} = await paying()
    const steps = recordSteps()
    replaceUntilEnd(navigator.clipboard, {writeText: () => Promise.reject(new Error('no'))})
    replaceUntilEnd(document, {execCommand: () => false})
    await fixture.press(element, 'copy-amount')
    replaceUntilEnd(navigator.clipboard, {writeText: () => Promise.resolve()})
    await fixture.pay(element)
    await fixture.press(element, 'copy-receipt')
    assert.deepEqual(steps, ['seen 825 bsc', 'paid 825 bsc'])
  })
})
