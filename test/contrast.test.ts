/** The contrast of the default colours by WCAG 2.2: 1.4.3 for text, 1.4.11 for the borders of controls. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import {theme} from '../src/element/styles/theme.js'

type Rgb = readonly [red: number, green: number, blue: number]

const texts = {
  surface: ['text', 'muted', 'accent', 'danger', 'success'],
  accent: ['on-accent'],
  'surface-tint': ['text', 'muted', 'accent'],
  'surface-warning': ['text', 'danger'],
}
const pairs = [
  ...Object.entries(texts).flatMap(([background, names]) =>
    names.map(name => [name, background, 4.5] as const),
  ),
  ['control-border', 'surface', 3] as const,
]
const {cssText} = theme
// The light colours are in the first block, and the dark ones in the last. In between, `auto` has both.
const [light = '', , dark = ''] = cssText.split(/@supports|:host\(\[theme='dark'\]\)/)

for (const [scheme, css] of Object.entries({light, dark}))
  test(`the default colours have the required contrasts, ${scheme}`, () => {
    for (const [foreground, background, required] of pairs) {
      const ratio = contrast(colorIn(css, foreground), colorIn(css, background))
      assert.ok(ratio >= required, `${foreground} on ${background}: ${ratio} of ${required}`)
    }
  })

/** A colour that the style sheet declares, or mixes of two others. */
function colorIn(css: string, name: string): Rgb {
  const [, hex] = new RegExp(`var\\(--checkout-${name}, #([\\da-f]+)\\)`).exec(css) ?? []
  if (hex) return parse(hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex)
  const mixed = new RegExp(`--_${name}: color-mix\\(in srgb, var\\(--_(.+?)\\) (\\d+)%, var\\(--_(.+?)\\)`)
  const [, first, percent, second] = mixed.exec(cssText) ?? []
  assert.ok(first && second, `the style sheet has no ${name}`)
  const [a, b] = [colorIn(css, first), colorIn(css, second)]
  const share = Number(percent) / 100
  const part = (index: 0 | 1 | 2) => a[index] * share + b[index] * (1 - share)
  return [part(0), part(1), part(2)]
}

function parse(hex: string): Rgb {
  const value = parseInt(hex, 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/** @see https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(a: Rgb, b: Rgb): number {
  const [first, second] = [luminance(a), luminance(b)]
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map(value => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
