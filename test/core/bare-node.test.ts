import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'

test('the root door succeeds in bare Node, registers nothing, and gives the classes', async () => {
  const door = await import('../../src/index.js')
  assert.equal(typeof door.CryptoCheckout, 'function')
  assert.equal(globalThis.customElements?.get('crypto-checkout'), undefined)
  door.register()
  assert.equal(globalThis.customElements?.get('crypto-checkout'), undefined)
})

test('the element says the version of its package', async () => {
  const {CryptoCheckout} = await import('../../src/element/index.js')
  const manifest: unknown = JSON.parse(readFileSync('package.json', 'utf8'))
  assert.ok(typeof manifest === 'object' && manifest && 'version' in manifest)
  assert.equal(CryptoCheckout.version, manifest.version)
})

test('the React door succeeds in bare Node', async () => {
  const {CryptoCheckout} = await import('../../src/react/index.js')
  const {createElement} = await import('react')
  const {renderToString} = await import('react-dom/server')
  const markup = renderToString(
    createElement(CryptoCheckout, {
      chargeId: 'c1',
      token: 'secret',
      onCheckoutPaid: () => {},
      children: 'Pay here',
    }),
  )
  assert.equal(markup, '<crypto-checkout charge-id="c1">Pay here</crypto-checkout>')
})
