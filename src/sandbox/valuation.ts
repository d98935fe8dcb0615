/**
 * Computes the worth of payments and the status of a charge. The service sends floats, so the worth of a payment is a
 * float. For the status it is rounded to the price's minor unit.
 */
import {
  add,
  compare,
  decimal,
  minorUnit,
  rounded,
  subtract,
  toText,
  toTrimmedText,
  unitsAt,
} from '../contract/index.js'
import type {Decimal, StatusValue} from '../contract/index.js'

/** A result of convert: an amount of the asset for an amount of local money, as decimal strings. */
export interface Rate {
  readonly crypto: string
  readonly local: string
}

/** Every display shows at least six digits, so rounding up adds less than one unit of the sixth. */
const SIGNIFICANT_DIGITS = 6

export function localWorth(amount: string, rate: Rate, decimals: number): number {
  if (isRoundedUp(decimal(amount), decimal(rate.crypto), decimals)) return Number(rate.local)
  return (Number(amount) * Number(rate.local)) / Number(rate.crypto)
}

/**
 * True for the quoted amount, and for the quoted amount rounded up to the asset's decimals or to six significant digits.
 * Such a payment is worth exactly the quote.
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
  /** The amount missing or paid in excess. */
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

/** The amount due as a decimal string. */
export function due(price: string, currency: string, confirmed: readonly number[]): string {
  const {total} = evaluate(price, currency, confirmed)
  return toTrimmedText(subtract(decimal(price), decimal(String(total))))
}

/** Half of the amount due, rounded up to the price's smallest unit. */
export function halfOfDue(price: string, currency: string, confirmed: readonly number[]): string {
  const {units, scale} = decimal(due(price, currency, confirmed))
  return toTrimmedText(rounded({units: units * 5n, scale: scale + 1}, priceScale(price, currency), 'up'))
}

/** The finer of the currency's minor unit and the price's own decimals. */
function priceScale(price: string, currency: string): number {
  return Math.max(minorUnit(currency), decimal(price).scale)
}

/** A percentage of an amount, rounded up to `decimals`. */
export function percentOf(amount: string, percent: bigint, decimals: number): string {
  const {units, scale} = decimal(amount)
  const value = {units: units * percent, scale: scale + 2}
  return toTrimmedText({units: unitsAt(value, decimals, 'up'), scale: decimals})
}

/** The amount of the asset for an amount of local money at this rate, rounded up to `decimals`. */
export function cryptoFor(local: string, rate: Rate, decimals: number): string {
  const [requested, quoted, crypto] = [decimal(local), decimal(rate.local), decimal(rate.crypto)]
  // requested × crypto ÷ quoted, in integers
  const dividend = requested.units * crypto.units * 10n ** BigInt(quoted.scale + decimals)
  const divisor = quoted.units * 10n ** BigInt(requested.scale + crypto.scale)
  return toTrimmedText({units: (dividend + divisor - 1n) / divisor, scale: decimals})
}
