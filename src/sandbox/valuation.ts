/**
 * What a payment is worth and what that makes of a charge. The service sends floats, so the worth of a payment is a
 * float too; it is judged by its nearest step of the price's minor unit, as any reader of that float would have to.
 */
import {
  add,
  compare,
  decimal,
  rounded,
  subtract,
  toText,
  toTrimmedText,
  unitsAt,
  type Decimal,
  type StatusValue,
} from '../contract/index.js'
import {minorUnit} from './prices.js'

/** What convert answered: so much of the coin for so much local money, both as decimal text. */
export interface Rate {
  readonly crypto: string
  readonly local: string
}

/** Six digits must show of any amount, so nobody who rounds it up adds as much as one of the sixth. */
const SIGNIFICANT_DIGITS = 6

/** The local worth of an amount, as the float that the service sends. */
export function localWorth(amount: string, rate: Rate, decimals: number): number {
  if (isRoundedUp(decimal(amount), decimal(rate.crypto), decimals)) return Number(rate.local)
  return (Number(amount) * Number(rate.local)) / Number(rate.crypto)
}

/**
 * True for the quoted amount itself, and for what becomes of it when it is rounded up to something a person can send:
 * to the coin's own decimals, or to six significant digits. Such a payer owed the quote and paid it, nothing more.
 */
function isRoundedUp(amount: Decimal, quoted: Decimal, decimals: number): boolean {
  if (compare(amount, quoted) < 0) return false
  const magnitude = String(quoted.units).length - quoted.scale
  const places = Math.max(0, Math.min(decimals, SIGNIFICANT_DIGITS - magnitude))
  return compare(amount, add(quoted, {units: 1n, scale: places})) < 0
}

export interface Evaluation {
  readonly value: StatusValue
  readonly total: number
  /** By how much it is underpaid or overpaid. */
  readonly difference: number
}

export function evaluate(price: string, currency: string, confirmed: readonly number[]): Evaluation {
  const owed = decimal(price)
  const scale = priceScale(price, currency)
  const none: Decimal = {units: 0n, scale}
  const total = confirmed.map(local => rounded(decimal(String(local)), scale, 'nearest')).reduce(add, none)
  const order = compare(total, owed)
  const difference = order < 0 ? subtract(owed, total) : subtract(total, owed)
  const value = total.units === 0n ? 'unpaid' : order < 0 ? 'underpaid' : order > 0 ? 'overpaid' : 'paid'
  return {
    value,
    total: Number(toText(total)),
    difference: value === 'unpaid' ? 0 : Number(toText(difference)),
  }
}

/** What is still owed, as decimal text. */
export function due(price: string, currency: string, confirmed: readonly number[]): string {
  const {total} = evaluate(price, currency, confirmed)
  return toTrimmedText(subtract(decimal(price), decimal(String(total))))
}

/** Half of what is still owed, rounded up to a whole step, so that it does not fall between two of them. */
export function halfOfDue(price: string, currency: string, confirmed: readonly number[]): string {
  const {units, scale} = decimal(due(price, currency, confirmed))
  return toTrimmedText(rounded({units: units * 5n, scale: scale + 1}, priceScale(price, currency), 'up'))
}

/** The finer of the currency's minor unit and the price's own decimals. */
function priceScale(price: string, currency: string): number {
  return Math.max(minorUnit(currency), decimal(price).scale)
}

/** `share` hundredths of an amount, rounded up to what can be sent. */
export function shareOf(amount: string, share: bigint, decimals: number): string {
  const {units, scale} = decimal(amount)
  const value = {units: units * share, scale: scale + 2}
  return toTrimmedText({units: unitsAt(value, decimals, 'up'), scale: decimals})
}

/** What is to be sent for so much local money at this rate, rounded up to the coin's decimals. */
export function cryptoFor(local: string, rate: Rate, decimals: number): string {
  const [wanted, quoted, crypto] = [decimal(local), decimal(rate.local), decimal(rate.crypto)]
  // wanted × crypto ÷ quoted, on whole numbers
  const dividend = wanted.units * crypto.units * 10n ** BigInt(quoted.scale + decimals)
  const divisor = quoted.units * 10n ** BigInt(wanted.scale + crypto.scale)
  return toTrimmedText({units: (dividend + divisor - 1n) / divisor, scale: decimals})
}
