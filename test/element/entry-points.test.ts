import {assert} from '@open-wc/testing'
import {CryptoCheckout, register} from '../../src/element/index.js'
import '../../src/index.js'

function warningsOf(act: () => void): string[] {
  const warnings: string[] = []
  const {warn} = console
  console.warn = (...texts: unknown[]) => warnings.push(texts.join(' '))
  try {
    act()
  } finally {
    console.warn = warn
  }
  return warnings
}

describe('registering', () => {
  it('happens once, and repeating it does nothing', () => {
    assert.equal(customElements.get('crypto-checkout'), CryptoCheckout)
    assert.isEmpty(warningsOf(register))
  })

  it('never throws, and warns once when another copy has registered the tag', () => {
    const get = customElements.get.bind(customElements)
    class Other extends HTMLElement {
      static readonly version = '9.9.9'
    }
    customElements.get = () => Other
    try {
      const warnings = [...warningsOf(register), ...warningsOf(register)]
      assert.lengthOf(warnings, 1)
      assert.include(warnings[0], '9.9.9')
    } finally {
      customElements.get = get
    }
  })
})
