/**
 * Money in the local currency: exact decimals with the places of the currency's minor unit, or of the price if it has
 * more.
 */
import {
  add,
  compare,
  decimal,
  parseDecimal,
  rounded,
  subtract,
  toText,
  type Decimal,
  type Money,
} from '../../contract/index.js'

/**
 * Currencies whose ISO 4217 minor unit is not 2. `Intl` follows CLDR, which differs for several of these. The sandbox
 * has its own copy (sandbox/prices.ts), so that tests against it find a wrong row.
 */
const minorUnits: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map(code => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map(code => [code, 3])),
  CLF: 4,
  UYW: 4,
}

const zero: Decimal = {units: 0n, scale: 0}

function minorUnitPlaces(currency: string): number {
  return minorUnits[currency.toUpperCase()] ?? 2
}

/** `49.9` USD becomes `49.90`. */
export function localPrice(amount: string, currency: string): Money {
  const value = decimal(amount)
  const places = Math.max(minorUnitPlaces(currency), value.scale)
  return {amount: toText(rounded(value, places, 'nearest')), currency}
}

/** How much a payment may fall short and still settle a charge. The larger one counts. */
export interface Tolerance {
  /** Of the price. */
  readonly percent?: number | undefined
  /** Decimal text, in the currency of the price. */
  readonly amount?: string | undefined
}

/** Less than one minor unit cannot be paid, so it is never due. */
export function isWithinTolerance(due: Money, price: Money, tolerance: Tolerance): boolean {
  const missing = decimal(due.amount)
  const percent = parseDecimal(String(tolerance.percent ?? 0)) ?? zero
  const total = decimal(price.amount)
  const share = {units: total.units * percent.units, scale: total.scale + percent.scale + 2}
  return (
    compare(missing, {units: 1n, scale: minorUnitPlaces(price.currency)}) < 0 ||
    compare(missing, share) <= 0 ||
    compare(missing, parseDecimal(tolerance.amount ?? '0') ?? zero) <= 0
  )
}

/** Rounds to the price's places, because the service sends floats. */
export function roundToPrice(price: Money, amount: string): string {
  return toText(rounded(decimal(amount), decimal(price.amount).scale, 'nearest'))
}

export function sameCurrency(a: string, b: string): boolean {
  return a.toUpperCase() === b.toUpperCase()
}

export function sameMoney(a: Money, b: Money): boolean {
  return sameCurrency(a.currency, b.currency) && compare(decimal(a.amount), decimal(b.amount)) === 0
}

/** The amount due is never below zero. */
export function computeBalance(price: Money, confirmed: readonly Money[]): {paid: Money; due: Money} {
  const total = decimal(price.amount)
  const paid = confirmed
    .filter(({currency}) => sameCurrency(currency, price.currency))
    .reduce((sum, {amount}) => add(sum, decimal(amount)), {units: 0n, scale: total.scale})
  return {
    paid: {amount: toText(paid), currency: price.currency},
    due: {amount: toText(subtract(total, paid)), currency: price.currency},
  }
}
