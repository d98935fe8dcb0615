/** The plugin in a real Vendure server: an order of the Shop API, paid through the proxy. */
import {describeShop} from '../describe-shop.js'
import {startVendure} from './vendure.js'

const settled = ['PaymentSettled', 'crypto 49904 Settled']

describeShop('Vendure', startVendure, {
  open: ['ArrangingPayment'],
  claimed: ['ArrangingPayment', 'crypto 0 Declined'],
  paid: settled,
  underpaid: ['ArrangingPayment', 'Underpaid: 29.94 USD of 49.90 USD has arrived.'],
  restPaid: [...settled, 'Underpaid: 29.94 USD of 49.90 USD has arrived.'],
  overpaid: [...settled, '74.85 USD paid in crypto: more than 49.90 USD. Refund the rest.'],
  expired: ['ArrangingPayment', 'The charge has expired without a payment.'],
  late: ['PaymentSettled', 'crypto 49904 Settled late', 'The charge has expired without a payment.'],
  cancelled: ['PaymentSettled', 'card 49904 Settled', 'Look at charge CHARGE: payment_after_cancel.'],
  refundable: [
    'PaymentSettled',
    'card 49904 Settled',
    '49.90 USD paid in crypto: the order is in PaymentSettled. Refund it, or record it by hand.',
  ],
})
