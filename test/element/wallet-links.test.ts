import {assert} from '@open-wc/testing'
import type {CryptoCheckout} from '../../src/index.js'
import {Fixture, part, parts, paying, quoteOf, textOf} from './fixture.js'

/** The links by app; the one that any wallet opens has none. */
function linksOf(element: CryptoCheckout): Record<string, string | null> {
  return Object.fromEntries(
    parts(element, 'wallet-link').map(link => [link.dataset['app'] ?? '', link.getAttribute('href')]),
  )
}

describe('wallet links', () => {
  it('open the payment of a token or coin in any wallet, Trust Wallet and MetaMask', async () => {
    for (const [asset, network, chainId, coinType] of [
      ['825', 'bsc', 56, 20_000_714],
      ['1839', 'bsc', 56, 20_000_714],
      ['1027', 'ethereum', 1, 60],
      ['3890', 'polygon', 137, 966],
    ] as const) {
      const {element} = await paying({}, asset, network)
      const {contract, address, amount, baseUnits = ''} = quoteOf(element)
      const request = contract
        ? `${contract}@${chainId}/transfer?address=${address}&uint256=${baseUnits}`
        : `${address}@${chainId}?value=${baseUnits}`
      assert.equal(contract !== undefined, asset === '825')
      assert.deepEqual(linksOf(element), {
        '': `ethereum:${request}`,
        trust: `trust://send?asset=c${coinType}${contract ? `_t${contract}` : ''}&address=${address}&amount=${amount}`,
        metamask: `metamask://send/${request}`,
      })
    }
  })

  it('are only the one for any wallet on Algorand', async () => {
    const {element} = await paying({}, '4030', 'algorand')
    assert.deepEqual(linksOf(element), {'': quoteOf(element).uri ?? ''})
  })

  it('come before amount, address and QR code, and say what the wallet must show', async () => {
    const {element} = await paying()
    const [first = assert.fail('no link'), ...apps] = parts(element, 'wallet-link')
    assert.equal(first.textContent?.trim(), 'Open in wallet')
    assert.include(first.className, 'primary')
    assert.deepEqual([...element.renderRoot.querySelectorAll('.primary')], [first])
    const follows = Node.DOCUMENT_POSITION_FOLLOWING
    for (const later of ['amount', 'address', 'qr'])
      assert.equal(first.compareDocumentPosition(part(element, later)!) & follows, follows)
    assert.isTrue(apps.every(link => link.closest('details')?.open === false))
    assert.include(textOf(element), 'Your wallet must show this address and BNB Smart Chain.')
    assert.include(textOf(element), 'Test mode: do not send real money.')
  })

  it('leave out those that fail from 10^21 base units on, with the QR code’s payment request', async () => {
    const fixture = new Fixture()
    for (const [amount, isReadable] of [
      ['900', true],
      ['1100', false],
    ] as const) {
      const chargeId = await fixture.charge(amount)
      const element = await fixture.mount(chargeId, {asset: '825', network: 'bsc', qr: 'request'})
      assert.equal(BigInt(quoteOf(element).baseUnits ?? '') < 10n ** 21n, isReadable)
      assert.deepEqual(Object.keys(linksOf(element)), isReadable ? ['', 'trust', 'metamask'] : ['trust'])
      assert.equal(part(element, 'qr-switch') !== null, isReadable)
      assert.include(
        part(element, 'qr')?.getAttribute('aria-label'),
        isReadable ? 'payment request' : 'of the address',
      )
    }
  })
})
