import {env} from 'cloudflare:workers'
import {files} from 'crypto-checkout/files'
import {createCheckout, sqlStore} from 'crypto-checkout/server'

const checkout = createCheckout({
  apiKey: env.CHECKOUT_API_KEY,
  baseUrl: env.CHECKOUT_BASE_URL,
  store: sqlStore(env.DB),
  files,
  // Can run again after a crash, so it must be idempotent.
  onPaid: async (paid, {charge}) => console.log(`${charge.ref_id} is paid: ship it`),
})

/** A shop takes the order and its price from its database. Each order has one charge, however often this is called. */
async function page(ctx) {
  const order = {
    amount: '49.90',
    currency: 'USD',
    country: 'NG',
    description: 'Order 7',
    customer: {name: 'Ada', phone: '+2348000000000', email: 'ada@example.com'},
  }
  const {chargeId} = await checkout.createOrder('order-7', order, ctx)
  const html = await checkout.render(chargeId, {}, ctx)
  const body = `<!doctype html>
    <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Your order</title>
      <link rel="icon" href="data:,">
      <h1>Your order</h1>
      ${html}
    </html>`
  return new Response(body, {headers: {'content-type': 'text/html; charset=utf-8'}})
}

export default {
  async fetch(request, env, ctx) {
    const {pathname} = new URL(request.url)
    if (pathname.startsWith('/crypto-checkout/')) return checkout.fetch(request, ctx)
    if (pathname.startsWith('/thanks/')) {
      const {paid} = await checkout.verify(pathname.slice('/thanks/'.length), ctx)
      return new Response(paid ? 'Paid' : 'Not paid yet')
    }
    return pathname === '/' ? page(ctx) : new Response('Not found', {status: 404})
  },
  async scheduled() {
    await checkout.reconcile()
  },
}
