import {assert} from '@open-wc/testing'
import type {CryptoCheckout} from '../../src/index.js'
import {choosing, container, Fixture, part, paying, press} from './fixture.js'

describe('the dialog', () => {
  it('is a native dialog, opened and closed by method, attribute, button and Escape', async () => {
    const {fixture, element} = await mountDialog()
    const dialog = outer(element)
    let closed = 0
    element.addEventListener('checkout-closed', ({detail}) => {
      closed++
      assert.equal(detail, element.checkout)
    })
    assert.isFalse(dialog.open)
    await show(element)
    assert.isTrue(dialog.open)
    assert.isTrue(dialog.matches(':modal'))
    assert.isTrue(element.hasAttribute('open'))
    element.close()
    await element.updateComplete
    await fixture.quiet(element)
    assert.isFalse(dialog.open)
    assert.equal(closed, 1)
    element.open = true
    await element.updateComplete
    await fixture.press(element, 'close')
    assert.isFalse(element.open)
    assert.equal(closed, 2)
    element.setAttribute('open', '')
    await element.updateComplete
    const isClosed = new Promise(resolve => dialog.addEventListener('close', resolve, {once: true}))
    dialog.close()
    // The clock ticks before the browser fires the event.
    element.requestUpdate()
    await element.updateComplete
    assert.isFalse(dialog.open)
    await isClosed
    await fixture.quiet(element)
    assert.isFalse(element.hasAttribute('open'))
    assert.equal(closed, 3)
  })

  it('opens the charge only when it is first opened', async () => {
    const fixture = new Fixture()
    const element = await fixture.mount(await fixture.charge(), {modal: true})
    await fixture.pass(60_000, element)
    await element.refresh()
    assert.isEmpty(fixture.requests)
    await show(element)
    await fixture.quiet(element)
    assert.equal(element.phase, 'choosing')
    assert.lengthOf(fixture.requests, 1)
    element.close()
    await fixture.pass(3_000, element)
    assert.lengthOf(fixture.requests, 2, 'a closed dialog still sees the payment')
  })

  it('tracks the payment while it is closed', async () => {
    const {fixture, element} = await paying({}, '825', 'bsc', {modal: true})
    await show(element)
    element.close()
    await fixture.quiet(element)
    await fixture.pay(element)
    assert.equal(element.phase, 'paid')
  })

  it('focuses its heading, which is its name, and restores the focus, also through another shadow root', async () => {
    const {fixture, element} = await mountDialog()
    const card = document.createElement('div')
    container().append(card)
    const opener = document.createElement('button')
    const inside = card.attachShadow({mode: 'open'})
    inside.append(opener, element)
    await fixture.quiet(element)
    opener.focus()
    await show(element)
    const heading = element.shadowRoot?.activeElement
    assert.isTrue(heading === part(element, 'status'))
    assert.equal(outer(element).getAttribute('aria-labelledby'), heading?.id)
    await fixture.press(element, 'close')
    assert.isTrue(inside.activeElement === opener)
    await show(element)
    element.remove()
    await fixture.quiet(element)
    assert.isTrue(inside.activeElement === opener)
  })

  it('is closed when the element is removed, fires checkout-closed once, and unlocks the page', async () => {
    const {fixture, element} = await mountDialog()
    let closed = 0
    element.addEventListener('checkout-closed', () => closed++)
    await show(element)
    assert.isTrue(isScrollLocked())
    element.remove()
    await fixture.quiet(element)
    assert.equal(closed, 1)
    assert.isFalse(isScrollLocked())
    assert.isFalse(element.open)
    assert.lengthOf(document.adoptedStyleSheets, 0)
    assert.equal(document.documentElement.getAttribute('style'), null)
    container().append(element)
    await fixture.quiet(element)
    assert.isFalse(outer(element).open)
  })

  it('locks the scroll position of the page without a horizontal shift', async () => {
    const {fixture, element} = await mountDialog()
    const tall = document.createElement('div')
    tall.style.height = '5000px'
    container().prepend(tall)
    const width = () => tall.getBoundingClientRect().width
    const before = width()
    window.scrollTo(0, 1_000)
    await show(element)
    assert.isTrue(isScrollLocked())
    assert.equal(window.scrollY, 1_000)
    assert.equal(width(), before)
    element.modal = false
    await fixture.quiet(element)
    assert.isFalse(isScrollLocked())
    element.modal = true
    await fixture.quiet(element)
    assert.isTrue(isScrollLocked())
    element.close()
    await fixture.quiet(element)
    assert.isFalse(isScrollLocked())
    assert.equal(window.scrollY, 1_000)
    window.scrollTo(0, 0)
  })

  it('two dialogs lock the page until both are closed', async () => {
    const fixture = new Fixture()
    const one = await fixture.mount(await fixture.charge(), {modal: true, open: true})
    const two = await fixture.mount(await fixture.charge(), {modal: true, open: true})
    one.close()
    await fixture.quiet(one)
    assert.isTrue(isScrollLocked())
    two.close()
    await fixture.quiet(two)
    assert.isFalse(isScrollLocked())
  })

  it('opens and closes even if its chunk cannot be loaded', async () => {
    const {fixture, element} = await choosing(
      {environment: {loadDialog: () => Promise.reject(new Error('gone'))}},
      {modal: true, open: true},
    )
    assert.isTrue(outer(element).open)
    await fixture.press(element, 'close')
    assert.isFalse(outer(element).open)
    assert.isFalse(element.open)
  })

  it('does not close on Escape while the search has text', async () => {
    const {element} = await mountDialog({open: true})
    const field = part(element, 'search')
    assert.instanceOf(field, HTMLInputElement)
    if (field instanceof HTMLInputElement) field.value = 'usd'
    field?.dispatchEvent(new InputEvent('input'))
    await element.updateComplete
    assert.isTrue(escape(field).defaultPrevented)
    assert.isFalse(escape(field).defaultPrevented, 'now the browser closes the dialog')
  })
})

describe('leaving the dialog', () => {
  it('needs no confirmation while choosing, confirming or paid', async () => {
    const {fixture, element} = await mountDialog({open: true})
    assert.isFalse(escape(part(element, 'status')).defaultPrevented)
    clickBackdrop(element)
    await fixture.quiet(element)
    assert.isFalse(element.open)
    const paid = await fixture.paying('825', 'bsc', {modal: true, open: true})
    await fixture.pay(paid.element)
    assert.equal(paid.element.phase, 'paid')
    clickBackdrop(paid.element)
    await fixture.quiet(paid.element)
    assert.isFalse(paid.element.open)
  })

  it('asks for confirmation with an address on screen on Escape, a gesture or a backdrop click', async () => {
    const {fixture, element} = await paying({}, '825', 'bsc', {modal: true, open: true})
    const cancel = () => outer(element).dispatchEvent(new Event('cancel', {cancelable: true}))
    for (const accident of [
      () => assert.isTrue(escape(part(element, 'status')).defaultPrevented),
      () => assert.isFalse(cancel(), 'prevented'),
      () => clickBackdrop(element),
    ]) {
      part(element, 'copy-address')?.focus()
      accident()
      assert.isTrue(confirmation(element).open)
      assert.isTrue(confirmation(element).matches(':modal'))
      assert.include(element.shadowRoot?.activeElement?.textContent, 'Stay')
      escape(element.shadowRoot?.activeElement)
      assert.isFalse(confirmation(element).open)
      assert.isTrue(element.open)
      assert.isTrue(element.shadowRoot?.activeElement === part(element, 'copy-address'))
    }
    await fixture.press(element, 'close')
    assert.isFalse(element.open, 'the button needs no confirmation')
  })

  it('asks for confirmation when underpaid, but not when the page closes it', async () => {
    const {fixture, element} = await halfPaid()
    press(element, 'close')
    assert.isTrue(confirmation(element).open)
    assert.isTrue(element.open)
    press(element, '[part=leave-dialog] .primary')
    assert.isFalse(confirmation(element).open)
    assert.isTrue(element.open)
    clickBackdrop(element)
    await fixture.press(element, 'leave-confirm')
    assert.isFalse(element.open)
    assert.isFalse(confirmation(element).open)
    assert.isFalse(isScrollLocked())
    await show(element)
    element.close()
    await fixture.quiet(element)
    assert.isFalse(outer(element).open)
  })

  it('closes the confirmation when the payment completes', async () => {
    const {fixture, element} = await halfPaid()
    press(element, 'close')
    assert.isTrue(confirmation(element).open)
    await fixture.pay(element)
    assert.match(element.phase, /paid$/)
    assert.isFalse(confirmation(element).open)
    assert.isTrue(element.open)
  })

  it('stays open when a text selection ends on the backdrop', async () => {
    const {fixture, element} = await mountDialog({open: true})
    part(element, 'base')?.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}))
    outer(element).dispatchEvent(new MouseEvent('click', {bubbles: true}))
    await fixture.quiet(element)
    assert.isTrue(element.open)
  })

  async function halfPaid() {
    const {fixture, element} = await paying({}, '825', 'bsc', {modal: true, open: true})
    await fixture.pay(element, {amount: '40'})
    assert.equal(element.phase, 'underpaid')
    return {fixture, element}
  }
})

/** A new charge in a dialog. */
async function mountDialog({open = false} = {}) {
  const fixture = new Fixture()
  return {fixture, element: await fixture.mount(await fixture.charge(), {modal: true, open})}
}

async function show(element: CryptoCheckout): Promise<void> {
  element.show()
  await element.updateComplete
}

function outer(element: CryptoCheckout): HTMLDialogElement {
  return element.renderRoot.querySelector('dialog') ?? assert.fail('no dialog')
}

function confirmation(element: CryptoCheckout): HTMLDialogElement {
  return (
    element.renderRoot.querySelector<HTMLDialogElement>('[part=leave-dialog]') ??
    assert.fail('no confirmation')
  )
}

function escape(target: Element | null | undefined): KeyboardEvent {
  const event = new KeyboardEvent('keydown', {key: 'Escape', bubbles: true, composed: true, cancelable: true})
  target?.dispatchEvent(event)
  return event
}

function clickBackdrop(element: CryptoCheckout): void {
  outer(element).dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}))
  outer(element).dispatchEvent(new MouseEvent('click', {bubbles: true}))
}

function isScrollLocked(): boolean {
  return getComputedStyle(document.documentElement).overflowY === 'hidden'
}
