import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'

test('the root entry point can be imported in Node, and registers nothing', async () => {
  const entryPoint = await import('../../src/index.js')
  assert.equal(typeof entryPoint.CryptoCheckout, 'function')
  assert.equal(globalThis.customElements?.get('crypto-checkout'), undefined)
  entryPoint.register()
  assert.equal(globalThis.customElements?.get('crypto-checkout'), undefined)
})

test('the element has the version of the package', async () => {
  const {CryptoCheckout} = await import('../../src/element/index.js')
  const manifest: unknown = JSON.parse(readFileSync('package.json', 'utf8'))
  assert.ok(typeof manifest === 'object' && manifest && 'version' in manifest)
  assert.equal(CryptoCheckout.version, manifest.version)
})

test('the React entry point renders in Node', async () => {
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
