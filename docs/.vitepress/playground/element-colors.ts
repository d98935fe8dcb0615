/**
 * The colours of the element by its style sheet: the defaults, and those that it mixes from others. And the contrasts that WCAG
 * 2.2 requires: 1.4.3 for text, 1.4.11 for the borders of controls.
 */
import {theme} from '../../../src/element/styles/theme.js'
import {contrast, formatColor, mix, parseColor, type Rgb} from './contrast.js'
import {colorNames, type ColorName, type Colors, type Scheme} from './theme.js'

/** A colour of `colorNames`, or one that the style sheet mixes. */
type ColorToken = ColorName | 'control-border' | 'surface-tint' | 'surface-warning'

/** Every colour is set. */
export type CompleteColors = Readonly<Record<ColorName, string>>

export interface Contrast {
  readonly foreground: ColorToken
  readonly background: ColorToken
  readonly ratio: number
  readonly required: number
}

const {cssText} = theme
// The light colours are in the first block, and the dark ones in the last. In between, `auto` has both.
const [light = '', , dark = ''] = cssText.split(/@supports|:host\(\[theme='dark'\]\)/)

export const defaultColors: Readonly<Record<Scheme, CompleteColors>> = {
  light: declaredIn(light),
  dark: declaredIn(dark),
}

/** Texts on each background. */
const texts: readonly (readonly [background: ColorToken, foregrounds: readonly ColorToken[]])[] = [
  ['surface', ['text', 'muted', 'accent', 'danger', 'success']],
  ['accent', ['on-accent']],
  ['surface-tint', ['text', 'muted', 'accent']],
  ['surface-warning', ['text', 'danger']],
]

/** All contrasts of a scheme, with the defaults where a colour is missing. */
export function contrastsOf(colors: Colors, scheme: Scheme): Contrast[] {
  const complete = {...defaultColors[scheme], ...colors}
  const pairs = texts.flatMap(([background, foregrounds]) =>
    foregrounds.map(foreground => ({foreground, background, required: 4.5})),
  )
  return [...pairs, {foreground: 'control-border', background: 'surface', required: 3} as const].map(
    pair => ({
      ...pair,
      ratio: contrast(colorOf(complete, pair.foreground), colorOf(complete, pair.background)),
    }),
  )
}

/** The nearest darker or lighter colour with which all contrasts of this one suffice; null if there is none. */
export function readable(name: ColorName, colors: Colors, scheme: Scheme): string | null {
  const color = parseColor({...defaultColors[scheme], ...colors}[name])
  const isAbout = ({foreground, background}: Contrast) => foreground === name || background === name
  const isEnough = (candidate: string) =>
    contrastsOf({...colors, [name]: candidate}, scheme)
      .filter(isAbout)
      .every(({ratio, required}) => ratio >= required)
  for (let share = 0.98; share > 0; share -= 0.02)
    for (const end of [parseColor('#000000'), parseColor('#ffffff')]) {
      const candidate = formatColor(mix(color, end, share))
      if (isEnough(candidate)) return candidate
    }
  return null
}

function declaredIn(css: string): CompleteColors {
  const declared = (name: ColorName) => {
    const [, hex] = new RegExp(`var\\(--checkout-${name}, (#[\\da-f]+)\\)`).exec(css) ?? []
    if (!hex) throw new Error(`the style sheet of the element has no ${name}`)
    return formatColor(parseColor(hex))
  }
  return {
    accent: declared('accent'),
    'on-accent': declared('on-accent'),
    surface: declared('surface'),
    text: declared('text'),
    muted: declared('muted'),
    border: declared('border'),
    danger: declared('danger'),
    success: declared('success'),
  }
}

function colorOf(colors: CompleteColors, token: ColorToken): Rgb {
  if (isName(token)) return parseColor(colors[token])
  const mixed = new RegExp(
    `--_${token}: color-mix\\(in srgb, var\\(--_(\\w+)\\) (\\d+)%, var\\(--_(\\w+)\\)`,
  ).exec(cssText)
  const [, first = '', share = '', second = ''] = mixed ?? []
  if (!isName(first) || !isName(second))
    throw new Error(`the style sheet of the element does not mix ${token}`)
  return mix(parseColor(colors[first]), parseColor(colors[second]), Number(share) / 100)
}

function isName(token: string): token is ColorName {
  return colorNames.some(name => name === token)
}
