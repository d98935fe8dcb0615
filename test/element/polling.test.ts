import {assert} from '@open-wc/testing'
import {browserEnvironment} from '../../src/element/browser-environment.js'
import {checkout} from '../core/sample.js'
import {
  checkoutOf,
  choosing,
  container,
  Fixture,
  hanging,
  part,
  passThrough,
  paying,
  replaceUntilEnd,
  textOf,
} from './fixture.js'

const path = (chargeId: string) => `/crypto-checkout/charges/${chargeId}`
const tokenSecret = 'a secret of at least 32 characters'

describe('polling', () => {
  it('opens once with POST, then reads fifteen seconds after each response, and two with an address', async () => {
    const {fixture, chargeId, element} = await choosing()
    for (let count = 0; count < 3; count++) await fixture.pass(15_000, element)
    assert.deepEqual(fixture.requests, [`POST ${path(chargeId)}`, ...Array(3).fill(`GET ${path(chargeId)}`)])
    await fixture.press(element, '[data-asset="1027"]')
    const before = fixture.requests.length
    for (let count = 0; count < 3; count++) await fixture.pass(2_000, element)
    assert.deepEqual(fixture.requests.slice(before), Array(3).fill(`GET ${path(chargeId)}`))
  })

  it('reads often again after a click, a copy or a transaction', async () => {
    const {fixture, element} = await paying({sandbox: {expiresIn: 86_400_000}})
    for (const [type, inside] of [
      ['click', 'copy-amount'],
      ['copy', 'address'],
      ['checkout-sent', ''],
    ] as const) {
      await fixture.pass(1_900_000, element)
      await fixture.pass(30_000, element)
      const before = fixture.requests.length
      const target = inside ? part(element, inside) : element
      target?.dispatchEvent(new Event(type, {bubbles: true, composed: true}))
      await fixture.pass(4_000, element)
      assert.isAtLeast(fixture.requests.length - before, 2, type)
    }
  })

  it('starts over with another charge, and drops responses for the previous one', async () => {
    const {fixture, chargeId, element} = await paying()
    const second = await fixture.charge('5', 'EUR')
    let release = () => {}
    fixture.intercept = async (request, next) => {
      const response = await next()
      if (request.url.includes(chargeId)) await new Promise<void>(resolve => (release = resolve))
      return response
    }
    void element.refresh()
    await fixture.quiet(element)
    Object.assign(element, {chargeId: second, asset: null})
    await element.updateComplete
    assert.equal(element.phase, 'loading')
    assert.isNull(element.checkout)
    await fixture.quiet(element)
    release()
    await fixture.quiet(element)
    assert.equal(checkoutOf(element).chargeId, second)
    assert.equal(element.phase, 'choosing')
    assert.equal(textOf(element, 'price'), '€5.00')
    element.chargeId = null
    await fixture.quiet(element)
    assert.equal(element.phase, 'idle')
  })

  it('stops everything when it is removed, and reads immediately when it is attached again', async () => {
    const {fixture, chargeId, element} = await paying()
    const others = fixture.clock.sleepers
    const before = fixture.requests.length
    element.remove()
    await fixture.pass(60_000, element)
    assert.lengthOf(fixture.requests, before)
    assert.equal(fixture.visibility.listeners, 0)
    assert.isBelow(fixture.clock.sleepers, others)
    fixture.sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
    container().append(element)
    await fixture.quiet(element)
    assert.deepEqual(fixture.requests.slice(before), [`GET ${path(chargeId)}`])
    assert.equal(element.phase, 'paid')
  })

  it('repeats a pending quote or renewal when it is moved', async () => {
    const {fixture, element} = await choosing({proxy: {quoteTtl: 60_000}})
    async function moveAfter(control: string): Promise<string> {
      fixture.intercept = hanging
      await fixture.press(element, control)
      fixture.intercept = passThrough
      element.remove()
      container().append(element)
      await fixture.quiet(element)
      assert.equal(element.phase, 'paying')
      return textOf(element, 'amount')
    }
    const amount = await moveAfter('[data-asset="1027"]')
    fixture.sandbox.setPrice('1027', 1_000)
    await fixture.pass(61_000, element)
    assert.notEqual(await moveAfter('renew'), amount)
    assert.isNull(part(element, 'renew'))
  })

  it('aborts a request after ten seconds', async () => {
    const fixture = new Fixture()
    let signal: AbortSignal | undefined
    fixture.intercept = request => ((signal = request.signal), hanging())
    const element = await fixture.mount(await fixture.charge())
    assert.equal(element.phase, 'loading')
    await fixture.pass(10_000, element)
    assert.equal(element.phase, 'unavailable')
    assert.isTrue(signal?.aborted)
  })

  it('rejects a response that is not a checkout or belongs to another charge', async () => {
    const fixture = new Fixture()
    const mine = await fixture.charge()
    for (const body of ['<p>hello</p>', {chargeId: mine}, checkout({chargeId: 'other'})]) {
      fixture.intercept = () => Promise.resolve(Response.json(body))
      const element = await fixture.mount(mine)
      assert.equal(element.phase, 'unavailable')
      assert.include(textOf(element, 'notice'), 'proxy_invalid')
      element.remove()
    }
  })

  it('hears when the page is shown or hidden, focused or online, or the machine has slept, until the end', () => {
    let tick = () => {}
    let [offset, changes] = [0, 0]
    const now = Date.now.bind(Date)
    replaceUntilEnd(globalThis, {setInterval: ((run: () => void) => ((tick = run), 0)) as typeof setInterval})
    replaceUntilEnd(Date, {now: () => now() + offset})
    const unsubscribe = browserEnvironment.visibility.subscribe(() => changes++)
    const dispatch = () => {
      document.dispatchEvent(new Event('visibilitychange'))
      for (const type of ['pageshow', 'online', 'focus']) window.dispatchEvent(new Event(type))
    }
    dispatch()
    assert.equal(changes, 4)
    for (const [slept, expected] of [
      [0, 4],
      [1_500, 4],
      [7_000, 5],
      [7_000, 5],
    ] as const) {
      offset = slept
      tick()
      assert.equal(changes, expected)
    }
    unsubscribe()
    dispatch()
    assert.equal(changes, 5)
  })
})

describe('endpoint and token', () => {
  it('sends requests to a relative or absolute endpoint, whatever the base of the page', async () => {
    const base = document.createElement('base')
    base.href = 'https://elsewhere.example/shop/'
    const fixture = new Fixture({proxy: {basePath: '/pay/crypto'}})
    const urls: string[] = []
    fixture.intercept = (request, next) => (urls.push(request.url), next())
    const chargeId = await fixture.charge()
    document.head.append(base)
    try {
      for (const endpoint of ['/pay/crypto', '/pay/crypto/', `${location.origin}/pay/crypto`])
        assert.equal((await fixture.mount(chargeId, {endpoint})).phase, 'choosing')
    } finally {
      base.remove()
    }
    for (const url of urls) assert.equal(url, `${location.origin}/pay/crypto/charges/${chargeId}`)
  })

  it('sends the token in a header and never in a URL, and a new one immediately after unauthorized', async () => {
    const {fixture, chargeId, element} = await choosing({proxy: {tokenSecret}})
    assert.equal(element.phase, 'unavailable')
    assert.include(textOf(element, 'notice'), 'unauthorized')
    await fixture.pass(60_000, element)
    assert.lengthOf(fixture.requests, 1)
    const token = (element.token = fixture.proxy.createToken(chargeId))
    const addresses: string[] = []
    fixture.intercept = (request, next) => (addresses.push(request.url), next())
    await fixture.quiet(element)
    assert.equal(element.phase, 'choosing')
    assert.isNotEmpty(addresses)
    assert.notInclude(addresses.join(), token)
    const before = fixture.requests.length
    element.token = fixture.proxy.createToken(chargeId, {expiresIn: 60})
    await fixture.quiet(element)
    assert.lengthOf(fixture.requests, before)
  })

  it('reads with a new token when a request with the old one fails after the change', async () => {
    const fixture = new Fixture({proxy: {tokenSecret}})
    const chargeId = await fixture.charge()
    let respond = () => {}
    fixture.intercept = async (_, next) => {
      await new Promise<void>(resolve => (respond = resolve))
      return next()
    }
    const element = await fixture.mount(chargeId, {token: 'old'})
    fixture.intercept = passThrough
    element.token = fixture.proxy.createToken(chargeId)
    await element.updateComplete
    respond()
    await fixture.quiet(element)
    assert.equal(element.phase, 'choosing')
  })
})

describe('the countdown', () => {
  it('invariant 9: uses serverTime, not the clock of the browser; it is announced only at a few minutes', async () => {
    const {fixture, element} = await choosing({sandbox: {expiresIn: 90_000}})
    const announcements: string[] = []
    const region = element.renderRoot.querySelector('[role=status]') ?? assert.fail()
    new MutationObserver(() => announcements.push(region.textContent)).observe(region, {childList: true})
    assert.include(textOf(element, 'countdown'), '1:30')
    await fixture.pass(45_000, element)
    assert.include(textOf(element, 'countdown'), '0:45')
    assert.deepEqual(announcements.filter(Boolean), ['1 minute left to pay.'])
    await fixture.report(element, {expiresAt: null})
    assert.isNull(part(element, 'countdown'))
  })

  it('invariant 9: reads at zero, and keeps the address until the proxy reports expired', async () => {
    const {fixture, element} = await paying({sandbox: {expiresIn: 20_000}})
    fixture.intercept = hanging
    await fixture.pass(21_000, element)
    assert.equal(element.phase, 'paying')
    assert.include(textOf(element, 'countdown'), 'checking')
    assert.exists(part(element, 'address'))
    fixture.intercept = passThrough
    await fixture.pass(40_000, element)
    assert.equal(element.phase, 'expired')
    assert.isNull(part(element, 'address'))
  })
})
