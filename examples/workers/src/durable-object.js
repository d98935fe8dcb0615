import {DurableObject} from 'cloudflare:workers'
import {createCheckout, sqlStore} from 'crypto-checkout/server'

export class Checkout extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env)
    const store = sqlStore(ctx.storage.sql)
    void ctx.blockConcurrencyWhile(() => store.migrate())
    this.checkout = createCheckout({
      apiKey: env.CHECKOUT_API_KEY,
      baseUrl: env.CHECKOUT_BASE_URL,
      store,
      onPaid: async (paid, {charge}) => console.log(`${charge.ref_id} is paid: ship it`),
    })
  }

  async fetch(request) {
    return this.checkout.fetch(request, this.ctx)
  }

  async isPaid(chargeId) {
    const {paid} = await this.checkout.verify(chargeId, this.ctx)
    return paid
  }

  async reconcile() {
    await this.checkout.reconcile()
  }
}

export default {
  async fetch(request, env) {
    const checkout = env.CHECKOUT.get(env.CHECKOUT.idFromName('shop'))
    const {pathname} = new URL(request.url)
    if (pathname.startsWith('/crypto-checkout/')) return checkout.fetch(request)
    if (pathname.startsWith('/thanks/')) {
      const isPaid = await checkout.isPaid(pathname.slice('/thanks/'.length))
      return new Response(isPaid ? 'Paid' : 'Not paid yet')
    }
    return new Response('The shop')
  },
  async scheduled(controller, env) {
    await env.CHECKOUT.get(env.CHECKOUT.idFromName('shop')).reconcile()
  },
}
