/** Vendure counts money in minor units, and the checkout takes decimals as text. */
import {minorUnit} from 'crypto-checkout/server'

/** `49904` with a precision of 3 is `'49.90'` in USD: the checkout refuses more decimals than the currency has. */
export function toPrice(amount: number, precision: number, currency: string): string {
  const places = Math.min(precision, minorUnit(currency))
  const digits = String(Math.round(amount / 10 ** (precision - places))).padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** `'49.90'` with a precision of 2 is `4990`. What is smaller than a minor unit is not counted. */
export function toMinorUnits(decimal: string, precision: number): number {
  return Math.floor(Number(`${decimal}e${precision}`))
}
