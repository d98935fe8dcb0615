import {assert} from '@open-wc/testing'
import {browserEnvironment} from '../../src/element/browser-environment.js'
import {flushPromises} from '../fake-clock.js'
import {checkoutOf, part, container, press, Fixture, textOf} from './fixture.js'

const path = (chargeId: string) => `/crypto-checkout/charges/${chargeId}`

describe('following a charge', () => {
  it('opens once, with POST, then reads, two seconds after each answer', async () => {
    const shop = new Fixture()
    const chargeId = await shop.charge()
    const element = await shop.mount(chargeId)
    for (let count = 0; count < 3; count++) await shop.pass(2_000, element)
    assert.deepEqual(shop.requests, [`POST ${path(chargeId)}`, ...Array(3).fill(`GET ${path(chargeId)}`)])
  })

  it('is idle without a charge, and asks for nothing', async () => {
    const shop = new Fixture()
    const element = shop.element()
    container().append(element)
    await shop.pass(60_000, element)
    assert.equal(element.phase, 'idle')
    assert.equal(element.getAttribute('phase'), 'idle')
    assert.isEmpty(shop.requests)
    await element.refresh()
    assert.isEmpty(shop.requests)
  })

  it('shows that it is loading before the first answer', async () => {
    const shop = new Fixture()
    shop.between = () => new Promise(() => {})
    const element = shop.element({chargeId: 'c1'})
    container().append(element)
    await element.updateComplete
    assert.equal(element.getAttribute('phase'), 'loading')
    assert.include(textOf(element, 'status'), 'Loading')
  })

  it('sees a payment by itself, from unconfirmed to paid', async () => {
    const shop = new Fixture()
    const {chargeId, element} = await shop.paying()
    const {transactionId} = shop.sandbox.pay(chargeId, {asset: '825', network: 'bsc', confirmed: false})
    await shop.pass(3_000, element)
    assert.equal(element.phase, 'confirming')
    shop.sandbox.confirm(transactionId)
    await shop.pass(6_000, element)
    assert.equal(element.phase, 'paid')
    const before = shop.requests.length
    await shop.pass(60_000, element)
    assert.lengthOf(shop.requests, before)
  })

  it('starts afresh with another charge', async () => {
    const shop = new Fixture()
    const {element} = await shop.paying()
    const second = await shop.charge('5', 'EUR')
    element.chargeId = second
    element.asset = null
    await element.updateComplete
    assert.equal(element.phase, 'loading')
    assert.isNull(element.checkout)
    await shop.quiet(element)
    assert.equal(checkoutOf(element).chargeId, second)
    assert.equal(element.phase, 'choosing')
    assert.equal(textOf(element, 'price'), '€5.00')
    element.removeAttribute('charge-id')
    element.chargeId = null
    await shop.quiet(element)
    assert.equal(element.phase, 'idle')
  })

  it('drops the answers about the charge before', async () => {
    const shop = new Fixture()
    const [first, second] = [await shop.charge('1'), await shop.charge('2')]
    let release = () => {}
    shop.between = async (request, next) => {
      const answer = await next()
      if (request.url.includes(first)) await new Promise<void>(resolve => (release = resolve))
      return answer
    }
    const element = await shop.mount(first)
    element.chargeId = second
    await shop.quiet(element)
    release()
    await shop.quiet(element)
    assert.equal(element.checkout?.chargeId, second)
  })

  it('stops everything when it leaves the page, and reads at once when it comes back', async () => {
    const shop = new Fixture()
    const {chargeId, element} = await shop.paying()
    const others = shop.clock.sleepers
    const before = shop.requests.length
    element.remove()
    await shop.pass(60_000, element)
    assert.lengthOf(shop.requests, before)
    assert.equal(shop.attention.listeners, 0)
    assert.isBelow(shop.clock.sleepers, others)
    shop.sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
    container().append(element)
    await shop.quiet(element)
    assert.deepEqual(shop.requests.slice(before), [`GET ${path(chargeId)}`])
    assert.equal(element.phase, 'paid')
  })

  it('goes on with its choice when it is moved meanwhile', async () => {
    const shop = new Fixture()
    const element = await shop.mount(await shop.charge())
    let isSlow = true
    shop.between = (_, next) => (isSlow ? new Promise(() => {}) : next())
    press(element, '[data-asset="1027"]')
    await shop.quiet(element)
    isSlow = false
    const elsewhere = document.createElement('div')
    container().append(elsewhere)
    elsewhere.append(element)
    await shop.quiet(element)
    assert.equal(element.phase, 'paying')
  })

  it('reads now when asked to', async () => {
    const shop = new Fixture()
    const {chargeId, element} = await shop.paying()
    shop.sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
    await shop.clock.advance(1_100)
    await element.refresh()
    assert.equal(element.phase, 'paid')
  })

  it('pauses while hidden, and makes one read of becoming visible, pageshow and online', async () => {
    const shop = new Fixture()
    const {element} = await shop.paying()
    shop.attention.change(false)
    const before = shop.requests.length
    await shop.pass(120_000, element)
    assert.lengthOf(shop.requests, before)
    shop.attention.change(true)
    shop.attention.change()
    await flushPromises()
    shop.attention.change()
    await shop.quiet(element)
    assert.lengthOf(shop.requests, before + 1)
  })

  it('recovers by itself when nothing could be had at first, and at once when the customer retries', async () => {
    const shop = new Fixture()
    shop.between = () => Promise.reject(new Error('down'))
    const element = await shop.mount(await shop.charge())
    assert.equal(element.phase, 'unavailable')
    assert.include(textOf(element, 'notice'), 'proxy_unreachable')
    shop.between = (_, next) => next()
    press(element, 'retry')
    await element.updateComplete
    assert.equal(element.phase, 'loading')
    await shop.quiet(element)
    assert.equal(element.phase, 'choosing')
    const other = new Fixture()
    other.between = () => Promise.reject(new Error('down'))
    const patient = await other.mount(await other.charge())
    other.between = (_, next) => next()
    await other.pass(1_000, patient)
    assert.equal(patient.phase, 'choosing')
  })

  it('gives a request up after ten seconds', async () => {
    const shop = new Fixture()
    let isAborted = false
    shop.between = request => {
      request.signal.addEventListener('abort', () => (isAborted = true))
      return new Promise(() => {})
    }
    const element = await shop.mount(await shop.charge())
    assert.equal(element.phase, 'loading')
    await shop.pass(10_000, element)
    assert.equal(element.phase, 'unavailable')
    assert.isTrue(isAborted)
  })

  it('waits as long as Retry-After says', async () => {
    const shop = new Fixture()
    shop.between = () => Promise.resolve(new Response('busy', {status: 503, headers: {'retry-after': '20'}}))
    const element = await shop.mount(await shop.charge())
    assert.include(textOf(element, 'notice'), 'proxy_invalid')
    await shop.pass(19_000, element)
    assert.lengthOf(shop.requests, 1)
    await shop.pass(1_000, element)
    assert.lengthOf(shop.requests, 2)
  })

  it('calls an answer that is no checkout, or somebody else’s, unreadable', async () => {
    const shop = new Fixture()
    const [mine, other] = [await shop.charge(), await shop.charge()]
    for (const answer of [
      () => Promise.resolve(new Response('<p>hello</p>')),
      () => Promise.resolve(Response.json({chargeId: mine})),
      () =>
        shop.proxy.fetch(
          new Request(`${location.origin}${path(other)}`, {
            method: 'POST',
            body: '{}',
            headers: {'content-type': 'application/json'},
          }),
        ),
    ]) {
      shop.between = answer
      const element = await shop.mount(mine)
      assert.equal(element.phase, 'unavailable')
      assert.include(textOf(element, 'notice'), 'proxy_invalid')
      element.remove()
    }
  })

  it('says what is wrong with an unknown charge, with a reference for the shop', async () => {
    const shop = new Fixture()
    const element = await shop.mount('nobody')
    assert.equal(element.phase, 'unavailable')
    assert.include(textOf(element, 'notice'), 'charge_not_found')
    assert.include(textOf(element), 'nobody')
  })
})

describe('the proxy that is asked', () => {
  it('is the one at the endpoint, relative or not', async () => {
    const shop = new Fixture({proxy: {basePath: '/pay/crypto'}})
    const chargeId = await shop.charge()
    for (const endpoint of ['/pay/crypto', '/pay/crypto/', `${location.origin}/pay/crypto`]) {
      const element = await shop.mount(chargeId, {endpoint})
      assert.equal(element.phase, 'choosing')
    }
    assert.equal(shop.requests[0], `POST /pay/crypto/charges/${chargeId}`)
  })

  it('is given the token in a header, never in an address', async () => {
    const shop = new Fixture({proxy: {tokenSecret: 'x'.repeat(32)}})
    const chargeId = await shop.charge()
    const addresses: string[] = []
    shop.between = (request, next) => {
      addresses.push(request.url)
      return next()
    }
    const token = shop.proxy.createToken(chargeId)
    const element = await shop.mount(chargeId, {token})
    assert.equal(element.phase, 'choosing')
    for (const address of addresses) assert.notInclude(address, token)
  })

  it('hears of a new token at once when the last one was refused', async () => {
    const shop = new Fixture({proxy: {tokenSecret: 'x'.repeat(32)}})
    const chargeId = await shop.charge()
    const element = await shop.mount(chargeId)
    assert.equal(element.phase, 'unavailable')
    assert.include(textOf(element, 'notice'), 'unauthorized')
    await shop.pass(60_000, element)
    assert.lengthOf(shop.requests, 1)
    element.token = shop.proxy.createToken(chargeId)
    await shop.quiet(element)
    assert.equal(element.phase, 'choosing')
    const before = shop.requests.length
    element.token = shop.proxy.createToken(chargeId, {expiresIn: 60})
    await shop.quiet(element)
    assert.lengthOf(shop.requests, before)
  })
})

describe('the event stream', () => {
  it('wakes the reader, lets the reads slow down, and carries the token in a header', async () => {
    const shop = new Fixture({
      proxy: {tokenSecret: 'x'.repeat(32)},
      environment: {loadStream: browserEnvironment.loadStream},
    })
    const chargeId = await shop.charge()
    const streams: string[] = []
    shop.between = (request, next) => {
      if (request.url.endsWith('/events')) streams.push(request.headers.get('x-checkout-token') ?? '')
      return next()
    }
    const token = shop.proxy.createToken(chargeId)
    const element = await shop.mount(chargeId, {asset: '825', network: 'bsc', token})
    while (streams.length === 0) await flushPromises()
    await shop.quiet(element)
    assert.deepEqual(streams, [token])
    await shop.pass(61_000, element)
    const before = shop.requests.length
    await shop.pass(20_000, element)
    assert.lengthOf(shop.requests, before)
    shop.sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
    const webhook = JSON.stringify({chargeId})
    await shop.proxy.fetch(
      new Request(`${location.origin}/crypto-checkout/webhook`, {method: 'POST', body: webhook}),
    )
    // How many turns a stream takes to bring the news is the engine's own business.
    while (element.phase === 'paying') await flushPromises()
    await shop.quiet(element)
    assert.equal(element.phase, 'paid')
  })

  it('is not needed: without it the reads go on', async () => {
    const shop = new Fixture({environment: {loadStream: browserEnvironment.loadStream}})
    shop.between = (request, next) =>
      request.url.endsWith('/events') ? Promise.resolve(new Response('no', {status: 404})) : next()
    const {chargeId, element} = await shop.paying()
    shop.sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
    await shop.pass(4_000, element)
    assert.equal(element.phase, 'paid')
  })

  it('passes over what is not a wake-up, however it is cut into pieces', async () => {
    const shop = new Fixture({environment: {loadStream: browserEnvironment.loadStream}})
    const encoder = new TextEncoder()
    let feed: ReadableStreamDefaultController<Uint8Array> | undefined
    shop.between = (request, next) =>
      request.url.endsWith('/events')
        ? Promise.resolve(
            new Response(new ReadableStream<Uint8Array>({start: controller => void (feed = controller)}), {
              headers: {'content-type': 'text/event-stream; charset=utf-8'},
            }),
          )
        : next()
    const {element} = await shop.paying()
    while (!feed) await flushPromises()
    await shop.pass(2_500, element)
    const before = shop.requests.length
    const rev = element.checkout?.rev ?? 0
    for (const piece of [
      ': hello\r\n\r\nevent: x\ndata: nonsense\n\n',
      `data: {"rev":${rev}}\n\n`,
      'data: {"re',
    ])
      feed.enqueue(encoder.encode(piece))
    await shop.quiet(element)
    assert.lengthOf(shop.requests, before)
    feed.enqueue(encoder.encode(`v":${rev + 1}}\n\n`))
    await shop.quiet(element)
    assert.lengthOf(shop.requests, before + 1)
    element.remove()
  })
})

describe('the countdown', () => {
  it('invariant 9: counts by the proxy’s time, not by this machine’s date', async () => {
    const shop = new Fixture({sandbox: {expiresIn: 90_000}})
    const element = await shop.mount(await shop.charge())
    assert.include(textOf(element, 'countdown'), '1:30')
    await shop.pass(31_000, element)
    assert.include(textOf(element, 'countdown'), '0:59')
  })

  it('invariant 9: at zero it asks, and the address stays until the proxy says that time is up', async () => {
    const shop = new Fixture({sandbox: {expiresIn: 20_000}})
    const {element} = await shop.paying()
    shop.between = () => new Promise(() => {})
    await shop.pass(21_000, element)
    assert.equal(element.phase, 'paying')
    assert.include(textOf(element, 'countdown'), 'checking')
    assert.exists(part(element, 'address'))
    shop.between = (_, next) => next()
    await shop.pass(40_000, element)
    assert.equal(element.phase, 'expired')
    assert.isNull(part(element, 'address'))
  })

  it('reads at once at zero', async () => {
    const shop = new Fixture({sandbox: {expiresIn: 3_500}})
    const {element} = await shop.paying()
    await shop.pass(3_500, element)
    assert.equal(element.phase, 'expired')
  })

  it('is spoken seldom', async () => {
    const shop = new Fixture({sandbox: {expiresIn: 65_000}})
    const element = await shop.mount(await shop.charge())
    const spoken: string[] = []
    const region = element.renderRoot.querySelector('[role=status]')
    if (region) new MutationObserver(() => spoken.push(region.textContent)).observe(region, {childList: true})
    await shop.pass(20_000, element)
    assert.deepEqual(spoken, ['1 minute left to pay.'])
  })

  it('is not there when nobody knows the end', async () => {
    const shop = new Fixture()
    shop.between = async (_, next) => {
      const answer = await next()
      return Response.json({...(await answer.json()), expiresAt: null}, {status: answer.status})
    }
    const {element} = await shop.paying()
    assert.isNull(part(element, 'countdown'))
    await shop.pass(5_000, element)
    assert.equal(element.phase, 'paying')
  })
})
