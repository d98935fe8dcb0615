import {createCheckout} from 'crypto-checkout/server'

export const checkout = createCheckout({
  apiKey: process.env.CHECKOUT_API_KEY ?? '',
  baseUrl: process.env.CHECKOUT_BASE_URL ?? '',
  async onPaid({chargeId}, {charge}) {
    console.log(`${charge.ref_id ?? chargeId} is paid: ship it`)
  },
})
