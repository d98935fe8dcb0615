/** The contrast of the default colours, by WCAG 2.2 (1.4.3 for text, 1.4.11 for the borders of controls). */
import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {describe, it} from 'node:test'

const source = readFileSync(new URL('../src/element/styles/theme.ts', import.meta.url), 'utf8')
const [dark = '', light = ''] = source.split('export const theme')

/** Texts on each background. */
const texts = {
  surface: 'text muted accent danger success',
  accent: 'on-accent',
  'surface-tint': 'text muted accent',
  'surface-warning': 'text danger',
}
const required: readonly (readonly [foreground: string, background: string, ratio: number])[] = [
  ...Object.entries(texts).flatMap(([background, colours]) =>
    colours.split(' ').map(foreground => [foreground, background, 4.5] as const),
  ),
  ['control-border', 'surface', 3],
]

for (const [theme, css] of Object.entries({light, dark}))
  describe(`the ${theme} theme`, () => {
    for (const [foreground, background, ratio] of required)
      it(`has ${foreground} on ${background} with a contrast of at least ${ratio} : 1`, () => {
        assert.ok(contrast(colour(css, foreground), colour(css, background)) >= ratio)
      })
  })

type Colour = readonly [red: number, green: number, blue: number]

/** Mixed colours are declared once, with the light theme. */
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
  const digits = hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex
  const value = parseInt(digits, 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

function mix(first: Colour, second: Colour, share: number): Colour {
  const part = (index: 0 | 1 | 2) => first[index] * share + second[index] * (1 - share)
  return [part(0), part(1), part(2)]
}

function contrast(a: Colour, b: Colour): number {
  const [first, second] = [luminance(a), luminance(b)]
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map(value => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
