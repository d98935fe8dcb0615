import type {Checkout, Money} from '../contract/checkout.js'
import {decimal, subtract, toText} from '../contract/decimal.js'

/** What was paid beyond the price; only for a checkout that is overpaid. */
export function excess({paid, price}: Pick<Checkout, 'paid' | 'price'>): Money {
  return {...price, amount: toText(subtract(decimal(paid.amount), decimal(price.amount)))}
}
