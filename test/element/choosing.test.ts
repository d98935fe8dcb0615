import {assert} from '@open-wc/testing'
import {catalogue} from '../../src/sandbox/catalogue.js'
import {browserEnvironment} from '../../src/element/browser-environment.js'
import en from '../../src/translations/en.json'
import type {CryptoCheckout} from '../../src/index.js'
import {
  checkoutOf,
  choosing,
  Fixture,
  hanging,
  idOf,
  key,
  missing,
  part,
  parts,
  plain,
  press,
  quoteOf,
  recordConsole,
  replaceUntilEnd,
  textOf,
} from './fixture.js'

const assetsOf = (element: CryptoCheckout) => parts(element, 'asset').map(idOf)
const networksOf = (element: CryptoCheckout) => parts(element, 'network').map(idOf)
const at = (element: CryptoCheckout, id: string) =>
  element.renderRoot.querySelector<HTMLElement>(`[data-asset="${id}"], [data-network="${id}"]`)
const textAt = (element: CryptoCheckout, id: string) => plain(at(element, id)?.textContent ?? '')

describe('choosing', () => {
  it('lists every asset and network of the service by its id, and quotes at once if only one is enabled', async () => {
    const {fixture, element} = await choosing()
    assert.sameMembers(
      assetsOf(element),
      catalogue.map(asset => asset.convertId),
    )
    for (const {id, networks} of checkoutOf(element).assets.filter(({networks}) => networks.length > 1)) {
      await fixture.choose(element, id)
      assert.equal(at(element, id)?.getAttribute('aria-expanded'), 'true')
      assert.deepEqual(
        networksOf(element),
        networks.map(({id}) => id),
      )
      await fixture.choose(element, id)
      assert.isEmpty(networksOf(element))
    }
    await fixture.choose(element, '1027')
    assert.equal(element.phase, 'paying')
  })

  it('draws the rows in view first, and after the first paint the others, with the payment views loaded', async () => {
    let paint = (): void => undefined
    const painted = new Promise<void>(resolve => (paint = resolve))
    let loads = 0
    const loadPayment = () => (loads++, browserEnvironment.loadPayment())
    const {fixture, element} = await choosing({environment: {nextPaint: () => painted, loadPayment}})
    assert.lengthOf(parts(element, 'asset'), 8)
    assert.equal(loads, 0)
    paint()
    await fixture.quiet(element)
    assert.lengthOf(parts(element, 'asset'), catalogue.length)
    assert.equal(loads, 1)
    assert.equal(fixture.sandbox.calls.convert, 0)
  })

  it('loads the payment views at the choice if loading them earlier failed', async () => {
    let loads = 0
    const loadPayment = () => (loads++ ? browserEnvironment.loadPayment() : missing())
    const {fixture, element} = await choosing({environment: {loadPayment}})
    assert.equal(loads, 1)
    assert.isNull(part(element, 'notice'))
    await fixture.choose(element, '1027')
    assert.equal(element.phase, 'paying')
  })

  it('shows the standard and the usual time of each network, and each name of an asset once', async () => {
    const {fixture, element} = await choosing()
    await fixture.choose(element, '3408')
    for (const text of ['BNB Smart Chain', 'BEP-20']) assert.include(textAt(element, 'bsc'), text)
    for (const text of ['ERC-20', 'usually 1 to 3 min']) assert.include(textAt(element, 'ethereum'), text)
    assert.notInclude(textAt(element, '1027'), 'ERC')
    assert.lengthOf(textAt(element, '1839').split('BNB'), 3, 'BNB, BNB Smart Chain')
  })

  it('shows disabled assets and networks with the reason, but does not select them', async () => {
    const fixture = new Fixture()
    const chargeId = await fixture.charge()
    fixture.sandbox.setDisabled('1027')
    for (const asset of ['825', '3408']) fixture.sandbox.setDisabled(asset, 'bsc')
    const element = await fixture.mount(chargeId)
    const requestCount = fixture.requests.length
    press(element, '[data-asset="1027"]')
    await fixture.choose(element, '3408', 'bsc')
    for (const id of ['1027', 'bsc']) {
      assert.equal(at(element, id)?.getAttribute('aria-disabled'), 'true')
      assert.include(textAt(element, id), 'Not available')
    }
    part(element, 'asset')?.focus()
    key(element, 'End')
    assert.equal(idOf(element.shadowRoot?.activeElement), '1027', 'screen readers read the reason')
    assert.lengthOf(fixture.requests, requestCount)
    assert.equal(element.phase, 'choosing')
    assert.include(textAt(element, '825'), 'Ethereum, ERC-20', 'what is chosen at once is named')
    await fixture.choose(element, '825')
    assert.equal(quoteOf(element).network, 'ethereum')
  })

  it('has a search field for more than eight assets, and shows the networks of the only asset at once', async () => {
    const {fixture, element} = await choosing()
    for (const [text, found] of [
      ['algorand', 2],
      ['no such coin', 0],
      ['', 17],
    ] as const) {
      await fixture.type(element, 'search', text)
      assert.lengthOf(assetsOf(element), found)
      assert.equal(textOf(element).includes('Nothing found'), found === 0)
    }
    for (const [assets, networks] of [
      [8, 0],
      [1, 2],
    ] as const) {
      const {element: short} = await choosing({sandbox: {catalogue: catalogue.slice(0, assets)}})
      assert.isNull(part(short, 'search'))
      assert.deepEqual([assetsOf(short).length, networksOf(short).length], [assets, networks])
    }
  })

  it('draws the icons of all assets as inline SVG, with a badge for a token’s network, and requests no other host', async () => {
    const {fixture, element} = await choosing({}, {logos: 'bundled'})
    for (const id of assetsOf(element))
      assert.exists(at(element, id ?? '')?.querySelector('.coin svg'), id ?? '')
    assert.exists(at(element, '52')?.querySelector('.badge svg'))
    assert.isNull(at(element, '1027')?.querySelector('.badge svg') ?? null)
    assert.isNull(element.renderRoot.querySelector('img, [style]'))
    element.logos = 'none'
    await fixture.quiet(element)
    assert.isNull(element.renderRoot.querySelector('.logo svg'))
    assert.equal(part(element, 'asset')?.querySelector('.logo')?.getAttribute('data-letter'), 'U')
  })

  it('loads logos lazily, without referrer, over https only, and keeps the monogram for a broken one', async () => {
    const {fixture, element} = await choosing({}, {logos: 'remote'})
    const image = element.renderRoot.querySelector('img') ?? assert.fail('no image')
    const {src, loading, referrerPolicy, alt} = image
    assert.match(src, /^https:/)
    assert.deepEqual([loading, referrerPolicy, alt], ['lazy', 'no-referrer', ''])
    for (const [event, opacity] of [
      ['error', '0'],
      ['load', '1'],
    ] as const) {
      image.dispatchEvent(new Event(event))
      await element.updateComplete
      assert.equal(getComputedStyle(image).opacity, opacity)
    }
    // A row is used again for another asset, whose picture has not come yet.
    await fixture.type(element, 'search', 'eth')
    assert.equal(getComputedStyle(image).opacity, '0')
  })

  it('says why a quote failed, and retries the same pair on request', async () => {
    const {fixture, element} = await choosing()
    fixture.sandbox.fault('convert', {kind: 'wrongCurrency'})
    await fixture.choose(element, '1027')
    assert.equal(element.phase, 'choosing')
    assert.include(textOf(element, 'notice'), 'activation_failed')
    fixture.sandbox.clearFaults()
    // Reads that must be new are a second apart.
    await fixture.pass(1_000, element)
    await fixture.press(element, 'retry')
    assert.equal(element.phase, 'paying')
  })

  it('shows the new status when a choice comes too late', async () => {
    const {fixture, chargeId, element} = await choosing()
    fixture.sandbox.cancel(chargeId)
    await fixture.clock.advance(1_100)
    await fixture.choose(element, '1027')
    assert.equal(element.phase, 'cancelled')
  })

  it('goes back with a sentence about money already sent, and offers the same again', async () => {
    const {fixture, element} = await choosing()
    assert.notInclude(textOf(element), en.sentHint)
    await fixture.choose(element, '1027')
    const address = textOf(element, 'address')
    await fixture.press(element, 'back')
    assert.include(textOf(element), en.sentHint)
    assert.notInclude(element.shadowRoot?.innerHTML, address)
    await fixture.pass(1_000, element)
    await fixture.press(element, 'last-used')
    assert.equal(textOf(element, 'address'), address)
  })

  it('tries again to load the asset picker, which delays neither a resumed quote nor an alarm', async () => {
    for (const isResumed of [false, true]) {
      const fixture = new Fixture()
      const {chargeId} = isResumed ? await fixture.paying() : {chargeId: await fixture.charge()}
      const {environment} = fixture.element()
      const element = await fixture.mount(chargeId, {environment: {...environment, loadAssetPicker: missing}})
      assert.equal(element.phase, isResumed ? 'paying' : 'unavailable')
      if (isResumed) await fixture.press(element, 'back')
      else assert.include(textOf(element, 'notice'), 'load_failed')
      element.environment = environment
      await fixture.pass(2_500, element)
      assert.isNotEmpty(assetsOf(element))
    }
    const fixture = new Fixture({environment: {loadAssetPicker: hanging}})
    fixture.rewrite(() => ({alert: 'address_mismatch', payable: false, quote: null}))
    const element = await fixture.mount(await fixture.charge())
    assert.equal(element.phase, 'unavailable')
    assert.isNotNull(part(element, 'alarm'))
  })
})

describe('keyboard navigation', () => {
  const focused = (element: CryptoCheckout) => element.shadowRoot?.activeElement
  const id = (element: CryptoCheckout) => idOf(focused(element))
  /** The focus is on the first row. */
  async function atList() {
    const {fixture, element} = await choosing()
    part(element, 'search')?.focus()
    key(element, 'ArrowDown')
    return {fixture, element}
  }

  it('arrows, Home and End move the focus, also to the networks of an expanded asset, and never select', async () => {
    const {fixture, element} = await atList()
    const requestCount = fixture.requests.length
    const ids = assetsOf(element)
    for (const [name, expected] of [
      ['ArrowUp', ids[0]],
      ['ArrowDown', ids[1]],
      ['End', ids.at(-1)],
      ['Home', ids[0]],
    ] as const) {
      key(element, name)
      assert.equal(id(element), expected, name)
    }
    await fixture.choose(element, '825')
    assert.equal(id(element), 'bsc', 'Enter moves to the first network')
    key(element, 'ArrowDown')
    assert.equal(id(element), 'ethereum')
    assert.equal(element.phase, 'choosing')
    assert.lengthOf(fixture.requests, requestCount)
  })

  it('Escape or the arrow back returns from a network to its asset, and the next may close a dialog', async () => {
    for (const [locale, name] of [
      ['en', 'Escape'],
      ['en', 'ArrowLeft'],
      ['ar', 'ArrowRight'],
    ] as const) {
      const {fixture, element} = await choosing({}, {locale})
      await fixture.choose(element, '825')
      at(element, 'bsc')?.focus()
      assert.isTrue(key(element, name).defaultPrevented)
      assert.equal(id(element), '825', `${name} (${locale})`)
      assert.isFalse(key(element, name).defaultPrevented)
    }
  })

  it('Enter chooses the only result of a search, and none of several; Escape clears it', async () => {
    const {fixture, element} = await choosing()
    part(element, 'search')?.focus()
    for (const [text, isOnly] of [
      ['usd', false],
      ['usdc', true],
    ] as const) {
      await fixture.type(element, 'search', text)
      // What an input method composes chooses nothing.
      const composing = new KeyboardEvent('keydown', {key: 'Enter', isComposing: true, cancelable: true})
      assert.isTrue(part(element, 'search')?.dispatchEvent(composing))
      assert.equal(key(element, 'Enter').defaultPrevented, isOnly)
    }
    await fixture.quiet(element)
    assert.equal(id(element), 'algorand')
    part(element, 'search')?.focus()
    assert.isTrue(key(element, 'Escape').defaultPrevented)
    await element.updateComplete
    assert.lengthOf(assetsOf(element), 17)
    assert.isTrue(focused(element) === part(element, 'search'))
    assert.isFalse(key(element, 'Escape').defaultPrevented, 'now a dialog may close')
    await fixture.type(element, 'search', 'cardano')
    key(element, 'Enter')
    await fixture.quiet(element)
    assert.equal(quoteOf(element).asset, '2010')
  })

  it('keeps one tab stop in the list, at the last focused control, and one in the networks shown', async () => {
    const {fixture, element} = await atList()
    const stops = () =>
      [...element.renderRoot.querySelectorAll<HTMLElement>('[part=assets] button')]
        .filter(control => control.tabIndex === 0)
        .map(idOf)
    assert.deepEqual(stops(), assetsOf(element).slice(0, 1))
    key(element, 'End')
    assert.deepEqual(stops(), assetsOf(element).slice(-1))
    await fixture.choose(element, '825')
    assert.deepEqual(stops(), ['825', 'bsc'], 'Tab leads from an open asset to its networks')
    await fixture.type(element, 'search', 'usdt')
    assert.deepEqual(stops(), ['825', 'bsc'])
  })

  it('finds a symbol or name by typing, until a pause', async () => {
    const {fixture, element} = await atList()
    const type = (text: string) => [...text].map(letter => key(element, letter))
    type('eth')
    assert.equal(id(element), '1027')
    await fixture.pass(1_000, element)
    type('u')
    const first = id(element)
    type('u')
    assert.notEqual(id(element), first, 'the same letter again finds the next')
    await fixture.pass(1_000, element)
    assert.isTrue(type('usd c')[3]?.defaultPrevented, 'a space in the middle of a name chooses nothing')
    assert.equal(id(element), '3408')
    await fixture.pass(1_000, element)
    for (const name of [' ', 'Tab', 'Enter']) assert.isFalse(key(element, name).defaultPrevented, name)
  })
})

describe('the last used pair', () => {
  it('is offered apart from the list, takes one click, and is stored without the charge id', async () => {
    const fixture = new Fixture()
    const first = await fixture.mount(await fixture.charge())
    assert.isNull(part(first, 'last-used'))
    await fixture.choose(first, '825', 'bsc')
    assert.equal(fixture.lastPair, '825 bsc')
    const element = await fixture.mount(await fixture.charge())
    const row = part(element, 'last-used')
    assert.isFalse(part(element, 'assets')?.contains(row))
    for (const text of ['USDT', 'BNB Smart Chain, BEP-20', 'Last used'])
      assert.include(row?.textContent, text)
    await fixture.press(element, 'last-used')
    assert.equal(quoteOf(element).network, 'bsc')

    browserEnvironment.saveLastPair('825 bsc')
    assert.equal(browserEnvironment.loadLastPair(), '825 bsc')
    assert.deepEqual(Object.keys(localStorage), ['crypto-checkout:last'])
    localStorage.clear()
  })

  it('is not offered while disabled or during a search; with the attribute forget, it is not stored either', async () => {
    const fixture = new Fixture()
    fixture.lastPair = '825 bsc'
    const element = await fixture.mount(await fixture.charge())
    await fixture.type(element, 'search', 'u')
    assert.isNull(part(element, 'last-used'))
    const forgetful = await fixture.mount(await fixture.charge(), {forget: true})
    assert.isNull(part(forgetful, 'last-used'))
    await fixture.choose(forgetful, '1027')
    assert.equal(fixture.lastPair, '825 bsc')
    await fixture.press(forgetful, 'back')
    assert.isNull(part(forgetful, 'last-used'))
    fixture.sandbox.setDisabled('825', 'bsc')
    assert.isNull(part(await fixture.mount(await fixture.charge()), 'last-used'))
  })

  it('causes no error in a browser without storage', () => {
    const refuse = () => assert.fail('no storage')
    replaceUntilEnd(Storage.prototype, {getItem: refuse, setItem: refuse})
    browserEnvironment.saveLastPair('1027 ethereum')
    assert.isNull(browserEnvironment.loadLastPair())
  })
})

describe('preselection', () => {
  it('also applies when the attributes are set while the customer is choosing, and not after going back', async () => {
    const {fixture, element} = await choosing()
    element.setAttribute('asset', 'USDC')
    await fixture.quiet(element)
    assert.lengthOf(networksOf(element), 3)
    // A framework may set several attributes at once.
    Object.assign(element, {network: 'bsc', token: 'unused'})
    await fixture.quiet(element)
    assert.equal(element.phase, 'paying')
    element.asset = 'ETH'
    await fixture.quiet(element)
    assert.equal(quoteOf(element).asset, '3408', 'an address on screen stays')
    press(element, 'back')
    await fixture.pass(30_000, element)
    assert.equal(element.phase, 'choosing')
  })

  it('ignores what is unknown or disabled, with a warning', async () => {
    const warnings = recordConsole('warn')
    const fixture = new Fixture()
    fixture.sandbox.setDisabled('825')
    for (const pair of [{asset: 'USDT', network: 'bsc'}, {asset: 'doge'}]) {
      const element = await fixture.mount(await fixture.charge(), pair)
      assert.equal(element.phase, 'choosing')
    }
    assert.lengthOf(warnings, 2)
    assert.include(warnings[1], 'doge')
  })
})
