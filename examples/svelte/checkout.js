import {renderer} from 'crypto-checkout/render'
import {createCheckout} from 'crypto-checkout/server'

export const checkout = createCheckout({
  apiKey: process.env.CHECKOUT_API_KEY,
  baseUrl: process.env.CHECKOUT_BASE_URL,
  renderer,
  // Can run again after a crash, so it must be idempotent.
  onPaid: async (paid, {charge}) => console.log(`${charge.ref_id} is paid: ship it`),
})

/** A shop takes the order and its price from its database. Each order has one charge, however often this is called. */
export async function placeOrder() {
  const {chargeId} = await checkout.createOrder('order-7', {
    amount: '49.90',
    currency: 'USD',
    country: 'NG',
    description: 'Order 7',
    customer: {name: 'Ada', phone: '+2348000000000', email: 'ada@example.com'},
  })
  return chargeId
}

/** The page that shows the order's charge. The list of coins is in its HTML, so that the customer does not wait for a script. */
export async function payPage(language) {
  return `<!doctype html>
    <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Your order</title>
      <link rel="icon" href="data:,">
      <h1>Your order</h1>
      ${await checkout.render(await placeOrder(), {locale: language})}
    </html>`
}
