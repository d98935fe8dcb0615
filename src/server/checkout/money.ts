/**
 * Money in the local currency. Prices have the places of the currency's minor unit, or their own if they have more.
 * Payments are added exactly; only what is shown is rounded to the places of the price.
 */
import {
  add,
  compare,
  decimal,
  isIsoCurrency,
  minorUnit,
  parseDecimal,
  rounded,
  subtract,
  toText,
  toTrimmedText,
  type Decimal,
  type Money,
} from '../../contract/index.js'

const zero: Decimal = {units: 0n, scale: 0}
/** Of the price: the most that a tolerance in its currency forgives. */
const MAX_AMOUNT_PERCENT: Decimal = {units: 10n, scale: 0}
/** The service sends floats: `29.999999999999996` is 30. */
const MAX_PLACES = 12

/** `49.9` USD becomes `49.90`. */
export function localPrice(amount: string, currency: string): Money {
  const value = decimal(amount)
  const places = Math.max(minorUnit(currency), value.scale)
  return {amount: toText(rounded(value, places, 'nearest')), currency}
}

/** How much a payment may fall short and still settle a charge. The larger one counts. */
export interface Tolerance {
  /** Of the price. */
  readonly percent?: number | undefined
  /** Decimal text, in the currency of the price. At most ten percent of it counts. */
  readonly amount?: string | undefined
}

/** Whether the confirmed payments settle the price. */
export function isWithinTolerance(price: Money, confirmed: readonly Money[], tolerance: Tolerance): boolean {
  const missing = subtract(decimal(price.amount), sumIn(price.currency, confirmed))
  const isAtMost = (limit: Decimal) => compare(missing, limit) <= 0
  return (
    isTooLittle(missing, price) ||
    isAtMost(percentOf(price, parseDecimal(String(tolerance.percent ?? 0)) ?? zero)) ||
    // An amount that fits one order may be all of another.
    (isAtMost(parseDecimal(tolerance.amount ?? '0') ?? zero) &&
      isAtMost(percentOf(price, MAX_AMOUNT_PERCENT)))
  )
}

/** Less than one unit of the price's last place cannot be paid, so it is never due. It is at most one percent. */
function isTooLittle(missing: Decimal, price: Money): boolean {
  const {scale} = decimal(price.amount)
  const places = isIsoCurrency(price.currency) ? Math.max(minorUnit(price.currency), scale) : scale
  const one = {units: 1n, scale: 0}
  return compare(missing, {units: 1n, scale: places}) < 0 && compare(missing, percentOf(price, one)) < 0
}

function percentOf({amount}: Money, percent: Decimal): Decimal {
  const total = decimal(amount)
  return {units: total.units * percent.units, scale: total.scale + percent.scale + 2}
}

function sumIn(currency: string, amounts: readonly Money[]): Decimal {
  return amounts
    .filter(money => sameCurrency(money.currency, currency))
    .reduce((sum, {amount}) => add(sum, decimal(amount)), zero)
}

/** Decimal text with at most 12 places. */
export function exactAmount(amount: string): string {
  return toTrimmedText(rounded(decimal(amount), MAX_PLACES, 'nearest'))
}

/** Never more than was paid: an amount in the price's currency is rounded down to the price's places. */
export function shownAmount(price: Money, money: Money): Money {
  if (!sameCurrency(money.currency, price.currency)) return money
  return {...money, amount: toText(rounded(decimal(money.amount), decimal(price.amount).scale, 'down'))}
}

export function sameCurrency(a: string, b: string): boolean {
  return a.toUpperCase() === b.toUpperCase()
}

export function sameMoney(a: Money, b: Money): boolean {
  return sameCurrency(a.currency, b.currency) && compare(decimal(a.amount), decimal(b.amount)) === 0
}

/** As shown: `paid` is rounded down and `due`, which is never below zero, up. */
export function computeBalance(price: Money, confirmed: readonly Money[]): {paid: Money; due: Money} {
  const {currency} = price
  const total = decimal(price.amount)
  const paid = sumIn(currency, confirmed)
  const missing = subtract(total, paid)
  const due = isTooLittle(missing, price) ? zero : missing
  return {
    paid: {amount: toText(rounded(paid, total.scale, 'down')), currency},
    due: {amount: toText(rounded(due, total.scale, 'up')), currency},
  }
}
