import {assert} from '@open-wc/testing'
import type {CryptoCheckout} from '../../src/index.js'
import {isSafeRedirect} from '../../src/element/views/safe-redirect.js'
import {announced, choosing, container, Fixture, hanging, part, paying, press, textOf} from './fixture.js'

describe('attributes', () => {
  it('are read from markup and from properties, set before the element is connected or defined', async () => {
    const fixture = new Fixture()
    const {fetch, environment} = fixture.element()
    const markup = `charge-id="${await fixture.charge()}" logos="none" asset="usdt" network="bsc"`
    for (const name of ['crypto-checkout', 'crypto-checkout-later']) {
      container().innerHTML = `<${name} ${markup}></${name}>`
      const element = container().firstElementChild as CryptoCheckout
      Object.assign(element, {fetch, environment})
      if (!customElements.get(name))
        customElements.define(name, class extends (customElements.get('crypto-checkout') ?? assert.fail()) {})
      for (let turns = 0; turns < 30; turns++) await fixture.clock.advance(0)
      assert.equal(element.getAttribute('phase'), 'paying', name)
      assert.equal(element.endpoint, '/crypto-checkout')
    }
  })

  it('fall back to defaults for invalid values', async () => {
    const {element} = await paying()
    for (const [name, value] of [
      ['theme', 'pink'],
      ['qr', 'nonsense'],
      ['logos', ''],
      ['locale', 'not a locale!'],
      ['locale', 'xx-invalid-'],
    ] as const)
      element.setAttribute(name, value)
    element.removeAttribute('endpoint')
    await element.updateComplete
    assert.equal(element.phase, 'paying')
    assert.equal(textOf(element, 'price'), '$100.00')
    assert.include(part(element, 'qr')?.getAttribute('aria-label'), 'QR code of the address')
  })

  it('theme follows the color-scheme of the page around it, unless it is set; custom properties prevail', async () => {
    const {element} = await choosing()
    const page = container()
    const surface = () => getComputedStyle(part(element, 'base') ?? page).backgroundColor
    const [light, dark] = ['rgb(255, 255, 255)', 'rgb(22, 25, 31)']
    for (const [theme, colorScheme, expected] of [
      ['auto', 'light', light],
      ['auto', 'dark', dark],
      ['light', 'dark', light],
      ['dark', 'light', dark],
    ] as const) {
      page.style.colorScheme = colorScheme
      element.theme = theme
      await element.updateComplete
      assert.equal(surface(), expected, `${theme} in ${colorScheme}`)
    }
    element.style.setProperty('--checkout-surface', 'rgb(250, 240, 230)')
    assert.equal(surface(), 'rgb(250, 240, 230)')
  })

  it('the text size is that of the browser or of the shop, regardless of the page’s rem', async () => {
    const root = document.documentElement.style
    root.fontSize = '62.5%'
    try {
      const {element} = await choosing()
      const sizes = () =>
        ['base', 'status', 'test-badge', 'countdown'].map(name =>
          parseFloat(getComputedStyle(part(element, name) ?? container()).fontSize),
        )
      assert.deepEqual(sizes(), [16, 20, 13, 15])
      element.style.setProperty('--checkout-font-size', '32px')
      assert.deepEqual(sizes(), [32, 40, 26, 30])
    } finally {
      root.fontSize = ''
    }
  })

  it('light children are the fallback; header, footer and paid are slots, beside the badge of test mode', async () => {
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
    assert.exists(part(element, 'test-badge'))
    await fixture.report(element, {test: false})
    assert.isNull(part(element, 'test-badge'))
  })
})

describe('focus', () => {
  const focused = (element: Element) => element.shadowRoot?.activeElement?.getAttribute('part')

  it('moves to the heading when the focused control was removed, also in the same phase', async () => {
    const {fixture, chargeId, element} = await paying({proxy: {quoteTtl: 60_000}}, '1027', 'ethereum', {
      autoRedirect: true,
    })
    await fixture.pass(61_000, element)
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
    fixture.intercept = hanging
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
    assert.equal(announced(element), 'Payment complete')
    assert.lengthOf(element.renderRoot.querySelectorAll('[aria-live],[role=status],[role=log]'), 1)
  })

  it('finds controls of at least 44 pixels', async () => {
    const {element} = await paying()
    // Links to wallets are visible on touch devices only.
    const controls = [...element.renderRoot.querySelectorAll('button, a:not([part=wallet-link]), input')]
    assert.isNotEmpty(controls)
    for (const control of controls) assert.isAtLeast(control.getBoundingClientRect().height, 44)
  })
})

it('the link back to the shop is https or loopback, and never a script', () => {
  for (const address of ['https://shop.example/thanks', 'http://localhost:3000/x', 'http://127.0.0.1/x'])
    assert.isTrue(isSafeRedirect(address), address)
  for (const address of ['http://shop.example', 'javascript:alert(1)', '/thanks', 'data:text/html,x', ''])
    assert.isFalse(isSafeRedirect(address), address)
})
