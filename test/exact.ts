/**
 * Calculates amounts with integers from the text of a response, without code of the product. A decimal is its digits and
 * the number of decimal places.
 */
export interface Exact {
  readonly digits: bigint
  readonly places: number
}

/** The number after `"amount":` in the JSON text. Parsing would convert it to a float. */
export function amountIn(json: string): Exact | undefined {
  const match = /"amount":(\d+)(?:\.(\d+))?(?:e([+-]\d+))?[,}]/i.exec(json)
  if (!match) return undefined
  const [, whole = '', fraction = '', exponent = '0'] = match
  const places = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return places >= 0 ? {digits, places} : {digits: digits * 10n ** BigInt(-places), places: 0}
}

/** Eight, more where six significant digits need them, but never more than the token has. */
export function placesFor({digits, places}: Exact, decimals: number): number {
  const leadingZeros = places - String(digits).length
  return Math.min(decimals, Math.max(8, leadingZeros + 6))
}

export function roundedUp({digits, places}: Exact, wanted: number): string {
  let units = digits * 10n ** BigInt(Math.max(0, wanted - places))
  const step = 10n ** BigInt(Math.max(0, places - wanted))
  units = (units + step - 1n) / step
  const padded = String(units).padStart(wanted + 1, '0')
  const fraction = padded.slice(padded.length - wanted).replace(/0+$/, '')
  return padded.slice(0, padded.length - wanted) + (fraction && `.${fraction}`)
}

/** Throws when the text has more places than the token. */
export function unitsOf(text: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  if (fraction.length > decimals) throw new Error(`${text} has more than ${decimals} places`)
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}
