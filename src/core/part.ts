import type {Checkout} from '../contract/checkout.js'
import {compare, decimal, rounded, toText} from '../contract/decimal.js'

/**
 * The part of the amount due that the customer typed, as decimal text with the decimals of the price. Null for what cannot
 * be paid. Digits may be of any script, and the decimal separator a comma.
 */
export function parsePart(text: string, {due}: Pick<Checkout, 'due'>): string | null {
  const plain = text
    .trim()
    .replace(/\p{Nd}/gu, latinDigit)
    .replace(/[,٫]/, '.')
  if (!/^\d+(\.\d+)?$/.test(plain)) return null
  const part = decimal(plain)
  const limit = decimal(due.amount)
  const isPart = part.units > 0n && part.scale <= limit.scale && compare(part, limit) <= 0
  return isPart ? toText(rounded(part, limit.scale, 'nearest')) : null
}

/** Unicode encodes the digits of each script in ascending order, without another digit before zero. */
function latinDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1
  return String(value)
}
