/** The contrast of the default colours, and of the themes that the playground offers, by WCAG 2.2. */
import assert from 'node:assert/strict'
import {describe, it} from 'node:test'
import {contrast, parseColor} from '../docs/.vitepress/playground/contrast.js'
import {contrastsOf, readable} from '../docs/.vitepress/playground/element-colors.js'
import {plainTheme} from '../docs/.vitepress/playground/theme.js'
import {themes} from '../docs/.vitepress/playground/themes.js'

for (const [name, theme] of Object.entries({default: plainTheme, ...themes}))
  it(`the ${name} theme has the required contrasts, light and dark`, () => {
    for (const scheme of ['light', 'dark'] as const)
      for (const {foreground, background, ratio, required} of contrastsOf(theme[scheme], scheme))
        assert.ok(ratio >= required, `${foreground} on ${background}, ${scheme}: ${ratio} of ${required}`)
  })

describe('the contrast of colours', () => {
  it('is that of the examples of WCAG', () => {
    const ratio = (a: string, b: string) => contrast(parseColor(a), parseColor(b)).toFixed(2)
    assert.equal(ratio('#000', '#fff'), '21.00')
    assert.equal(ratio('#777', '#fff'), '4.48')
    assert.equal(ratio('#767676', '#ffffff'), '4.54')
    assert.equal(ratio('#f00', '#fff'), '4.00')
  })

  it('is found too low, and the nearest colour that suffices is offered', () => {
    const colors = {muted: '#999999'}
    const low = contrastsOf(colors, 'light').filter(({ratio, required}) => ratio < required)
    assert.deepEqual(
      low.map(({foreground, background}) => `${foreground} on ${background}`),
      ['muted on surface', 'muted on surface-tint'],
    )
    const muted = readable('muted', colors, 'light')
    assert.ok(muted)
    assert.ok(contrastsOf({muted}, 'light').every(({ratio, required}) => ratio >= required))
    assert.ok(contrast(parseColor(muted), parseColor('#ffffff')) < 5.5)
  })

  it('has no such colour where text and background are both too light', () => {
    assert.equal(readable('surface', {text: '#808080', surface: '#888888'}, 'light'), null)
  })
})
