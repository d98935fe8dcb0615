import {assert} from '@open-wc/testing'
import {browserEnvironment} from '../../src/element/browser-environment.js'
import {checkout} from '../core/sample.js'
import {flushPromises} from '../fake-clock.js'
import {checkoutOf, choosing, container, Fixture, part, paying, press, textOf} from './fixture.js'

const path = (chargeId: string) => `/crypto-checkout/charges/${chargeId}`

describe('polling', () => {
  it('opens once with POST, then reads two seconds after each response', async () => {
    const {fixture, chargeId, element} = await choosing()
    for (let count = 0; count < 3; count++) await fixture.pass(2_000, element)
    assert.deepEqual(fixture.requests, [`POST ${path(chargeId)}`, ...Array(3).fill(`GET ${path(chargeId)}`)])
  })

  it('is idle without a charge, and sends no request', async () => {
    const fixture = new Fixture()
    const element = fixture.element()
    container().append(element)
    await fixture.pass(60_000, element)
    assert.equal(element.phase, 'idle')
    assert.equal(element.getAttribute('phase'), 'idle')
    assert.isEmpty(fixture.requests)
    await element.refresh()
    assert.isEmpty(fixture.requests)
  })

  it('shows that it is loading before the first response', async () => {
    const fixture = new Fixture()
    fixture.intercept = () => new Promise(() => {})
    const element = fixture.element({chargeId: 'c1'})
    container().append(element)
    await element.updateComplete
    assert.equal(element.getAttribute('phase'), 'loading')
    assert.include(textOf(element, 'status'), 'Loading')
  })

  it('starts over with another charge', async () => {
    const {fixture, element} = await paying()
    const second = await fixture.charge('5', 'EUR')
    element.chargeId = second
    element.asset = null
    await element.updateComplete
    assert.equal(element.phase, 'loading')
    assert.isNull(element.checkout)
    await fixture.quiet(element)
    assert.equal(checkoutOf(element).chargeId, second)
    assert.equal(element.phase, 'choosing')
    assert.equal(textOf(element, 'price'), '€5.00')
    element.removeAttribute('charge-id')
    element.chargeId = null
    await fixture.quiet(element)
    assert.equal(element.phase, 'idle')
  })

  it('belongs to one element: another one on the page shows its own charge', async () => {
    const {fixture, element} = await paying()
    const {element: other} = await fixture.paying()
    assert.notEqual(textOf(element, 'address'), textOf(other, 'address'))
    await fixture.pay(element)
    await fixture.quiet(other)
    assert.deepEqual([element.phase, other.phase], ['paid', 'paying'])
  })

  it('drops responses for the previous charge', async () => {
    const fixture = new Fixture()
    const [first, second] = [await fixture.charge('1'), await fixture.charge('2')]
    let release = () => {}
    fixture.intercept = async (request, next) => {
      const response = await next()
      if (request.url.includes(first)) await new Promise<void>(resolve => (release = resolve))
      return response
    }
    const element = await fixture.mount(first)
    element.chargeId = second
    await fixture.quiet(element)
    release()
    await fixture.quiet(element)
    assert.equal(element.checkout?.chargeId, second)
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

  it('repeats a pending quote request when it is moved', async () => {
    const {fixture, element} = await choosing()
    let isSlow = true
    fixture.intercept = (_, next) => (isSlow ? new Promise(() => {}) : next())
    await fixture.press(element, '[data-asset="1027"]')
    isSlow = false
    const elsewhere = document.createElement('div')
    container().append(elsewhere)
    elsewhere.append(element)
    await fixture.quiet(element)
    assert.equal(element.phase, 'paying')
  })

  it('repeats a pending renewal when it is moved', async () => {
    const {fixture, element} = await paying({proxy: {quoteTtl: 10_000}}, '1027', 'ethereum')
    fixture.sandbox.setPrice('1027', 1_000)
    const amount = textOf(element, 'amount')
    await fixture.pass(11_000, element)
    const {intercept} = fixture
    fixture.intercept = () => new Promise(() => {})
    await fixture.press(element, 'renew')
    fixture.intercept = intercept
    element.remove()
    container().append(element)
    await fixture.quiet(element)
    assert.notEqual(textOf(element, 'amount'), amount)
    assert.isNull(part(element, 'renew'))
  })

  it('reads immediately on refresh()', async () => {
    const {fixture, chargeId, element} = await paying()
    fixture.sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
    await fixture.clock.advance(1_100)
    await element.refresh()
    assert.equal(element.phase, 'paid')
  })

  it('retries a failed opening immediately when the customer retries', async () => {
    const fixture = new Fixture()
    fixture.intercept = () => Promise.reject(new Error('down'))
    const element = await fixture.mount(await fixture.charge())
    assert.equal(element.phase, 'unavailable')
    assert.include(textOf(element, 'notice'), 'proxy_unreachable')
    fixture.intercept = (_, next) => next()
    press(element, 'retry')
    await element.updateComplete
    assert.equal(element.phase, 'loading')
    await fixture.quiet(element)
    assert.equal(element.phase, 'choosing')
  })

  it('aborts a request after ten seconds', async () => {
    const fixture = new Fixture()
    let isAborted = false
    fixture.intercept = request => {
      request.signal.addEventListener('abort', () => (isAborted = true))
      return new Promise(() => {})
    }
    const element = await fixture.mount(await fixture.charge())
    assert.equal(element.phase, 'loading')
    await fixture.pass(10_000, element)
    assert.equal(element.phase, 'unavailable')
    assert.isTrue(isAborted)
  })

  it('waits for Retry-After', async () => {
    const fixture = new Fixture()
    fixture.intercept = () =>
      Promise.resolve(new Response('busy', {status: 503, headers: {'retry-after': '20'}}))
    const element = await fixture.mount(await fixture.charge())
    assert.include(textOf(element, 'notice'), 'proxy_invalid')
    await fixture.pass(19_000, element)
    assert.lengthOf(fixture.requests, 1)
    await fixture.pass(1_000, element)
    assert.lengthOf(fixture.requests, 2)
  })

  it('rejects a response that is not a checkout or belongs to another charge', async () => {
    const fixture = new Fixture()
    const mine = await fixture.charge()
    for (const respond of [
      () => new Response('<p>hello</p>'),
      () => Response.json({chargeId: mine}),
      () => Response.json(checkout({chargeId: 'other'})),
    ]) {
      fixture.intercept = () => Promise.resolve(respond())
      const element = await fixture.mount(mine)
      assert.equal(element.phase, 'unavailable')
      assert.include(textOf(element, 'notice'), 'proxy_invalid')
      element.remove()
    }
  })

  it('shows the error code and the charge id for an unknown charge', async () => {
    const fixture = new Fixture()
    const element = await fixture.mount('unknown')
    assert.equal(element.phase, 'unavailable')
    assert.include(textOf(element, 'notice'), 'charge_not_found')
    assert.include(textOf(element), 'unknown')
  })

  it('neither repeats the request for an unknown charge nor offers to', async () => {
    const fixture = new Fixture()
    const element = await fixture.mount('unknown')
    await fixture.pass(60_000, element)
    fixture.visibility.change(false)
    await fixture.pass(2_000, element)
    fixture.visibility.change(true)
    await fixture.pass(2_000, element)
    assert.lengthOf(fixture.requests, 1)
    assert.isNull(part(element, 'retry'))
    assert.notInclude(textOf(element), 'keeps trying')
  })
})

describe('the browser’s visibility', () => {
  it('reports when the page is shown or hidden, shown again, or online, until the subscription ends', () => {
    let changes = 0
    const unsubscribe = browserEnvironment.visibility.subscribe(() => changes++)
    const dispatch = () => {
      document.dispatchEvent(new Event('visibilitychange'))
      for (const type of ['pageshow', 'online']) window.dispatchEvent(new Event(type))
    }
    dispatch()
    assert.equal(changes, 3)
    unsubscribe()
    dispatch()
    assert.equal(changes, 3)
  })
})

describe('endpoint and token', () => {
  it('sends requests to a relative or absolute endpoint', async () => {
    const fixture = new Fixture({proxy: {basePath: '/pay/crypto'}})
    const chargeId = await fixture.charge()
    for (const endpoint of ['/pay/crypto', '/pay/crypto/', `${location.origin}/pay/crypto`]) {
      const element = await fixture.mount(chargeId, {endpoint})
      assert.equal(element.phase, 'choosing')
    }
    assert.equal(fixture.requests[0], `POST /pay/crypto/charges/${chargeId}`)
  })

  it('resolves the endpoint against the address of the page, not against its base', async () => {
    const base = document.createElement('base')
    base.href = 'https://elsewhere.example/shop/'
    const fixture = new Fixture()
    const urls: string[] = []
    fixture.intercept = (request, next) => {
      urls.push(request.url)
      return next()
    }
    const chargeId = await fixture.charge()
    document.head.append(base)
    try {
      await fixture.mount(chargeId)
    } finally {
      base.remove()
    }
    assert.equal(urls[0], `${location.origin}/crypto-checkout/charges/${chargeId}`)
  })

  it('sends the token in a header and never in a URL, and a new one immediately after unauthorized', async () => {
    const {fixture, chargeId, element} = await choosing({proxy: {tokenSecret: 'x'.repeat(32)}})
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
    const fixture = new Fixture({proxy: {tokenSecret: 'x'.repeat(32)}})
    const chargeId = await fixture.charge()
    let respond = () => {}
    const {intercept} = fixture
    fixture.intercept = async (_, next) => {
      await new Promise<void>(resolve => (respond = resolve))
      return next()
    }
    const element = await fixture.mount(chargeId, {token: 'old'})
    fixture.intercept = intercept
    element.token = fixture.proxy.createToken(chargeId)
    await element.updateComplete
    respond()
    await fixture.quiet(element)
    assert.equal(element.phase, 'choosing')
  })
})

describe('the event stream', () => {
  it('triggers reads, slows down polling, and sends the token in a header', async () => {
    const fixture = new Fixture({
      proxy: {tokenSecret: 'x'.repeat(32)},
      hasStream: true,
    })
    const chargeId = await fixture.charge()
    const streams: string[] = []
    fixture.intercept = (request, next) => {
      if (request.url.endsWith('/events')) streams.push(request.headers.get('x-checkout-token') ?? '')
      return next()
    }
    const token = fixture.proxy.createToken(chargeId)
    const element = await fixture.mount(chargeId, {asset: '825', network: 'bsc', token})
    await untilTrue(() => streams.length > 0, 'requesting the stream')
    await fixture.quiet(element)
    assert.deepEqual(streams, [token])
    await fixture.pass(61_000, element)
    const before = fixture.requests.length
    await fixture.pass(20_000, element)
    assert.lengthOf(fixture.requests, before)
    fixture.sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
    const webhook = JSON.stringify({chargeId})
    await fixture.proxy.fetch(
      new Request(`${location.origin}/crypto-checkout/webhook`, {method: 'POST', body: webhook}),
    )
    // An engine may take any number of tasks to deliver an event.
    await untilTrue(() => element.phase !== 'paying', 'showing the payment')
    await fixture.quiet(element)
    assert.equal(element.phase, 'paid')
  })

  it('is optional: polling continues without it', async () => {
    const fixture = new Fixture({hasStream: true})
    fixture.intercept = (request, next) =>
      request.url.endsWith('/events') ? Promise.resolve(new Response('no', {status: 404})) : next()
    const {element} = await fixture.paying()
    await fixture.pay(element)
    assert.equal(element.phase, 'paid')
  })

  it('ignores events that are not wake-ups, however the chunks are split', async () => {
    const fixture = new Fixture({hasStream: true})
    const encoder = new TextEncoder()
    let feed: ReadableStreamDefaultController<Uint8Array> | undefined
    const stream = new ReadableStream<Uint8Array>({start: controller => void (feed = controller)})
    const headers = {'content-type': 'text/event-stream; charset=utf-8'}
    fixture.intercept = (request, next) =>
      request.url.endsWith('/events') ? Promise.resolve(new Response(stream, {headers})) : next()
    const {element} = await fixture.paying()
    await untilTrue(() => feed !== undefined, 'requesting the stream')
    await fixture.pass(2_500, element)
    const before = fixture.requests.length
    const rev = element.checkout?.rev ?? 0
    for (const piece of [
      ': hello\r\n\r\nevent: x\ndata: nonsense\n\n',
      `data: {"rev":${rev}}\n\n`,
      'data: {"re',
    ])
      feed?.enqueue(encoder.encode(piece))
    await fixture.quiet(element)
    assert.lengthOf(fixture.requests, before)
    feed?.enqueue(encoder.encode(`v":${rev + 1}}\n\n`))
    await fixture.quiet(element)
    assert.lengthOf(fixture.requests, before + 1)
    element.remove()
  })
})

describe('the countdown', () => {
  it('invariant 9: uses serverTime, not the clock of the browser', async () => {
    const {fixture, element} = await choosing({sandbox: {expiresIn: 90_000}})
    assert.include(textOf(element, 'countdown'), '1:30')
    await fixture.pass(31_000, element)
    assert.include(textOf(element, 'countdown'), '0:59')
  })

  it('invariant 9: reads at zero, and keeps the address until the proxy reports expired', async () => {
    const {fixture, element} = await paying({sandbox: {expiresIn: 20_000}})
    fixture.intercept = () => new Promise(() => {})
    await fixture.pass(21_000, element)
    assert.equal(element.phase, 'paying')
    assert.include(textOf(element, 'countdown'), 'checking')
    assert.exists(part(element, 'address'))
    fixture.intercept = (_, next) => next()
    await fixture.pass(40_000, element)
    assert.equal(element.phase, 'expired')
    assert.isNull(part(element, 'address'))
  })

  it('is announced only at a few minutes', async () => {
    const {fixture, element} = await choosing({sandbox: {expiresIn: 65_000}})
    const announced: string[] = []
    const region = element.renderRoot.querySelector('[role=status]')
    if (region)
      new MutationObserver(() => announced.push(region.textContent)).observe(region, {childList: true})
    await fixture.pass(20_000, element)
    assert.deepEqual(announced, ['1 minute left to pay.'])
  })

  it('is hidden when expiresAt is null', async () => {
    const fixture = new Fixture()
    fixture.intercept = async (_, next) => {
      const response = await next()
      return Response.json({...(await response.json()), expiresAt: null}, {status: response.status})
    }
    const {element} = await fixture.paying()
    assert.isNull(part(element, 'countdown'))
    await fixture.pass(5_000, element)
    assert.equal(element.phase, 'paying')
  })
})

/** For what needs an unknown number of tasks, and no time of the fake clock. */
async function untilTrue(condition: () => boolean, expected: string): Promise<void> {
  for (let turns = 0; !condition(); turns++) {
    if (turns > 2_000) assert.fail(`not ${expected} after ${turns} turns`)
    await flushPromises()
  }
}
