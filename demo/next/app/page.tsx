import {redirect} from 'next/navigation'

async function order() {
  'use server'
  const {checkout} = await import('@/checkout')
  const {chargeId} = await checkout.createOrder('order-7', {
    amount: '49.90',
    currency: 'USD',
    country: 'US',
    description: 'Order 7',
    customer: {id: 'u7', name: 'Ada', phone: '', email: 'ada@example.com'},
    redirectUrl: 'https://your-shop.example/thanks',
  })
  redirect(`/pay/${chargeId}`)
}

export default function Page() {
  return (
    <form action={order}>
      <h1>Your order</h1>
      <button>Pay with crypto</button>
    </form>
  )
}
