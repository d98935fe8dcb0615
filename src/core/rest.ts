import type {Checkout, Money} from '../contract/checkout.js'
import {decimal, subtract, toText} from '../contract/decimal.js'

/** What was paid of the order before its rest was asked for. Null for a charge that is not for a rest. */
export function paidBefore({price, orderPrice}: Pick<Checkout, 'price' | 'orderPrice'>): Money | null {
  return orderPrice
    ? {...price, amount: toText(subtract(decimal(orderPrice.amount), decimal(price.amount)))}
    : null
}
