/** A page that imports the package or has the script tag: the types know the tag and its events. */
import 'crypto-checkout'
import {CheckoutPaidEvent, CryptoCheckout, type Checkout} from 'crypto-checkout'

const made: CryptoCheckout = document.createElement('crypto-checkout')
const found: CryptoCheckout | null = document.querySelector('crypto-checkout')
made.chargeId = 'c1'
made.theme = 'dark'
made.show()
void found?.refresh()

made.addEventListener('checkout-paid', event => {
  const paid: CheckoutPaidEvent = event
  const {chargeId, price}: Checkout = event.detail
  console.log(paid.type, chargeId, price.amount)
})
document.body.addEventListener('checkout-error', event => console.log(event.detail.code))
document.addEventListener('checkout-paid', event => console.log(event.detail.chargeId))

// @ts-expect-error: not a theme
made.theme = 'pink'
// @ts-expect-error: an id is text
made.chargeId = 7
// @ts-expect-error: read only
made.phase = 'paid'
// @ts-expect-error: a problem has no charge
made.addEventListener('checkout-error', event => console.log(event.detail.chargeId))
// @ts-expect-error: null until the first response
made.addEventListener('checkout-changed', event => console.log(event.detail.chargeId))
