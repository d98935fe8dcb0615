/** The adapter in a real Payload: a guest's cart, paid through the proxy. */
import {describeShop} from '../describe-shop.js'
import {startPayload} from './payload.js'

const open = 'crypto-checkout pending, open'
const order = 'order processing 4990'

describeShop('Payload', startPayload, {
  open: [open],
  claimed: [open],
  paid: ['crypto-checkout succeeded, paid, 49.90 USD', order],
  underpaid: ['crypto-checkout pending, underpaid, 29.94 USD'],
  restPaid: ['crypto-checkout succeeded, paid, 49.90 USD', order],
  overpaid: ['crypto-checkout succeeded, overpaid, 74.85 USD', order],
  expired: ['crypto-checkout expired, expired, 0.00 USD'],
  late: ['crypto-checkout succeeded, paid, 49.90 USD, late', order],
  cancelled: ['crypto-checkout cancelled, paid, 49.90 USD, payment_after_cancel', 'card succeeded', order],
  refundable: [
    'crypto-checkout cancelled, paid, 49.90 USD, paid otherwise: refund it',
    'card succeeded',
    order,
  ],
})
