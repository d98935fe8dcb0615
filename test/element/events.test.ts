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

  it('fire once for each end of a charge, also if the first response has it already', async () => {
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
    for (const [type, act] of [
      ['underpaid', id => fixture.sandbox.pay(id, {asset: '825', network: 'bsc', amount: 'less'})],
      ['expired', id => fixture.sandbox.expire(id)],
      ['cancelled', id => fixture.sandbox.cancel(id)],
    ] satisfies [string, (id: string) => unknown][]) {
      const {chargeId, element} = await fixture.paying()
      act(chargeId)
      await fixture.pass(3_000, element)
      assert.equal(count(list, `checkout-${type}`), 1)
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
  it('fires once for each step of a customer who chooses, copies and pays, and again for each choice and charge', async () => {
    const steps = recordSteps()
    const copied = recordClipboard()
    const {fixture, element} = await mounted()
    await fixture.choose(element, '1027')
    await fixture.press(element, 'back')
    await fixture.pass(3_000, element)
    await fixture.choose(element, '825', 'bsc')
    for (const name of ['copy-amount', 'copy-address']) await fixture.press(element, name)
    assert.lengthOf(copied, 2)
    await fixture.pass(3_000, element)
    for (let payments = 0; payments < 2; payments++) await fixture.pay(element)
    await element.refresh()
    await fixture.quiet(element)
    assert.equal(element.phase, 'overpaid')
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
      'copied 825 bsc',
      'seen 825 bsc',
      'paid 825 bsc',
      'opened',
    ])
  })

  it('tells what a reloaded page shows, and of no copy that the browser refused, or of a receipt', async () => {
    const {fixture, chargeId, element: before} = await paying()
    before.remove()
    const steps = recordSteps()
    const element = await fixture.mount(chargeId)
    replaceUntilEnd(navigator.clipboard, {writeText: missing})
    replaceUntilEnd(document, {execCommand: () => false})
    await fixture.press(element, 'copy-amount')
    replaceUntilEnd(navigator.clipboard, {writeText: () => Promise.resolve()})
    await fixture.pay(element)
    await fixture.press(element, 'copy-receipt')
    assert.deepEqual(steps, ['opened 825 bsc', 'quoted 825 bsc', 'seen 825 bsc', 'paid 825 bsc'])
  })
})
