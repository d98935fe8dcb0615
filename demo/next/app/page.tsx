import {redirect} from 'next/navigation'
import {getCheckout} from '@/checkout'

/** A shop takes the order and its price from its database. Each order has one charge, however often this is called. */
async function placeOrder() {
  'use server'
  const {chargeId} = await getCheckout().createOrder('order-7', {
    amount: '49.90',
    currency: 'USD',
    country: 'NG',
    description: 'Order 7',
    customer: {name: 'Ada', phone: '+2348000000000', email: 'ada@example.com'},
  })
  redirect(`/pay/${chargeId}`)
}

export default function Page() {
  return (
    <form action={placeOrder}>
      <h1>Your order</h1>
      <button>Pay with crypto</button>
    </form>
  )
}
