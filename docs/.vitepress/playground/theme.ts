/** The custom properties of the element that the theme editor sets, and their CSS. */

export const colorNames = [
  'accent',
  'on-accent',
  'surface',
  'text',
  'muted',
  'border',
  'danger',
  'success',
] as const

export type ColorName = (typeof colorNames)[number]
export type Scheme = 'light' | 'dark'
/** `#` and six lower-case hexadecimal digits. A missing colour has its default. */
export type Colors = Readonly<Partial<Record<ColorName, string>>>

/** By an id that can be in a URL. */
export const fonts: Readonly<Record<string, string>> = {
  serif: 'Georgia, serif',
  rounded: "ui-rounded, 'Hiragino Maru Gothic ProN', Quicksand, sans-serif",
  mono: 'ui-monospace, monospace',
  page: 'inherit',
}

export interface Theme {
  readonly light: Colors
  readonly dark: Colors
  /** In px; null for the default. */
  readonly radius: number | null
  /** In px; null for the default. */
  readonly space: number | null
  /** In px; null for the default size of the browser. */
  readonly fontSize: number | null
  /** A key of `fonts`; empty for the system's font. */
  readonly font: string
}

export const plainTheme: Theme = {
  light: {},
  dark: {},
  radius: null,
  space: null,
  fontSize: null,
  font: '',
}

/** Minimum and maximum, in px. */
export const sizes = {
  radius: [0, 32],
  space: [4, 14],
  fontSize: [12, 22],
} as const satisfies Partial<Record<keyof Theme, readonly [number, number]>>

/** The custom properties that differ from the defaults. A colour that one scheme changes keeps its default in the other. */
export function propertiesOf(theme: Theme, defaults: Readonly<Record<Scheme, Colors>>): Map<string, string> {
  const properties = new Map<string, string>()
  for (const name of colorNames) {
    const {[name]: light = defaults.light[name]} = theme.light
    const {[name]: dark = defaults.dark[name]} = theme.dark
    if (!light || !dark || (!theme.light[name] && !theme.dark[name])) continue
    properties.set(`--checkout-${name}`, light === dark ? light : `light-dark(${light}, ${dark})`)
  }
  if (theme.radius !== null) properties.set('--checkout-radius', `${theme.radius}px`)
  if (theme.font in fonts) properties.set('--checkout-font', fonts[theme.font] ?? '')
  if (theme.fontSize !== null) properties.set('--checkout-font-size', `${theme.fontSize}px`)
  if (theme.space !== null) properties.set('--checkout-space', `${theme.space}px`)
  return properties
}
