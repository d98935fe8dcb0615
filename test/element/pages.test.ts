/** What pages and browsers do to the element: translators, tabs, caches, sleep, other documents. */
import {assert} from '@open-wc/testing'
import type {Checkout} from '../../src/contract/checkout.js'
import {
  announced,
  container,
  Fixture,
  part,
  passThrough,
  paying,
  quoteOf,
  recordConsole,
  replaceUntilEnd,
  textOf,
} from './fixture.js'

/** Wraps each text node, as the translators of browsers do, also where they must not. */
function translate(root: Node): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Node[] = []
  while (walker.nextNode()) texts.push(walker.currentNode)
  for (const text of texts) {
    const wrapper = document.createElement('i')
    wrapper.textContent = text.textContent
    text.parentNode?.replaceChild(wrapper, text)
  }
}

describe('a translated page', () => {
  it('invariant 2: shows the amount and the address of the quote after each change', async () => {
    const {fixture, element} = await paying({proxy: {quoteTtl: 60_000}}, '1027', 'ethereum')
    for (const name of ['amount', 'address', 'network', 'price', 'countdown', 'qr'])
      assert.isNotNull(
        part(element, name)?.closest('[translate=no]') ??
          part(element, name)?.querySelector('[translate=no]'),
        name,
      )
    for (const price of [1_000, 3_000]) {
      for (const name of ['amount', 'address', 'status']) translate(part(element, name) ?? assert.fail())
      fixture.sandbox.setPrice('1027', price)
      await fixture.pass(70_000, element)
      await fixture.press(element, 'renew')
      const {amount, address} = quoteOf(element)
      assert.equal(part(element, 'amount')?.textContent, amount)
      assert.equal(part(element, 'address')?.textContent, address)
      assert.include(textOf(element, 'status'), `Send ${amount} ETH`)
    }
  })

  it('shows the address as text that the browser can find', async () => {
    const {element} = await paying()
    for (const group of part(element, 'address')?.children ?? [])
      assert.equal(getComputedStyle(group).display, 'inline')
  })
})

describe('a read', () => {
  it('from a cache counts as failed after three times, and the next one has another URL', async () => {
    const {fixture, element} = await paying()
    const urls: string[] = []
    let body = ''
    fixture.intercept = async (request, next) => {
      urls.push(request.url)
      body ||= await (await next()).text()
      return new Response(body, {headers: {'content-type': 'application/json'}})
    }
    await fixture.pass(20_000, element)
    assert.include(textOf(element), 'proxy_invalid')
    assert.isNotNull(part(element, 'address'))
    assert.isAbove(new Set(urls).size, 2)
    fixture.intercept = passThrough
    await fixture.pass(40_000, element)
    assert.isNull(part(element, 'notice'))
  })

  it('with an earlier time ends a problem', async () => {
    const {fixture, element} = await paying()
    fixture.intercept = () => Promise.resolve(new Response('', {status: 503}))
    await fixture.pass(5_000, element)
    assert.isNotNull(part(element, 'notice'))
    let seconds = 10
    fixture.rewrite(() => ({serverTime: `2026-11-21T00:00:${seconds++}.000Z`}))
    await fixture.pass(30_000, element)
    assert.isNull(part(element, 'notice'))
  })

  it('with an impossible time is not from a proxy, and the address stays', async () => {
    const {fixture, element} = await paying()
    for (const at of ['2026-11-21T24:61:00Z', '2026-99-01T00:00:00Z']) {
      fixture.rewrite(({quote}) => ({quote: quote && {...quote, refreshAfter: at}}))
      await fixture.pass(5_000, element)
      assert.include(textOf(element), 'proxy_invalid')
      assert.isNotNull(part(element, 'address'))
    }
  })

  it('says so after the token has expired, with the address on screen', async () => {
    const fixture = new Fixture({proxy: {tokenSecret: 'a secret of at least 32 characters'}})
    const chargeId = await fixture.charge()
    const token = fixture.proxy.createToken(chargeId, {expiresIn: 30})
    const element = await fixture.mount(chargeId, {asset: '825', network: 'bsc', token})
    for (let seconds = 0; seconds < 60 && !part(element, 'notice'); seconds++)
      await fixture.pass(1_000, element)
    assert.equal(part(element, 'address')?.textContent, quoteOf(element).address)
    assert.include(textOf(element), 'For support: unauthorized')
    for (const text of [textOf(element, 'notice'), announced(element)])
      assert.include(text, 'can no longer check your payment')
  })
})

describe('the page', () => {
  it('opens nothing while the element is not rendered, such as in the panel of another way to pay, or not seen', async () => {
    for (const [hide, show] of [
      [() => (container().style.display = 'none'), () => (container().style.display = '')],
      [fixture => fixture.visibility.change(false), fixture => fixture.visibility.change(true)],
    ] satisfies Record<0 | 1, (fixture: Fixture) => unknown>[]) {
      const fixture = new Fixture()
      const chargeId = await fixture.charge()
      hide(fixture)
      const element = await fixture.mount(chargeId)
      await fixture.pass(10_000, element)
      assert.deepEqual([element.phase, fixture.requests], ['loading', []])
      show(fixture)
      await untilTrue(() => fixture.requests.length > 0)
      await fixture.quiet(element)
      assert.equal(element.phase, 'choosing')
    }
  })

  it('does not count down while it is hidden', async () => {
    const {fixture, element} = await paying()
    fixture.visibility.change(false)
    const before = textOf(element, 'countdown')
    await fixture.pass(5_000, element)
    assert.equal(textOf(element, 'countdown'), before)
    fixture.visibility.change(true)
    await fixture.pass(1_000, element)
    assert.notEqual(textOf(element, 'countdown'), before)
  })

  it('may set another charge and the first one again at once', async () => {
    const {fixture, chargeId, element} = await paying()
    const before = fixture.requests.length
    element.chargeId = 'another'
    element.chargeId = chargeId
    await fixture.quiet(element)
    assert.lengthOf(fixture.requests, before)
    assert.isNotNull(part(element, 'address'))
  })

  it('may move the element to another document, which keeps its styles', async () => {
    const {fixture, element} = await paying()
    const display = () => getComputedStyle(part(element, 'base') ?? assert.fail()).display
    const before = [display(), element.shadowRoot?.adoptedStyleSheets.length]
    const check = async () => {
      await fixture.quiet(element)
      assert.deepEqual([display(), element.shadowRoot?.adoptedStyleSheets.length], before)
    }
    document.implementation.createHTMLDocument().body.append(element)
    container().append(element)
    await check()
    // In Firefox, an element of another window loses its class.
    if (navigator.userAgent.includes('Firefox')) return
    const frame = document.createElement('iframe')
    container().append(frame)
    frame.contentDocument?.body.append(element)
    await check()
  })
})

describe('text', () => {
  it('of a name cannot change its direction, or hide a part of it', async () => {
    const fixture = new Fixture()
    const chargeId = await fixture.charge()
    fixture.rewrite(({assets}) => ({
      description: 'Mug \u202egum\u0007',
      assets: assets.map(asset => ({...asset, name: `\u2066${asset.name}\u200f`})),
    }))
    const element = await fixture.mount(chargeId)
    assert.notMatch(part(element, 'base')?.textContent ?? '', /[\u202e\u200f]/)
    assert.include(textOf(element, 'header'), 'Mug gum')
  })

  it('of one problem is announced at most once a minute', async () => {
    const {fixture, element} = await paying()
    const texts: (string | null | undefined)[] = []
    for (let times = 0; times < 6; times++) {
      fixture.intercept = times % 2 ? passThrough : () => Promise.resolve(new Response('', {status: 503}))
      element.renderRoot.querySelector('[role=status]')!.textContent = ''
      await fixture.pass(5_000, element)
      texts.push(announced(element))
    }
    assert.lengthOf(texts.filter(Boolean), 1)
  })
})

describe('the console of a developer', () => {
  it('names an endpoint that is not a URL, and goes on when it is one again', async () => {
    const lines = recordConsole('error')
    const {fixture, element} = await paying()
    element.endpoint = 'http://['
    await fixture.pass(10_000, element)
    assert.deepEqual(lines, ['<crypto-checkout>: the attribute endpoint is not a URL'])
    assert.include(textOf(element), 'proxy_invalid')
    element.endpoint = '/crypto-checkout'
    await fixture.pass(40_000, element)
    assert.notExists(part(element, 'notice'))
    element.remove()
    const other = await fixture.mount(await fixture.charge(), {endpoint: 'http://['})
    assert.equal(other.phase, 'unavailable')
  })

  it('names what responds in place of the proxy once, and a charge-id that is none, as the documentation does', async () => {
    const lines = recordConsole('error')
    const {fixture, element} = await paying()
    const headers = {'content-type': 'text/html'}
    fixture.intercept = () => Promise.resolve(new Response('<html>', {status: 404, headers}))
    await fixture.pass(60_000, element)
    fixture.intercept = () => Promise.resolve(new Response('', {status: 502}))
    await fixture.pass(60_000, element)
    const url = `${location.origin}/crypto-checkout/charges/${element.chargeId ?? ''}`
    const setup = `<crypto-checkout>: 404 text/html from ${url} is not from the proxy; compare endpoint with basePath`
    assert.deepEqual(lines, [setup])
    for (const id of ['', 'undefined']) {
      element.setAttribute('charge-id', id)
      await element.updateComplete
      assert.equal(lines.at(-1), `<crypto-checkout>: charge-id is "${id}", which is not the id of a charge`)
    }
    const page = await (await fetch('/docs/troubleshooting.md')).text()
    assert.include(page, setup.replace(url, 'https://shop.example/pay/charges/c1'))
    assert.include(page, lines.at(-1) ?? assert.fail())
  })

  it('is repeated on the page of a developer, untranslated, until another charge is shown', async () => {
    recordConsole('error')
    const fixture = new Fixture()
    fixture.intercept = () => Promise.resolve(Response.json({}, {status: 404}))
    const element = await fixture.mount(await fixture.charge(), {locale: 'de'})
    const setup = () => element.renderRoot.querySelector('[lang=en]')?.textContent
    assert.match(setup() ?? '', /^<crypto-checkout>: 404 application\/json from .* is not from the proxy/)
    fixture.intercept = () => Promise.resolve(Response.json({}, {status: 502}))
    element.chargeId = await fixture.charge()
    await fixture.quiet(element)
    assert.equal(element.phase, 'unavailable')
    assert.isUndefined(setup())
  })
})

describe('a view that throws', () => {
  it('takes amount and address away, and the events are dispatched', async () => {
    const {fixture, element} = await paying()
    const changes: (Checkout | null)[] = []
    element.addEventListener('checkout-changed', ({detail}) => changes.push(detail))
    recordConsole('error')
    replaceUntilEnd<{match: unknown}>(String.prototype, {
      match(this: string, ...args: [RegExp]) {
        return this.startsWith('0x') ? assert.fail('broken') : args[0][Symbol.match](this)
      },
    })
    await fixture.pass(10_000, element)
    assert.isNull(part(element, 'address'))
    assert.isNull(part(element, 'amount'))
    assert.include(textOf(element, 'notice'), 'load_failed')
    assert.equal(element.phase, 'paying')
    assert.lengthOf(changes, 0)
    await fixture.report(element, {description: 'Another'})
    assert.isNull(part(element, 'address'))
    assert.lengthOf(changes, 1)
  })
})

/** For what takes frames, and no time of the fake clock. */
async function untilTrue(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setTimeout(resolve))
}
