/** A library that extends the element and registers it itself. */
import {
  CryptoCheckout,
  register,
  type CheckoutEventMap,
  type Phase,
  type Quote,
} from 'crypto-checkout/element'

register()

export class OwnCheckout extends CryptoCheckout {
  get isOver(): boolean {
    const over: Phase[] = ['paid', 'overpaid', 'expired', 'cancelled']
    return over.includes(this.phase)
  }
}

export function amountOf(checkout: CryptoCheckout): string | undefined {
  const quote: Quote | null | undefined = checkout.checkout?.quote
  return quote?.amount
}

export const names: (keyof CheckoutEventMap)[] = ['checkout-changed', 'checkout-closed']

// @ts-expect-error: there is no such phase
export const unknown: Phase = 'shipped'
// @ts-expect-error: nor such an event
names.push('checkout-shipped')
