import type {Checkout} from '../../contract/checkout.js'
import type {PaymentContext} from './context.js'
import {networkName} from './payment-list.js'

/** The receipt as plain text, one fact a line. */
export function receiptText({translation, money}: PaymentContext, checkout: Checkout): string {
  const {description, price, paid, chargeId, payments} = checkout
  const lines = [
    description && translation.description + translation.colon + description,
    translation.price + translation.colon + money(price),
    translation.received + translation.colon + money(paid),
    translation.chargeId + translation.colon + chargeId,
    ...payments.map(payment => {
      const {amount, currency, transactionId, at} = payment
      return `${amount} ${currency} (${networkName(checkout, payment)}), ${at}, ${translation.transaction} ${transactionId}`
    }),
  ]
  return lines.filter(Boolean).join('\n')
}
