import {assert} from '@open-wc/testing'
import type {CryptoCheckout} from '../../src/index.js'
import {formatMoney} from '../../src/element/i18n/format-money.js'
import {isSafeRedirect} from '../../src/element/payment/safe-redirect.js'
import {choosing, container, Fixture, part, paying, press, textOf} from './fixture.js'

describe('the theme', () => {
  const surface = (element: CryptoCheckout) =>
    getComputedStyle(part(element, 'base') ?? assert.fail('no base')).backgroundColor
  const light = 'rgb(255, 255, 255)'
  const dark = 'rgb(22, 25, 31)'

  it('follows the color-scheme of the page around it, unless it is set', async () => {
    const {element} = await choosing()
    assert.equal(surface(element), light)
    const page = container()
    page.style.colorScheme = 'dark'
    assert.equal(surface(element), dark)
    element.theme = 'light'
    await element.updateComplete
    assert.equal(surface(element), light)
    page.style.colorScheme = 'light'
    element.theme = 'dark'
    await element.updateComplete
    assert.equal(surface(element), dark)
  })
})

describe('attributes', () => {
  it('are read from markup and from properties set before the element is connected', async () => {
    const fixture = new Fixture()
    const chargeId = await fixture.charge()
    container().insertAdjacentHTML(
      'beforeend',
      `<crypto-checkout charge-id="${chargeId}" logos="none" asset="usdt" network="bsc"><a href="/help">Pay here</a></crypto-checkout>`,
    )
    const element = container().querySelector('crypto-checkout') ?? assert.fail()
    Object.assign(element, {fetch: fixture.fetch, environment: fixture.element().environment})
    await fixture.quiet(element)
    assert.equal(element.phase, 'paying')
    assert.equal(element.endpoint, '/crypto-checkout')
  })

  it('take effect when set before the element was defined', async () => {
    const fixture = new Fixture()
    const element = document.createElement('crypto-checkout-later')
    Object.assign(element, {
      chargeId: await fixture.charge(),
      fetch: fixture.fetch,
      logos: 'none',
      environment: fixture.element().environment,
    })
    container().append(element)
    customElements.define(
      'crypto-checkout-later',
      class extends (customElements.get('crypto-checkout') ?? assert.fail()) {},
    )
    for (let turns = 0; turns < 30; turns++) await fixture.clock.advance(0)
    assert.equal(element.getAttribute('phase'), 'choosing')
  })

  it('fall back to defaults for invalid values', async () => {
    const {element} = await paying()
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
    const {element} = await choosing()
    assert.throws(() => Object.assign(element, {phase: 'paid'}), TypeError)
    assert.throws(() => Object.assign(element, {checkout: null}), TypeError)
  })

  it('apply a light or dark theme regardless of the system', async () => {
    const {element} = await choosing({}, {theme: 'dark'})
    const background = () => {
      const base = part(element, 'base')
      return base ? getComputedStyle(base).backgroundColor : ''
    }
    assert.equal(background(), 'rgb(22, 25, 31)')
    element.theme = 'light'
    await element.updateComplete
    assert.equal(element.getAttribute('theme'), 'light')
    assert.equal(background(), 'rgb(255, 255, 255)')
    element.style.setProperty('--checkout-surface', 'rgb(250, 240, 230)')
    assert.equal(background(), 'rgb(250, 240, 230)')
  })

  it('use the text size of the browser or of the shop, regardless of the page’s rem', async () => {
    const root = document.documentElement.style
    root.fontSize = '62.5%'
    try {
      const {element} = await paying()
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

  it('show a badge in test mode', async () => {
    const fixture = new Fixture()
    const chargeId = await fixture.charge()
    assert.exists(part(await fixture.mount(chargeId), 'test-badge'))
    fixture.intercept = async (_, next) => Response.json({...(await (await next()).json()), test: false})
    assert.isNull(part(await fixture.mount(chargeId), 'test-badge'))
  })

  it('light children are the fallback; header, footer and paid are slots', async () => {
    const fixture = new Fixture()
    const element = fixture.element({chargeId: await fixture.charge(), asset: '825', network: 'bsc'})
    element.innerHTML =
      '<p>Please switch scripts on</p><p slot="header">My shop</p><p slot="footer">Help</p><p slot="paid">Thanks!</p>'
    container().append(element)
    await fixture.quiet(element)
    const shown = () =>
      [...element.children].filter(child => child.assignedSlot).map(child => child.textContent)
    assert.deepEqual(shown(), ['My shop', 'Help'])
    await fixture.pay(element)
    assert.deepEqual(shown(), ['My shop', 'Help', 'Thanks!'])
  })
})

describe('focus', () => {
  const focused = (element: Element) => element.shadowRoot?.activeElement?.getAttribute('part')

  it('moves to the new heading when the focused control was removed', async () => {
    const {fixture, element} = await choosing()
    const control = element.renderRoot.querySelector<HTMLElement>('[data-asset="1027"]')
    control?.focus()
    control?.click()
    await fixture.quiet(element)
    assert.equal(element.phase, 'paying')
    assert.equal(focused(element), 'status')
    part(element, 'back')?.focus()
    await fixture.press(element, 'back')
    assert.equal(focused(element), 'status')
  })

  it('moves to the heading also when the phase stays the same', async () => {
    const {fixture, chargeId, element} = await paying({proxy: {quoteTtl: 10_000}}, '1027', 'ethereum', {
      autoRedirect: true,
    })
    await fixture.pass(11_000, element)
    part(element, 'renew')?.focus()
    const requestCount = fixture.requests.length
    press(element, 'renew')
    await element.updateComplete
    press(element, 'renew')
    assert.equal(focused(element), 'renew')
    await fixture.quiet(element)
    assert.lengthOf(fixture.requests, requestCount + 1)
    assert.isNull(part(element, 'renew'))
    assert.equal(focused(element), 'status')
    fixture.sandbox.pay(chargeId, {asset: '1027', network: 'ethereum'})
    await fixture.pass(3_000, element)
    part(element, 'stop-redirect')?.focus()
    await fixture.press(element, 'stop-redirect')
    assert.isNull(part(element, 'stop-redirect'))
    assert.equal(focused(element), 'status')
  })

  it('stays on its control while the list stays', async () => {
    const {fixture, element} = await choosing()
    fixture.intercept = () => new Promise(() => {})
    const control = element.renderRoot.querySelector<HTMLElement>('[data-asset="1027"]')
    control?.focus()
    control?.click()
    await element.updateComplete
    assert.equal(element.phase, 'quoting')
    assert.equal(element.shadowRoot?.activeElement, control)
  })

  it('is not moved from elsewhere on the page: the change is announced instead', async () => {
    const {fixture, element} = await paying()
    const field = document.createElement('input')
    container().append(field)
    field.focus()
    await fixture.pay(element)
    assert.equal(document.activeElement, field)
    assert.equal(element.renderRoot.querySelector('[role=status]')?.textContent, 'Payment complete')
    assert.lengthOf(element.renderRoot.querySelectorAll('[aria-live],[role=status],[role=log]'), 1)
  })

  it('every control is at least 24 pixels high, primary ones 44', async () => {
    const {element} = await paying()
    // Links to wallets are visible on touch devices only.
    const controls = [...element.renderRoot.querySelectorAll('button, a:not([part=wallet-link]), input')]
    assert.isNotEmpty(controls)
    for (const control of controls) assert.isAtLeast(control.getBoundingClientRect().height, 44)
  })
})

describe('local money', () => {
  it('is formatted for the locale', () => {
    assert.equal(formatMoney({amount: '1234.50', currency: 'EUR'}, 'de'), '1.234,50\u00a0€')
    assert.equal(formatMoney({amount: '1234.50', currency: 'USD'}, 'en'), '$1,234.50')
    assert.equal(formatMoney({amount: '1200', currency: 'JPY'}, 'en'), '¥1,200')
    assert.equal(formatMoney({amount: '5', currency: 'USD'}, 'en'), '$5.00')
  })

  it('is never rounded to zero', () => {
    assert.equal(formatMoney({amount: '0.004', currency: 'USD'}, 'en'), '$0.004')
    assert.equal(formatMoney({amount: '0.4', currency: 'JPY'}, 'en'), '¥0.4')
    assert.equal(
      formatMoney({amount: '9007199254740993.01', currency: 'USD'}, 'en'),
      '$9,007,199,254,740,993.01',
    )
  })

  it('is plain text when Intl does not know the currency', () => {
    assert.equal(formatMoney({amount: '12.5', currency: 'USDT'}, 'en'), '12.5 USDT')
    assert.equal(
      formatMoney({amount: `0.${'0'.repeat(200)}1`, currency: 'USD'}, 'en'),
      `0.${'0'.repeat(200)}1 USD`,
    )
  })
})

describe('isSafeRedirect', () => {
  it('accepts https and loopback, and rejects scripts', () => {
    for (const address of ['https://shop.example/thanks', 'http://localhost:3000/x', 'http://127.0.0.1/x'])
      assert.isTrue(isSafeRedirect(address), address)
    for (const address of ['http://shop.example', 'javascript:alert(1)', '/thanks', 'data:text/html,x', ''])
      assert.isFalse(isSafeRedirect(address), address)
  })
})
