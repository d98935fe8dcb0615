import {renderer} from 'crypto-checkout/render'
import {createCheckout, type CheckoutServer} from 'crypto-checkout/server'

const shared = globalThis as {checkout?: CheckoutServer}

/**
 * Created by the first request, because `next build` has no api-key. In `globalThis`, because the development server loads
 * this file again after a change.
 */
export function getCheckout(): CheckoutServer {
  return (shared.checkout ??= createCheckout({
    apiKey: process.env.CHECKOUT_API_KEY,
    baseUrl: process.env.CHECKOUT_BASE_URL,
    // The host in front of Next.js, or Next.js itself, writes the customer's address into X-Forwarded-For.
    trustProxy: 1,
    renderer,
    // Can run again after a crash, so it must be idempotent.
    onPaid: async (paid, {charge}) => console.log(`${charge.ref_id} is paid: ship it`),
  }))
}

/** A shop takes the order and its price from its database. Each order has one charge, however often this is called. */
export async function placeOrder() {
  const {chargeId} = await getCheckout().createOrder('order-7', {
    amount: '49.90',
    currency: 'USD',
    country: 'NG',
    description: 'Order 7',
    customer: {name: 'Ada', phone: '+2348000000000', email: 'ada@example.com'},
  })
  return chargeId
}
