/**
 * Money in the local currency: exact decimals with the places of the currency's minor unit, or of the price if it has
 * more.
 */
import {
  add,
  compare,
  decimal,
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

/** `49.9` USD becomes `49.90`. */
export function localPrice(amount: string, currency: string): Money {
  const value = decimal(amount)
  const minorUnit = minorUnits[currency.toUpperCase()] ?? 2
  return {amount: toText(rounded(value, Math.max(minorUnit, value.scale), 'nearest')), currency}
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
  const zero: Decimal = {units: 0n, scale: total.scale}
  const paid = confirmed
    .filter(({currency}) => sameCurrency(currency, price.currency))
    .reduce((sum, {amount}) => add(sum, decimal(amount)), zero)
  return {
    paid: {amount: toText(paid), currency: price.currency},
    due: {amount: toText(subtract(total, paid)), currency: price.currency},
  }
}
