import {assert, expect} from '@open-wc/testing'
import {render} from 'lit'
import {drawIcon} from '../../src/element/asset-picker/icons.js'
import {catalogue} from '../../src/sandbox/catalogue.js'
import {browserEnvironment} from '../../src/element/browser-environment.js'
import en from '../../src/translations/en.json'
import type {CryptoCheckout} from '../../src/index.js'
import {choosing, Fixture, part, parts, paying, plain, press, replaceUntilEnd, textOf} from './fixture.js'

describe('choosing', () => {
  it('lists every asset and network of the service by its id, featured ones first', async () => {
    const {fixture, element} = await choosing()
    const ids = parts(element, 'asset').map(control => control.dataset['asset'])
    const known = catalogue.map(asset => asset.convertId)
    assert.sameMembers(ids, known)
    const featured = element.checkout?.assets.filter(asset => asset.featured).map(({id}) => id) ?? []
    assert.isNotEmpty(featured)
    assert.deepEqual(ids.slice(0, featured.length), featured)
    for (const asset of element.checkout?.assets ?? []) {
      if (asset.networks.length < 2) continue
      await fixture.press(element, `[data-asset="${asset.id}"]`)
      const networks = parts(element, 'network').map(control => control.dataset['network'])
      assert.deepEqual(networks.join(), asset.networks.map(({id}) => id).join())
    }
  })

  it('quotes immediately when an asset has one enabled network, else shows the networks', async () => {
    const {fixture, element} = await choosing()
    await fixture.press(element, '[data-asset="825"]')
    assert.equal(element.phase, 'choosing')
    assert.equal(part(element, 'asset')?.getAttribute('aria-expanded'), 'true')
    assert.lengthOf(parts(element, 'network'), 2)
    await expect(element).to.be.accessible()
    await fixture.press(element, '[data-asset="1027"]')
    assert.equal(element.phase, 'paying')
  })

  it('draws the rows in view first, and after the first paint the others, with the payment views loaded', async () => {
    let paint = (): void => undefined
    const painted = new Promise<void>(resolve => (paint = resolve))
    let loads = 0
    const {fixture, element} = await choosing({
      environment: {
        nextPaint: () => painted,
        loadPayment: () => (loads++, browserEnvironment.loadPayment()),
      },
    })
    assert.lengthOf(parts(element, 'asset'), 8)
    assert.equal(loads, 0)
    paint()
    await fixture.quiet(element)
    assert.lengthOf(parts(element, 'asset'), catalogue.length)
    assert.equal(loads, 1)
    assert.equal(element.phase, 'choosing')
    assert.equal(fixture.sandbox.calls.convert, 0)
  })

  it('loads the payment views at the choice if loading them earlier failed', async () => {
    let loads = 0
    const {fixture, element} = await choosing({
      environment: {
        loadPayment: () =>
          loads++ ? browserEnvironment.loadPayment() : Promise.reject(new Error('no network')),
      },
    })
    assert.equal(loads, 1)
    assert.equal(element.phase, 'choosing')
    assert.isNull(part(element, 'notice'))
    await fixture.press(element, '[data-asset="1027"]')
    assert.equal(element.phase, 'paying')
  })

  it('collapses the networks when the same asset is pressed again', async () => {
    const {fixture, element} = await choosing()
    for (let times = 0; times < 2; times++) await fixture.press(element, '[data-asset="825"]')
    assert.lengthOf(parts(element, 'network'), 0)
  })

  it('shows the standard and the usual time of each network', async () => {
    const {fixture, element} = await choosing()
    await fixture.press(element, '[data-asset="3408"]')
    const networks = Object.fromEntries(
      parts(element, 'network').map(control => [control.dataset['network'], control.textContent]),
    )
    assert.include(networks['bsc'], 'BNB Smart Chain')
    assert.include(networks['bsc'], 'BEP-20')
    assert.include(networks['ethereum'], 'ERC-20')
    assert.include(networks['ethereum'], 'minutes')
    const eth = element.renderRoot.querySelector('[data-asset="1027"]')?.textContent ?? ''
    assert.notInclude(eth, 'ERC')
  })

  it('shows disabled assets and networks with the reason, but does not select them', async () => {
    const fixture = new Fixture()
    const chargeId = await fixture.charge()
    fixture.sandbox.setDisabled('1027')
    fixture.sandbox.setDisabled('825', 'bsc')
    fixture.sandbox.setDisabled('3408', 'bsc')
    const element = await fixture.mount(chargeId)
    const requestCount = fixture.requests.length
    const eth = element.renderRoot.querySelector<HTMLButtonElement>('[data-asset="1027"]')
    assert.equal(eth?.getAttribute('aria-disabled'), 'true')
    assert.include(eth?.textContent, 'Not available')
    press(element, '[data-asset="1027"]')
    await fixture.press(element, '[data-asset="3408"]')
    const bsc = element.renderRoot.querySelector<HTMLButtonElement>('[data-network="bsc"]')
    assert.equal(bsc?.getAttribute('aria-disabled'), 'true')
    assert.include(bsc?.textContent, 'Not available')
    await fixture.press(element, '[data-network="bsc"]')
    assert.lengthOf(fixture.requests, requestCount)
    assert.equal(element.phase, 'choosing')
    const usdt = element.renderRoot.querySelector<HTMLElement>('[data-asset="825"]')
    assert.include(plain(usdt?.textContent ?? ''), 'Ethereum, ERC-20', 'what is chosen at once is named')
    await fixture.press(element, '[data-asset="825"]')
    assert.equal(element.checkout?.quote?.network, 'ethereum')
  })

  it('has a search field for more than eight assets that matches symbol, name and network', async () => {
    const {element} = await choosing()
    const find = async (text: string) => {
      await search(element, text)
      return parts(element, 'asset').map(control => control.dataset['asset'])
    }
    assert.deepEqual(await find('tether'), ['825'])
    assert.deepEqual(await find('algorand'), ['4030', '3408'])
    for (const name of ['binance', 'Binance Coin', 'BSC bnb'])
      assert.equal((await find(name))[0], '1839', name)
    for (const name of ['POL', 'polygon']) assert.include(await find(name), '3890', name)
    assert.include(await find('usdt ERC20'), '825')
    assert.notInclude(await find('ERC20'), '1027')
    assert.equal((await find('eth'))[0], '1027')
    assert.deepEqual(await find('no such coin'), [])
    assert.include(textOf(element), 'Nothing found')
    assert.lengthOf(await find(''), 17)
  })

  it('says each name of an asset once', async () => {
    const {element} = await choosing()
    const words = (id: string) =>
      [...(element.renderRoot.querySelector(`[data-asset="${id}"]`)?.querySelectorAll('b, .small') ?? [])]
        .map(({textContent}) => plain(textContent))
        .filter(Boolean)
    assert.deepEqual(words('1027'), ['ETH', 'Ethereum'])
    assert.deepEqual(words('1839'), ['BNB', 'BNB Smart Chain'])
    assert.deepEqual(words('52')[0], 'XRP')
    assert.include(words('52'), 'BNB Smart Chain, BEP-20')
  })

  it('draws the icons of all assets as inline SVG, with a badge for a token’s network, and requests no other host', async () => {
    const {fixture, element} = await choosing({}, {logos: 'bundled'})
    await fixture.quiet(element)
    const logos = parts(element, 'asset').map(control => control.querySelector('.logo'))
    assert.lengthOf(logos, 17)
    for (const logo of logos)
      assert.exists(logo?.querySelector('.coin svg'), logo?.parentElement?.textContent ?? '')
    const badged = (id: string) => !!element.renderRoot.querySelector(`[data-asset="${id}"] .badge svg`)
    assert.deepEqual([badged('52'), badged('1027')], [true, false])
    assert.isNull(element.renderRoot.querySelector('img, [style]'))
    element.logos = 'none'
    await fixture.quiet(element)
    assert.isNull(element.renderRoot.querySelector('.logo svg'))
    assert.equal(plain(logos[0]?.textContent ?? ''), 'U')
  })

  it('draws no badge for a network with the name of an object property', async () => {
    const {element} = await choosing()
    const [asset] = element.checkout?.assets ?? []
    const network = asset?.networks.find(({standard}) => standard)
    assert.exists(asset)
    assert.exists(network)
    const logo = document.createElement('div')
    render(drawIcon(asset, {...network, id: 'constructor'}), logo)
    assert.isNull(logo.querySelector('.badge'))
  })

  it('shows the networks of the only asset at once', async () => {
    const {element} = await choosing({sandbox: {catalogue: catalogue.slice(0, 1)}})
    assert.lengthOf(parts(element, 'network'), 2)
  })

  it('has no search field for eight assets or fewer', async () => {
    const {element} = await choosing({sandbox: {catalogue: catalogue.slice(0, 8)}})
    assert.lengthOf(parts(element, 'asset'), 8)
    assert.isNull(part(element, 'search'))
  })

  it('loads logos lazily, without referrer, over https only, and keeps the monogram for a broken one', async () => {
    const {fixture, element} = await choosing()
    assert.isNull(element.renderRoot.querySelector('img'))
    element.logos = 'remote'
    await fixture.quiet(element)
    const [image] = element.renderRoot.querySelectorAll('img')
    assert.isTrue(image?.src.startsWith('https://'))
    assert.equal(image?.getAttribute('loading'), 'lazy')
    assert.equal(image?.getAttribute('referrerpolicy'), 'no-referrer')
    assert.equal(image?.alt, '')
    const opacity = () => getComputedStyle(image ?? assert.fail()).opacity
    image?.dispatchEvent(new Event('error'))
    await element.updateComplete
    assert.equal(opacity(), '0')
    image?.dispatchEvent(new Event('load'))
    await element.updateComplete
    assert.equal(opacity(), '1')
    // A row is used again for another asset, whose picture has not come yet.
    await search(element, 'eth')
    assert.equal(opacity(), '0')
  })

  it('says why a quote failed, and retries the same pair on request', async () => {
    const {fixture, element} = await choosing()
    fixture.sandbox.fault('convert', {kind: 'wrongCurrency'})
    await fixture.press(element, '[data-asset="1027"]')
    assert.equal(element.phase, 'choosing')
    assert.include(textOf(element, 'notice'), 'activation_failed')
    fixture.sandbox.clearFaults()
    await fixture.press(element, 'retry')
    assert.equal(element.phase, 'paying')
  })

  it('shows the new status when a choice comes too late', async () => {
    const {fixture, chargeId, element} = await choosing()
    fixture.sandbox.cancel(chargeId)
    await fixture.clock.advance(1_100)
    await fixture.press(element, '[data-asset="1027"]')
    assert.equal(element.phase, 'cancelled')
  })
})

describe('loading the asset picker', () => {
  const never = {loadAssetPicker: () => Promise.reject(new Error('no network'))}

  it('happens in parallel with the first request', async () => {
    let isRequested = false
    const loadAssetPicker = () => {
      isRequested = true
      return browserEnvironment.loadAssetPicker()
    }
    const fixture = new Fixture({environment: {loadAssetPicker}})
    fixture.intercept = () => new Promise(() => {})
    await fixture.mount('c1')
    assert.isTrue(isRequested)
  })

  it('shows an error when it fails, and recovers when it succeeds', async () => {
    const fixture = new Fixture()
    const environment = {...fixture.element().environment, ...never}
    const element = await fixture.mount(await fixture.charge(), {environment})
    assert.equal(element.phase, 'unavailable')
    assert.include(textOf(element, 'notice'), 'load_failed')
    element.environment = fixture.element().environment
    await fixture.pass(2_000, element)
    assert.equal(element.phase, 'choosing')
    assert.isNotEmpty(parts(element, 'asset'))
  })

  it('does not delay a resumed quote, and is retried when the customer goes back', async () => {
    const fixture = new Fixture()
    const {chargeId} = await fixture.paying()
    const environment = {...fixture.element().environment, ...never}
    const element = await fixture.mount(chargeId, {environment})
    assert.equal(element.phase, 'paying')
    await fixture.press(element, 'back')
    assert.equal(textOf(element, 'status'), 'Choose how to pay')
    element.environment = fixture.element().environment
    await fixture.pass(2_500, element)
    assert.isNotEmpty(parts(element, 'asset'))
  })

  it('does not delay an alarm', async () => {
    const fixture = new Fixture()
    const {chargeId} = await fixture.paying()
    fixture.intercept = async (_, next) => {
      const checkout: Record<string, unknown> = await (await next()).json()
      return Response.json({...checkout, alert: 'address_mismatch', payable: false, quote: null})
    }
    const loadAssetPicker = () => new Promise<never>(() => {})
    const element = await fixture.mount(chargeId, {
      environment: {...fixture.element().environment, loadAssetPicker},
    })
    assert.equal(element.phase, 'unavailable')
    assert.isNotNull(part(element, 'alarm'))
  })
})

describe('keyboard navigation', () => {
  const at = (element: CryptoCheckout) => element.shadowRoot?.activeElement
  const key = (element: CryptoCheckout, name: string) => {
    const event = new KeyboardEvent('keydown', {key: name, bubbles: true, composed: true, cancelable: true})
    at(element)?.dispatchEvent(event)
    return event
  }
  const idOf = (control: Element | null | undefined) =>
    control instanceof HTMLElement ? (control.dataset['asset'] ?? control.dataset['network']) : null
  const id = (element: CryptoCheckout) => idOf(at(element))
  /** An element of a page by the keyboard alone, at the first row. */
  async function atList(fixture = new Fixture()) {
    const element = await fixture.mount(await fixture.charge())
    part(element, 'search')?.focus()
    key(element, 'ArrowDown')
    return {fixture, element}
  }

  it('moves from the search to the quote, and back', async () => {
    const {fixture, element} = await atList()
    part(element, 'search')?.focus()
    await search(element, 'usdc')
    key(element, 'ArrowDown')
    assert.equal(id(element), '3408')
    // What Enter and Space do to a button.
    await fixture.press(element, '[data-asset="3408"]')
    assert.equal(id(element), 'algorand')
    key(element, 'ArrowDown')
    assert.equal(id(element), 'bsc')
    await fixture.press(element, '[data-network="bsc"]')
    assert.equal(element.phase, 'paying')
    assert.isTrue(at(element) === part(element, 'status'))
    part(element, 'back')?.focus()
    await fixture.press(element, 'back')
    assert.equal(element.phase, 'choosing')
    assert.isTrue(at(element) === part(element, 'status'))
  })

  it('arrows, Home and End move the focus, also to the networks of an expanded asset, and never select', async () => {
    const {fixture, element} = await atList()
    const requestCount = fixture.requests.length
    const ids = parts(element, 'asset').map(control => control.dataset['asset'])
    assert.equal(id(element), ids[0])
    key(element, 'ArrowUp')
    assert.equal(id(element), ids[0])
    key(element, 'ArrowDown')
    assert.equal(id(element), ids[1])
    key(element, 'End')
    assert.equal(id(element), ids.at(-1))
    key(element, 'Home')
    await fixture.press(element, '[data-asset="825"]')
    assert.equal(id(element), 'bsc', 'Enter moves to the first network')
    key(element, 'ArrowDown')
    assert.equal(id(element), 'ethereum')
    assert.equal(element.phase, 'choosing')
    assert.lengthOf(fixture.requests, requestCount)
  })

  it('returns from a network to its asset with Escape and the arrow to the start', async () => {
    const {fixture, element} = await atList()
    for (const [locale, name] of [
      ['en', 'Escape'],
      ['en', 'ArrowLeft'],
      ['ar', 'ArrowRight'],
    ] as const) {
      element.locale = locale
      await fixture.quiet(element)
      if (part(element, 'network')) await fixture.press(element, '[data-asset="825"]')
      await fixture.press(element, '[data-asset="825"]')
      assert.equal(id(element), 'bsc')
      assert.isTrue(key(element, name).defaultPrevented)
      assert.equal(id(element), '825', name)
      assert.isFalse(key(element, name).defaultPrevented, 'on the asset a dialog may close')
    }
  })

  it('chooses the only result of a search with Enter, and none of several', async () => {
    const {fixture, element} = await atList()
    part(element, 'search')?.focus()
    await search(element, 'usd')
    assert.isFalse(key(element, 'Enter').defaultPrevented)
    await search(element, 'usdc')
    assert.isTrue(key(element, 'Enter').defaultPrevented)
    await fixture.quiet(element)
    assert.equal(id(element), 'algorand')
    part(element, 'search')?.focus()
    await search(element, 'cardano')
    key(element, 'Enter')
    await fixture.quiet(element)
    assert.equal(element.phase, 'paying')
    assert.equal(element.checkout?.quote?.asset, '2010')
  })

  it('keeps one tab stop in the list, at the last focused control, and one in the networks shown', async () => {
    const {fixture, element} = await atList()
    const stops = () =>
      [...element.renderRoot.querySelectorAll<HTMLElement>('[part=assets] button')].filter(
        control => control.tabIndex === 0,
      )
    assert.deepEqual(stops().map(idOf), [parts(element, 'asset')[0]].map(idOf))
    key(element, 'End')
    assert.deepEqual(stops().map(idOf), [parts(element, 'asset').at(-1)].map(idOf))
    await fixture.press(element, '[data-asset="825"]')
    assert.deepEqual(stops().map(idOf), ['825', 'bsc'], 'Tab leads from an open asset to its networks')
    await search(element, 'usdt')
    assert.deepEqual(stops().map(idOf), ['825', 'bsc'])
  })

  it('finds a symbol or name by typing, until a pause', async () => {
    const {fixture, element} = await atList()
    const type = (text: string) => [...text].map(letter => key(element, letter))
    type('eth')
    assert.equal(id(element), '1027')
    await fixture.pass(1_000, element)
    type('u')
    const [first] = [id(element)]
    type('u')
    assert.notEqual(id(element), first)
    assert.isTrue(textAt(element).startsWith('U'))
    await fixture.pass(1_000, element)
    assert.isTrue(type('usd c')[3]?.defaultPrevented, 'a space in the middle of a name chooses nothing')
    assert.equal(id(element), '3408')
    assert.equal(element.phase, 'choosing')
    await fixture.pass(1_000, element)
    assert.isFalse(key(element, ' ').defaultPrevented, 'a space chooses')
    assert.isFalse(key(element, 'Tab').defaultPrevented)
    assert.isFalse(key(element, 'Enter').defaultPrevented)
  })

  it('reaches disabled assets, so that screen readers read the reason', async () => {
    const fixture = new Fixture()
    const chargeId = await fixture.charge()
    fixture.sandbox.setDisabled('1027')
    const element = await fixture.mount(chargeId)
    part(element, 'asset')?.focus()
    key(element, 'End')
    assert.equal(id(element), '1027')
    assert.include(textAt(element), 'Not available')
  })

  it('clears the search on Escape, and does not handle Escape when it is empty', async () => {
    const {element} = await atList()
    const field = part(element, 'search')
    field?.focus()
    await search(element, 'usdc')
    assert.isTrue(key(element, 'Escape').defaultPrevented)
    await element.updateComplete
    assert.lengthOf(parts(element, 'asset'), 17)
    assert.isTrue(at(element) === field)
    assert.isFalse(key(element, 'Escape').defaultPrevented)
  })

  const textAt = (element: CryptoCheckout) =>
    at(element)?.querySelector('.name')?.parentElement?.innerText.replace(/^\S\n/, '') ?? ''
})

describe('the last used pair', () => {
  it('is offered apart from the list, and takes one click', async () => {
    const fixture = new Fixture()
    const first = await fixture.mount(await fixture.charge())
    assert.isFalse(!!part(first, 'last-used'))
    await fixture.press(first, '[data-asset="825"]')
    await fixture.press(first, '[data-network="bsc"]')
    assert.equal(fixture.lastPair, '825 bsc')
    const element = await fixture.mount(await fixture.charge())
    const row = part(element, 'last-used')
    assert.isFalse(part(element, 'assets')?.contains(row))
    for (const text of ['USDT', 'BNB Smart Chain, BEP-20', 'Last used'])
      assert.include(row?.textContent, text)
    await expect(element).to.be.accessible()
    await fixture.press(element, 'last-used')
    assert.equal(element.phase, 'paying')
    assert.equal(element.checkout?.quote?.network, 'bsc')
  })

  it('is not offered while disabled or during a search', async () => {
    const fixture = new Fixture()
    fixture.lastPair = '825 bsc'
    const chargeId = await fixture.charge()
    const element = await fixture.mount(chargeId)
    await search(element, 'u')
    assert.isFalse(!!part(element, 'last-used'))
    fixture.sandbox.setDisabled('825', 'bsc')
    assert.isFalse(!!part(await fixture.mount(await fixture.charge()), 'last-used'))
  })

  it('is neither stored nor offered with the attribute forget', async () => {
    const fixture = new Fixture()
    fixture.lastPair = '825 bsc'
    const element = await fixture.mount(await fixture.charge(), {forget: true})
    assert.isFalse(!!part(element, 'last-used'))
    await fixture.press(element, '[data-asset="1027"]')
    assert.equal(fixture.lastPair, '825 bsc')
    await fixture.press(element, 'back')
    assert.isFalse(!!part(element, 'last-used'))
  })

  it('is stored without the charge id, and a browser without storage causes no error', () => {
    browserEnvironment.saveLastPair('825 bsc')
    assert.equal(browserEnvironment.loadLastPair(), '825 bsc')
    assert.deepEqual(Object.keys(localStorage), ['crypto-checkout:last'])
    localStorage.clear()
    const refuse = () => {
      throw new DOMException('no', 'SecurityError')
    }
    replaceUntilEnd(Storage.prototype, {getItem: refuse, setItem: refuse})
    browserEnvironment.saveLastPair('1027 ethereum')
    assert.isNull(browserEnvironment.loadLastPair())
  })
})

describe('going back from an address', () => {
  it('says what will be seen of money already sent, and offers the same again', async () => {
    const {fixture, element} = await choosing()
    assert.notInclude(textOf(element), en.sentHint)
    await fixture.press(element, '[data-asset="1027"]')
    const address = textOf(element, 'address')
    await fixture.press(element, 'back')
    assert.include(textOf(element), en.sentHint)
    assert.notInclude(element.shadowRoot?.innerHTML, address)
    await fixture.press(element, 'last-used')
    assert.equal(textOf(element, 'address'), address)
  })
})

describe('preselection', () => {
  it('also applies when the attributes are set while the customer is choosing', async () => {
    const {fixture, element} = await choosing()
    element.setAttribute('asset', 'USDC')
    await fixture.quiet(element)
    assert.lengthOf(parts(element, 'network'), 3)
    // A framework may set several attributes at once.
    Object.assign(element, {network: 'bsc', token: 'unused'})
    await fixture.quiet(element)
    assert.equal(element.phase, 'paying')
    element.asset = 'ETH'
    await fixture.quiet(element)
    assert.equal(element.checkout?.quote?.asset, '3408', 'an address on screen stays')
  })

  it('shows the networks when only the asset is given', async () => {
    const {element} = await choosing({}, {asset: 'USDC'})
    assert.equal(element.phase, 'choosing')
    assert.lengthOf(parts(element, 'network'), 3)
  })

  it('ignores what is unknown or disabled, with a warning', async () => {
    const warnings: string[] = []
    replaceUntilEnd(console, {warn: (...texts: unknown[]) => warnings.push(texts.join(' '))})
    const fixture = new Fixture()
    fixture.sandbox.setDisabled('825')
    for (const pair of [{asset: 'USDT', network: 'bsc'}, {asset: 'doge'}]) {
      const element = await fixture.mount(await fixture.charge(), pair)
      assert.equal(element.phase, 'choosing')
    }
    assert.lengthOf(warnings, 2)
    assert.include(warnings[1], 'doge')
  })

  it('does not run again after the customer went back', async () => {
    const {fixture, element} = await paying()
    press(element, 'back')
    await fixture.pass(30_000, element)
    assert.equal(element.phase, 'choosing')
  })
})

/** As typing does. */
async function search(element: CryptoCheckout, text: string): Promise<void> {
  const field = part(element, 'search')
  if (!(field instanceof HTMLInputElement)) throw new Error('nothing to search with')
  field.value = text
  field.dispatchEvent(new InputEvent('input', {bubbles: true}))
  await element.updateComplete
}
