/**
 * The amount to pay (invariant 2): the service's converted amount, rounded up once, here. The screen, the clipboard, the
 * QR code and the wallet all use the text that `payableAmount` returns.
 */
import {decimal, rounded, toTrimmedText, unitsAt, type Decimal} from '../../contract/index.js'

/** Some wallets alter longer amounts. */
const MAX_PLACES = 8
const UNKNOWN_TOKEN_PLACES = 6
const SIGNIFICANT_DIGITS = 6

/** Base units of the token, rounded up. `text` is a decimal; it may have an exponent. */
export function ceilUnits(text: string, decimals: number): bigint {
  return unitsAt(decimal(text), decimals, 'up')
}

/**
 * The amount to pay, in plain digits: 8 places, or more where 6 significant digits need them, but never more than the
 * token has. It is rounded up, without trailing zeros. Without known decimals it has 6 places, or more likewise.
 */
export function payableAmount(text: string, decimals: number | undefined): string {
  const value = decimal(text)
  const significant = placesOfSignificance(value)
  const places =
    decimals === undefined
      ? Math.max(UNKNOWN_TOKEN_PLACES, significant)
      : Math.min(decimals, Math.max(MAX_PLACES, significant))
  return toTrimmedText(rounded(value, places, 'up'))
}

/** The number of places that show 6 significant digits. */
function placesOfSignificance({units, scale}: Decimal): number {
  const digits = String(units).length
  return Math.max(0, scale - digits + SIGNIFICANT_DIGITS)
}
