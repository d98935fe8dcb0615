/** The receipt as plain text: what the customer keeps, or sends to the shop. */
import type {Checkout} from '../../contract/checkout.js'
import type {DeskView} from './view.js'

export function receiptText({words, desk, money}: DeskView, checkout: Checkout): string {
  const {description, price, paid, chargeId, payments} = checkout
  const lines = [
    description && `${desk.description}: ${description}`,
    `${desk.price}: ${money(price)}`,
    `${words.received}: ${money(paid)}`,
    `${words.chargeId}: ${chargeId}`,
    ...payments.map(
      ({amount, currency, network, transactionId, at}) =>
        `${amount} ${currency} (${network}), ${at}, ${desk.transaction} ${transactionId}`,
    ),
  ]
  return lines.filter(Boolean).join('\n')
}
