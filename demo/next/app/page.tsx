import {redirect} from 'next/navigation'

async function order() {
  'use server'
  const {checkout} = await import('@/checkout')
  const charge = await checkout.service.createCharge({
    ref_id: 'order-7',
    customer: {user_id: 'u7', name: 'Ada', phone: '', email: 'ada@example.com'},
    billing: {
      currency: 'USD',
      amount: '49.90',
      pricing_type: 'fixed_price',
      description: 'Order 7',
      country: 'US',
    },
    metadata: {},
    call_back_url: 'https://your-shop.example/thanks',
    userId: 'u7',
    charge_source: 'api',
  })
  redirect(`/pay/${charge._id}`)
}

export default function Page() {
  return (
    <form action={order}>
      <h1>Your order</h1>
      <button>Pay with crypto</button>
    </form>
  )
}
