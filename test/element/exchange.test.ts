import {assert} from '@open-wc/testing'
import type {CryptoCheckout} from '../../src/index.js'
import {announced, part, parts, paying, quoteOf, recordClipboard, textOf, type Fixture} from './fixture.js'

async function typeFee(fixture: Fixture, element: CryptoCheckout, fee: string): Promise<HTMLInputElement> {
  const field = part(element, 'exchange-fee')
  if (!(field instanceof HTMLInputElement)) assert.fail('no field')
  field.value = fee
  field.dispatchEvent(new InputEvent('input', {bubbles: true}))
  await fixture.quiet(element)
  return field
}

describe('paying from an exchange', () => {
  it('is behind a disclosure, with the name of the network at exchanges and the amount that must arrive', async () => {
    for (const [asset, network, name] of [
      ['825', 'bsc', 'BSC (BEP20)'],
      ['825', 'ethereum', 'Ethereum (ERC20)'],
      ['3890', 'polygon', 'Polygon'],
      ['4030', 'algorand', 'Algorand'],
    ] as const) {
      const {element} = await paying({}, asset, network)
      const {amount, symbol} = quoteOf(element)
      assert.isFalse(part(element, 'exchange')?.hasAttribute('open'))
      assert.include(
        textOf(element, 'exchange'),
        `Choose the network ${name} there. ${amount} ${symbol} must arrive.`,
      )
      assert.lengthOf(parts(element, 'network'), 1)
    }
  })

  it('invariant 2: adds the fee that was typed, copies the sum, and changes neither amount nor QR code', async () => {
    const {fixture, element} = await paying()
    const copied = recordClipboard()
    const shown = () => [textOf(element, 'amount'), part(element, 'qr')?.innerHTML]
    const before = shown()
    assert.isNull(part(element, 'exchange-amount'))
    const {amount} = quoteOf(element)
    assert.equal(amount, '99.970009')
    for (const [fee, sum] of [
      ['1', '100.970009'],
      ['0,75', '100.720009'],
      ['٠٫٠٢٩٩٩١', '100'],
    ] as const) {
      const field = await typeFee(fixture, element, fee)
      assert.equal(field.inputMode, 'decimal')
      assert.isNull(field.getAttribute('aria-invalid'))
      assert.equal(part(element, 'exchange-amount')?.textContent, sum)
      await fixture.press(element, 'copy-exchange-amount')
      assert.equal(copied.at(-1), sum)
      assert.equal(textOf(element, 'copy-exchange-amount'), 'Copied')
      assert.equal(announced(element)?.trim(), 'Copied')
      assert.notEqual(textOf(element, 'copy-amount'), 'Copied')
    }
    assert.deepEqual(shown(), before)
    for (const fee of ['x', '1,000']) {
      const field = await typeFee(fixture, element, fee)
      assert.equal(field.getAttribute('aria-invalid'), 'true')
      assert.isNull(part(element, 'exchange-amount'))
      assert.isNull(part(element, 'copy-exchange-amount'))
    }
  })

  it('keeps the fee while the page reads, and forgets it for another coin', async () => {
    const {fixture, element} = await paying()
    await typeFee(fixture, element, '1')
    await fixture.pass(10_000, element)
    assert.equal(part(element, 'exchange-amount')?.textContent, '100.970009')
    await fixture.press(element, 'back')
    await fixture.press(element, '[data-asset="1027"]')
    assert.equal(quoteOf(element).symbol, 'ETH')
    assert.isNull(part(element, 'exchange-amount'))
    const field = part(element, 'exchange-fee')
    assert.equal(field instanceof HTMLInputElement && field.value, '')
  })

  it('keeps the keys of its field from the page, except Escape and Tab', async () => {
    const {fixture, element} = await paying()
    const field = await typeFee(fixture, element, '1')
    const heard: string[] = []
    const listen = ({key}: KeyboardEvent) => heard.push(key)
    document.addEventListener('keydown', listen)
    for (const key of ['1', 'Enter', ' ', 'Escape', 'Tab'])
      field.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, composed: true}))
    document.removeEventListener('keydown', listen)
    assert.deepEqual(heard, ['Escape', 'Tab'])
  })
})
