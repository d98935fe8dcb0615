import type {Checkout} from '../contract/checkout.js'
import {typedDecimal} from './typed-decimal.js'

/**
 * The part of the amount due that the customer typed, as decimal text with the decimals of the price. Null for what cannot
 * be paid. Digits may be of any script, and the decimal separator a comma.
 */
export function parsePart(text: string, {due}: Pick<Checkout, 'due'>): string | null {
  const [whole, fraction = ''] = typedDecimal(text)?.split('.') ?? []
  const decimals = due.amount.split('.')[1] ?? ''
  if (whole === undefined || fraction.length > decimals.length) return null
  const part = String(BigInt(whole)) + (decimals && `.${fraction.padEnd(decimals.length, '0')}`)
  const units = (amount: string) => BigInt(amount.replace('.', ''))
  return units(part) > 0n && units(part) <= units(due.amount) ? part : null
}

/** The part that the customer typed. Null also for what could be a thousand, such as `1,000`, in every currency. */
export function parseTypedPart(text: string, checkout: Pick<Checkout, 'due'>): string | null {
  return /^\D*\d{1,3}[.,٫]\d{3}\D*$/u.test(text.replace(/[\p{Nd}]/gu, '0')) ? null : parsePart(text, checkout)
}
