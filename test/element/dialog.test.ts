import {assert} from '@open-wc/testing'
import type {CryptoCheckout} from '../../src/index.js'
import {choosing, container, Fixture, key, missing, part, paying, press} from './fixture.js'

describe('the dialog', () => {
  it('is a native dialog, opened and closed by method, attribute, button, Escape and commands of the page', async () => {
    const {fixture, element} = await choosing({}, {modal: true})
    const dialog = outer(element)
    const closed = countClosed(element)
    await show(element)
    assert.isTrue(dialog.matches(':modal'))
    assert.isTrue(element.hasAttribute('open'))
    element.close()
    await fixture.quiet(element)
    assert.deepEqual([dialog.open, closed()], [false, 1])
    element.open = true
    await element.updateComplete
    await fixture.press(element, 'close')
    assert.deepEqual([element.open, closed()], [false, 2])
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
    assert.deepEqual([element.hasAttribute('open'), closed()], [false, 3])

    element.id = 'pay'
    const buttonFor = (command: string) =>
      `<button commandfor="pay" command="${command}" slot="footer"></button>`
    container().insertAdjacentHTML('beforeend', buttonFor('--show') + buttonFor('--other'))
    element.innerHTML = buttonFor('--close')
    for (const [command, isOpen] of [
      ['--close', false],
      ['--show', true],
      ['--other', true],
      ['--close', false],
    ] as const) {
      const button = document.querySelector<HTMLElement>(`[command="${command}"]`) ?? assert.fail(command)
      button.click()
      // As a polyfill, in a browser without commands.
      if (!('commandForElement' in button))
        element.dispatchEvent(Object.assign(new Event('command'), {command}))
      await fixture.quiet(element)
      assert.equal(outer(element).open, isOpen, command)
    }
  })

  it('stays open when it is closed and shown again at once, and reports what happened', async () => {
    const {fixture, element} = await choosing({}, {modal: true})
    const dialog = outer(element)
    const closed = countClosed(element)
    await show(element)
    element.close()
    element.show()
    await fixture.quiet(element)
    assert.deepEqual([element.open, dialog.open, closed()], [true, true, 0])
    element.close()
    await element.updateComplete
    const lateEvent = new Promise(resolve => dialog.addEventListener('close', resolve, {once: true}))
    await show(element)
    await lateEvent
    await fixture.quiet(element)
    assert.deepEqual([element.open, dialog.open, closed()], [true, true, 1])
  })

  it('opens the charge only when it is first opened, and tracks the payment while it is closed', async () => {
    const {fixture, element} = await paying({}, '825', 'bsc', {modal: true})
    await fixture.pass(60_000, element)
    await element.refresh()
    assert.isEmpty(fixture.requests)
    await show(element)
    await fixture.quiet(element)
    assert.equal(element.phase, 'paying')
    element.close()
    await fixture.quiet(element)
    await fixture.pay(element)
    assert.equal(element.phase, 'paid')
  })

  it('focuses its heading, which is its name, and restores the focus, also through another shadow root', async () => {
    const {fixture, element} = await choosing({}, {modal: true})
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
    const {fixture, element} = await choosing({}, {modal: true})
    const closed = countClosed(element)
    await show(element)
    assert.isTrue(isScrollLocked())
    element.remove()
    await fixture.quiet(element)
    assert.deepEqual([closed(), element.open, isScrollLocked()], [1, false, false])
    assert.isEmpty(document.adoptedStyleSheets)
    assert.isNull(document.documentElement.getAttribute('style'))
    container().append(element)
    await fixture.quiet(element)
    assert.isFalse(outer(element).open)
  })

  it('locks the scroll position of the page without a horizontal shift', async () => {
    const {fixture, element} = await choosing({}, {modal: true})
    const tall = document.createElement('div')
    tall.style.height = '5000px'
    container().prepend(tall)
    const before = tall.getBoundingClientRect().width
    window.scrollTo(0, 1_000)
    await show(element)
    assert.equal(tall.getBoundingClientRect().width, before)
    for (const [change, isLocked] of [
      [{}, true],
      [{modal: false}, false],
      [{modal: true}, true],
      [{open: false}, false],
    ] as const) {
      Object.assign(element, change)
      await fixture.quiet(element)
      assert.equal(isScrollLocked(), isLocked)
      assert.equal(window.scrollY, 1_000)
    }
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
    const {fixture, element} = await choosing({environment: {loadDialog: missing}}, {modal: true, open: true})
    assert.isTrue(outer(element).open)
    await fixture.press(element, 'close')
    assert.deepEqual([outer(element).open, element.open], [false, false])
  })
})

describe('leaving the dialog', () => {
  it('needs no confirmation while choosing or paid, but a search is cleared first', async () => {
    const {fixture, element} = await choosing({}, {modal: true, open: true})
    await fixture.type(element, 'search', 'usd')
    assert.isTrue(escape(element, 'search').defaultPrevented)
    for (const name of ['search', 'status']) assert.isFalse(escape(element, name).defaultPrevented)
    const paid = await fixture.paying('825', 'bsc', {modal: true, open: true})
    await fixture.pay(paid.element)
    for (const one of [element, paid.element]) {
      clickBackdrop(one)
      await fixture.quiet(one)
      assert.isFalse(one.open)
    }
  })

  it('asks for confirmation with an address on screen on Escape, a gesture or a backdrop click', async () => {
    const {fixture, element} = await paying({}, '825', 'bsc', {modal: true, open: true})
    for (const accident of [
      () => assert.isTrue(escape(element, 'status').defaultPrevented),
      () =>
        assert.isFalse(outer(element).dispatchEvent(new Event('cancel', {cancelable: true})), 'prevented'),
      () => clickBackdrop(element),
    ]) {
      part(element, 'copy-address')?.focus()
      accident()
      assert.isTrue(confirmation(element).matches(':modal'))
      assert.include(element.shadowRoot?.activeElement?.textContent, 'Stay')
      key(element, 'Escape')
      assert.deepEqual([confirmation(element).open, element.open], [false, true])
      assert.isTrue(element.shadowRoot?.activeElement === part(element, 'copy-address'))
    }
    await fixture.press(element, 'close')
    assert.isFalse(element.open, 'the button needs no confirmation')
  })

  it('asks for confirmation when underpaid, but not when the page closes it or the payment completes', async () => {
    const {fixture, element} = await paying({}, '825', 'bsc', {modal: true, open: true})
    const states = () => [confirmation(element).open, element.open]
    await fixture.pay(element, {amount: '40'})
    assert.equal(element.phase, 'underpaid')
    press(element, 'close')
    assert.deepEqual(states(), [true, true])
    press(element, '[part=leave-dialog] .primary')
    assert.deepEqual(states(), [false, true])
    clickBackdrop(element)
    await fixture.press(element, 'leave-confirm')
    assert.deepEqual([...states(), isScrollLocked()], [false, false, false])
    await show(element)
    element.dispatchEvent(Object.assign(new Event('command'), {command: '--close'}))
    assert.deepEqual(states(), [true, true], 'the customer has pressed a button')
    element.close()
    await fixture.quiet(element)
    assert.isFalse(outer(element).open)
    await show(element)
    press(element, 'close')
    await fixture.pay(element)
    assert.match(element.phase, /paid$/)
    assert.deepEqual(states(), [false, true])
  })

  it('stays open when a text selection ends on the backdrop', async () => {
    const {fixture, element} = await choosing({}, {modal: true, open: true})
    part(element, 'base')?.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}))
    outer(element).dispatchEvent(new MouseEvent('click', {bubbles: true}))
    await fixture.quiet(element)
    assert.isTrue(element.open)
  })
})

async function show(element: CryptoCheckout): Promise<void> {
  element.show()
  await element.updateComplete
}

/** How often the dialog was closed, by its event. */
function countClosed(element: CryptoCheckout): () => number {
  let closed = 0
  element.addEventListener('checkout-closed', ({detail}) => {
    closed++
    assert.equal(detail, element.checkout)
  })
  return () => closed
}

function outer(element: CryptoCheckout): HTMLDialogElement {
  return element.renderRoot.querySelector('dialog') ?? assert.fail('no dialog')
}

function confirmation(element: CryptoCheckout): HTMLDialogElement {
  const dialog = part(element, 'leave-dialog')
  return dialog instanceof HTMLDialogElement ? dialog : assert.fail('no confirmation')
}

function escape(element: CryptoCheckout, name: string): KeyboardEvent {
  return key(element, 'Escape', part(element, name))
}

function clickBackdrop(element: CryptoCheckout): void {
  outer(element).dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}))
  outer(element).dispatchEvent(new MouseEvent('click', {bubbles: true}))
}

function isScrollLocked(): boolean {
  return getComputedStyle(document.documentElement).overflowY === 'hidden'
}
