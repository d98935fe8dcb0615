import {assert} from '@open-wc/testing'
import {CryptoCheckout, register} from '../../src/element/index.js'
import '../../src/index.js'
import {replaceUntilEnd} from './fixture.js'

describe('register', () => {
  const warnings: string[] = []
  beforeEach(() => {
    warnings.length = 0
    replaceUntilEnd(console, {warn: (...texts: unknown[]) => warnings.push(texts.join(' '))})
  })

  it('defines the element, and repeating it does nothing', () => {
    register()
    assert.equal(customElements.get('crypto-checkout'), CryptoCheckout)
    assert.isEmpty(warnings)
  })

  it('warns once when another copy has registered the tag', () => {
    class Other extends HTMLElement {
      static readonly version = '9.9.9'
    }
    replaceUntilEnd(customElements, {get: () => Other})
    register()
    register()
    assert.lengthOf(warnings, 1)
    assert.include(warnings[0], '9.9.9')
  })
})
