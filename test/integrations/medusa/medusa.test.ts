/** The provider in a real Medusa with Postgres: a guest's cart, paid through the proxy. */
import {describeShop} from '../describe-shop.js'
import {startMedusa} from './medusa.js'

const placed = ['order pending', 'completed, captured 49.904', 'pp_crypto-checkout_crypto-checkout 49.904']
const byCard = ['order pending', 'authorized, captured 0', 'pp_system_default 49.904']

describeShop('Medusa', startMedusa, {
  open: ['cart'],
  claimed: ['cart'],
  paid: [...placed, 'paid, 49.90 USD'],
  underpaid: ['cart', 'underpaid, 29.94 USD'],
  restPaid: [...placed, 'paid, 49.90 USD'],
  overpaid: [...placed, 'overpaid, 74.85 USD'],
  expired: ['cart', 'expired, 0.00 USD'],
  late: [...placed, 'paid, 49.90 USD, late'],
  cancelled: [...byCard, 'paid, 49.90 USD, payment_after_cancel'],
  refundable: [...byCard, 'paid, 49.90 USD, paid otherwise: refund it'],
})
