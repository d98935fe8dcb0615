import type {Checkout} from '../../contract/checkout.js'
import {parseCheckout} from './parse-checkout.js'

/**
 * The checkout that a server puts into its page, parsed like a response. Null unless it is that of this charge, and the
 * customer has yet to choose: a page may come from a cache, so it must not show an address or the state of a payment.
 *
 * @param json what a response contains
 */
export function parseFirstCheckout(json: string, chargeId: string): Checkout | null {
  let body: unknown
  try {
    body = JSON.parse(json)
  } catch {
    return null
  }
  const checkout = parseCheckout(body, chargeId)
  const isFirst =
    checkout?.status === 'open' &&
    checkout.payable &&
    !checkout.stale &&
    !checkout.quote &&
    checkout.payments.length === 0
  return isFirst ? checkout : null
}
