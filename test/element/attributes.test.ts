import {assert, expect} from '@open-wc/testing'
import {formatMoney} from '../../src/element/i18n/format-money.js'
import {isSafeRedirect} from '../../src/element/payment/safe-redirect.js'
import {part, container, press, Fixture, textOf} from './fixture.js'

describe('attributes', () => {
  it('are read from markup, and set before the element is known to the page', async () => {
    const shop = new Fixture()
    const chargeId = await shop.charge()
    container().insertAdjacentHTML(
      'beforeend',
      `<crypto-checkout charge-id="${chargeId}" logos="none" asset="usdt" network="bsc"><a href="/help">Pay here</a></crypto-checkout>`,
    )
    const element = container().querySelector('crypto-checkout') ?? assert.fail()
    Object.assign(element, {fetch: shop.fetch, environment: shop.element().environment})
    await shop.quiet(element)
    assert.equal(element.phase, 'paying')
    assert.equal(element.endpoint, '/crypto-checkout')
  })

  it('take effect when they were set on an element that was defined later', async () => {
    const shop = new Fixture()
    const element = document.createElement('crypto-checkout-later')
    Object.assign(element, {
      chargeId: await shop.charge(),
      fetch: shop.fetch,
      logos: 'none',
      environment: shop.element().environment,
    })
    container().append(element)
    customElements.define(
      'crypto-checkout-later',
      class extends (customElements.get('crypto-checkout') ?? assert.fail()) {},
    )
    await shop.clock.advance(0)
    for (let turns = 0; turns < 30; turns++) await shop.clock.advance(0)
    assert.equal(element.getAttribute('phase'), 'choosing')
  })

  it('fall back when they make no sense', async () => {
    const shop = new Fixture()
    const {element} = await shop.paying()
    for (const [name, value] of [
      ['theme', 'pink'],
      ['qr', 'nonsense'],
      ['logos', ''],
      ['locale', 'not a locale!'],
      ['locale', 'xx-invalid-'],
    ])
      element.setAttribute(name ?? '', value ?? '')
    element.removeAttribute('endpoint')
    await element.updateComplete
    assert.equal(element.phase, 'paying')
    assert.equal(textOf(element, 'price'), '$100.00')
    assert.include(part(element, 'qr')?.getAttribute('aria-label'), 'QR code of the address')
  })

  it('phase is read only', async () => {
    const shop = new Fixture()
    const element = await shop.mount(await shop.charge())
    assert.throws(() => Object.assign(element, {phase: 'paid'}), TypeError)
    assert.throws(() => Object.assign(element, {checkout: null}), TypeError)
  })

  it('show what a light or dark theme should look like, whatever the system’s is', async () => {
    const shop = new Fixture()
    const element = await shop.mount(await shop.charge(), {theme: 'dark'})
    const background = () => {
      const base = part(element, 'base')
      return base ? getComputedStyle(base).backgroundColor : ''
    }
    assert.equal(background(), 'rgb(22, 25, 31)')
    await expect(element).to.be.accessible()
    element.theme = 'light'
    await element.updateComplete
    assert.equal(element.getAttribute('theme'), 'light')
    assert.equal(background(), 'rgb(255, 255, 255)')
    element.style.setProperty('--checkout-surface', 'rgb(250, 240, 230)')
    assert.equal(background(), 'rgb(250, 240, 230)')
  })

  it('have text of the size that the browser is set to, or the shop’s own, whatever the page has made of rem', async () => {
    const root = document.documentElement.style
    root.fontSize = '62.5%'
    try {
      const shop = new Fixture()
      const {element} = await shop.paying()
      const sizes = () =>
        ['base', 'status', 'address', 'test-badge', 'countdown'].map(name =>
          parseFloat(getComputedStyle(part(element, name) ?? container()).fontSize),
        )
      assert.deepEqual(sizes(), [16, 20, 17, 13, 15])
      element.style.setProperty('--checkout-font-size', '32px')
      assert.deepEqual(sizes(), [32, 40, 34, 26, 30])
    } finally {
      root.fontSize = ''
    }
  })

  it('show a badge while no real money moves', async () => {
    const shop = new Fixture()
    const chargeId = await shop.charge()
    assert.exists(part(await shop.mount(chargeId), 'test-badge'))
    shop.between = async (_, next) => Response.json({...(await (await next()).json()), test: false})
    assert.isNull(part(await shop.mount(chargeId), 'test-badge'))
  })

  it('light children are there only until the element is; header, footer and paid have their places', async () => {
    const shop = new Fixture()
    const element = shop.element({chargeId: await shop.charge(), asset: '825', network: 'bsc'})
    element.innerHTML =
      '<p>Please switch scripts on</p><p slot="header">My shop</p><p slot="footer">Help</p><p slot="paid">Thanks!</p>'
    container().append(element)
    await shop.quiet(element)
    const shown = () =>
      [...element.children].filter(child => child.assignedSlot).map(child => child.textContent)
    assert.deepEqual(shown(), ['My shop', 'Help'])
    await expect(element).to.be.accessible()
    shop.sandbox.pay(element.chargeId ?? '', {asset: '825', network: 'bsc'})
    await shop.pass(3_000, element)
    assert.deepEqual(shown(), ['My shop', 'Help', 'Thanks!'])
  })
})

describe('focus', () => {
  const focused = (element: Element) => element.shadowRoot?.activeElement?.getAttribute('part')

  it('arrives at the new heading when what had it has gone', async () => {
    const shop = new Fixture()
    const element = await shop.mount(await shop.charge())
    const control = element.renderRoot.querySelector<HTMLElement>('[data-asset="1027"]')
    control?.focus()
    control?.click()
    await shop.quiet(element)
    assert.equal(element.phase, 'paying')
    assert.equal(focused(element), 'status')
    part(element, 'back')?.focus()
    press(element, 'back')
    await shop.quiet(element)
    assert.equal(focused(element), 'status')
  })

  it('arrives at the heading also when only the control has gone, and the phase has not', async () => {
    const shop = new Fixture({proxy: {quoteTtl: 10_000}})
    const {chargeId, element} = await shop.paying('1027', 'ethereum', {autoRedirect: true})
    await shop.pass(11_000, element)
    part(element, 'renew')?.focus()
    const asked = shop.requests.length
    press(element, 'renew')
    await element.updateComplete
    press(element, 'renew')
    assert.equal(focused(element), 'renew')
    await shop.quiet(element)
    assert.lengthOf(shop.requests, asked + 1)
    assert.isNull(part(element, 'renew'))
    assert.equal(focused(element), 'status')
    shop.sandbox.pay(chargeId, {asset: '1027', network: 'ethereum'})
    await shop.pass(3_000, element)
    part(element, 'stop-redirect')?.focus()
    press(element, 'stop-redirect')
    await shop.quiet(element)
    assert.isNull(part(element, 'stop-redirect'))
    assert.equal(focused(element), 'status')
  })

  it('stays where it is while the list stays', async () => {
    const shop = new Fixture()
    const element = await shop.mount(await shop.charge())
    shop.between = () => new Promise(() => {})
    const control = element.renderRoot.querySelector<HTMLElement>('[data-asset="1027"]')
    control?.focus()
    control?.click()
    await element.updateComplete
    assert.equal(element.phase, 'quoting')
    assert.equal(element.shadowRoot?.activeElement, control)
  })

  it('is not taken from elsewhere on the page; the news is spoken instead', async () => {
    const shop = new Fixture()
    const {chargeId, element} = await shop.paying()
    const field = document.createElement('input')
    container().append(field)
    field.focus()
    shop.sandbox.pay(chargeId, {asset: '825', network: 'bsc'})
    await shop.pass(3_000, element)
    assert.equal(document.activeElement, field)
    assert.equal(element.renderRoot.querySelector('[role=status]')?.textContent, 'Payment complete')
    assert.lengthOf(element.renderRoot.querySelectorAll('[aria-live],[role=status],[role=log]'), 1)
  })

  it('finds every control at least 24 pixels high, the main ones 44', async () => {
    const shop = new Fixture()
    const {element} = await shop.paying()
    const controls = element.renderRoot.querySelectorAll('button, a, input')
    assert.isNotEmpty([...controls])
    for (const control of controls) assert.isAtLeast(control.getBoundingClientRect().height, 44)
  })
})

describe('local money', () => {
  it('is written as the locale has it', () => {
    assert.equal(formatMoney({amount: '1234.50', currency: 'EUR'}, 'de'), '1.234,50\u00a0€')
    assert.equal(formatMoney({amount: '1234.50', currency: 'USD'}, 'en'), '$1,234.50')
    assert.equal(formatMoney({amount: '1200', currency: 'JPY'}, 'en'), '¥1,200')
    assert.equal(formatMoney({amount: '5', currency: 'USD'}, 'en'), '$5.00')
  })

  it('is never rounded, so that what is due is never shown as nothing', () => {
    assert.equal(formatMoney({amount: '0.004', currency: 'USD'}, 'en'), '$0.004')
    assert.equal(formatMoney({amount: '0.4', currency: 'JPY'}, 'en'), '¥0.4')
    assert.equal(
      formatMoney({amount: '9007199254740993.01', currency: 'USD'}, 'en'),
      '$9,007,199,254,740,993.01',
    )
  })

  it('stands as plain text when Intl knows no such currency', () => {
    assert.equal(formatMoney({amount: '12.5', currency: 'USDT'}, 'en'), '12.5 USDT')
    assert.equal(
      formatMoney({amount: `0.${'0'.repeat(200)}1`, currency: 'USD'}, 'en'),
      `0.${'0'.repeat(200)}1 USD`,
    )
  })
})

describe('the way back', () => {
  it('leads over https, or to this machine, and never to a script', () => {
    for (const address of ['https://shop.example/thanks', 'http://localhost:3000/x', 'http://127.0.0.1/x'])
      assert.isTrue(isSafeRedirect(address), address)
    for (const address of ['http://shop.example', 'javascript:alert(1)', '/thanks', 'data:text/html,x', ''])
      assert.isFalse(isSafeRedirect(address), address)
  })
})
