import {getCheckout} from '@/checkout'

/** A shop takes the order and its price from its database. Each order has one charge, however often this is called. */
export async function POST() {
  const {chargeId} = await getCheckout().createOrder('order-7', {
    amount: '49.90',
    currency: 'USD',
    country: 'NG',
    description: 'Order 7',
    customer: {name: 'Ada', phone: '+2348000000000', email: 'ada@example.com'},
  })
  return new Response(null, {status: 303, headers: {location: `/pay/${chargeId}`}})
}
