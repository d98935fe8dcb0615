import type {Checkout, ObservedPayment} from '../contract/checkout.js'

/** The common name of the payment's network, or its id if the checkout does not list it. */
export function networkName({assets}: Checkout, {network}: Pick<ObservedPayment, 'network'>): string {
  return assets.flatMap(asset => asset.networks).find(({id}) => id === network)?.name ?? network
}
