/** The element in a page that a server has rendered: the view in its shadow root, and the checkout as JSON in a child. */
import {assert} from '@open-wc/testing'
import type {CryptoCheckout} from '../../src/index.js'
import german from '../../src/translations/de.json'
import {container, Fixture, hanging, part, textOf, type FixtureOptions} from './fixture.js'

/** What the proxy responds to an opening. */
async function opened(fixture: Fixture, chargeId: string): Promise<Record<string, unknown>> {
  const request = new Request(`http://shop/crypto-checkout/charges/${chargeId}`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: '{}',
  })
  return (await fixture.proxy.fetch(request)).json()
}

/** A detached element, as the parser of the page makes it. Without data, the view is the skeleton. */
function served(fixture: Fixture, chargeId: string, data?: unknown, lang = 'en'): CryptoCheckout {
  const element = fixture.element({chargeId, locale: lang})
  element.attachShadow({mode: 'open'}).innerHTML =
    `<style></style><div part="base" class="from-server"><input value=""><ul part="assets"></ul></div>`
  if (data !== undefined) {
    const script = document.createElement('script')
    script.type = 'application/json'
    script.textContent = typeof data === 'string' ? data : JSON.stringify(data)
    element.append(script)
  }
  return element
}

async function attach(fixture: Fixture, element: CryptoCheckout): Promise<CryptoCheckout> {
  container().append(element)
  await fixture.quiet(element)
  return element
}

const hasServerView = ({shadowRoot}: CryptoCheckout) => !!shadowRoot?.querySelector('.from-server, style')

async function charged(options?: FixtureOptions) {
  const fixture = new Fixture(options)
  const chargeId = await fixture.charge()
  return {fixture, chargeId, data: await opened(fixture, chargeId)}
}

describe('a view of the server', () => {
  it('is replaced by the same list before the proxy has answered, and is read at once', async () => {
    const {fixture, chargeId, data} = await charged({environment: {loadLastPair: () => '825 bsc'}})
    fixture.intercept = hanging
    const element = await attach(fixture, served(fixture, chargeId, data))
    assert.equal(element.phase, 'choosing')
    assert.isNull(part(element, 'last-used'))
    assert.deepEqual(element.checkout, {...element.checkout, ...data})
    assert.isTrue(Object.isFrozen(element.checkout))
    assert.isFalse(hasServerView(element))
    assert.isNotNull(part(element, 'asset'))
    assert.deepEqual(fixture.requests, [`GET /crypto-checkout/charges/${chargeId}`])
  })

  it('stays until the texts of its language have loaded', async () => {
    let load: () => void = () => undefined
    const loadTranslation = () =>
      new Promise<{default: object}>(resolve => (load = () => resolve({default: german})))
    const {fixture, chargeId, data} = await charged({environment: {loadTranslation}})
    const element = await attach(fixture, served(fixture, chargeId, data, 'de'))
    assert.isTrue(hasServerView(element))
    assert.equal(element.renderRoot.querySelectorAll('[part=base]').length, 1)
    load()
    await fixture.quiet(element)
    assert.isFalse(hasServerView(element))
    assert.include(textOf(element), german.status.choosing)
  })

  it('that is a skeleton stays until the charge is opened as usual', async () => {
    const fixture = new Fixture()
    const chargeId = await fixture.charge()
    const element = await attach(fixture, served(fixture, chargeId))
    assert.equal(fixture.requests[0], `POST /crypto-checkout/charges/${chargeId}`)
    assert.equal(element.phase, 'choosing')
    assert.isFalse(hasServerView(element))
  })

  it('is removed when the element gets another charge', async () => {
    const {fixture, chargeId, data} = await charged({environment: {loadTranslation: hanging}})
    const element = await attach(fixture, served(fixture, chargeId, data, 'de'))
    element.chargeId = await fixture.charge()
    await element.updateComplete
    assert.isFalse(hasServerView(element))
  })

  it('from a cache is followed by the news: paid, expired, or a lost store', async () => {
    for (const [expected, change] of [
      ['paid', (fixture, id) => fixture.sandbox.payElsewhere(id, {listed: true})],
      ['expired', (fixture, id) => fixture.sandbox.expire(id)],
      ['choosing', fixture => (fixture.proxy = fixture.newProxy())],
    ] as const satisfies [string, (fixture: Fixture, id: string) => unknown][]) {
      const {fixture, chargeId, data} = await charged()
      change(fixture, chargeId)
      await fixture.clock.advance(60_000)
      const element = await attach(fixture, served(fixture, chargeId, data))
      // After a lost store, the charge is opened again.
      await fixture.pass(3_000, element)
      assert.equal(element.phase, expected)
      assert.notEqual(element.checkout?.serverTime, data['serverTime'])
    }
  })

  it('is removed, and the element starts as usual, when its JSON cannot be used', async () => {
    const {fixture, chargeId, data} = await charged({environment: {loadTranslation: hanging}})
    const other = await opened(fixture, await fixture.charge())
    const {journal: _, ...incomplete} = data
    for (const useless of [
      other,
      incomplete,
      {...data, assets: 'none'},
      '',
      'null',
      '{"chargeId":',
      '<!doctype html>',
      {...data, stale: true},
      {...data, status: 'paid', payable: false},
    ]) {
      fixture.requests.length = 0
      fixture.intercept = hanging
      const element = await attach(fixture, served(fixture, chargeId, useless, 'de'))
      assert.isFalse(hasServerView(element), JSON.stringify(useless))
      assert.equal(element.phase, 'loading')
      assert.deepEqual(fixture.requests, [`POST /crypto-checkout/charges/${chargeId}`])
      element.remove()
    }
  })

  it('invariant 1: never leads to an address: not from a page in a cache, nor from one that was changed', async () => {
    const {fixture, chargeId, data} = await charged()
    const paying = await fixture.mount(chargeId, {asset: '825', network: 'bsc'})
    assert.equal(paying.phase, 'paying')
    const quoted = paying.checkout
    paying.remove()
    fixture.intercept = hanging
    for (const address of [quoted, {...data, quote: quoted?.quote}]) {
      const element = await attach(fixture, served(fixture, chargeId, address))
      assert.isNull(element.checkout)
      assert.notInclude(element.shadowRoot?.innerHTML ?? '', quoted?.quote?.address ?? '-')
    }
  })
})
