/** The receipt as plain text: what the customer keeps, or sends to the shop. */
import type {Checkout} from '../../contract/checkout.js'
import {networkOf, type DeskView} from './view.js'

export function receiptText({words, desk, money}: DeskView, checkout: Checkout): string {
  const {description, price, paid, chargeId, payments} = checkout
  const lines = [
    description && desk.description + words.colon + description,
    desk.price + words.colon + money(price),
    words.received + words.colon + money(paid),
    words.chargeId + words.colon + chargeId,
    ...payments.map(payment => {
      const {amount, currency, transactionId, at} = payment
      return `${amount} ${currency} (${networkOf(checkout, payment)}), ${at}, ${desk.transaction} ${transactionId}`
    }),
  ]
  return lines.filter(Boolean).join('\n')
}
