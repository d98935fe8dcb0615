/** Libraries of the page around the checkout. */
import {assert} from '@open-wc/testing'
import {render} from 'lit'
import {qrCode} from '../../src/element/payment/qr-code.js'
import {choosing, container, Fixture, part, paying, recordConsole} from './fixture.js'

describe('beside the libraries of a page', () => {
  it('a dialog can be used while another one turns off the pointer and selections, and cancels wheel and touch', async () => {
    const {element} = await choosing({}, {modal: true, open: true})
    container().style.cssText = 'pointer-events: none; user-select: none'
    const dialog = element.renderRoot.querySelector('dialog') ?? assert.fail()
    const {pointerEvents, userSelect} = getComputedStyle(dialog)
    assert.deepEqual([pointerEvents, userSelect], ['auto', 'text'])
    const seen = heard(['wheel', 'touchmove'], () => {
      for (const type of ['wheel', 'touchmove'])
        part(element, 'status')?.dispatchEvent(new CustomEvent(type, {bubbles: true, composed: true}))
    })
    assert.isEmpty(seen)
  })

  it('what is typed into a field is no shortcut of the page, but Escape and Tab are the page’s too', async () => {
    const {element} = await choosing()
    const {element: other} = await paying()
    for (const field of [part(element, 'search'), part(other, 'exchange-fee')]) {
      const seen = heard(['keydown'], () => {
        for (const key of ['u', '1', 'Enter', ' ', 'Escape', 'Tab'])
          field?.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, composed: true}))
      })
      assert.deepEqual(
        seen.map(event => event instanceof KeyboardEvent && event.key),
        ['Escape', 'Tab'],
      )
    }
  })

  it('removing an attribute that a property has written changes nothing, and one of the markup does', async () => {
    const {fixture, element} = await choosing({}, {modal: true})
    element.show()
    element.theme = 'dark'
    await fixture.quiet(element)
    for (const name of ['open', 'theme']) element.removeAttribute(name)
    await fixture.quiet(element)
    assert.deepEqual([element.open, element.theme], [true, 'dark'])
    element.close()
    element.theme = 'auto'
    await fixture.quiet(element)
    assert.isFalse(element.hasAttribute('open'))
    element.setAttribute('open', '')
    element.setAttribute('theme', 'light')
    await fixture.quiet(element)
    for (const name of ['open', 'theme']) element.removeAttribute(name)
    await fixture.quiet(element)
    assert.deepEqual([element.open, element.theme], [false, 'auto'])
  })

  it('says on a local page, and in the console, why it shows nothing', async () => {
    const messages = recordConsole('error')
    const fixture = new Fixture()
    const shown: (string | undefined)[] = []
    for (const attribute of ['', 'chargeId="c1"', 'charge-id="c1"']) {
      const element = fixture.element()
      const page = document.createElement('div')
      page.innerHTML = `<crypto-checkout ${attribute}></crypto-checkout>`
      const unset = page.querySelector('crypto-checkout') ?? assert.fail()
      Object.assign(unset, {fetch: fixture.fetch, environment: element.environment})
      container().append(page)
      await fixture.pass(3_000, unset)
      shown.push(unset.renderRoot.querySelector('[part=notice]')?.textContent)
      page.remove()
    }
    assert.deepEqual(shown.slice(0, 2), [
      'crypto-checkout: the attribute charge-id is missing.',
      'crypto-checkout: the attribute is written charge-id.',
    ])
    assert.notInclude(shown[2] ?? '', 'crypto-checkout')
    assert.lengthOf(messages, 2)
  })
})

it('a large QR code has no icon, because it has an alignment pattern there', () => {
  for (const [length, hasIcon] of [
    [42, true],
    [110, false],
  ] as const) {
    render(qrCode('a'.repeat(length), '', '<svg></svg>'), container())
    assert.equal(container().querySelector('.centre') !== null, hasIcon, String(length))
  }
})

/** The events that the page hears meanwhile. */
function heard(types: readonly string[], act: () => void): Event[] {
  const seen: Event[] = []
  const note = (event: Event) => void seen.push(event)
  for (const type of types) document.addEventListener(type, note)
  act()
  for (const type of types) document.removeEventListener(type, note)
  return seen
}
