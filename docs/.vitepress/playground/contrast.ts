/** The contrast of colours, by WCAG 2.2. */

export type Rgb = readonly [red: number, green: number, blue: number]

/** @param hex three or six hexadecimal digits after `#` */
export function parseColor(hex: string): Rgb {
  const digits = hex.length === 4 ? hex.slice(1).replaceAll(/./g, '$&$&') : hex.slice(1)
  const value = parseInt(digits, 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

export function formatColor(color: Rgb): string {
  return `#${color.map(part => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

/** @param share of the first colour, from 0 to 1 */
export function mix(first: Rgb, second: Rgb, share: number): Rgb {
  const part = (index: 0 | 1 | 2) => first[index] * share + second[index] * (1 - share)
  return [part(0), part(1), part(2)]
}

/** From 1 to 21. @see https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrast(a: Rgb, b: Rgb): number {
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
