import {add, decimal, parseDecimal, toTrimmedText} from '../contract/decimal.js'
import {typedDecimal} from './typed-decimal.js'

/**
 * What to withdraw from an exchange that takes its fee out of it, so that `amount` arrives. The exact sum: nothing is
 * rounded.
 *
 * @param amount of the coin, plain digits
 * @param typedFee in the same coin, as the customer typed it
 * @returns null for a fee that is no number, or could be a thousand, such as `1,000`
 */
export function withdrawal(amount: string, typedFee: string): string | null {
  const text = typedDecimal(typedFee)
  const fee = text === null || /^[1-9]\d{0,2}\.\d{3}$/.test(text) ? null : parseDecimal(text)
  return fee && toTrimmedText(add(decimal(amount), fee))
}
