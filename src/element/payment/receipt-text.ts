/** The receipt as plain text: what the customer keeps, or sends to the shop. */
import type {Checkout} from '../../contract/checkout.js'
import {networkOf, type PaymentContext} from './context.js'

export function receiptText({translation, money}: PaymentContext, checkout: Checkout): string {
  const {description, price, paid, chargeId, payments} = checkout
  const lines = [
    description && translation.description + translation.colon + description,
    translation.price + translation.colon + money(price),
    translation.received + translation.colon + money(paid),
    translation.chargeId + translation.colon + chargeId,
    ...payments.map(payment => {
      const {amount, currency, transactionId, at} = payment
      return `${amount} ${currency} (${networkOf(checkout, payment)}), ${at}, ${translation.transaction} ${transactionId}`
    }),
  ]
  return lines.filter(Boolean).join('\n')
}
