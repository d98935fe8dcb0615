/**
 * Exact decimal numbers, because floats round money. A decimal is transferred as plain text (`12.50`). Arithmetic uses
 * integers of a power of ten.
 */

/** A non-negative decimal: `units` times ten to the power of minus `scale`. */
export interface Decimal {
  readonly units: bigint
  readonly scale: number
}

const PLAIN = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/

/**
 * Limits that no amount of money reaches, so that a hostile number cannot cost much arithmetic. Every value within them
 * can be written without an exponent and parsed again.
 */
const MAX_LENGTH = 100
const MAX_WHOLE_DIGITS = 40
const MAX_PLACES = 50

/**
 * Parses a non-negative decimal, with or without an exponent, and loses no digit.
 *
 * @returns null for other text and for numbers above the limits (`1e999`)
 */
export function parseDecimal(text: string): Decimal | null {
  if (text.length > MAX_LENGTH) return null
  const match = PLAIN.exec(text)
  if (!match) return null
  const [, whole = '', fraction = '', exponentText = '0'] = match
  const exponent = Number(exponentText)
  const units = BigInt(whole + fraction)
  const scale = fraction.length - exponent
  if (scale > MAX_PLACES || String(units).length - scale > MAX_WHOLE_DIGITS) return null
  return scale >= 0 ? {units, scale} : {units: units * 10n ** BigInt(-scale), scale: 0}
}

/** Like `parseDecimal`, but throws a `RangeError`, for text that was validated before. */
export function decimal(text: string): Decimal {
  const value = parseDecimal(text)
  if (!value) throw new RangeError('not a decimal')
  return value
}

export type Rounding = 'up' | 'down' | 'nearest'

/** The number of units of ten to the power of minus `scale`. `nearest` rounds halves up. */
export function unitsAt(value: Decimal, scale: number, rounding: Rounding): bigint {
  if (scale >= value.scale) return value.units * 10n ** BigInt(scale - value.scale)
  const step = 10n ** BigInt(value.scale - scale)
  const whole = value.units / step
  const remainder = value.units % step
  const up = rounding === 'up' ? remainder > 0n : rounding === 'nearest' && remainder * 2n >= step
  return up ? whole + 1n : whole
}

export function rounded(value: Decimal, scale: number, rounding: Rounding): Decimal {
  return {units: unitsAt(value, scale, rounding), scale}
}

/** Negative, zero or positive, as `Array.prototype.sort` expects. */
export function compare(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale)
  const difference = unitsAt(a, scale, 'up') - unitsAt(b, scale, 'up')
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

export function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale)
  return {units: unitsAt(a, scale, 'up') + unitsAt(b, scale, 'up'), scale}
}

/** `a` minus `b`, but never below zero, because an amount due is never negative. */
export function subtract(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale)
  const units = unitsAt(a, scale, 'up') - unitsAt(b, scale, 'up')
  return {units: units > 0n ? units : 0n, scale}
}

/** A float has 15 exact digits, and money at most 12 places. What is beyond is an error of its arithmetic. */
const EXACT_DIGITS = 15
export const MONEY_PLACES = 12

/** The shortest plain digits of a float: `182.45` for `5 * 36.49`. @returns undefined if it has no exact ones */
export function floatText(value: number): string | undefined {
  const exact = Math.abs(value) < 10 ** EXACT_DIGITS ? Number(value.toPrecision(EXACT_DIGITS)) : NaN
  const parsed = parseDecimal(String(exact))
  return parsed ? toTrimmedText(rounded(parsed, MONEY_PLACES, 'nearest')) : undefined
}

/** Plain digits with exactly `scale` places: `12.50`. */
export function toText({units, scale}: Decimal): string {
  if (scale === 0) return String(units)
  const digits = String(units).padStart(scale + 1, '0')
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** Plain digits without trailing zeros: `12.5`. */
export function toTrimmedText(value: Decimal): string {
  const text = toText(value)
  return value.scale === 0 ? text : text.replace(/\.?0+$/, '')
}
