import {assert, expect} from '@open-wc/testing'
import {catalogue} from '../../src/sandbox/catalogue.js'
import {settle} from '../held-clock.js'
import {part, parts, press, Shop, textOf} from './shop.js'

describe('choosing', () => {
  it('is accessible, with assets, with networks, while quoting, and after a refusal', async () => {
    const shop = new Shop()
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
    const shop = new Shop()
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
    const shop = new Shop()
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
    const shop = new Shop()
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
    const shop = new Shop()
    const element = await shop.mount(await shop.charge())
    press(element, '[data-asset="825"]')
    await element.updateComplete
    press(element, '[data-asset="825"]')
    await element.updateComplete
    assert.lengthOf(parts(element, 'network'), 0)
  })

  it('says what tells tokens apart: standard, other people’s coins, age, speed', async () => {
    const shop = new Shop()
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

  it('shows disabled assets and networks, but lets nobody choose them', async () => {
    const shop = new Shop()
    const chargeId = await shop.charge()
    shop.sandbox.setDisabled('1027')
    shop.sandbox.setDisabled('825', 'bsc')
    shop.sandbox.setDisabled('3408', 'bsc')
    const element = await shop.mount(chargeId)
    const eth = element.renderRoot.querySelector<HTMLButtonElement>('[data-asset="1027"]')
    assert.isTrue(eth?.disabled)
    assert.include(eth?.textContent, 'Not available')
    press(element, '[data-asset="3408"]')
    await element.updateComplete
    assert.isTrue(element.renderRoot.querySelector<HTMLButtonElement>('[data-network="bsc"]')?.disabled)
    press(element, '[data-asset="825"]')
    await shop.quiet(element)
    assert.equal(element.checkout?.quote?.network, 'ethereum')
  })

  it('has a search field when there are more than eight assets, and finds by symbol, name and network', async () => {
    const shop = new Shop()
    const element = await shop.mount(await shop.charge())
    const field = part(element, 'search')
    assert.instanceOf(field, HTMLInputElement)
    const find = async (text: string) => {
      if (!(field instanceof HTMLInputElement)) return []
      field.value = text
      field.dispatchEvent(new InputEvent('input', {bubbles: true}))
      await element.updateComplete
      return parts(element, 'asset').map(control => control.dataset['asset'])
    }
    assert.deepEqual(await find('tether'), ['825'])
    assert.deepEqual(await find('algorand'), ['3408', '4030'])
    assert.deepEqual(await find('no such coin'), [])
    assert.include(textOf(element), 'Nothing found')
    assert.lengthOf(await find(''), 17)
  })

  it('has none when there are eight or fewer', async () => {
    const shop = new Shop({sandbox: {catalogue: catalogue.slice(0, 8)}})
    const element = await shop.mount(await shop.charge())
    assert.lengthOf(parts(element, 'asset'), 8)
    assert.isNull(part(element, 'search'))
  })

  it('draws logos lazily, without referrer, over https only; a broken one leaves its monogram', async () => {
    const shop = new Shop()
    const element = await shop.mount(await shop.charge())
    assert.isNull(element.renderRoot.querySelector('img'))
    element.logos = 'remote'
    await element.updateComplete
    const [image] = element.renderRoot.querySelectorAll('img')
    assert.isTrue(image?.src.startsWith('https://'))
    assert.equal(image?.getAttribute('loading'), 'lazy')
    assert.equal(image?.getAttribute('referrerpolicy'), 'no-referrer')
    assert.equal(image?.alt, '')
    const source = image?.src
    image?.dispatchEvent(new Event('error'))
    await element.updateComplete
    assert.isNull(element.renderRoot.querySelector(`img[src="${source}"]`))
  })

  it('the last choice wins: a slow answer to an earlier one never shows', async () => {
    const shop = new Shop()
    const element = await shop.mount(await shop.charge())
    let releaseFirst = () => {}
    shop.between = async (request, next) => {
      const isFirst = request.method === 'POST' && (await request.clone().text()).includes('"1027"')
      if (isFirst) await new Promise<void>(resolve => (releaseFirst = resolve))
      return next()
    }
    press(element, '[data-asset="1027"]')
    await element.updateComplete
    await settle()
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
    const shop = new Shop()
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
    const shop = new Shop()
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
    const shop = new Shop()
    const chargeId = await shop.charge()
    const element = await shop.mount(chargeId)
    shop.sandbox.cancel(chargeId)
    await shop.clock.advance(1_100)
    press(element, '[data-asset="1027"]')
    await shop.quiet(element)
    assert.equal(element.phase, 'cancelled')
  })
})

describe('preselection', () => {
  it('quotes without a click when asset and network are given and open', async () => {
    for (const [asset, network] of [
      ['825', 'bsc'],
      ['usdt', 'BNB smart chain'],
      ['Tether USD', 'BSC'],
    ]) {
      const shop = new Shop()
      const element = await shop.mount(await shop.charge(), {asset: asset ?? '', network: network ?? ''})
      assert.equal(element.phase, 'paying')
      assert.equal(element.checkout?.quote?.network, 'bsc')
    }
  })

  it('shows the networks when only the asset is given', async () => {
    const shop = new Shop()
    const element = await shop.mount(await shop.charge(), {asset: 'USDC'})
    assert.equal(element.phase, 'choosing')
    assert.lengthOf(parts(element, 'network'), 3)
  })

  it('ignores what is unknown or disabled, with a warning', async () => {
    const warnings: unknown[] = []
    const warn = console.warn
    console.warn = (...texts: unknown[]) => warnings.push(texts.join(' '))
    try {
      const shop = new Shop()
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
    const shop = new Shop()
    const {element} = await shop.paying()
    press(element, 'back')
    await shop.pass(30_000, element)
    assert.equal(element.phase, 'choosing')
  })
})
