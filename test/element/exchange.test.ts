import {assert} from '@open-wc/testing'
import {announced, part, parts, paying, quoteOf, recordClipboard, textOf} from './fixture.js'

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
    const sum = () => part(element, 'exchange-amount')?.textContent
    assert.isUndefined(sum())
    assert.equal(quoteOf(element).amount, '99.970009')
    await fixture.type(element, 'exchange-fee', '0,75')
    assert.isNull(part(element, 'exchange-fee')?.getAttribute('aria-invalid'))
    assert.equal(sum(), '100.720009')
    await fixture.press(element, 'copy-exchange-amount')
    assert.deepEqual(copied, ['100.720009'])
    assert.equal(textOf(element, 'copy-exchange-amount'), 'Copied')
    assert.equal(announced(element)?.trim(), 'Copied')
    assert.notEqual(textOf(element, 'copy-amount'), 'Copied')
    await fixture.pass(10_000, element)
    assert.equal(sum(), '100.720009', 'is kept while the page reads')
    assert.deepEqual(shown(), before)
    await fixture.type(element, 'exchange-fee', 'x')
    assert.equal(part(element, 'exchange-fee')?.getAttribute('aria-invalid'), 'true')
    for (const name of ['exchange-amount', 'copy-exchange-amount']) assert.isNull(part(element, name))

    await fixture.type(element, 'exchange-fee', '1')
    await fixture.press(element, 'back')
    await fixture.choose(element, '1027')
    assert.equal(quoteOf(element).symbol, 'ETH')
    assert.isUndefined(sum())
    assert.propertyVal(part(element, 'exchange-fee'), 'value', '', 'is forgotten for another coin')
    assert.propertyVal(part(element, 'exchange-fee'), 'inputMode', 'decimal')
  })
})
