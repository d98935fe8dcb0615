/** The contrast of the theme's own colours, by WCAG 2.2 (1.4.3 for text, 1.4.11 for the edges of controls). */
import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {describe, it} from 'node:test'

const source = readFileSync(new URL('../src/element/styles/theme.ts', import.meta.url), 'utf8')
const [dark = '', light = ''] = source.split('export const theme')

/** A token on another, or on a mixture of the text and the surface; and the least ratio. */
const wanted: readonly [front: string, back: string, least: number][] = [
  ['text', 'surface', 4.5],
  ['muted', 'surface', 4.5],
  ['accent', 'surface', 4.5],
  ['danger', 'surface', 4.5],
  ['success', 'surface', 4.5],
  ['on-accent', 'accent', 4.5],
  ['text', 'tint', 4.5],
  ['muted', 'tint', 4.5],
  ['accent', 'tint', 4.5],
  ['text', 'warm', 4.5],
  ['danger', 'warm', 4.5],
  ['edge', 'surface', 3],
]

for (const [theme, css] of Object.entries({light, dark}))
  describe(`the ${theme} theme`, () => {
    for (const [front, back, least] of wanted) {
      const ratio = contrast(colour(css, front), colour(css, back))
      it(`has ${front} on ${back} at ${ratio.toFixed(2)} : 1, at least ${least} : 1`, () => {
        assert.ok(ratio >= least)
      })
    }
  })

type Colour = readonly [red: number, green: number, blue: number]

/** The mixtures are the same in both themes, and stand with the light one. */
function colour(css: string, token: string): Colour {
  const mixed = new RegExp(
    `--_${token}: color-mix\\(in srgb, var\\(--_(\\w+)\\) (\\d+)%, var\\(--_(\\w+)\\)`,
  ).exec(light)
  if (mixed) {
    const [, first = '', share = '', second = ''] = mixed
    return mix(colour(css, first), colour(css, second), Number(share) / 100)
  }
  const plain = new RegExp(`var\\(--checkout-${token}, #([\\da-f]+)\\)`).exec(css)
  assert.ok(plain?.[1], `the theme has a colour ${token}`)
  return parsed(plain[1])
}

function parsed(hex: string): Colour {
  const digits = hex.length === 3 ? [...hex].map(digit => digit + digit) : (hex.match(/../g) ?? [])
  const [red = 0, green = 0, blue = 0] = digits.map(pair => parseInt(pair, 16))
  return [red, green, blue]
}

function mix(first: Colour, second: Colour, share: number): Colour {
  const part = (index: 0 | 1 | 2) => first[index] * share + second[index] * (1 - share)
  return [part(0), part(1), part(2)]
}

function contrast(a: Colour, b: Colour): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05)
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map(value => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
