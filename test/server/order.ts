import type {ChargeRequest} from '../../src/contract/index.js'

/** What a shop's back end sends to create a charge. */
export function order(amount = '49.90', currency = 'USD'): ChargeRequest {
  return {
    ref_id: 'order-7',
    customer: {user_id: 'u7', name: 'Ada', phone: '+2348000000000', email: 'ada@shop.example'},
    billing: {currency, amount, vat: '0', pricing_type: 'fixed_price', description: 'Order 7', country: 'NG'},
    metadata: {cart: 7},
    call_back_url: 'https://shop.example/thanks',
    userId: 'u7',
    charge_source: 'api',
  }
}
