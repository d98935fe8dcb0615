import {assert, expect} from '@open-wc/testing'
import {catalogue} from '../../src/sandbox/catalogue.js'
import {browserEnvironment} from '../../src/element/browser-environment.js'
import type {CryptoCheckout} from '../../src/index.js'
import {flushPromises} from '../fake-clock.js'
import {part, parts, plain, press, Fixture, textOf} from './fixture.js'

describe('choosing', () => {
  it('is accessible, with assets, with networks, while quoting, and after a refusal', async () => {
    const shop = new Fixture()
    const element = await shop.mount(await shop.charge())
    assert.equal(element.phase, 'choosing')
    await expect(element).to.be.accessible()
    press(element, '[data-asset="825"]')
    await shop.quiet(element)
    await expect(element).to.be.accessible()
    shop.between = () => new Promise(() => {})
    press(element, '[data-network="bsc"]')
    await element.updateComplete
    assert.equal(element.phase, 'quoting')
    await expect(element).to.be.accessible()
    press(element, 'back')
    shop.between = () => Promise.reject(new Error('down'))
    press(element, '[data-asset="1027"]')
    await shop.quiet(element)
    assert.equal(element.phase, 'choosing')
    await expect(element).to.be.accessible()
  })

  it('offers every asset and network of the service by its id, featured ones first', async () => {
    const shop = new Fixture()
    const element = await shop.mount(await shop.charge())
    const ids = parts(element, 'asset').map(control => control.dataset['asset'])
    assert.sameMembers(
      ids,
      catalogue.map(asset => asset.convertId),
    )
    const featured = element.checkout?.assets.filter(asset => asset.featured).map(({id}) => id) ?? []
    assert.isNotEmpty(featured)
    assert.deepEqual(ids.slice(0, featured.length), featured)
    for (const asset of element.checkout?.assets ?? []) {
      if (asset.networks.length < 2) continue
      press(element, `[data-asset="${asset.id}"]`)
      await shop.quiet(element)
      assert.deepEqual(
        parts(element, 'network').map(control => control.dataset['network']),
        asset.networks.map(({id}) => id),
      )
    }
  })

  it('receives no address before anything was chosen', async () => {
    const shop = new Fixture()
    const chargeId = await shop.charge()
    const element = await shop.mount(chargeId)
    const addresses = shop.sandbox
      .charge(chargeId)
      ?.cryptoCharges.flatMap(
        ({cryptoCharge}) => JSON.stringify(cryptoCharge).match(/0x[0-9a-f]{40}/gi) ?? [],
      )
    assert.isNotEmpty(addresses)
    const known = JSON.stringify(element.checkout) + (element.shadowRoot?.innerHTML ?? '')
    for (const address of addresses ?? []) assert.notInclude(known.toLowerCase(), address.toLowerCase())
  })

  it('quotes at once when an asset has one open network, and shows the networks otherwise', async () => {
    const shop = new Fixture()
    const element = await shop.mount(await shop.charge())
    press(element, '[data-asset="825"]')
    await shop.quiet(element)
    assert.equal(element.phase, 'choosing')
    assert.equal(part(element, 'asset')?.getAttribute('aria-expanded'), 'true')
    assert.lengthOf(parts(element, 'network'), 2)
    press(element, '[data-asset="1027"]')
    await shop.quiet(element)
    assert.equal(element.phase, 'paying')
  })

  it('closes the networks when the same asset is pressed again', async () => {
    const shop = new Fixture()
    const element = await shop.mount(await shop.charge())
    press(element, '[data-asset="825"]')
    await element.updateComplete
    press(element, '[data-asset="825"]')
    await element.updateComplete
    assert.lengthOf(parts(element, 'network'), 0)
  })

  it('says what tells tokens apart: standard, other people’s coins, age, speed', async () => {
    const shop = new Fixture()
    const element = await shop.mount(await shop.charge())
    press(element, '[data-asset="3408"]')
    await shop.quiet(element)
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

  it('shows disabled assets and networks and says why, but lets nobody choose them', async () => {
    const shop = new Fixture()
    const chargeId = await shop.charge()
    shop.sandbox.setDisabled('1027')
    shop.sandbox.setDisabled('825', 'bsc')
    shop.sandbox.setDisabled('3408', 'bsc')
    const element = await shop.mount(chargeId)
    const asked = shop.requests.length
    const eth = element.renderRoot.querySelector<HTMLButtonElement>('[data-asset="1027"]')
    assert.equal(eth?.getAttribute('aria-disabled'), 'true')
    assert.include(eth?.textContent, 'Not available')
    press(element, '[data-asset="1027"]')
    press(element, '[data-asset="3408"]')
    await element.updateComplete
    const bsc = element.renderRoot.querySelector<HTMLButtonElement>('[data-network="bsc"]')
    assert.equal(bsc?.getAttribute('aria-disabled'), 'true')
    assert.include(bsc?.textContent, 'Not available')
    await expect(element).to.be.accessible()
    press(element, '[data-network="bsc"]')
    await shop.quiet(element)
    assert.lengthOf(shop.requests, asked)
    assert.equal(element.phase, 'choosing')
    const usdt = element.renderRoot.querySelector<HTMLElement>('[data-asset="825"]')
    assert.include(plain(usdt?.textContent ?? ''), 'Ethereum, ERC-20', 'what is chosen at once is named')
    press(element, '[data-asset="825"]')
    await shop.quiet(element)
    assert.equal(element.checkout?.quote?.network, 'ethereum')
  })

  it('has a search field when there are more than eight assets, and finds by symbol, name and network', async () => {
    const shop = new Fixture()
    const element = await shop.mount(await shop.charge())
    const find = async (text: string) => {
      search(element, text)
      await element.updateComplete
      return parts(element, 'asset').map(control => control.dataset['asset'])
    }
    assert.deepEqual(await find('tether'), ['825'])
    assert.deepEqual(await find('algorand'), ['3408', '4030'])
    assert.equal((await find('eth'))[0], '1027')
    assert.deepEqual(await find('no such coin'), [])
    assert.include(textOf(element), 'Nothing found')
    assert.lengthOf(await find(''), 17)
  })

  it('has none when there are eight or fewer', async () => {
    const shop = new Fixture({sandbox: {catalogue: catalogue.slice(0, 8)}})
    const element = await shop.mount(await shop.charge())
    assert.lengthOf(parts(element, 'asset'), 8)
    assert.isNull(part(element, 'search'))
  })

  it('draws logos lazily, without referrer, over https only; a broken one leaves its monogram', async () => {
    const shop = new Fixture()
    const element = await shop.mount(await shop.charge())
    assert.isNull(element.renderRoot.querySelector('img'))
    element.logos = 'remote'
    await element.updateComplete
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
    search(element, 'eth')
    await element.updateComplete
    assert.equal(opacity(), '0')
  })

  it('the last choice wins: a slow answer to an earlier one never shows', async () => {
    const shop = new Fixture()
    const element = await shop.mount(await shop.charge())
    let releaseFirst = () => {}
    shop.between = async (request, next) => {
      const isFirst = request.method === 'POST' && (await request.clone().text()).includes('"1027"')
      if (isFirst) await new Promise<void>(resolve => (releaseFirst = resolve))
      return next()
    }
    press(element, '[data-asset="1027"]')
    await element.updateComplete
    await flushPromises()
    assert.equal(element.phase, 'quoting')
    press(element, '[data-asset="1839"]')
    await shop.quiet(element)
    assert.equal(element.phase, 'paying')
    const shown = textOf(element, 'address')
    releaseFirst()
    await shop.pass(4_000, element)
    assert.equal(textOf(element, 'address'), shown)
    assert.include(textOf(element), 'BNB Smart Chain')
  })

  it('can be left while quoting, and then shows nothing that arrives late', async () => {
    const shop = new Fixture()
    const element = await shop.mount(await shop.charge())
    let release = () => {}
    shop.between = (_, next) => new Promise<void>(resolve => (release = resolve)).then(next)
    press(element, '[data-asset="1027"]')
    await element.updateComplete
    press(element, 'back')
    assert.equal(element.phase, 'choosing')
    shop.between = (_, next) => next()
    release()
    await shop.pass(10_000, element)
    assert.equal(element.phase, 'choosing')
    assert.isNull(part(element, 'address'))
  })

  it('says why a choice came to nothing, and tries the same again when asked', async () => {
    const shop = new Fixture()
    const element = await shop.mount(await shop.charge())
    shop.sandbox.fault('convert', {kind: 'wrongCurrency'})
    press(element, '[data-asset="1027"]')
    await shop.quiet(element)
    assert.equal(element.phase, 'choosing')
    assert.include(textOf(element, 'notice'), 'activation_failed')
    shop.sandbox.clearFaults()
    press(element, 'retry')
    await shop.quiet(element)
    assert.equal(element.phase, 'paying')
  })

  it('takes the news along when a choice comes too late', async () => {
    const shop = new Fixture()
    const chargeId = await shop.charge()
    const element = await shop.mount(chargeId)
    shop.sandbox.cancel(chargeId)
    await shop.clock.advance(1_100)
    press(element, '[data-asset="1027"]')
    await shop.quiet(element)
    assert.equal(element.phase, 'cancelled')
  })
})

describe('what one chooses from', () => {
  const never = {loadAssetPicker: () => Promise.reject(new Error('no network'))}

  it('is on its way while the proxy is asked', async () => {
    let isOnItsWay = false
    const loadAssetPicker = () => {
      isOnItsWay = true
      return browserEnvironment.loadAssetPicker()
    }
    const shop = new Fixture({environment: {loadAssetPicker}})
    shop.between = () => new Promise(() => {})
    await shop.mount('c1')
    assert.isTrue(isOnItsWay)
  })

  it('is said to be missing when it cannot be loaded, and is there when it can', async () => {
    const shop = new Fixture()
    const environment = {...shop.element().environment, ...never}
    const element = await shop.mount(await shop.charge(), {environment: environment})
    assert.equal(element.phase, 'unavailable')
    assert.include(textOf(element, 'notice'), 'load_failed')
    element.environment = shop.element().environment
    await shop.pass(2_000, element)
    assert.equal(element.phase, 'choosing')
    assert.isNotEmpty(parts(element, 'asset'))
  })

  it('is not waited for by those who have an address on screen, and comes when they want it', async () => {
    const shop = new Fixture()
    const {chargeId} = await shop.paying()
    const environment = {...shop.element().environment, ...never}
    const element = await shop.mount(chargeId, {environment: environment})
    assert.equal(element.phase, 'paying')
    press(element, 'back')
    await shop.quiet(element)
    assert.equal(textOf(element, 'status'), 'Choose how to pay')
    element.environment = shop.element().environment
    await shop.pass(2_500, element)
    assert.isNotEmpty(parts(element, 'asset'))
  })

  it('does not keep an alarm back', async () => {
    const shop = new Fixture()
    const {chargeId} = await shop.paying()
    shop.between = async (_, next) => {
      const checkout: Record<string, unknown> = await (await next()).json()
      return Response.json({...checkout, alert: 'address_mismatch', payable: false, quote: null})
    }
    const loadAssetPicker = () => new Promise<never>(() => {})
    const element = await shop.mount(chargeId, {
      environment: {...shop.element().environment, loadAssetPicker},
    })
    assert.equal(element.phase, 'unavailable')
    assert.isNotNull(part(element, 'alarm'))
  })
})

describe('the keyboard', () => {
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
  async function atList(shop = new Fixture()) {
    const element = await shop.mount(await shop.charge())
    part(element, 'search')?.focus()
    key(element, 'ArrowDown')
    return {shop, element}
  }

  it('leads from the search to the quote, and back', async () => {
    const {shop, element} = await atList()
    part(element, 'search')?.focus()
    search(element, 'usdc')
    await element.updateComplete
    key(element, 'ArrowDown')
    assert.equal(id(element), '3408')
    // What Enter and Space do to a button.
    press(element, '[data-asset="3408"]')
    await shop.quiet(element)
    assert.equal(id(element), '3408')
    key(element, 'ArrowDown')
    key(element, 'ArrowDown')
    assert.equal(id(element), 'bsc')
    press(element, '[data-network="bsc"]')
    await shop.quiet(element)
    assert.equal(element.phase, 'paying')
    assert.isTrue(at(element) === part(element, 'status'))
    part(element, 'back')?.focus()
    press(element, 'back')
    await shop.quiet(element)
    assert.equal(element.phase, 'choosing')
    assert.isTrue(at(element) === part(element, 'status'))
  })

  it('moves by arrows, Home and End, to the networks of an open asset too, and never chooses by moving', async () => {
    const {shop, element} = await atList()
    const asked = shop.requests.length
    const ids = parts(element, 'asset').map(control => control.dataset['asset'])
    assert.equal(id(element), ids[0])
    key(element, 'ArrowUp')
    assert.equal(id(element), ids[0])
    key(element, 'ArrowDown')
    assert.equal(id(element), ids[1])
    key(element, 'End')
    assert.equal(id(element), ids.at(-1))
    key(element, 'Home')
    press(element, '[data-asset="825"]')
    await element.updateComplete
    assert.equal(id(element), '825')
    key(element, 'ArrowDown')
    assert.equal(id(element), 'bsc')
    assert.equal(element.phase, 'choosing')
    assert.lengthOf(shop.requests, asked)
  })

  it('has one stop for Tab in the whole list, where one was last', async () => {
    const {element} = await atList()
    const stops = () =>
      [...element.renderRoot.querySelectorAll<HTMLElement>('[part=assets] button')].filter(
        control => control.tabIndex === 0,
      )
    assert.deepEqual(stops().map(idOf), [parts(element, 'asset')[0]].map(idOf))
    key(element, 'End')
    assert.deepEqual(stops().map(idOf), [parts(element, 'asset').at(-1)].map(idOf))
    press(element, '[data-asset="825"]')
    await element.updateComplete
    assert.lengthOf(stops(), 1)
    search(element, 'usdt')
    await element.updateComplete
    assert.deepEqual(stops().map(idOf), [parts(element, 'asset')[0]].map(idOf))
  })

  it('finds by typing a symbol or a name, letter after letter, until one pauses', async () => {
    const {shop, element} = await atList()
    const type = (text: string) => [...text].map(letter => key(element, letter))
    type('eth')
    assert.equal(id(element), '1027')
    await shop.pass(1_000, element)
    type('u')
    const [first] = [id(element)]
    type('u')
    assert.notEqual(id(element), first)
    assert.isTrue(textAt(element).startsWith('U'))
    await shop.pass(1_000, element)
    assert.isTrue(type('usd c')[3]?.defaultPrevented, 'a space in the middle of a name chooses nothing')
    assert.equal(id(element), '3408')
    assert.equal(element.phase, 'choosing')
    await shop.pass(1_000, element)
    assert.isFalse(key(element, ' ').defaultPrevented, 'a space chooses')
    assert.isFalse(key(element, 'Tab').defaultPrevented)
    assert.isFalse(key(element, 'Enter').defaultPrevented)
  })

  it('reaches what is not available, so that it can be heard why', async () => {
    const shop = new Fixture()
    const chargeId = await shop.charge()
    shop.sandbox.setDisabled('1027')
    const element = await shop.mount(chargeId)
    part(element, 'asset')?.focus()
    key(element, 'End')
    assert.equal(id(element), '1027')
    assert.include(textAt(element), 'Not available')
  })

  it('clears the search by Escape, and leaves an empty one alone', async () => {
    const {element} = await atList()
    const field = part(element, 'search')
    field?.focus()
    search(element, 'usdc')
    await element.updateComplete
    assert.isTrue(key(element, 'Escape').defaultPrevented)
    await element.updateComplete
    assert.lengthOf(parts(element, 'asset'), 17)
    assert.isTrue(at(element) === field)
    assert.isFalse(key(element, 'Escape').defaultPrevented)
  })

  const textAt = (element: CryptoCheckout) =>
    at(element)?.querySelector('.name')?.parentElement?.innerText.replace(/^\S\n/, '') ?? ''
})

describe('the last choice', () => {
  it('is offered as the first row, and takes one click', async () => {
    const shop = new Fixture()
    const first = await shop.mount(await shop.charge())
    assert.isFalse(!!part(first, 'last-used'))
    press(first, '[data-asset="825"]')
    await shop.quiet(first)
    press(first, '[data-network="bsc"]')
    await shop.quiet(first)
    assert.equal(shop.kept, '825 bsc')
    const element = await shop.mount(await shop.charge())
    const row = part(element, 'assets')?.querySelector('button')
    assert.isTrue(row === part(element, 'last-used'))
    for (const text of ['USDT', 'BNB Smart Chain, BEP-20', 'Last used'])
      assert.include(row?.textContent, text)
    await expect(element).to.be.accessible()
    press(element, 'last-used')
    await shop.quiet(element)
    assert.equal(element.phase, 'paying')
    assert.equal(element.checkout?.quote?.network, 'bsc')
  })

  it('is not offered while it is not available, while one searches, or when it means nothing', async () => {
    const shop = new Fixture()
    shop.kept = '825 bsc'
    const chargeId = await shop.charge()
    const element = await shop.mount(chargeId)
    search(element, 'u')
    await element.updateComplete
    assert.isFalse(!!part(element, 'last-used'))
    shop.sandbox.setDisabled('825', 'bsc')
    assert.isFalse(!!part(await shop.mount(await shop.charge()), 'last-used'))
    shop.kept = '[nonsense'
    assert.isFalse(!!part(await shop.mount(await shop.charge()), 'last-used'))
  })

  it('is neither kept nor offered where the page forbids it', async () => {
    const shop = new Fixture()
    shop.kept = '825 bsc'
    const element = await shop.mount(await shop.charge(), {forget: true})
    assert.isFalse(!!part(element, 'last-used'))
    press(element, '[data-asset="1027"]')
    await shop.quiet(element)
    assert.equal(shop.kept, '825 bsc')
  })

  it('is kept in the browser without the charge; a browser that refuses to keep anything breaks nothing', () => {
    browserEnvironment.saveLastPair('825 bsc')
    assert.equal(browserEnvironment.loadLastPair(), '825 bsc')
    assert.deepEqual(Object.keys(localStorage), ['crypto-checkout:last'])
    const {getItem, setItem} = Storage.prototype
    const refuse = () => {
      throw new DOMException('no', 'SecurityError')
    }
    Object.assign(Storage.prototype, {getItem: refuse, setItem: refuse})
    try {
      browserEnvironment.saveLastPair('1027 ethereum')
      assert.isNull(browserEnvironment.loadLastPair())
    } finally {
      Object.assign(Storage.prototype, {getItem, setItem})
      localStorage.clear()
    }
  })
})

describe('going back from an address', () => {
  it('says that the address still works, and offers the same again', async () => {
    const shop = new Fixture()
    const {element} = await shop.paying()
    const address = textOf(element, 'address')
    press(element, 'back')
    await shop.quiet(element)
    assert.include(textOf(element), 'The address that you saw still works')
    await expect(element).to.be.accessible()
    press(element, 'last-used')
    await shop.quiet(element)
    assert.equal(textOf(element, 'address'), address)
  })

  it('says nothing of an address to those who have seen none', async () => {
    const shop = new Fixture()
    const element = await shop.mount(await shop.charge())
    assert.notInclude(textOf(element), 'still works')
  })
})

describe('one asset alone', () => {
  it('shows its networks at once', async () => {
    const shop = new Fixture({sandbox: {catalogue: catalogue.slice(0, 1)}})
    const element = await shop.mount(await shop.charge())
    assert.lengthOf(parts(element, 'network'), 2)
  })
})

describe('preselection', () => {
  it('quotes without a click when asset and network are given and open', async () => {
    for (const [asset, network] of [
      ['825', 'bsc'],
      ['usdt', 'BNB smart chain'],
      ['Tether USD', 'BSC'],
    ]) {
      const shop = new Fixture()
      const element = await shop.mount(await shop.charge(), {asset: asset ?? '', network: network ?? ''})
      assert.equal(element.phase, 'paying')
      assert.equal(element.checkout?.quote?.network, 'bsc')
    }
  })

  it('shows the networks when only the asset is given', async () => {
    const shop = new Fixture()
    const element = await shop.mount(await shop.charge(), {asset: 'USDC'})
    assert.equal(element.phase, 'choosing')
    assert.lengthOf(parts(element, 'network'), 3)
  })

  it('ignores what is unknown or disabled, with a warning', async () => {
    const warnings: unknown[] = []
    const warn = console.warn
    console.warn = (...texts: unknown[]) => warnings.push(texts.join(' '))
    try {
      const shop = new Fixture()
      shop.sandbox.setDisabled('825')
      const element = await shop.mount(await shop.charge(), {asset: 'USDT', network: 'bsc'})
      assert.equal(element.phase, 'choosing')
      const other = await shop.mount(await shop.charge(), {asset: 'doge'})
      assert.equal(other.phase, 'choosing')
    } finally {
      console.warn = warn
    }
    assert.lengthOf(warnings, 2)
    assert.include(warnings[1], 'doge')
  })

  it('does not begin again after the customer went back', async () => {
    const shop = new Fixture()
    const {element} = await shop.paying()
    press(element, 'back')
    await shop.pass(30_000, element)
    assert.equal(element.phase, 'choosing')
  })
})

/** As typing does. */
function search(element: CryptoCheckout, text: string): void {
  const field = part(element, 'search')
  if (!(field instanceof HTMLInputElement)) throw new Error('nothing to search with')
  field.value = text
  field.dispatchEvent(new InputEvent('input', {bubbles: true}))
}
