/** Vendure counts money in minor units, and the checkout takes decimals as text. */

/** `4990` with a precision of 2 is `'49.90'`. */
export function toDecimal(amount: number, precision: number): string {
  const digits = String(amount).padStart(precision + 1, '0')
  return precision === 0 ? digits : `${digits.slice(0, -precision)}.${digits.slice(-precision)}`
}

/** `'49.90'` with a precision of 2 is `4990`. What is smaller than a minor unit is not counted. */
export function toMinorUnits(decimal: string, precision: number): number {
  return Math.floor(Number(`${decimal}e${precision}`))
}
