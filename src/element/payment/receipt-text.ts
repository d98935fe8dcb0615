import type {Checkout} from '../../contract/checkout.js'
import {networkName} from '../../core/network-name.js'
import type {PaymentContext} from './context.js'
import {paymentState} from './payment-list.js'

/** False for a charge that was settled without a payment that the proxy can see. */
export function hasReceived({paid}: Checkout): boolean {
  return Number(paid.amount) > 0
}

/** The code, where the browser knows no name, or it is none. */
export function countryName({locale}: Pick<PaymentContext, 'locale'>, code: string): string {
  try {
    return new Intl.DisplayNames([...locale], {type: 'region'}).of(code) ?? code
  } catch {
    return code
  }
}

/** The receipt as plain text, one fact a line. */
export function receiptText(context: PaymentContext, checkout: Checkout): string {
  const {translation, money} = context
  const {description, reference, price, vat, country, paid, chargeId, payments} = checkout
  const lines = [
    description && translation.description + translation.colon + description,
    reference && translation.reference + translation.colon + reference,
    translation.price + translation.colon + money(price),
    vat && translation.vat + translation.colon + vat,
    country && translation.country + translation.colon + countryName(context, country),
    hasReceived(checkout) && translation.received + translation.colon + money(paid),
    translation.chargeId + translation.colon + chargeId,
    ...payments.map(payment => {
      const {amount, currency, transactionId, at} = payment
      const state = payment.confirmed ? '' : `, ${paymentState(context, payment)}`
      return `${amount} ${currency} (${networkName(checkout, payment)}), ${at}, ${translation.transaction} ${transactionId}${state}`
    }),
  ]
  return lines.filter(Boolean).join('\n')
}
