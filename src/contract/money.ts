import type {Money} from './checkout.js'
import {decimal, subtract, toText} from './decimal.js'

/** The difference of two amounts in one currency, of which the second one is not more. */
export function subtractMoney(from: Money, amount: Money): Money {
  return {...from, amount: toText(subtract(decimal(from.amount), decimal(amount.amount)))}
}
