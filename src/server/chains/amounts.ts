/**
 * The one amount (invariant 2): what the service converted, read without losing a digit, rounded up once, here. Screen,
 * clipboard, QR code and wallet all use the text that `payableAmount` returns.
 */
import {decimal, rounded, toTrimmedText, unitsAt, type Decimal} from '../../contract/index.js'

/** Wallets have altered longer amounts. */
const SHOWN_PLACES = 8
const UNKNOWN_PLACES = 6
const SIGNIFICANT_DIGITS = 6

/** Base units of the token, rounded up: never a unit short. `text` is a decimal, exponent allowed. */
export function ceilUnits(text: string, decimals: number): bigint {
  return unitsAt(decimal(text), decimals, 'up')
}

/**
 * The amount to pay, as plain digits: eight places (or the token's own, if fewer), more where six significant digits
 * need them, always rounded up, trailing zeros trimmed. Without known decimals: six places, widened likewise.
 */
export function payableAmount(text: string, decimals: number | undefined): string {
  const value = decimal(text)
  const significant = placesOfSignificance(value)
  const places =
    decimals === undefined
      ? Math.max(UNKNOWN_PLACES, significant)
      : Math.min(decimals, Math.max(SHOWN_PLACES, significant))
  return toTrimmedText(rounded(value, places, 'up'))
}

/** How many places show six significant digits of the value. */
function placesOfSignificance({units, scale}: Decimal): number {
  const digits = String(units).length
  return Math.max(0, scale - digits + SIGNIFICANT_DIGITS)
}
